"""What every solver must do, and the engine that asks one first."""

import random
from collections.abc import Mapping

import pytest

from tabuleiro import GAMES, _native, get
from tabuleiro.core import Move
from tabuleiro.record import Game, Node
from tabuleiro.search import Limit, ReferenceEngine, Score
from tabuleiro.search.base import Analysis, Flag, Listener, ScoredLine, Worth
from tabuleiro.solve import Solution, Solver, solver_for
from tabuleiro.solve import engine as solving
from tabuleiro.solve.base import Progress
from tabuleiro.solve.engine import SolvingEngine
from truth import TooEarlyError, exhaustive_move, here, positions_of

#: Late positions of each game that a solver must value.
POSITIONS = 3


@pytest.mark.parametrize("name", [name for name in GAMES if name not in ("guerreiros", "abalone")])
def test_solvers_agree_with_everything_that_can_follow(name: str) -> None:
    stream = positions_of(GAMES[name], seed=77)
    for _ in range(POSITIONS):
        position, truth = next(stream)
        solution = solver_for(position).solve(position, Limit(nodes=300_000))
        assert solution.score is not None and solution.score.worth is truth.worth, here(position)
        assert set(solution.moves) == set(position.legal_moves())
        for move, score in solution.moves.items():
            try:
                value = exhaustive_move(position, move)
            except TooEarlyError:  # a move that loses slowly
                continue
            assert score is not None or not solution.exact
            assert score is None or score.worth is value.worth, f"{here(position)} {position.move_str(move)}"


def test_a_limit_ends_the_work_without_a_guess() -> None:
    start = get("avanco").start()
    solution = solver_for(start).solve(start, Limit(nodes=5_000))
    assert not solution.exact
    assert solution.score is None
    assert solution.best is None


def test_a_flag_ends_the_work() -> None:
    stop = _native.StopFlag()
    stop.set()
    start = get("abalone").start()
    assert not solver_for(start).solve(start, stop=stop).exact


def test_a_game_over_is_refused() -> None:
    game = Game(get("semaforo").start())
    chance = random.Random(3)
    while game.outcome is None:
        game.play(chance.choice(game.position.legal_moves()))
    with pytest.raises(ValueError, match="over"):
        solver_for(game)


# ------------------------------------------------------------------------------------- the engine that asks it first


class Told(Solver):
    """A solver that says what it was told."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        return self.solution


#: The plain engine likes the first of equal moves best.
def asks(monkeypatch: pytest.MonkeyPatch, score: Score | None, moves: Mapping[Move, Score | None]) -> SolvingEngine:
    solver = Told(Solution(score, moves, 1, 0.0, exact=score is not None))
    monkeypatch.setattr(solving, "own_solver", lambda _: solver)
    return SolvingEngine(ReferenceEngine())


def test_a_proven_win_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    start = get("avanco").start()
    last = start.legal_moves()[-1]
    engine = asks(monkeypatch, Score.win(), {last: Score.win()})
    analysis = engine.analyse(start, Limit(depth=1))
    assert analysis.move == last
    assert analysis.exact


def test_a_win_proven_without_its_move_is_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    position = get("avanco").start()
    known: list[dict[Move, Score | None]] = [{}, {position.legal_moves()[0]: None}]
    for moves in known:
        found = asks(monkeypatch, Score.win(), moves).analyse(position, Limit(depth=1))
        assert found.move in position.legal_moves()


def test_of_moves_that_lose_the_engine_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    start = get("avanco").start()
    first, *_, last = start.legal_moves()
    engine = asks(monkeypatch, Score.loss(), {first: Score.loss(), last: Score.loss()})
    analysis = engine.analyse(start, Limit(depth=1))
    assert analysis.move == first
    assert analysis.exact
    assert analysis.score.worth is Worth.LOSS


def test_a_move_that_throws_a_draw_away_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    start = get("ouri").start()
    first, *_, last = start.legal_moves()
    engine = asks(monkeypatch, Score.draw(), {first: Score.loss(), last: Score.draw()})
    analysis = engine.analyse(start, Limit(depth=1))
    assert analysis.move == last
    assert analysis.score == Score.draw()


class Hopeful(ReferenceEngine):
    """An engine that thinks well of the first move."""

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        first = ScoredLine(Score.estimate(300, 0.8), (node.position.legal_moves()[0],))
        return Analysis((first,), 1, 1, 0.0, exact=False)


def test_a_proven_draw_comes_before_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """The value is a draw, so the estimate of a move that is not proven to draw is wrong."""
    start = get("ouri").start()
    first, *_, last = start.legal_moves()
    solver = Told(Solution(Score.draw(), {first: None, last: Score.draw()}, 1, 0.0, exact=True))
    monkeypatch.setattr(solving, "own_solver", lambda _: solver)
    analysis = SolvingEngine(Hopeful()).analyse(start, Limit(depth=1))
    assert analysis.move == last
    assert analysis.exact and analysis.score == Score.draw()


def test_what_is_called_exact_has_an_exact_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value without a move that keeps it says nothing of the move that is played."""
    start = get("avanco").start()
    solver = Told(Solution(Score.win(), {}, 1, 0.0, exact=True))
    monkeypatch.setattr(solving, "own_solver", lambda _: solver)
    analysis = SolvingEngine(Hopeful()).analyse(start, Limit(depth=1))
    assert not analysis.score.exact
    assert not analysis.exact


def test_what_is_not_proven_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    start = get("avanco").start()
    engine = asks(monkeypatch, None, dict.fromkeys(start.legal_moves()))
    assert not engine.analyse(start, Limit(depth=1)).exact
