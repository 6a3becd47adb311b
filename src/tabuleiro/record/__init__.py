"""Played games: the tree of moves and the rules that look back (`tree`), a line of play as texts (`line`), and records
(`text`)."""

from tabuleiro.core import GAME_OVER
from tabuleiro.record.line import LINE_FORM, Line, naming_move, write_moves
from tabuleiro.record.text import check_tag_name, read_games, write_game, write_games
from tabuleiro.record.tree import (
    HIDDEN,
    MAX_MOVES,
    UNKNOWN,
    Game,
    Node,
    RecordError,
    random_game,
)

__all__ = [
    "GAME_OVER",
    "HIDDEN",
    "LINE_FORM",
    "MAX_MOVES",
    "UNKNOWN",
    "Game",
    "Line",
    "Node",
    "RecordError",
    "check_tag_name",
    "naming_move",
    "random_game",
    "read_games",
    "write_game",
    "write_games",
    "write_moves",
]
