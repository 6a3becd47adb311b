"""Tree search: proofs that hold, limits kept, what was learnt kept, evaluators asked properly."""

import array
import itertools
import random
import struct
from collections.abc import Callable

import pytest

from tabuleiro import GAMES, Game, Position
from tabuleiro.games.abalone import Abalone, AbaloneOptions
from tabuleiro.games.avanco import Avanco
from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.games.ouri import Ouri
from tabuleiro.games.rastros import Rastros
from tabuleiro.games.semaforo import Semaforo
from tabuleiro.record import random_game
from tabuleiro.search import AlphaBetaEngine, EngineError, Limit, MctsEngine, ProofEngine
from tabuleiro.search.base import Score, Worth
from tabuleiro.search.mcts import PLAIN, TEXTBOOK, Style
from truth import exhaustive, here, positions_of

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
Answer = tuple["array.array[float]", "array.array[float]"]
MIXED = Style(playouts=0.5, max_plies=60, exploration=0.7, rave=100.0)


def middle_of(game: type[Position], seed: int = 1) -> Game:
    """A game played some way."""
    return random_game(game.start(), seed=seed, max_plies=3)


# -------------------------------------------------------------------------------------------------------------- proofs


def test_two_threads_prove_the_same() -> None:
    for position, truth in itertools.islice(positions_of(Semaforo), 5):
        found = MctsEngine(threads=2).analyse(position, Limit(nodes=3_000_000))
        assert found.exact and found.score.worth is truth.worth, here(position)


def test_the_same_player_twice() -> None:
    position = Ouri.from_str("0,0,0,3,0,2/1,1,0,0,0,0 20-21 S")
    assert position.play(position.parse_move("f")).turn is position.turn
    found = MctsEngine().analyse(position, Limit(nodes=1_000_000))
    assert found.exact and found.score.worth is exhaustive(position).worth


def test_what_is_not_proven_is_an_estimate() -> None:
    found = MctsEngine().analyse(Avanco.start(), Limit(nodes=1000))
    assert not found.exact and not found.score.exact
    assert 0.2 < found.score.chance < 0.8
    winning = MctsEngine().analyse(Avanco.from_str("bbb4/7/7/2w4/2w2w1/3w3/wwwwwww w"), Limit(nodes=3000))
    assert winning.score > found.score


# ------------------------------------------------------------------------------------------------------------ the rules


@EVERY_GAME
def test_whole_games_are_legal(game: type[Position]) -> None:
    chance = random.Random(1)
    engines = {1: MctsEngine(memory=8, style=MIXED), 2: MctsEngine(memory=8, threads=2, style=MIXED)}
    played = Game(game.start())
    while played.outcome is None and played.last.ply < 60:
        if chance.random() < 0.1:
            played.play(chance.choice(played.position.legal_moves()))
        else:
            played.play(engines[played.position.turn].play(played, Limit(nodes=100)))
    assert played.last.ply > 4


#: Black has ejected three; nobody can be pushed off for a while.
UNEQUAL = "5/6/2www2/3w4/9/3b4/2bbb2/2bb2/5 b 0-3"


def test_a_repetition_that_draws_is_seen() -> None:
    start = Abalone.from_str(UNEQUAL)
    to_and_fro = next(
        (first, second, third, fourth)
        for first in start.legal_moves()
        for second in start.play(first).legal_moves()
        for third in start.play(first).play(second).legal_moves()
        for fourth in start.play(first).play(second).play(third).legal_moves()
        if start.play(first).play(second).play(third).play(fourth) == start
    )
    game = Game(start)
    for move in (*to_and_fro, *to_and_fro[:3]):
        game.play(move)
    # The next move of this round would be the third time in the first position: a draw.
    for subject, expected in ((game, Worth.DRAW), (game.position, None)):
        found = MctsEngine().analyse(subject, Limit(nodes=2000), lines=100)
        (line,) = [line for line in found.lines if line.moves[0] == to_and_fro[3]]
        assert line.score.worth is expected


def test_random_games_respect_a_limit_of_plies() -> None:
    """Two plies before the limit nothing can be won any more, and every game is a draw."""
    options = AbaloneOptions(move_limit=12)
    game = random_game(Abalone.start(options), seed=1, max_plies=10)
    found = MctsEngine(style=PLAIN).analyse(game, Limit(nodes=5))
    assert found.score.chance == 0.5
    assert MctsEngine().analyse(game, Limit(nodes=100_000)).score == Score.draw()


# ----------------------------------------------------------------------------------------------------------- the limits


