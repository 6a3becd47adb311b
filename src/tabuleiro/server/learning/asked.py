"""What every question to those who judge has in common (`server.engines.Question`)."""

from dataclasses import dataclass
from typing import ClassVar

from tabuleiro.record import Line


class Unhurried:
    """A question whose answer may take a while: some positions take longer than others, on a machine with much to do
    and in a process that is only just starting."""

    #: Seconds after which whoever was asked is lost.
    patience: ClassVar[float] = 60.0


@dataclass(frozen=True)
class AboutLine(Unhurried):
    """A question about the last position of a line."""

    line: Line

    @property
    def game(self) -> str:
        return self.line.game
