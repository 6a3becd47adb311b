"""What every engine promises: legal moves, limits kept, the same answer again, history respected."""

import itertools
import random
import time
from collections.abc import Callable

import pytest

from tabuleiro import GAMES, Game, Position
from tabuleiro.games.abalone import Abalone
from tabuleiro.games.avanco import Avanco
from tabuleiro.games.hex import Hex
from tabuleiro.games.semaforo import Semaforo
from tabuleiro.record import Node, random_game
from tabuleiro.search import (
    AlphaBetaEngine,
    Analysis,
    Engine,
    EngineError,
    Limit,
    ProofEngine,
    ReferenceEngine,
    Score,
    ScoredLine,
)
from tabuleiro.search.base import Flag, Listener, Worth
from tabuleiro.search.native import Weights, searcher

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
ENGINES: dict[str, Callable[[], Engine]] = {
    "alphabeta": AlphaBetaEngine,
    "proof": ProofEngine,
    "reference": ReferenceEngine,
}


def middle_of(game: type[Position]) -> Game:
    """A game played some way."""
    games = (random_game(game.start(), seed=seed, max_plies=8) for seed in itertools.count())
    return next(played for played in games if played.outcome is None)


# -------------------------------------------------------------------------------------------------------------- scores


def test_the_order_of_scores() -> None:
    best_first = [
        Score.win(1),
        Score.win(3),
        Score.win(),
        Score.estimate(50, 0.7),
        Score.draw(),
        Score.estimate(-1, 0.49),
        Score.loss(),
        Score.loss(6),
        Score.loss(2),
    ]
    # A loss of unknown length may be a long one.
    assert sorted(best_first, reverse=True) == best_first
    assert [-score for score in reversed(best_first)] == sorted((-score for score in best_first), reverse=True)
    assert Score.draw() != Score.estimate(0, 0.5) and len({Score.win(3), -Score.loss(3)}) == 1
    assert [str(score) for score in best_first] == ["#1", "#3", "#", "+50", "=", "-1", "-#", "-#6", "-#2"]


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"nodes": -1}, {"depth": 0}, {"seconds": float("nan")}])
def test_limits_that_make_no_sense(wrong: dict[str, float]) -> None:
    with pytest.raises(EngineError) as caught:
        Limit(**wrong)  # type: ignore[arg-type]
    assert "positivo" in caught.value.text.pt


# ------------------------------------------------------------------------------------------------------------ the rules


@EVERY_GAME
def test_whole_games_are_legal(game: type[Position]) -> None:
    chance = random.Random(1)
    engines = {1: AlphaBetaEngine(table=1), 2: AlphaBetaEngine(table=1, threads=2)}
    played = Game(game.start())
    while played.outcome is None and played.last.ply < 120:
        if chance.random() < 0.1:
            played.play(chance.choice(played.position.legal_moves()))
        else:
            played.play(engines[played.position.turn].play(played, Limit(nodes=300)))
    assert played.last.ply > 4


class CheatingEngine(Engine):
    def __init__(self, *moves: int) -> None:
        super().__init__()
        self.moves = moves

    def forget(self) -> None:
        pass

    def search(self, node: Node, limit: Limit, lines: int, stop: Flag, listener: Listener) -> Analysis:
        return Analysis(tuple(ScoredLine(Score.draw(), (move,)) for move in self.moves), 1, 1, 0.0, False)


@pytest.mark.parametrize("moves", [(99,), (0, 99), (0, 0)])
def test_an_engine_that_breaks_the_rules_is_refused(moves: tuple[int, ...]) -> None:
    with pytest.raises(EngineError):
        CheatingEngine(*moves).analyse(Semaforo.start(), Limit(depth=1))
    assert CheatingEngine(0, 1).play(Semaforo.start(), Limit(depth=1)) == 0


@pytest.mark.parametrize("make", ENGINES.values(), ids=ENGINES)
def test_a_game_that_is_over(make: Callable[[], Engine]) -> None:
    finished = random_game("semaforo", seed=1)
    given_up = Game(Semaforo.start())
    given_up.end(given_up.position.turn, "resignation")
    for subject in (finished, finished.last, finished.position, given_up):
        with pytest.raises(EngineError):
            make().play(subject, Limit(depth=1))


