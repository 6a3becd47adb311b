"""The engines agree with exhaustive search over the Python rules. `truth.py` as a command compares many more."""

import itertools

import pytest

from tabuleiro import GAMES, Position
from tabuleiro.games.ouri import Ouri
from tabuleiro.games.rastros import Rastros
from tabuleiro.games.semaforo import Semaforo
from tabuleiro.search import AlphaBetaEngine, Engine, Limit, MctsEngine, ProofEngine
from tabuleiro.search.base import Score, Worth
from truth import SHALLOW_GAMES, Jury, exhaustive, exhaustive_move, positions_of


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_late_positions(game: type[Position]) -> None:
    jury = Jury()
    # The Python rules of these games are slow.
    wanted = 4 if game.id in SHALLOW_GAMES else 10
    for position, value in itertools.islice(positions_of(game), wanted):
        jury.check(position, value)


@pytest.mark.parametrize(
    "text",
    [
        "0,0,0,3,0,2/1,1,0,0,0,0 20-21 S",  # f takes everything and South moves again
        "0,0,0,3,0,2/1,1,0,0,0,0 17-24 S",
        "1,0,0,0,2,2/1,1,0,0,0,0 20-21 S",
        "0,0,0,0,2,2/1,1,0,0,0,0 20-22 S",
    ],
)
def test_the_same_player_twice(text: str) -> None:
    position = Ouri.from_str(text)
    slam = position.play(position.parse_move("f"))
    assert slam.turn is position.turn or slam.outcome() is not None
    Jury().check(position, exhaustive(position))


def test_semaforo_is_lost_for_the_first_player() -> None:
    analysis = ProofEngine().analyse(Semaforo.start(), Limit(nodes=50_000_000))
    assert analysis.exact and analysis.score == Score.loss()


def test_the_example_of_the_rule_book() -> None:
    position = Rastros.from_str("7/1##4/##1##2/2##3/3#3/2O#3/3#3 1")
    analysis = AlphaBetaEngine(full_width=True).analyse(position, Limit(seconds=60), lines=5)
    assert {position.move_str(line.moves[0]): line.score.worth for line in analysis.lines} == {
        "c1": Worth.WIN,
        "b3": Worth.WIN,
        "c3": Worth.WIN,
        "b1": Worth.LOSS,
        "b2": Worth.LOSS,
    }
    assert position.move_str(analysis.move) == "c1" and analysis.score == Score.win(3)


@pytest.mark.parametrize(
    "engine", [AlphaBetaEngine(table=4, full_width=True), MctsEngine(memory=16)], ids=["ab", "tree"]
)
@pytest.mark.parametrize(
    ("position", "move", "worth"),
    [("0,0,0,0,0,1/0,1,0,0,0,1 23-22 N", "F", Worth.WIN), ("0,0,0,0,1,0/1,0,0,0,0,1 23-22 N", "F", Worth.WIN)],
)
def test_a_worse_move_that_comes_round_is_not_judged_by_that(
    engine: Engine, position: str, move: str, worth: Worth
) -> None:
    """Whoever comes back to the position may choose another move there."""
    start = Ouri.from_str(position)
    lines = engine.analyse(start, Limit(nodes=100_000), lines=6).lines
    (line,) = [line for line in lines if start.move_str(line.moves[0]) == move]
    assert not line.score.exact or line.score.worth is worth
    assert exhaustive_move(start, start.parse_move(move)).worth is worth
