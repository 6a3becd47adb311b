"""The counts of tests/data/perft, which were computed by two sets of rules written apart from each other."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from tabuleiro import native
from tabuleiro.core import Position
from tabuleiro.games import GAMES
from tabuleiro.perft import perft

DATA = Path(__file__).parent / "data" / "perft"


@dataclass(frozen=True)
class Case:
    position: Position
    #: Sequences of moves, by length.
    counts: dict[int, int]
    #: The same for lengths that only fast rules reach.
    far_counts: dict[int, int]


def read_counts(text: str) -> dict[int, int]:
    pairs = (pair.split(":") for pair in text.split())
    return {int(length): int(count) for length, count in pairs}


def read_case(game: type[Position], line: str) -> Case:
    options_text, position_text, near, far = (part.strip() for part in (*line.split("|"), "")[:4])
    options = game.options_type.parse(dict(pair.split("=") for pair in options_text.split()))
    position = game.start(options) if position_text == "start" else game.from_str(position_text, options)
    return Case(position, read_counts(near), read_counts(far))


def cases_of(game: type[Position]) -> list[Case]:
    lines = (DATA / f"{game.id}.perft").read_text(encoding="utf-8").splitlines()
    return [read_case(game, line) for line in lines if line and not line.startswith("#")]


def test_every_game_has_counts_and_every_file_a_game() -> None:
    assert {path.stem for path in DATA.glob("*.perft")} == set(GAMES)


@pytest.mark.parametrize("most", [5_000, pytest.param(10**9, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_rules_count_the_same(game: type[Position], most: int) -> None:
    """Up to so many sequences at every run: the rules in Python are slow."""
    for case in cases_of(game):
        for length, count in case.counts.items():
            if count > most:
                continue
            assert perft(case.position, length) == count, f"{case.position} {case.position.options.changed()}, {length}"


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_native_rules_count_the_same(game: type[Position]) -> None:
    for case in cases_of(game):
        for length, count in (case.counts | case.far_counts).items():
            given = f"{case.position} {case.position.options.changed()}, {length}"
            assert native.perft(case.position, length) == count, given