@EVERY_GAME
def test_evaluation_respects_symmetry(game: type[Position]) -> None:
    """A position turned round, or with its colours exchanged, is worth the same to whoever is to move."""
    for seed in range(5):
        for position in random_game(game.start(), seed=seed, max_plies=60).positions():
            search = searcher(game.id, position.options, Weights.of(game.id), table=1)
            if position.outcome() is not None:
                continue
            value = search.evaluate(position.encode())
            for symmetry in position.symmetries():
                turned = position.transform(symmetry)
                assert search.evaluate(turned.encode()) == value, f"{position} {turned}"


def test_weights_for_another_game() -> None:
    with pytest.raises(EngineError):
        AlphaBetaEngine(weights=Weights.of("hex")).play(Avanco.start(), Limit(depth=1))


def test_weights_change_the_evaluation() -> None:
    greedy = Weights(100, dict.fromkeys(Weights.of("avanco").features, (0, 0)) | {"pieces": (7, 7)})
    position = Avanco.from_str("bbb4/7/7/7/7/7/wwwww2 w")
    assert searcher("avanco", position.options, greedy).evaluate(position.encode()) == 14


# ----------------------------------------------------------------------------------------------------------- the limits


@EVERY_GAME
def test_one_thread_gives_the_same_answer(game: type[Position]) -> None:
    subject = middle_of(game)
    engine = AlphaBetaEngine(table=4)
    answers = []
    for _ in range(2):
        engine.forget()
        found = engine.analyse(subject, Limit(nodes=20_000), lines=2)
        answers.append((found.lines, found.depth, found.nodes))
    fresh = AlphaBetaEngine(table=4).analyse(subject, Limit(nodes=20_000), lines=2)
    assert answers[0] == answers[1] == (fresh.lines, fresh.depth, fresh.nodes)


@EVERY_GAME
def test_depth_and_nodes_are_kept(game: type[Position]) -> None:
    subject = middle_of(game)
    assert AlphaBetaEngine().analyse(subject, Limit(depth=2)).depth <= 2
    for make, most in itertools.product(ENGINES.values(), (1, 7, 500, 5000)):
        if most <= 500 or make is not ReferenceEngine:
            assert make().analyse(subject, Limit(nodes=most)).nodes <= most


def happens_within_20_ms(measure: Callable[[], float]) -> bool:
    """Whether it ever does: a busy machine makes some tries long."""
    return any(measure() < 0.02 for _ in range(30))


@EVERY_GAME
@pytest.mark.parametrize("make", [AlphaBetaEngine, lambda: AlphaBetaEngine(threads=2), ProofEngine])
def test_stopping_takes_less_than_20_ms(game: type[Position], make: Callable[[], Engine]) -> None:
    engine = make()

    def stop() -> float:
        running = engine.start(game.start(), Limit())
        time.sleep(0.05)
        begin = time.monotonic()
        running.stop()
        running.result()
        return time.monotonic() - begin

    def overrun() -> float:
        begin = time.monotonic()
        engine.analyse(game.start(), Limit(seconds=0.05))
        return time.monotonic() - begin - 0.05

    assert happens_within_20_ms(stop)
    assert happens_within_20_ms(overrun)


def test_a_second_search_waits_for_the_first() -> None:
    engine = AlphaBetaEngine(table=1)
    with engine.start(Avanco.start(), Limit()) as first:
        second = engine.start(Avanco.start(), Limit(depth=1))
        time.sleep(0.1)
        assert second._thread.is_alive()
        first.stop()
        assert second.result().depth == 1


# ------------------------------------------------------------------------------------------------------------ the lines


@EVERY_GAME
def test_lines_differ_and_are_ordered(game: type[Position]) -> None:
    subject = middle_of(game)
    found = AlphaBetaEngine().analyse(subject, Limit(nodes=30_000), lines=4)
    firsts = [line.moves[0] for line in found.lines]
    assert len(set(firsts)) == len(firsts) == min(4, len(subject.position.legal_moves()))
    scores = [line.score for line in found.lines]
    assert scores == sorted(scores, reverse=True)


