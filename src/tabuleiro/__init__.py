"""Tabuleiro: eight abstract board games with exact rules."""

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from tabuleiro.batches import Batch

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
    "batch",
    "get",
]
__version__ = "0.1.0"


def batch(game: str | Position, n: int, **settings: Any) -> "Batch":
    """`n` games at once, for training agents: from the start of a game, with its options by name, or from a position.
    The settings are `seed`, `threads`, `auto_reset` and `max_plies`; see `tabuleiro.batches`."""
    from tabuleiro.batches import batch as make_batch  # needs NumPy and the native module, as nothing else here does

    return make_batch(game, n, **settings)


def _picture(position: Position) -> str:
    from tabuleiro.svg import draw  # only notebooks need it, so only they wait for it

    return draw(position)


Position.picture = _picture
