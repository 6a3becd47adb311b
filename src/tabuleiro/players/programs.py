"""Other programs as kinds of engines: after the colon stands the command that runs one."""

import shlex

from tabuleiro.core import shorten
from tabuleiro.language import Text
from tabuleiro.players.kinds import Argument, EngineKind, EngineNameError, Settings
from tabuleiro.programs import GtpEngine, ProgramEngine, UciEngine, UgiEngine
from tabuleiro.search.base import Engine


def _kind(name: str, protocol: str, engine: type[ProgramEngine]) -> EngineKind:
    def check(command: str) -> None:
        if not command:
            raise EngineNameError(
                Text(f"falta o comando depois de «{name}:»", f"the command after “{name}:” is missing")
            )

    def make(game: str, command: str, settings: Settings) -> Engine:
        try:
            words = shlex.split(command)
        except ValueError as error:
            shown = shorten(command)
            raise EngineNameError(
                Text(f"não percebo o comando «{shown}»", f"the command “{shown}” means nothing")
            ) from error
        return engine(words, settings)

    about = Text(f"um programa que fala {protocol}", f"a program that speaks {protocol}")
    return EngineKind(name, about, make, argument=Argument.COMMAND, check=check)


KINDS = (_kind("ugi", "UGI", UgiEngine), _kind("uci", "UCI", UciEngine), _kind("gtp", "GTP", GtpEngine))
