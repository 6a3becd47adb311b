"""A solver or search that is asked many questions, in whatever order, contradicts neither itself nor a fresh one.

What depends on how a position was reached must not be kept as a proof. So one solver for each game and its options is
asked about many positions, and about all of them again, and compared with solvers that are asked nothing else, with
tables, and with what the engine of level 10, the coach and `truth` say.
"""

import dataclasses
import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from tabuleiro import GAMES, _native
from tabuleiro.core import Move, OptionError, Options, Player, Position
from tabuleiro.games.ouri import SEEDS, Ouri, OuriOptions
from tabuleiro.learn import coach, truth
from tabuleiro.players.strongest import strongest_engine
from tabuleiro.record import Node, random_game
from tabuleiro.search import AlphaBetaEngine, Engine, Limit, MctsEngine, ProofEngine, Score
from tabuleiro.search.base import Worth, one_ply_on
from tabuleiro.solve import ouri, rastros, registry
from tabuleiro.solve import search as plain_search
from tabuleiro.solve.avanco import AvancoSolver
from tabuleiro.solve.base import Solver
from tabuleiro.solve.rastros_proof import read_data
from truth import VARIANTS, here

#: Positions of each game in the normal run, and in the long one.
FEW, MANY = 12, 5_000
#: Positions that may be looked at for an answer.
LIMIT = Limit(nodes=2_000)
#: MiB: clearing the memory of a fresh solver takes longer than its answer.
SMALL_TABLE = 2
#: Seeds: the tables of the long run know the positions that the solver must search.
LARGE_TABLES = 16


def ouri_options() -> Iterator[Options]:
    """Every combination of the options of Ouri that makes sense, with and without a limit."""
    choices = {field.name: list(field.metadata["values"]) for field in dataclasses.fields(OuriOptions)}
    choices["no_capture_limit"] = [None, 12]
    for values in itertools.product(*choices.values()):
        try:
            yield OuriOptions(**dict(zip(choices, values, strict=True)))
        except OptionError:
            continue


def options_of(game: type[Position]) -> list[Options]:
    if game is Ouri:
        return list(ouri_options())
    history: dict[str, list[dict[str, Any]]] = {
        "guerreiros": [{"repetition": None}, {"no_progress_limit": 12}, {"repetition": None, "no_progress_limit": 12}],
        "abalone": [
            {"ejections": 1, "repetition": None},
            {"ejections": 2, "move_limit": 60},
            {"ejections": 2, "move_limit": 60, "repetition": None},
        ],
    }
    return [game.options_type(**changed) for changed in (*VARIANTS[game.id], *history.get(game.id, []))]


def late_games(game: type[Position], wanted: int) -> Iterator[Node]:
    """Games some plies before their end, every second one without its past."""
    chance, options = random.Random(game.id), options_of(game)
    seen: set[tuple[Position, bool]] = set()
    for number in itertools.count():
        start = game.start(options[number % len(options)])
        path = random_game(start, seed=chance.randrange(10**9), max_plies=400).last.path()
        while path[-1].outcome is not None:
            path.pop()
        for back in range(chance.randint(1, 4), min(len(path), 12), chance.randint(2, 4)):
            node, past = path[-back], chance.random() < 0.5
            if (node.position, past) not in seen:
                seen.add((node.position, past))
                yield node if past else Node(node.position)
            if len(seen) == wanted:
                return


def random_ouri(options: OuriOptions, seeds: int, chance: random.Random) -> Ouri:
    """A game that goes on, of that number of seeds on the board, with stores that leave the result open."""
    while True:
        houses = [0] * 12
        for _ in range(seeds):
            houses[chance.randrange(12)] += 1
        south = (SEEDS - seeds) // 2 + chance.randint(-2, 2)
        position = Ouri(chance.choice(list(Player)), options, tuple(houses), (south, SEEDS - seeds - south))
        if position.outcome() is None:
            return position


# ------------------------------------------------------------------------------------------------- solvers of all games


