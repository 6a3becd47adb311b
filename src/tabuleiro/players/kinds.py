"""What a kind of engine is: its name, the settings it takes, and how one is made.

A kind is added with one file of this room that has it in its `KINDS`, and one line in `registry.py`; then it plays by
its name in matches, over the protocol, on the server and on the command line.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text
from tabuleiro.search.base import Engine

#: A value for each setting of a kind.
Settings = Mapping[str, Any]


class EngineNameError(TabuleiroError):
    """A name that no engine has, or a setting that its kind does not take."""


class Argument(Enum):
    """What a name has after the colon besides settings."""

    NOTHING = ""
    #: One word, then settings: `level:3,time=1`.
    WORD = "word"
    #: A command, to the end. Settings stand in brackets, and the program has names for its own: `uci[Hash=64]:program`.
    COMMAND = "command"


def read_number(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,9})?", text):
        raise EngineNameError(Text(f"«{shorten(text)}» não é um número", f"“{shorten(text)}” is no number"))
    return float(text)


def read_whole(text: str) -> int:
    return int(read_number(text))


def read_switch(text: str) -> bool:
    if text not in ("on", "off"):
        raise EngineNameError(
            Text(f"escreve on ou off, não «{shorten(text)}»", f"write on or off, not “{shorten(text)}”")
        )
    return text == "on"


@dataclass(frozen=True)
class Setting:
    """Something about an engine that can be chosen."""

    help: Text
    default: Any
    #: The value that a text means; raises `EngineNameError` where it means none.
    read: Callable[[str], Any] = read_whole


def _anything(argument: str) -> None:
    pass


@dataclass(frozen=True)
class EngineKind:
    name: str
    help: Text
    #: An engine for a game, given the argument of its name and its settings.
    make: Callable[[str, str, Settings], Engine]
    settings: Mapping[str, Setting] = field(default_factory=dict)
    argument: Argument = Argument.NOTHING
    #: Raises an error for an argument that means nothing.
    check: Callable[[str], None] = _anything
    #: Whether it can play a game.
    serves: Callable[[str], bool] = lambda game: True

    def new(self, game: str, argument: str = "", /, **settings: Any) -> Engine:
        """An engine of this kind, with the usual value of every setting that is not given."""
        usual = {name: setting.default for name, setting in self.settings.items()}
        return self.make(game, argument, {**usual, **settings})
