"""Tabuleiro: eight abstract board games with exact rules."""

from tabuleiro.core import (
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    Move,
    OptionError,
    Options,
    Outcome,
    Player,
    Position,
    TabuleiroError,
    UnknownGameError,
)
from tabuleiro.games import GAMES, get
from tabuleiro.language import Text
from tabuleiro.record import Game

__all__ = [
    "GAMES",
    "Game",
    "IllegalMoveError",
    "InvalidMoveError",
    "InvalidPositionError",
    "Move",
    "OptionError",
    "Options",
    "Outcome",
    "Player",
    "Position",
    "TabuleiroError",
    "Text",
    "UnknownGameError",
    "get",
]
__version__ = "0.1.0"


def _picture(position: Position) -> str:
    from tabuleiro.svg import draw  # only notebooks need it, so only they wait for it

    return draw(position)


Position.picture = _picture