class Facts:
    """What has been said of positions and their moves; nobody may contradict it."""

    def __init__(self) -> None:
        self.values: dict[Node, Worth] = {}
        self.moves: dict[tuple[Node, Move], Worth] = {}
        #: How many statements agreed with an earlier one.
        self.agreed = 0

    def hear(self, who: str, node: Node, score: Score | None, moves: Mapping[Move, Score | None]) -> None:
        if score is not None and score.worth is not None:
            self._note(self.values, node, score.worth, f"{who} of {here(node.position)}")
        for move, found in moves.items():
            if found is not None and found.worth is not None:
                said = f"{who} of {here(node.position)} {node.position.move_str(move)}"
                self._note(self.moves, (node, move), found.worth, said)
        value, legal = self.values.get(node), node.position.legal_moves()
        known = [self.moves[node, move] for move in legal if (node, move) in self.moves]
        if value is not None:
            assert max(known, default=value) <= value, f"{who}: {here(node.position)} has a move of more than its value"
            assert len(known) < len(legal) or max(known) == value, (
                f"{who}: {here(node.position)} is worth its best move"
            )

    def _note(self, facts: "dict[Any, Worth]", key: object, worth: Worth, said: str) -> None:
        self.agreed += key in facts
        before = facts.setdefault(key, worth)
        assert before is worth, f"{said}: {worth.name} after {before.name}"


@pytest.fixture
def small_tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(plain_search, "TABLE", SMALL_TABLE)
    monkeypatch.setattr(ouri.OuriSolver, "TABLE", SMALL_TABLE)
    monkeypatch.setattr(AvancoSolver, "SMALL", SMALL_TABLE)
    # Its proof is read again by every fresh one.
    monkeypatch.setattr(rastros, "read_data", cache(read_data))
    registry._solver.cache_clear()
    registry._plain.cache_clear()
    yield
    registry._solver.cache_clear()
    registry._plain.cache_clear()


def new_solver(position: Position) -> Solver:
    return registry._solver.__wrapped__(position.id, position.options) or plain_search.SearchSolver()


def ask_everybody(games: list[Node], facts: Facts, fresh_each: int, others_each: int) -> None:
    """Ask long-lived solvers twice about all games, and the others about one in some of them."""
    chance = random.Random(1)
    kept: dict[Options, Solver] = {}
    for asked in ("first", "again"):
        for node in chance.sample(games, len(games)):
            solver = kept.get(node.position.options) or kept.setdefault(
                node.position.options, new_solver(node.position)
            )
            solution = solver.solve(node, LIMIT)
            facts.hear(f"a kept solver, {asked}", node, solution.score, solution.moves)
            solution = solver.solve(node, LIMIT, every_move=False)
            facts.hear(f"a kept solver of the value alone, {asked}", node, solution.score, solution.moves)
    for node in games[::fresh_each]:
        solution = new_solver(node.position).solve(node, LIMIT)
        facts.hear("a fresh solver", node, solution.score, solution.moves)
    engine = strongest_engine(games[0].position.id, threads=1, table=8)
    for node in games[::others_each]:
        found = engine.analyse(node, LIMIT, lines=2)
        facts.hear("level 10", node, found.score if found.exact else None, {})
        facts.hear("level 10", node, None, {line.moves[0]: line.score for line in found.lines})
        assert not found.exact or found.score.exact
        for who, solution in (("truth", truth.values(node, LIMIT.nodes or 0)), ("the coach", coach.look(node))):
            facts.hear(who, node, solution.score, solution.moves)


@pytest.mark.usefixtures("small_tables")
@pytest.mark.parametrize("name", GAMES)
def test_solvers_agree_with_themselves(name: str) -> None:
    facts = Facts()
    ask_everybody(list(late_games(GAMES[name], FEW)), facts, fresh_each=4, others_each=12)
    assert facts.agreed > FEW


@pytest.mark.long
@pytest.mark.usefixtures("small_tables")
@pytest.mark.parametrize("name", GAMES)
def test_solvers_agree_with_themselves_about_many_positions(name: str) -> None:
    facts = Facts()
    # Reading its proof takes a fresh solver of Rastros long.
    ask_everybody(list(late_games(GAMES[name], MANY)), facts, fresh_each=10 if name == "rastros" else 1, others_each=10)
    assert facts.agreed > MANY


# ---------------------------------------------------------------------------------------------------- Ouri, with tables


@cache
def endings_of(options: OuriOptions, seeds: int) -> _native.OuriEndings:
    """Tables up to a number of seeds, made in memory: those on the disk stay as they are."""
    endings = ouri.empty_endings(options)
    for _ in range(seeds + 1):
        endings.add(ouri.build_level(endings, threads=2))
    return endings


def by_tables(position: Ouri, endings: _native.OuriEndings) -> tuple[Worth, Worth]:
    """The least and the most that a game without a past is worth to the player to move."""
    found = endings.range(position.encode())
    assert found is not None
    player = position.turn
    lead = position.stores[player - 1] - position.stores[player.other - 1]
    least, most = (Worth((lead + gain > 0) - (lead + gain < 0)) for gain in found)
    return least, most


