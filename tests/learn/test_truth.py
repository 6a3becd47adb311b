"""What is said of moves is true: exhaustive search over the Python rules is the judge. `truth.py` has the positions."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

import truth as oracle
from tabuleiro.core import Position
from tabuleiro.games import GAMES, get
from tabuleiro.learn import truth
from tabuleiro.record import Node, random_game
from tabuleiro.search.base import Score, Worth

#: More than that below a position is not looked at here; as a command, `truth.py` compares more.
CAP = 1500


@pytest.fixture(autouse=True)
def small_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "CAP", CAP)


def _late(game: type[Position], wanted: int) -> Iterator[tuple[Position, Score]]:
    return itertools.islice(oracle.positions_of(game, seed=7), wanted)


def _near_the_end(game: type[Position], wanted: int) -> Iterator[Position]:
    """Positions of random games one, two or three plies before the end."""
    chance = random.Random(game.id)
    while wanted:
        options = game.options_type(**chance.choice(oracle.VARIANTS[game.id]))
        path = random_game(game.start(options), seed=chance.randrange(10**9), max_plies=400).positions()
        if path[-1].outcome() is not None and len(path) > 4:
            yield path[-2 - wanted % 3]
            wanted -= 1


def _check(position: Position, value: Score) -> None:
    """Compare what is said of every move with what everything that can follow it says."""
    solution = truth.values(position, truth.THOROUGH)
    assert solution.score is not None and solution.score.worth is value.worth, position
    assert list(solution.moves) == position.legal_moves()
    for move, found in solution.moves.items():
        try:
            expected = oracle.exhaustive_move(position, move)
        except oracle.TooEarlyError:
            continue
        said = f"{position.id} {position} {position.options.changed()} {position.move_str(move)}"
        assert found is not None and found.worth is expected.worth, said
        if found.plies is not None and expected.plies is not None and found.worth is Worth.WIN:
            assert found.plies >= expected.plies, said
        assert expected.worth is not None and value.worth is not None
        assert truth.throws_away(solution, move) is (value.worth if expected.worth < value.worth else None), said


@pytest.mark.parametrize("name", [name for name in GAMES if name not in oracle.SHALLOW_GAMES])
def test_the_value_of_every_move(name: str) -> None:
    for position, value in _late(GAMES[name], 1):
        _check(position, value)


@pytest.mark.parametrize(
    ("options", "worths"),
    [
        ({}, {"B": Worth.WIN, "F": Worth.WIN}),
        ({"cycle_threshold": 2}, {"B": Worth.WIN, "F": Worth.LOSS}),
        ({"cycle_threshold": 2, "cycle_collect": "owners"}, {"B": Worth.WIN, "F": Worth.DRAW}),
    ],
)
def test_a_move_is_judged_with_the_position_before_it(options: dict[str, Any], worths: dict[str, Worth]) -> None:
    """After F the position before it may come back, and where the second occurrence counts, that ends the game."""
    position = get("ouri").from_str("0,0,0,0,0,1/0,1,0,0,0,1 23-22 N", get("ouri").options_type(**options))
    found = truth.values(position, truth.THOROUGH).moves
    assert {position.move_str(move): score and score.worth for move, score in found.items()} == worths
    for name, worth in worths.items():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(oracle, "CAP", 10_000)
            assert oracle.exhaustive_move(position, position.parse_move(name)).worth is worth


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in GAMES if name not in oracle.SHALLOW_GAMES])
def test_the_value_of_every_move_of_many_positions(name: str) -> None:
    for position, value in _late(GAMES[name], 200):
        _check(position, value)


@pytest.mark.parametrize("name", GAMES)
def test_what_happens_next_is_always_seen(name: str) -> None:
    """However short the look, a move that wins at once is said to, and one that lets the other is not praised."""
    seen = 0
    for number, position in enumerate(_near_the_end(GAMES[name], 60)):
        if seen and number >= 3:
            break
        solution = truth.values(position, 2000)
        for move, found in solution.moves.items():
            if truth.wins_at_once(position, move):
                assert found is not None and found.worth is Worth.WIN, (position, move)
                seen += 1
            elif not truth.is_safe(position, move):
                assert found is None or found.worth is Worth.LOSS, (position, move)
    assert seen


@pytest.mark.parametrize("name", [name for name in GAMES if name != "ouri"])
def test_wins_within_some_plies(name: str) -> None:
    """Whether moves win so soon, by looking at everything with the Python rules."""
    seen = {True: 0, False: 0}
    for position in _near_the_end(GAMES[name], 9):
        node = Node(position)
        legal = position.legal_moves()
        winning = [move for move in legal if truth.wins_at_once(position, move)][:2]
        for move in {*legal[:3], *winning}:
            for plies in (1, 3):
                if plies == 3 and len(legal) > 14:
                    continue
                expected = _wins_in(position, move, plies)
                assert truth.wins_within(node, move, plies) is expected, (position, move, plies)
                seen[expected] += 1
            assert truth.loses_within(node, move, 1) is not truth.is_safe(position, move)
    assert min(seen.values()) > 0


def _wins_in(position: Position, move: int, plies: int) -> bool:
    """Whether a move wins in that many plies at most, by the rules alone."""
    child = position.play(move)
    if (outcome := child.outcome()) is not None:
        return outcome.winner is position.turn
    return plies >= 3 and all(_is_answered(position, child.play(answer), plies) for answer in child.legal_moves())


def _is_answered(position: Position, reached: Position, plies: int) -> bool:
    if (outcome := reached.outcome()) is not None:
        return outcome.winner is position.turn
    return any(_wins_in(reached, move, plies - 2) for move in reached.legal_moves())


def test_a_short_look_says_that_it_does_not_know() -> None:
    start = Node(GAMES["avanco"].start())
    assert truth.wins_within(start, start.position.legal_moves()[0], 9, positions=1000) is None
    solution = truth.values(start, 1000)
    assert solution.score is None and set(solution.moves.values()) == {None}
    assert truth.throws_away(solution, start.position.legal_moves()[0]) is None
    assert truth.value(GAMES["hex"].start(), 1000) == Score.loss(), "the swap decides, without a search"
    assert truth.winner_of(GAMES["avanco"].start(), 1000) is None


def test_the_same_question_has_the_same_answer() -> None:
    position = random_game(GAMES["avanco"].start(), seed=3, max_plies=30).positions()[-1]
    first, second = (truth.values(position, 50_000).moves for _ in range(2))
    assert {move: str(score) for move, score in first.items()} == {move: str(score) for move, score in second.items()}


def test_lengths_where_the_solver_has_none() -> None:
    position = get("konane").from_str("8/8/8/8/2b5/8/3w1w2/1bw1wb2 b")
    solution = truth.values(position)
    written = {position.move_str(move): str(score) for move, score in solution.moves.items()}
    assert written["b1-d1"] == str(solution.score) == "#3"
    assert written["f1-d1"].startswith("-#") and written["f1-d1"] != "-#"


def test_a_game_that_is_over_has_a_value() -> None:
    over = get("semaforo").from_str("GGG1/4/4 2")
    assert truth.value(over) == Score.loss(0)
    assert truth.winner_of(over) == 1


@pytest.mark.parametrize(
    ("game", "position", "move", "count"),
    [
        ("avanco", "7/7/2b4/1w5/7/7/7 w", "b4xc5", 1),
        ("avanco", "7/7/2b4/1w5/7/7/7 w", "b4-b5", 0),
        ("konane", "8/8/8/8/8/8/8/bwbw1w2 b", "c1-e1", 1),
        ("ouri", "0,0,0,0,0,1/1,2,4,4,4,4 14-14 S", "f", 2),
        ("semaforo", "4/4/4 1", "a1", 0),
        ("hex", "11/11/11/11/11/11/11/11/11/11/11 w -", "a1", 0),
    ],
)
def test_what_a_move_takes(game: str, position: str, move: str, count: int) -> None:
    before = get(game).from_str(position)
    assert truth.taken(before, before.parse_move(move)) == count


def test_most_seeds_are_counted_to_the_last_one() -> None:
    """A gain is what the move takes and the best that is left after it."""
    checked = 0
    for seed in range(40):
        position = random_game(get("ouri").start(), seed=seed, max_plies=300).positions()[-4]
        node = Node(position)
        for move, gain in truth.gains(node).items():
            child = node.position.play(move)
            if gain is None or child.outcome() is not None:
                continue
            rest = [other for other in truth.gains(Node(child)).values() if other is not None]
            if len(rest) == len(child.legal_moves()):
                turned = 1 if child.turn is position.turn else -1
                assert gain == truth.taken(position, move) + turned * max(rest), (position, move)
                checked += 1
    assert checked > 10
    slow = Node(get("ouri").from_str("1,1,1,1,0,1/0,0,0,1,0,0 21-21 S"))
    gains = {slow.position.move_str(move): gain for move, gain in truth.gains(slow).items()}
    assert max(gains, key=lambda name: gains[name] or -48) == "d"
    assert set(truth.gains(Node(get("ouri").start())).values()) == {None}


def test_passing() -> None:
    position = get("konane").from_str("8/2wb4/8/8/8/8/8/8 w")
    assert str(truth.other_to_move(position)) == "8/2wb4/8/8/8/8/8/8 b"
    assert truth.other_to_move(truth.other_to_move(position)) == position
    for game in GAMES.values():
        walked = random_game(game.start(), seed=1, max_plies=12).positions()[-1]
        assert truth.other_to_move(walked).turn is walked.turn.other
