"""Endings of Ouri against plain methods with the Python rules: of the whole game, history and all."""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tabuleiro import _native
from tabuleiro.core import Outcome, Player
from tabuleiro.games.ouri import Ouri, OuriOptions
from tabuleiro.record import Game, Node
from tabuleiro.search import AlphaBetaEngine, Limit, Score
from tabuleiro.solve import SolveError, files, ouri, solver_for
from tabuleiro.solve.search import SearchSolver
from tabuleiro.solve.verify import PlainEndings, all_of, check_step, probe, random_ouri

RULES = [OuriOptions(), OuriOptions(feed_overrides_singles=True), OuriOptions(rules="oware")]


def endings_of(options: OuriOptions) -> _native.OuriEndings:
    endings = ouri.endings_for(Ouri.start(options))
    assert endings is not None
    return endings


@pytest.fixture(params=RULES, ids=["ouri", "feeding", "oware"])
def options(request: pytest.FixtureRequest) -> OuriOptions:
    assert isinstance(request.param, OuriOptions)
    return request.param


def test_all_small_positions_agree_with_the_plain_method(options: OuriOptions) -> None:
    plain = PlainEndings()
    small = [position for seeds in range(5) for position in all_of(seeds, options)]
    assert plain.solve(small)
    endings = endings_of(options)
    for position in small:
        assert probe(position, endings)[0] == plain.gains[position], position


def test_positions_played_out_agree() -> None:
    plain, chance, compared = PlainEndings(), random.Random(5), 0
    for _ in range(40):
        position = random_ouri(chance.randint(5, 12), OuriOptions(), chance)
        if plain.solve([position], 4_000):
            assert probe(position, endings_of(OuriOptions()))[0] == plain.gains[position], position
            compared += 1
    assert compared >= 5


def test_every_value_follows_from_those_after_it(options: OuriOptions) -> None:
    chance = random.Random(1)
    for _ in range(400):
        check_step(random_ouri(chance.randint(1, 12), options, chance), endings_of(options))


def test_a_wrong_value_does_not_follow() -> None:
    endings = ouri.empty_endings(OuriOptions())
    for seeds in range(5):
        content = bytearray(ouri.build_level(endings))
        if seeds == 4:
            content[2 * 700] -= 1
        endings.add(content)
    with pytest.raises(SolveError):
        for position in all_of(4, OuriOptions()):
            check_step(position, endings)


# ------------------------------------------------------------------------------------- the whole game, with its history


class TooMuchError(Exception):
    """There is too much to play out."""