def move_by_tables(position: Ouri, move: Move, endings: _native.OuriEndings) -> Score:
    """The value of a move where a position has one value."""
    child = position.play(move)
    if (outcome := child.outcome()) is not None:
        worth = Worth.DRAW if outcome.winner is None else Worth.WIN if outcome.winner is child.turn else Worth.LOSS
    else:
        worth, most = by_tables(child, endings)
        assert worth is most
    return one_ply_on(Score(worth) if child.turn is position.turn else -Score(worth))


def test_a_solver_asked_again_says_the_same() -> None:
    """A win that an earlier search left in the table was proven, then outranked by a draw at the next depth."""
    position = Ouri.from_str("2,2,2,0,0,2/1,2,1,1,1,2 17-15 N")
    solver = ouri.OuriSolver()
    said = [solver.solve(position, LIMIT, every_move=every) for every in (False, False, True, False, True)]
    assert [solution.score for solution in said] == [Score.win()] * 5
    assert {position.move_str(solution.best) for solution in said if solution.best is not None} == {"B"}


#: Searches that say what they prove, with tables of fewer seeds than the positions have.
SEARCHES: dict[str, Callable[[OuriOptions, int], Engine]] = {
    "alpha-beta": lambda options, seeds: AlphaBetaEngine(table=4, tables=lambda _: endings_of(options, seeds)),
    "full width": lambda options, seeds: AlphaBetaEngine(
        table=4, full_width=True, tables=lambda _: endings_of(options, seeds)
    ),
    "df-pn": lambda _, seeds: ProofEngine(table=4),
    "tree": lambda _, seeds: MctsEngine(memory=16),
}


@pytest.mark.parametrize("collect", ["none", "owners"])
@pytest.mark.parametrize("name", SEARCHES)
def test_a_kept_search_agrees_with_the_tables(name: str, collect: str) -> None:
    """Its value, its move, and what it says of other moves."""
    options = OuriOptions(cycle_collect=collect)
    known, searched = (4, 7) if collect == "none" else (2, 5)
    compare_with_tables(SEARCHES[name](options, known), options, range(known + 1, searched + 1), 200)


def compare_with_tables(engine: Engine, options: OuriOptions, seeds: range, wanted: int) -> None:
    endings, chance = endings_of(options, max(seeds)), random.Random(5)
    proven = 0
    for _ in range(wanted):
        position = random_ouri(options, chance.choice(seeds), chance)
        least, most = by_tables(position, endings)
        for _ in range(2):
            found = engine.analyse(position, Limit(nodes=5_000), lines=3)
            assert not found.exact or found.score.exact, here(position)
            for line in found.lines:
                if line.score.worth is None:
                    continue
                child = position.play(line.moves[0])
                if child.outcome() is None:
                    bounds = by_tables(child, endings)
                    if child.turn is not position.turn:
                        bounds = Worth(-bounds[1]), Worth(-bounds[0])
                    said = f"{here(position)} {position.move_str(line.moves[0])}"
                    assert bounds[0] <= line.score.worth <= bounds[1], said
            if found.exact and found.score.worth is not None:
                assert least <= found.score.worth <= most, here(position)
                proven += 1
    assert proven > wanted / 4


def test_the_plain_solver_agrees_with_the_tables() -> None:
    """Where the owners collect, Ouri is solved by plain search. Its df-pn kept disproofs that count going round as a
    failure, though that may be none, and believed them when asked again."""
    options, chance = OuriOptions(cycle_collect="owners"), random.Random(3)
    endings, solver = endings_of(options, 3), plain_search.SearchSolver()
    known = 0
    for _ in range(100):
        position = random_ouri(options, chance.randint(2, 3), chance)
        solution = solver.solve(position, LIMIT)
        if solution.score is not None and solution.score.worth is not None:
            least, most = by_tables(position, endings)
            assert least <= solution.score.worth <= most, here(position)
            known += 1
    assert known > 50


@pytest.mark.long
@pytest.mark.usefixtures("small_tables")
def test_solvers_of_ouri_agree_with_larger_tables() -> None:
    """Positions of more seeds than the solver has tables of, and all their moves."""
    options, facts, chance = OuriOptions(), Facts(), random.Random(16)
    endings = endings_of(options, LARGE_TABLES)
    seeds = range(ouri.AT_ONCE + 1, LARGE_TABLES + 1)
    games = [Node(random_ouri(options, chance.choice(seeds), chance)) for _ in range(MANY)]
    for node in games:
        assert isinstance(node.position, Ouri)
        value, _ = by_tables(node.position, endings)
        moves = {move: move_by_tables(node.position, move, endings) for move in node.position.legal_moves()}
        facts.hear("the tables", node, Score(value), moves)
    ask_everybody(games, facts, fresh_each=5, others_each=10)
