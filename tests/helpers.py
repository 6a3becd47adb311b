"""Short words for the rule sentences: positions, moves and outcomes as a person writes them."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tabuleiro.core import EMPTY, InvalidPositionError, OptionError, Outcome, Position, write_ranks
from tabuleiro.games import GAMES
from tabuleiro.record import Game


def start(game: str, **options: Any) -> Position:
    return GAMES[game].start(GAMES[game].options_type(**options))


def at(game: str, text: str, **options: Any) -> Position:
    """The position that a position string describes."""
    return GAMES[game].from_str(text, GAMES[game].options_type(**options))


def placed(game: str, pieces: Mapping[str, str], fields: str, **options: Any) -> Position:
    """The position with pieces on the cells named, and with these fields after the board."""
    geometry = start(game, **options).geometry
    board = [pieces.get(name, EMPTY) for name in geometry.names]
    return at(game, f"{write_ranks(geometry, board)} {fields}", **options)


def moves(position: Position) -> set[str]:
    return {position.move_str(move) for move in position.legal_moves()}


def after(position: Position, *texts: str) -> Position:
    """The position after some moves."""
    for text in texts:
        position = position.play(position.parse_move(text))
    return position


def ended(position: Position) -> Outcome:
    """How a finished game ended."""
    outcome = position.outcome()
    assert outcome is not None
    assert position.legal_moves() == []
    return outcome


def played(position: Position, *texts: str) -> Game:
    """A game from a position on, with the rules that look back."""
    game = Game(position)
    for text in texts:
        game.play(text)
    return game


def refuses_position(game: str, text: str, why: str, **options: Any) -> None:
    """A position string is refused with a sentence that has the words `why`."""
    with pytest.raises(InvalidPositionError, match=why):
        at(game, text, **options)


def refuses_options(game: str, **options: Any) -> None:
    with pytest.raises(OptionError):
        GAMES[game].options_type(**options)


class Solver:
    """Exhaustive search of games without draws, for endings small enough."""

    def __init__(self) -> None:
        self._known: dict[Position, bool] = {}

    def wins(self, position: Position) -> bool:
        """Whether the player to move can force a win."""
        if position not in self._known:
            self._known[position] = self._search(position)
        return self._known[position]

    def winning_moves(self, position: Position) -> set[str]:
        return {position.move_str(move) for move in position.legal_moves() if self._is_winning(position, move)}

    def _search(self, position: Position) -> bool:
        if (outcome := position.outcome()) is not None:
            return outcome.winner is position.turn
        return any(self._is_winning(position, move) for move in position.legal_moves())

    def _is_winning(self, position: Position, move: int) -> bool:
        child = position.play(move)
        return self.wins(child) == (child.turn is position.turn)


def wait_for_work(process: "subprocess.Popen[Any]", seconds: float) -> None:
    """Wait until a program has worked: until it has had that many seconds of a core, however busy the machine is."""
    if not sys.platform.startswith("linux"):
        time.sleep(2 * seconds)
        return
    while process.poll() is None:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        if (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") >= seconds:
            return
        time.sleep(0.01)
