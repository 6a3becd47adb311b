"""The puzzles of the package: every answer right and complete, no two alike, each with a rating and its themes."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from tabuleiro import puzzles
from tabuleiro.core import TabuleiroError
from tabuleiro.games import GAMES, get
from tabuleiro.learn import Attempt, truth
from tabuleiro.learn.attempt import HALF
from tabuleiro.learn.goals import read_goal
from tabuleiro.learn.puzzles import Puzzle, prove, rating, store
from tabuleiro.learn.puzzles.alike import Seen
from tabuleiro.learn.puzzles.mine import Tally, mine, what_to_ask
from tabuleiro.learn.puzzles.themes import THEMES, Solved, themes_of
from tabuleiro.learn.task import MOVER, OTHER
from tabuleiro.players.levels import LevelEngine, levels_of
from tabuleiro.record import Node
from tabuleiro.search.base import Limit
from tabuleiro.server.people import ratings

#: How many of each game there must be at least, besides those that ask who wins.
COUNTS = {
    "semaforo": 1500,
    "rastros": 1500,
    "konane": 1500,
    "ouri": 1500,
    "avanco": 1500,
    "hex": 800,
    "guerreiros": 300,
    "abalone": 300,
}
#: How many of each game are proven in every run, and positions looked at for each.
SAMPLE, LOOK, THOROUGH = 1, 1_000, 10 * truth.QUICK


@pytest.mark.parametrize("game", COUNTS)
def test_there_are_enough_and_the_file_is_small(game: str) -> None:
    all_of_them = puzzles.puzzles_of(game)
    assert len([puzzle for puzzle in all_of_them if puzzle.goal != "who wins"]) >= COUNTS[game]
    written = store.encoded(all_of_them)
    assert store.decoded(game, written) == all_of_them
    assert len(written) <= 32 * len(all_of_them)
    assert [puzzle.number for puzzle in all_of_them] == [*range(1, len(all_of_them) + 1)]
    assert len({puzzle.rating for puzzle in all_of_them}) >= 15


def test_a_puzzle_is_found_by_its_number() -> None:
    puzzle = puzzles.find_puzzle("ouri", 7)
    assert puzzle.ref == "puzzle/ouri/0007"
    assert puzzle == puzzles.puzzles_of("ouri")[6]
    for number in (0, len(puzzles.puzzles_of("ouri")) + 1):
        with pytest.raises(TabuleiroError, match="the puzzles go from 1 to"):
            puzzles.find_puzzle("ouri", number)


# ------------------------------------------------------------------------------------------------------------- proofs


@pytest.mark.parametrize("game", COUNTS)
def test_some_by_chance_are_proven_anew(game: str) -> None:
    for puzzle in rating.sampled(puzzles.puzzles_of(game), SAMPLE, random.randrange(1 << 30)):
        assert prove.prove(puzzle, LOOK, THOROUGH).problem is None, puzzle


@pytest.mark.long
@pytest.mark.parametrize("game", COUNTS)
def test_all_are_proven_anew(game: str) -> None:
    for puzzle in puzzles.puzzles_of(game):
        assert prove.prove(puzzle, LOOK).problem is None, puzzle


RIGHT = Puzzle("semaforo", "", "GRGY/R2R/R2Y 1", "win", "c3", 0)
RACE = Puzzle("avanco", "", "3b2b/7/4b2/7/6w/w6/6w w", "win", "g3-g4", 0)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(RIGHT, answer="b1"),
        replace(RIGHT, answer="b1 c3"),
        replace(RIGHT, goal="win in 2"),
        replace(RIGHT, goal="who wins", answer="other"),
        replace(RACE, answer="g3-f4"),
        Puzzle("semaforo", "", "GR2/YGR1/Y2Y 1", "win", "a3 c1", 0),
        Puzzle("ouri", "", "2,2,0,2,0,3/1,0,2,1,1,2 16-16 S", "save", "b", 0),
    ],
    ids=str,
)
def test_a_wrong_or_incomplete_answer_is_seen(wrong: Puzzle) -> None:
    assert prove.prove(wrong, LOOK, THOROUGH).problem is not None


def test_rules_and_solver_both_prove() -> None:
    near = Puzzle("semaforo", "", "GRGY/RG1R/R1YY 2", "win", "", 0)  # three cells are left, and what stands on others
    position = near.position()
    wins = [move for move, score in truth.values(position).moves.items() if score is not None and score.worth == 1]
    near = replace(near, answer=" ".join(map(position.move_str, wins)))
    assert prove.prove(near, 60_000) == prove.Proof("rules", None)
    assert prove.prove(near, 10) == prove.Proof("solver", None)
    wrong = next(move for move in position.legal_moves() if move not in wins)
    for positions in (10, 60_000):
        assert prove.prove(replace(near, answer=position.move_str(wrong)), positions).problem is not None
    assert prove.prove(RACE, LOOK).problem is None


SEVEN = Puzzle("guerreiros", "", "6w2/9/3w4W/9/K8/9/5w3/8k/9/9 N - -", "win in 2", "i3-h2 i3-i2", 0)


def test_a_win_is_slower_even_where_only_a_look_at_all_moves_proves_it() -> None:
    for move in ("i3-h4", "i3-i4"):  # both win in seven plies
        assert Attempt(SEVEN.task()).move(move)[1].kind == "slow"


@pytest.mark.parametrize(
    ("game", "number", "moves"),
    [
        ("guerreiros", 100, ["a3-a4"]),
        ("guerreiros", 205, ["h8-g9", "g7-h7"]),
        ("abalone", 174, ["F2E1", "F2E2"]),
        ("abalone", 69, ["E5F6", "F6G7"]),
        ("abalone", 276, ["D5E6"]),
    ],
)
def test_a_win_one_move_later_is_forgiven(game: str, number: int, moves: list[str]) -> None:
    """A program written apart found these; who asks who wins at all does not see them."""
    for move in moves:
        assert Attempt(puzzles.find_puzzle(game, number).task()).move(move)[1].kind == "slow"


@pytest.mark.parametrize("game", COUNTS)
def test_no_right_move_is_refused_and_no_slower_win_blamed(game: str) -> None:
    """What the page would say of every move of a puzzle, beside what is proven of it."""
    number = random.randrange(len(puzzles.puzzles_of(game))) + 1
    puzzle = puzzles.find_puzzle(game, number)
    task = puzzle.task()
    attempt = Attempt(task)
    if attempt.way == "say":
        assert task.winner is not None
        assert attempt.say(task.winner)[1].kind == "solved"
        return
    position = task.node().position
    values = truth.values(position, HALF).moves if task.goal.kind == "win" else {}
    for move in random.sample(position.legal_moves(), min(5, len(position.legal_moves()))):
        kind = attempt.move(position.move_str(move))[1].kind
        score = values.get(move)
        if move in task.answer:
            assert kind in ("solved", "right"), puzzle
        elif score is not None and score > score.draw():
            assert kind == "slow", puzzle
        else:
            assert kind in ("wrong", "slow"), puzzle


# ------------------------------------------------------------------------------------------------------------- mining


def test_what_is_mined_depends_on_the_seed_alone() -> None:
    def mined(seed: int, before: int = 0) -> list[Puzzle]:
        known = list(puzzles.puzzles_of("semaforo")[:before])
        return list(mine("semaforo", known, seed, lambda tally: tally.looked_at < 60, Tally()))

    assert mined(1) == mined(1) != mined(2)
    assert mined(1) != mined(1, before=3)
    assert all(prove.prove(puzzle, LOOK).problem is None for puzzle in mined(1))


def test_what_is_not_proven_or_seen_at_once_is_no_puzzle() -> None:
    at_once = get("semaforo").from_str("GR2/YGR1/Y2Y 1")
    assert what_to_ask(at_once) == (None, None)
    assert what_to_ask(get("avanco").start()) == (None, None)
    alone = get("semaforo").from_str("GRGY/R2R/R2Y 1")
    for winner in (None, OTHER):
        found, question = what_to_ask(alone, winner)
        assert found is not None and found.goal == "win" and question is None
    found, question = what_to_ask(alone, MOVER)
    assert found is not None and question is not None
    assert (question.goal, question.winner) == ("who wins", MOVER)


def test_the_same_puzzle_turned_over_and_nearly_the_same_are_refused() -> None:
    position = RACE.position()
    answer = RACE.task().answer
    symmetry = position.symmetries()[0]
    turned = position.transform(symmetry)
    seen = Seen()
    assert seen.position(position) and not seen.position(turned)
    assert seen.puzzle(position, "win", answer)
    assert not seen.puzzle(turned, "win", frozenset(position.transform_move(move, symmetry) for move in answer))
    near = get("avanco").from_str("2b3b/7/4b2/7/6w/w6/6w w")  # one man stands beside where he stood
    assert not seen.puzzle(near, "win", answer)
    far = get("avanco").from_str("1b4b/7/2b4/7/6w/1w5/6w w")
    assert seen.puzzle(far, "win", answer)


# ------------------------------------------------------------------------------------------------------------- themes


@pytest.mark.parametrize(
    ("game", "text", "goal", "answer", "themes"),
    [
        ("semaforo", "GRGY/R2R/R2Y 1", "win", "c3", {"trap"}),
        ("konane", "8/8/8/1b6/1w6/8/3wb1b1/8 w", "win", "d2-f2", {"stop early"}),
        ("avanco", "3b2b/7/4b2/7/6w/w6/6w w", "win", "g3-g4", {"race"}),
        ("avanco", "bb1b3/1bbb1b1/2b2b1/2bw1w1/b1w2ww/ww1ww2/w2w3 b", "win", "c4-b3", {"sacrifice"}),
        ("rastros", "4#2/3#O2/2#1#2/3#3/7/7/7 2", "win", "f7", set()),
    ],
)
def test_themes_are_seen(game: str, text: str, goal: str, answer: str, themes: set[str]) -> None:
    position = get(game).from_str(text)
    move = position.parse_move(answer)
    values = truth.values(position)
    found = themes_of(Solved(Node(position), read_goal(goal), frozenset([move]), values))
    assert themes <= set(found)
    elsewhere = {"stop early": "konane", "race": "avanco", "edge": "hex", "must-play": "hex"}
    assert not [theme for theme in found if elsewhere.get(theme, game) not in (game, "avanco", "guerreiros")]


def test_every_theme_is_the_theme_of_some_puzzle() -> None:
    count = Counter(theme for game in GAMES for puzzle in puzzles.puzzles_of(game) for theme in puzzle.themes)
    assert {theme for theme in THEMES if not count[theme]} == set()
    assert len({theme.letter for theme in THEMES.values()}) == len(THEMES)


# ------------------------------------------------------------------------------------------------------------- ratings


@pytest.mark.parametrize(("game", "level"), [("avanco", 1), ("avanco", 4), ("ouri", 2), ("hex", 3), ("abalone", 2)])
def test_the_chances_of_a_level_are_how_often_it_plays(game: str, level: int) -> None:
    position = {
        "avanco": RACE.position(),
        "ouri": get("ouri").from_str("2,2,0,2,0,3/1,0,2,1,1,2 16-16 S"),
        "hex": get("hex").from_str("5/2b2/2w2/1b3/5 w -", get("hex").options_type.parse({"size": "5"})),
        "abalone": get("abalone").from_str("5/6/7/8/ww1bb4/8/7/6/5 b 0-0"),
    }[game]
    engine = LevelEngine(game, levels_of(game)[level - 1], 0)
    chances = engine.chances(Node(position))
    assert sum(chances.values()) == pytest.approx(1)
    tries = 600
    made: Counter[int] = Counter()
    for seed in range(tries):
        engine.begin(seed)
        made[engine.play(position, Limit())] += 1
    for move, chance in chances.items():
        # Five times what chance allows.
        assert abs(made[move] - tries * chance) <= 5 * (tries * chance * (1 - chance)) ** 0.5 + 3


def test_a_puzzle_that_more_levels_fail_is_rated_higher() -> None:
    first = rating.first_rating
    assert first("ouri", [0.1] * 5) > first("ouri", [0.5] * 5) > first("ouri", [1.0] * 5)
    assert first("ouri", [0, 0, 0, 0, 1.0]) > first("ouri", [0, 0, 1.0, 1.0, 1.0])
    assert rating.BEGINNER == ratings.BEGINNER


def test_rank_correlation() -> None:
    assert rating.correlation([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1)
    assert rating.correlation([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    assert rating.correlation([1, 2, 3, 4], [5, 5, 5, 5]) == 0
    assert rating.correlation([1, 2, 2, 3], [1, 2, 2, 3]) == pytest.approx(1)


def test_a_slower_win_is_no_failure() -> None:
    """Level 9 sees two wins and takes either; a short look at all moves proves the quicker one alone."""
    task = puzzles.find_puzzle("abalone", 11).task()
    blame = rating.Blame(task)
    made = LevelEngine("abalone", levels_of("abalone")[8], 0).chances(blame.node)
    assert sum(made[move] for move in task.answer) == pytest.approx(0.5)
    assert blame.found(made) == pytest.approx(1)
    assert blame.found({move: 1.0 for move in blame.node.position.legal_moves() if move not in task.answer}) == 0


def test_a_win_that_a_level_sees_for_certain_is_no_failure_of_it() -> None:
    """Level 9 proves two wins and takes either; whoever looks at all moves for a moment sees the quicker one alone."""
    task = puzzles.find_puzzle("abalone", 149).task()
    blame, engine = rating.Blame(task), LevelEngine("abalone", levels_of("abalone")[8], 0)
    made, won = engine.chances(blame.node), engine.won(blame.node)
    assert task.answer < won
    assert blame.found(made) == pytest.approx(0.5)
    assert blame.found(made, won) == pytest.approx(1)


@pytest.mark.parametrize("number", [1, 5, 77, 113])
def test_no_level_of_abalone_sees_less_far_than_the_one_below(number: int) -> None:
    """Positions with many moves, where so many positions for each of three lines were not even two plies."""
    blame = rating.Blame(puzzles.find_puzzle("abalone", number).task())
    for level in levels_of("abalone")[4:]:
        assert blame.found(LevelEngine("abalone", level, 0).chances(blame.node)) > 0.99


@pytest.mark.long
@pytest.mark.parametrize("game", COUNTS)
def test_ratings_from_odd_levels_fit_the_failures_of_even_ones(game: str) -> None:
    chosen = [puzzle for puzzle in puzzles.puzzles_of(game) if rating.gradable(puzzle)]
    chosen = rating.sampled(chosen, 150, 5)
    graded = rating.grades(chosen, tries=24, seed=5)
    assert graded.reliability >= 0.8
    assert graded.agreement >= 0.7