@EVERY_GAME
def test_one_thread_and_a_seed_give_the_same_answer(game: type[Position]) -> None:
    subject = middle_of(game)
    engine = MctsEngine(seed=5)
    answers = []
    for _ in range(2):
        engine.forget()
        found = engine.analyse(subject, Limit(nodes=1000), lines=3)
        answers.append((found.lines, found.depth, found.nodes))
    fresh = MctsEngine(seed=5).analyse(subject, Limit(nodes=1000), lines=3)
    assert answers[0] == answers[1] == (fresh.lines, fresh.depth, fresh.nodes)
    assert fresh.nodes == 1000 or fresh.exact


def test_another_seed_is_another_search() -> None:
    scores = {MctsEngine(seed=seed, style=PLAIN).analyse(Avanco.start(), Limit(nodes=300)).score for seed in range(5)}
    assert len(scores) > 1


@EVERY_GAME
@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_without_a_limit_ends_when_it_is_stopped(game: type[Position], threads: int) -> None:
    with MctsEngine(threads=threads).start(game.start(), Limit()) as running:
        next(iter(running))
        running.stop()
        assert running.result().nodes > 0


@EVERY_GAME
def test_a_limit_of_depth_is_the_length_of_the_main_line(game: type[Position]) -> None:
    found = MctsEngine().analyse(game.start(), Limit(depth=3))
    assert found.exact or found.depth >= 3
    deeper = MctsEngine().analyse(game.start(), Limit(depth=5))
    assert deeper.exact or deeper.nodes > found.nodes


def test_a_limit_of_depth_ends_a_search_that_finds_no_more_memory() -> None:
    found = MctsEngine(memory=1).analyse(Avanco.start(), Limit(depth=1000))
    assert 2 < found.depth < 1000 and not found.exact


def test_a_limit_of_depth_ends_a_search_whose_main_line_is_proven() -> None:
    """Every move is a draw by the limit of plies two plies later."""
    game = random_game(Abalone.start(AbaloneOptions(move_limit=12)), seed=1, max_plies=10)
    assert MctsEngine().analyse(game, Limit(depth=1000)).depth <= 2


def test_streaming() -> None:
    with MctsEngine().start(Avanco.start(), Limit(seconds=0.5)) as running:
        found = list(running)
    assert len(found) >= 2
    assert [analysis.nodes for analysis in found] == sorted(analysis.nodes for analysis in found)


@pytest.mark.parametrize("wrong", [{"threads": 0}, {"batch": 0}, {"memory": 0}])
def test_settings_that_make_no_sense(wrong: dict[str, int]) -> None:
    with pytest.raises(EngineError):
        MctsEngine(**wrong)  # type: ignore[arg-type]


# -------------------------------------------------------------------------------------------------- lines, memory, tree


@EVERY_GAME
def test_lines_differ(game: type[Position]) -> None:
    subject = middle_of(game, seed=3)
    found = MctsEngine().analyse(subject, Limit(nodes=2000), lines=4)
    assert len({line.moves[0] for line in found.lines}) == min(4, len(subject.position.legal_moves()))


def test_memory_that_is_full_stops_only_the_growth() -> None:
    found = MctsEngine(memory=1).analyse(Avanco.start(), Limit(nodes=400_000))
    assert found.nodes == 400_000 and found.depth < MctsEngine().analyse(Avanco.start(), Limit(nodes=400_000)).depth


def test_memory_is_free_again_once_the_game_goes_on() -> None:
    engine, game = MctsEngine(memory=1), Game(Avanco.start())
    for _ in range(6):
        found = engine.analyse(game, Limit(nodes=30_000))
        assert len(found.lines[0].moves) > 1
        # The least expected move: nothing of its tree has grown.
        game.play(engine.analyse(game, Limit(nodes=1), lines=50).lines[-1].moves[0])


@pytest.mark.parametrize("game", [Avanco, Rastros, Ouri])
def test_what_was_learnt_is_kept(game: type[Position]) -> None:
    engine, played = MctsEngine(), Game(game.start())
    line = engine.analyse(played, Limit(nodes=50_000)).lines[0].moves
    for move in line[:2]:
        played.play(move)
    again = engine.analyse(played, Limit(nodes=1)).lines[0].moves
    assert again[: len(line) - 2] == line[2:]
    # Another game, though it comes to the same, begins anew.
    assert len(engine.analyse(played.position, Limit(nodes=1)).lines[0].moves) == 1


def test_what_was_learnt_is_right_after_moves_never_looked_at() -> None:
    """Whatever way the game goes on, the old tree and a new one prove the same."""
    for position, truth in itertools.islice(positions_of(Ouri, seed=2), 4):
        engine, game = MctsEngine(), Game(position)
        while game.outcome is None:
            found = engine.analyse(game, Limit(nodes=1_000_000))
            assert found.exact
            assert game.last.ply > 0 or found.score.worth is truth.worth
            fresh = MctsEngine().analyse(game, Limit(nodes=1_000_000))
            assert found.score.worth is fresh.score.worth
            game.play(game.position.legal_moves()[-1])