class Exhaustive:
    """The value of a game by playing everything out, the rule of repetition as it is written."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.known: dict[object, int] = {}

    def value(self, node: Node) -> int:
        """For South."""
        if node.outcome is not None:
            return result(node.outcome)
        key = (node.position, frozenset(since_capture(node).items()))
        if key not in self.known:
            self.most -= 1
            if self.most < 0:
                raise TooMuchError
            mine = 1 if node.position.turn is Player.ONE else -1
            best = -mine
            for move in node.position.legal_moves():
                if best != mine:  # nothing is better than a win
                    best = mine * max(mine * best, mine * self.value(Node(node.position.play(move), node, move)))
            self.known[key] = best
        return self.known[key]


def result(outcome: Outcome) -> int:
    return 0 if outcome.winner is None else 1 if outcome.winner is Player.ONE else -1


def since_capture(node: Node) -> Counter[object]:
    seen: Counter[object] = Counter()
    past: Node | None = node
    while past is not None and past.position.score() == node.position.score():
        seen[past.position.repetition_key()] += 1
        past = past.parent
    return seen


def games_with_a_past(threshold: int, wanted: int) -> Iterator[Node]:
    """Games of few seeds, some random moves on, with stores that leave the result open."""
    chance = random.Random(threshold)
    while wanted:
        seeds = chance.randint(2, 6)
        south = (48 - seeds) // 2 + chance.randint(-1, 1)
        houses = random_ouri(seeds, OuriOptions(), chance).houses
        options = OuriOptions(cycle_threshold=threshold)
        node = Node(Ouri(chance.choice(list(Player)), options, houses, (south, 48 - seeds - south)))
        for _ in range(chance.randint(0, 40)):
            if node.outcome is None:
                node = Node(node.position.play(move := chance.choice(node.position.legal_moves())), node, move)
        if node.outcome is None:
            wanted -= 1
            yield node


@pytest.mark.parametrize(("threshold", "games", "at_least"), [(2, 200, 50), (3, 40, 5)])
def test_what_is_said_of_a_game_with_a_past_is_true(threshold: int, games: int, at_least: int) -> None:
    compared = spoilt = 0
    for node in games_with_a_past(threshold, games):
        exhaustive = Exhaustive(most=200)
        turn = 1 if node.position.turn is Player.ONE else -1
        try:
            true = turn * exhaustive.value(node)
            moves = node.position.legal_moves()
            children = {move: turn * exhaustive.value(Node(node.position.play(move), node, move)) for move in moves}
        except TooMuchError:
            continue
        solution = solver_for(node).solve(node, Limit(seconds=20))
        assert solution.exact and solution.score is not None and solution.score.worth == true, node.position
        assert {move: score and score.worth for move, score in solution.moves.items()} == children, node.position
        compared += 1
        spoilt += solver_for(node.position).solve(node.position).score != solution.score
    assert compared >= at_least
    # The tables alone, which know of no past, would have been wrong.
    assert spoilt > 0 or threshold == 3


def test_the_best_move_carries_a_won_ending_home() -> None:
    chance, played = random.Random(3), 0
    while played < 25:
        seeds = chance.randint(6, 12)
        houses = random_ouri(seeds, OuriOptions(), chance).houses
        south = (48 - seeds) // 2 - chance.randint(0, 3)
        game = Game(Ouri(Player.ONE, OuriOptions(), houses, (south, 48 - seeds - south)))
        if game.outcome is not None or solver_for(game).solve(game).score != Score.win():
            continue
        while game.outcome is None:
            position = game.last.position
            if position.turn is Player.ONE:
                best = solver_for(game).solve(game, every_move=False).best
                assert best is not None
                game.play(best)
            else:
                game.play(chance.choice(position.legal_moves()))
        assert game.outcome.winner is Player.ONE
        played += 1


# ------------------------------------------------------------------------------------------------------ search, options


def test_search_with_few_tables_finds_what_more_tables_say() -> None:
    few = ouri.empty_endings(OuriOptions())
    for _ in range(6):
        few.add(ouri.build_level(few))
    engine = AlphaBetaEngine(tables=lambda position: few, full_width=True)
    chance, proven = random.Random(2), 0
    for _ in range(30):
        seeds = chance.randint(6, 8)
        houses = random_ouri(seeds, OuriOptions(), chance).houses
        south = (48 - seeds) // 2 - chance.randint(-1, 1)
        position = Ouri(Player.ONE, OuriOptions(), houses, (south, 48 - seeds - south))
        if position.outcome() is None:
            found = engine.analyse(position, Limit(nodes=20_000))
            said = solver_for(position).solve(position).score
            assert said is not None
            if found.exact:
                proven += 1
                assert found.score.worth == said.worth, position
    assert proven >= 10


@pytest.mark.parametrize("changed", [{"cycle_threshold": None}, {"no_capture_limit": 40}], ids=str)
def test_where_a_position_has_no_value_of_its_own_there_are_no_tables(changed: dict[str, object]) -> None:
    options = replace(OuriOptions(), **changed)  # type: ignore[arg-type]
    assert ouri.endings_for(Ouri.start(options)) is None
    assert isinstance(solver_for(Ouri.start(options)), SearchSolver)
    with pytest.raises(SolveError, match="no tables under"):
        ouri.require_tables(options)


# ---------------------------------------------------------------------------------------------------------- the command


def tables(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "tabuleiro", "--lang", "en", "tables", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_building_goes_on_where_it_stopped_and_mends_what_is_damaged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("TABULEIRO_CACHE", str(tmp_path))
    assert "seeds: 5; positions: 4,368" in tables("build", "ouri", "--seeds", "5").stdout
    paths = [ouri.table_of(OuriOptions(), seeds).path for seeds in range(6)]
    good = [path.read_bytes() for path in paths]
    paths[5].unlink()
    spoilt = bytearray(good[3])
    spoilt[-7] ^= 4
    paths[3].write_bytes(spoilt)
    assert "damaged" in tables("list").stdout
    said = tables("build", "ouri", "--seeds", "5")
    assert said.stderr.count("was damaged and is made again") == 1
    again = said.stdout
    assert [line.split(";")[0] for line in again.splitlines() if "positions" in line] == ["seeds: 3", "seeds: 5"]
    assert [path.read_bytes() for path in paths] == good


def test_what_has_no_tables_is_said() -> None:
    for arguments in (("build", "hex"), ("build", "ouri", "--option", "no_capture_limit=40"), ("verify", "rastros")):
        said = tables(*arguments)
        assert said.returncode == 1 and "no tables" in said.stderr and said.stderr.count("\n") == 1


def test_a_flipped_byte_in_a_small_table_does_not_reach_the_answer() -> None:
    position = Ouri.from_str("0,0,1,2,0,1/1,0,2,1,0,1 19-20 S")
    before = solver_for(position).solve(position)
    path = ouri.table_of(OuriOptions(), 9).path
    good = path.read_bytes()
    for place in (files.HEADER + 2 * 1234, files.HEADER + 3):
        spoilt = bytearray(good)
        spoilt[place] ^= 255
        path.write_bytes(spoilt)
        ouri._endings.cache_clear()
        assert solver_for(position).solve(position).moves == before.moves
        assert path.read_bytes() == good
