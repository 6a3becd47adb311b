"""Who plays: the kinds of engines and their names (`registry`), levels for people (`levels`), the strongest engine of a
game (`strongest`), and contestants of matches (`contestant`)."""

from tabuleiro.players.contestant import Contestant
from tabuleiro.players.kinds import EngineKind, EngineNameError
from tabuleiro.players.levels import TOP
from tabuleiro.players.registry import KINDS, LIMITS, EngineName, level_engine, make_engine, parse_name

__all__ = [
    "KINDS",
    "LIMITS",
    "TOP",
    "Contestant",
    "EngineKind",
    "EngineName",
    "EngineNameError",
    "level_engine",
    "make_engine",
    "parse_name",
]