# ---------------------------------------------------------------------------------------------- evaluators from outside


class Uniform:
    """Knows nothing, but checks what it is asked."""

    def __init__(self, position: Position) -> None:
        self.words = len(position.encode())
        self.position = position
        self.batches: list[int] = []

    def __call__(self, positions: bytes, counts: bytes, moves: bytes) -> Answer:
        numbers = struct.unpack(f"{len(counts) // 4}I", counts)
        words = struct.unpack(f"{len(positions) // 8}Q", positions)
        listed = list(struct.unpack(f"{len(moves) // 4}I", moves))
        for i, number in enumerate(numbers):
            asked = type(self.position).decode(words[i * self.words : (i + 1) * self.words], self.position.options)
            assert asked.legal_moves() == listed[:number]
            del listed[:number]
        assert not listed
        self.batches.append(len(numbers))
        return array.array("f", [0.0] * len(numbers)), array.array("f", [1.0] * (len(moves) // 4))


@EVERY_GAME
def test_an_evaluator_is_asked_about_many_leaves_at_once(game: type[Position]) -> None:
    position = middle_of(game).position
    evaluator = Uniform(position)
    found = MctsEngine(evaluator=evaluator, batch=8).analyse(position, Limit(nodes=200))
    assert max(evaluator.batches) <= 8
    assert found.exact or sum(evaluator.batches) / len(evaluator.batches) > 2


def test_an_evaluator_decides_where_nothing_else_does() -> None:
    """One who values nothing but a piece on g3, and trusts the moves there."""
    start = Avanco.start()

    def fond(positions: bytes, counts: bytes, moves: bytes) -> Answer:
        words = struct.unpack(f"{len(positions) // 8}Q", positions)
        g3 = 1 << start.geometry.names.index("g3")
        values = [
            (0.9 if white & g3 else -0.9) * (1 if turn == 1 else -1)
            for white, _, turn in zip(words[::3], words[1::3], words[2::3], strict=True)
        ]
        return array.array("f", values), array.array("f", [1.0] * (len(moves) // 4))

    for threads in (1, 2):
        move = MctsEngine(evaluator=fond, threads=threads).play(start, Limit(nodes=2000))
        assert start.move_str(move).endswith("g3")


def test_proofs_need_no_evaluator() -> None:
    for position, truth in itertools.islice(positions_of(Semaforo, seed=3), 2):
        found = MctsEngine(evaluator=Uniform(position)).analyse(position, Limit(nodes=20_000))
        assert found.exact and found.score.worth is truth.worth


@pytest.mark.parametrize(
    "answer",
    [
        lambda n, m: ([0.0] * (n + 1), [1.0] * m),
        lambda n, m: ([0.0] * n, [1.0] * (m - 1)),
        lambda n, m: ([2.0] * n, [1.0] * m),
        lambda n, m: ([0.0] * n, [-1.0] * m),
        lambda n, m: ([float("nan")] * n, [1.0] * m),
    ],
)
def test_answers_that_make_no_sense(answer: Callable[[int, int], tuple[list[float], list[float]]]) -> None:
    def evaluator(positions: bytes, counts: bytes, moves: bytes) -> Answer:
        values, priors = answer(len(counts) // 4, len(moves) // 4)
        return array.array("f", values), array.array("f", priors)

    with pytest.raises(ValueError):
        MctsEngine(evaluator=evaluator).play(Semaforo.start(), Limit(nodes=100))


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_of_an_evaluator_comes_out(threads: int) -> None:
    asked = 0

    def failing(positions: bytes, counts: bytes, moves: bytes) -> Answer:
        nonlocal asked
        asked += 1
        if asked > 3:
            raise ZeroDivisionError
        return array.array("f", [0.0] * (len(counts) // 4)), array.array("f", [1.0] * (len(moves) // 4))

    engine = MctsEngine(evaluator=failing, threads=threads)
    with pytest.raises(ZeroDivisionError):
        engine.play(Semaforo.start(), Limit(nodes=100_000))


def test_knowledge_is_stronger_than_none() -> None:
    """From each of some openings both ways, with the same number of simulations."""
    wins = 0
    for seed, opening in enumerate((14, 24, 30)):
        for side in (1, 2):
            game = Game(Hex.start(HexOptions(size=7, swap=False)))
            game.play(opening)
            engines = {side: MctsEngine(seed=seed), 3 - side: MctsEngine(knowledge=False, style=PLAIN, seed=seed)}
            while game.outcome is None:
                game.play(engines[game.position.turn].play(game, Limit(nodes=400)))
            wins += game.outcome.winner == side
    assert wins >= 5


def test_the_textbook_proves_nothing() -> None:
    position = Rastros.from_str("7/1##4/##1##2/2##3/3#3/2O#3/3#3 1")
    assert MctsEngine(style=PLAIN).analyse(position, Limit(nodes=20_000)).exact
    assert not MctsEngine(style=TEXTBOOK).analyse(position, Limit(nodes=20_000)).exact


# ------------------------------------------------------------------------------------------------- visits at the root


@EVERY_GAME
def test_every_simulation_is_a_visit_of_a_move_at_the_root(game: type[Position]) -> None:
    position = middle_of(game).position
    found = MctsEngine().analyse(position, Limit(nodes=500), lines=2)
    assert {seen.move for seen in found.root} <= set(position.legal_moves())
    assert sum(seen.visits for seen in found.root) == found.nodes
    assert sum(seen.prior for seen in found.root) == pytest.approx(1, abs=1e-4)
    assert all(-1 <= seen.value <= 1 for seen in found.root)
    assert [line.moves[0] for line in found.lines] == [seen.move for seen in found.root[:2]]
    best = found.root[0]
    if not found.lines[0].score.exact:
        assert best.visits == max(seen.visits for seen in found.root)
        assert found.score.chance == pytest.approx((best.value + 1) / 2, abs=1e-4)


def test_priors_and_values_at_the_root_are_the_evaluators() -> None:
    """Twice the trust in the first move, and every position a little better for the player who has just moved."""
    position = Avanco.start()

    def partial(positions: bytes, counts: bytes, moves: bytes) -> Answer:
        priors: list[float] = []
        for number in struct.unpack(f"{len(counts) // 4}I", counts):
            priors += [2.0] + [1.0] * (number - 1)
        return array.array("f", [-0.25] * (len(counts) // 4)), array.array("f", priors)

    found = MctsEngine(evaluator=partial).analyse(position, Limit(nodes=1))
    first, *others = sorted(found.root, key=lambda seen: seen.move)
    assert [seen.move for seen in (first, *others)] == position.legal_moves()
    assert [seen.prior for seen in others] == pytest.approx([first.prior / 2] * len(others))
    assert (first.visits, first.value) == (1, 0.25) and found.root[0] == first
    assert {(seen.visits, seen.value) for seen in others} == {(0, 0.0)}


def test_a_search_without_a_tree_counts_no_visits() -> None:
    assert AlphaBetaEngine().analyse(Avanco.start(), Limit(depth=2)).root == ()


# ----------------------------------------------------------------------------------- proofs beside an outside evaluator


def useless(positions: bytes, counts: bytes, moves: bytes) -> Answer:
    return array.array("f", [0.0] * (len(counts) // 4)), array.array("f", [1.0] * (len(moves) // 4))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_chain_of_bridges_is_proven_at_once_beside_an_evaluator(threads: int) -> None:
    for turn, score in (("w", Score.loss()), ("b", Score.win())):
        position = Hex.from_str(f"11/11/5b5/11/4b6/11/3b7/11/2b8/11/11 {turn} -", HexOptions(swap=False))
        found = MctsEngine(evaluator=useless, threads=threads).analyse(position, Limit(nodes=1))
        assert found.exact and found.score == score
        unaware = MctsEngine(evaluator=useless, threads=threads, knowledge=False)
        assert not unaware.analyse(position, Limit(nodes=100)).exact


def test_connections_are_looked_for_deep_in_a_tree_beside_an_evaluator() -> None:
    position = Hex.from_str("4/4/4/w3 b -", HexOptions(size=4, swap=False))
    assert not MctsEngine(evaluator=useless).analyse(position, Limit(nodes=1)).exact
    assert not MctsEngine(evaluator=useless, knowledge=False).analyse(position, Limit(nodes=20_000)).exact
    found = MctsEngine(evaluator=useless).analyse(position, Limit(nodes=20_000))
    assert found.exact and found.score == ProofEngine().analyse(position, Limit()).score


def test_df_pn_proves_beside_an_evaluator() -> None:
    """After 4096 simulations it is asked, and proves what the tree has not."""
    position = Rastros.from_str("#O5/1###3/2###2/3#3/7/7/7 1")
    assert not MctsEngine(evaluator=useless).analyse(position, Limit(nodes=4_000)).exact
    found = MctsEngine(evaluator=useless).analyse(position, Limit(nodes=4_400))
    assert found.exact and found.score == ProofEngine().analyse(position, Limit()).score


def test_who_proves_nothing_proves_nothing_beside_an_evaluator() -> None:
    position = Hex.from_str("11/11/5b5/11/4b6/11/3b7/11/2b8/11/11 w -", HexOptions(swap=False))
    assert not MctsEngine(evaluator=useless, style=TEXTBOOK).analyse(position, Limit(nodes=200)).exact
