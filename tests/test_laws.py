"""The laws of `laws.py` on random walks through every game and option set."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from laws import check_position, walk
from option_sets import CASE_IDS, CASES
from tabuleiro.core import Options, Position
from tabuleiro.games.abalone import Abalone
from tabuleiro.games.avanco import Avanco
from tabuleiro.games.guerreiros import Guerreiros
from tabuleiro.games.hex import Hex
from tabuleiro.games.konane import Konane
from tabuleiro.games.ouri import Ouri
from tabuleiro.games.rastros import Rastros
from tabuleiro.games.semaforo import Semaforo


@pytest.mark.parametrize(("game", "options"), CASES, ids=CASE_IDS)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 120))
def test_every_law_holds_on_random_walks(game: type[Position], options: Options, seed: int, plies: int) -> None:
    rng = random.Random(seed)
    positions = walk(game, options, rng, plies)
    for position in {positions[0], positions[-1], rng.choice(positions)}:
        check_position(position, rng)
        check_counts(positions[0], position)


def check_counts(start: Position, position: Position) -> None:
    """What each game conserves."""
    match start, position:
        case Avanco(), Avanco():
            assert max(position.board.count("w"), position.board.count("b")) <= 2 * position.options.size
        case Rastros(), Rastros():
            assert position.board.count("O") == 1
        case Hex(), Hex():
            assert abs(position.board.count("w") - position.board.count("b")) <= 1
        case Semaforo(), Semaforo():
            assert len(position.board) == len(start.board)
        case Ouri(), Ouri():
            assert sum(position.houses) + sum(position.stores) == 48
        case Konane(), Konane():
            assert position.board.count(".") >= start.board.count(".")
        case Guerreiros(), Guerreiros():
            for side in ("K", "k"):
                assert sum(piece[0] == side for piece in position.board) <= 1
        case Abalone(), Abalone():
            black, white = position.lost
            assert position.board.count("b") + black == position.board.count("w") + white == 14
        case _:
            raise AssertionError(f"say what {position.id} conserves")


#: No game without draws by repetition can last longer than this many plies.
LONGEST: dict[type[Position], Callable[[Any], int]] = {
    Avanco: lambda p: 2 * 2 * p.options.size * (p.options.size - 1),
    Rastros: lambda p: p.options.size**2 - 1,
    Hex: lambda p: p.options.size**2 + 1,
    Semaforo: lambda p: 3 * len(p.board),
    Konane: lambda p: p.options.size**2,
}


@pytest.mark.parametrize(
    ("game", "options"), [case for case in CASES if case[0] in LONGEST], ids=lambda v: getattr(v, "id", repr(v))
)
def test_a_game_that_moves_only_forward_has_a_longest_length(game: type[Position], options: Options) -> None:
    for seed in range(5):
        positions = walk(game, options, random.Random(seed), 10_000)
        assert positions[-1].outcome() is not None
        assert len(positions) - 1 <= LONGEST[game](positions[0])