def test_more_lines_than_moves() -> None:
    for make in (AlphaBetaEngine, ReferenceEngine):
        assert len(make().analyse(Semaforo.start(), Limit(depth=1), lines=50).lines) == 12
    with pytest.raises(EngineError):
        AlphaBetaEngine().analyse(Semaforo.start(), Limit(depth=1), lines=0)


def test_streaming() -> None:
    with AlphaBetaEngine().start(Avanco.start(), Limit(depth=5)) as running:
        found = list(running)
    assert [analysis.depth for analysis in found] == [1, 2, 3, 4, 5, 5]
    assert found[-1] == running.result() and list(running) == [running.result()]


def test_an_error_in_a_running_search_comes_out() -> None:
    running = CheatingEngine(99).start(Semaforo.start(), Limit(depth=1))
    with pytest.raises(EngineError):
        list(running)
    with pytest.raises(EngineError):
        running.result()


@EVERY_GAME
def test_two_threads_find_what_one_finds(game: type[Position]) -> None:
    position = game.start()
    found = AlphaBetaEngine(threads=2).analyse(position, Limit(depth=4))
    assert found.depth == 4 and found.nodes > 0


# ---------------------------------------------------------------------------------------------------------- the history

#: Black is three marbles ahead.
UNEQUAL = Abalone.from_str("5/6/2www2/3w4/9/3b4/2bbb2/2bb2/5 b 0-3")


def to_and_fro(start: Position) -> tuple[int, int, int, int]:
    """Four moves that lead back to where they began."""
    for first in start.legal_moves():
        there = start.play(first)
        for second in there.legal_moves():
            for third in there.play(second).legal_moves():
                back = there.play(second).play(third)
                for fourth in back.legal_moves():
                    if back.play(fourth) == start:
                        return first, second, third, fourth
    raise AssertionError("nobody can go to and fro")


def played(start: Position, moves: tuple[int, ...]) -> Game:
    game = Game(start)
    for move in moves:
        game.play(move)
    return game


def line_of(analysis: Analysis, move: int) -> ScoredLine:
    return next(line for line in analysis.lines if line.moves[0] == move)


def test_whoever_is_losing_repeats() -> None:
    out, answer, back, home = to_and_fro(UNEQUAL)
    game = played(UNEQUAL, (out, answer, back, home, out, answer, back))
    # White's move home would make the first position come for the third time.
    found = AlphaBetaEngine().analyse(game, Limit(nodes=100_000), lines=100)
    assert line_of(found, home) == ScoredLine(Score.draw(), (home,))
    assert found.move == home
    # Without its history the same position knows nothing of that.
    bare = AlphaBetaEngine().analyse(game.position, Limit(nodes=100_000), lines=100)
    assert line_of(bare, home).score.worth is not Worth.DRAW


def test_whoever_is_winning_does_not_repeat() -> None:
    out, answer, back, home = to_and_fro(UNEQUAL)
    game = played(UNEQUAL.play(out), (answer, back, home, out, answer, back, home))
    assert game.position == UNEQUAL
    found = AlphaBetaEngine().analyse(game, Limit(nodes=100_000), lines=100)
    assert line_of(found, out) == ScoredLine(Score.draw(), (out,))
    assert found.move != out and found.score > Score.draw()


# -------------------------------------------------------------------------------------------- games without a kernel


def test_the_reference_engine_sees_wins_and_losses() -> None:
    position = Semaforo.from_str("GR2/YGR1/Y2Y 1")
    found = ReferenceEngine().analyse(position, Limit(depth=3), lines=20)
    assert found.exact and found.score == Score.win(1)
    wins = {position.move_str(line.moves[0]) for line in found.lines if line.score == Score.win(1)}
    assert wins == {"a3", "d1", "c1"}


def test_the_reference_engine_leaves_the_game_alone() -> None:
    game = middle_of(Hex)
    ReferenceEngine().analyse(game.root.children[0], Limit(nodes=1000))
    assert len(game.root.children) == 1 and len(list(game.nodes())) == 9
