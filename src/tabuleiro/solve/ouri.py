"""Endings of Ouri: how many seeds more than the opponent will the player to move still collect?

The tables (native/solve/ouri.hpp) have that number, the *gain*, for every position of few seeds, a file for each number
of seeds. With the seeds in the stores it gives the result. Which values are exact:

- The gain is that of a game without a past. There it is exact, whether the second or the third occurrence of a position
  ends the game.
- In a game with a past, some positions since the last capture may lack one occurrence to end the game. They can take
  from a gain, at most all of it, but never turn it round: the true gain lies between 0 and that of the table. So where
  the lead in the stores decides the game alike with the gain and without it, the result is exact whatever the past.
- Elsewhere it is exact if there is no such position, the one on the board aside: the player who gains has a way to do
  so that comes to no position twice.
- What remains is searched, with the tables for all that comes after the next capture.

Under `cycle_collect=owners` a position has no value of its own, since it matters where a cycle ends. There the tables
have a range (native/solve/ouri_owners.hpp): how many seeds more the player to move is sure to collect, and how many at
most. Searches look it up; where both ends of it lead to the same result, that is proven. Under `cycle_threshold=off`
and `no_capture_limit` it matters how long ago a seed was taken, and there are no tables.
"""

import mmap
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from tabuleiro import _native
from tabuleiro.core import Move, Options, Outcome, Player, Position
from tabuleiro.crew import Crew, Job, Shared
from tabuleiro.games.ouri import Ouri, OuriOptions
from tabuleiro.language import Text, figure
from tabuleiro.record import Node
from tabuleiro.search.base import Analysis, Limit, Score
from tabuleiro.search.native import AlphaBetaEngine
from tabuleiro.solve import files, verify
from tabuleiro.solve.base import Progress, SearchBudget, Solution, SolveError, Solver, silent
from tabuleiro.solve.tables import Checked, GameTables, Statistics, load

#: Seeds: tables up to this number are made when they are first needed, because it takes no time; the others by a
#: command.
AT_ONCE = 12
MOST_SEEDS = 24
#: The same of ranges, which take more time and memory.
RANGES_AT_ONCE = 10
MOST_SEEDS_OF_RANGES = 15
#: Places of a level that are looked ahead from in one unit of work.
PLACES_A_UNIT = 1 << 18


def has_tables(options: OuriOptions) -> bool:
    return options.cycle_threshold is not None and options.no_capture_limit is None


def has_ranges(options: OuriOptions) -> bool:
    """Whether the tables have no values, only ranges."""
    return has_tables(options) and options.cycle_collect == "owners"


def has_values(options: OuriOptions) -> bool:
    return has_tables(options) and not has_ranges(options)


def require_tables(options: OuriOptions) -> None:
    if not has_tables(options):
        raise SolveError(
            Text(
                "não há tabelas com cycle_threshold=off ou no_capture_limit: aí o valor de uma posição depende do que "
                "se jogou antes",
                "there are no tables under cycle_threshold=off or no_capture_limit: there the value of a position "
                "depends on what was played before",
            )
        )


def table_of(options: OuriOptions, seeds: int) -> files.Table:
    """The table of the positions of that number of seeds. Both thresholds of cycles share it."""
    rules = "feeding" if options.feed_overrides_singles else options.rules
    owners = "-owners" if has_ranges(options) else ""
    return files.Table("ouri", f"{rules}{owners}-{seeds:02}", _native.OuriEndings.size(seeds))


def empty_endings(options: OuriOptions) -> _native.OuriEndings:
    return _native.OuriEndings(replace(options, cycle_threshold=3).encode())


def build_level(endings: _native.OuriEndings, threads: int = 1, progress: Progress = silent) -> mmap.mmap:
    """Compute the table after those that are known."""
    content = files.room_for(endings.size(endings.levels))
    positions = len(content) // 2
    tell: Callable[[float], object] = lambda part: progress(part, round(part * positions))  # noqa: E731
    endings.solve(content, threads, tell)
    return content


class LookAhead(Job[range, bytes]):
    """What the moves of some places of a level lead to below it: about half of the work of making the level."""

    def __init__(self, options: OuriOptions, below: list[Shared]) -> None:
        self._options, self._below = options, below

    def begin(self) -> None:
        self._endings = empty_endings(self._options)
        for level in self._below:
            self._endings.add(level.get())

    def do(self, unit: range) -> bytes:
        part = bytearray(2 * len(unit))
        self._endings.look_ahead(part, unit.start)
        return bytes(part)


class OuriTables(GameTables):
    """A table for each number of seeds, from 0."""

    pace = 0.25
    parallel = True
    memory = 2
    width = 2

    def __init__(self, options: Options) -> None:
        assert isinstance(options, OuriOptions)
        require_tables(options)
        self._options = options
        self.most = 1 + (MOST_SEEDS_OF_RANGES if has_ranges(options) else MOST_SEEDS)
        self.usual = self.at_once = 1 + (RANGES_AT_ONCE if has_ranges(options) else AT_ONCE)
        self.listed = self.at_once if options == OuriOptions() else 0
        self.endings = empty_endings(options)
        self._levels: list[memoryview[int]] = []

    @classmethod
    def offered(cls) -> "Iterator[OuriTables]":
        values = (OuriOptions(), OuriOptions(feed_overrides_singles=True), OuriOptions(rules="oware"))
        return map(cls, (*values, *(replace(options, cycle_collect="owners") for options in values)))

    def table(self, number: int) -> files.Table:
        return table_of(self._options, number)

    def label(self, number: int) -> Text:
        return Text(f"sementes: {number}", f"seeds: {number}")

    def command(self, number: int) -> str:
        pairs = "".join(f" --option {name}={value}" for name, value in self._options.changed().items())
        return f"tabuleiro tables build ouri --seeds {number}{pairs}"

    def needed(self, position: Position) -> int:
        assert isinstance(position, Ouri)
        return min(sum(position.houses) + 1, self.most)

    def build(self, threads: int = 1, progress: Progress = silent) -> mmap.mmap:
        return build_level(self.endings, threads, progress)

    def build_by(self, crew: Crew, threads: int = 1, progress: Progress = silent) -> mmap.mmap:
        """Ranges of places are looked ahead from by the crew; the rest, where every place may matter to every other, is
        done here."""
        if has_ranges(self._options) or crew.size == 1:
            return self.build(threads, progress)
        content = files.room_for(self.endings.size(self.added))
        positions = len(content) // 2
        starts = range(0, positions, PLACES_A_UNIT)
        units = [range(start, min(start + PLACES_A_UNIT, positions)) for start in starts]
        below = [
            crew.share(level, partial(files.read, self.table(number))) for number, level in enumerate(self._levels)
        ]
        done = 0
        for found in crew.finished(LookAhead(self._options, below), units):
            content[2 * found.unit.start : 2 * found.unit.stop] = found.get()
            done += len(found.unit)
            progress(done / positions / 2, done)
        self.endings.solve_the_rest(content, threads, lambda part: progress(part, round(part * positions)))
        return content

    def _take(self, content: "memoryview[int]") -> None:
        self.endings.add(content)
        self._levels.append(content)

    def verify(self, positions: int, chance: random.Random) -> Iterator[Checked]:
        check = verify.ouri_ranges if has_ranges(self._options) else verify.ouri
        return check(self._options, self.endings, positions, chance)

    def statistics(self) -> Statistics | None:
        """For each number of seeds, what the player to move gains."""
        if has_ranges(self._options):
            return None
        titles = (
            Text("sementes", "seeds"),
            Text("posições", "positions"),
            Text("ganha", "gains"),
            Text("sem ganho", "neither"),
            Text("perde", "loses"),
            Text("ganho médio", "mean gain"),
            Text("leva tudo", "takes all"),
            Text("mais longa", "longest"),
        )
        return Statistics(titles, [self._count(number) for number in range(1, self.added)])

    def _count(self, number: int) -> list[Text]:
        counts, longest = self.endings.statistics(number)
        total = sum(counts)
        mean = sum(count * (place - number) for place, count in enumerate(counts)) / total
        shares = (sum(counts[number + 1 :]), counts[number], sum(counts[:number]))
        return [
            figure(number),
            figure(total),
            *(figure(100 * share / total, 1, "%") for share in shares),
            figure(mean, 2),
            figure(100 * counts[-1] / total, 2, "%"),
            figure(longest),
        ]

    @classmethod
    def for_search(cls, position: Position) -> _native.Tables | None:
        options = position.options
        if not isinstance(options, OuriOptions) or not has_tables(options):
            return None
        return _endings(replace(options, cycle_threshold=3))


@lru_cache(maxsize=6)
def _endings(options: OuriOptions) -> _native.OuriEndings:
    tables = OuriTables(options)
    load(tables)
    return tables.endings


def endings_for(position: Position) -> _native.OuriEndings | None:
    """All the tables there are for a position, those of few seeds made if they are missing or damaged, the others up
    to the first that is; None where the game or the options have no tables with values."""
    options = position.options
    if not isinstance(options, OuriOptions) or not has_values(options):
        return None
    return _endings(replace(options, cycle_threshold=3))


def solver(options: Options) -> Solver | None:
    assert isinstance(options, OuriOptions)
    return OuriSolver() if has_values(options) else None


@dataclass(frozen=True)
class _Answer:
    """What the tables say of a move, for the player who makes it."""

    score: Score
    gain: int
    #: Greater for a move that gets on with a gain, or puts off a loss.
    pace: int

    def preference(self) -> tuple[Score, int, int]:
        return (self.score, self.gain, self.pace)


class OuriSolver(Solver):
    """Answers from the tables where that is exact, and searches elsewhere, with the tables at hand."""

    #: The memory of the search in MiB.
    TABLE = 64
    memory = TABLE << 20

    def __init__(self) -> None:
        self._engine = AlphaBetaEngine(table=self.TABLE, full_width=True, tables=endings_for)

    def within_reach(self, node: Node, seconds: float) -> bool:
        endings = endings_for(node.position)
        return endings is not None and endings.probe(node.position.encode()) is not None

    def _solve(
        self, node: Node, limit: Limit, every_move: bool, stop: _native.StopFlag, progress: Progress
    ) -> Solution:
        budget = SearchBudget(limit, stop)
        endings = endings_for(node.position)
        assert endings is not None
        legal = node.position.legal_moves()
        score = _score(node, endings)
        answers = {move: _answer(node, move, endings) for move in legal}
        known = {move: answer for move, answer in answers.items() if answer is not None}
        # The most seeds first, then the quickest, so that play gets on: `Solution.best` takes the first of the best.
        order = sorted(known, key=lambda move: known[move].preference(), reverse=True)
        scores: dict[Move, Score | None] = {move: known[move].score for move in order}
        budget.nodes = 1 + len(legal)
        if len(known) == len(legal):
            score = scores[order[0]]
        enough = len(known) == len(legal) or (not every_move and score in scores.values())
        if not enough:

            def listen(found: Analysis) -> None:
                progress(None, budget.nodes + found.nodes)

            def search(node: Node, searches: int) -> Analysis:
                found = self._engine.analyse(node, budget.left(searches), stop=stop, listener=listen)
                budget.nodes += found.nodes
                return found

            if every_move:
                # One by one, each from the position after it: within one search, a move that comes round to a position
                # of the line counts as a cycle at once, which is true of the best move alone.
                missing = [move for move in legal if move not in known]
                for number, move in enumerate(missing):
                    child = Node(node.position.play(move), node, move)
                    turns = child.position.turn is not node.position.turn
                    found = search(child, len(missing) - number)
                    scores[move] = _unmeasured(-found.score if turns else found.score) if found.exact else None
            else:
                found = search(node, 1)
                if found.exact:
                    score = scores[found.move] = _unmeasured(found.score)
            values = list(scores.values())
            if score is None and (None not in values or Score.win() in values) and every_move:
                score = max(value for value in values if value is not None)
        exact = score is not None and (not every_move or None not in scores.values())
        return Solution(score, scores, budget.nodes, budget.seconds, exact)


def _answer(node: Node, move: Move, endings: _native.OuriEndings) -> _Answer | None:
    """What is known for certain of a move without searching."""
    before = node.position
    child = Node(before.play(move), node, move)
    after = child.position
    assert isinstance(before, Ouri) and isinstance(after, Ouri)
    taken = sum(after.stores) - sum(before.stores)
    if child.outcome is not None:
        assert child.outcome.score is not None
        gain = _lead(child.outcome.score, before.turn) - _lead(before.stores, before.turn)
        return _Answer(_result(child.outcome, before.turn), gain, 0)
    found = endings.probe(after.encode())
    score = _score(child, endings)
    if found is None or score is None:
        return None
    gain, distance = found
    if after.turn is not before.turn:
        gain, score = -gain, -score
    gain += taken
    pace = 0 if taken or gain == 0 else -distance if gain > 0 else distance
    return _Answer(score, gain, pace)


def final_gains(node: Node) -> dict[Move, int | None]:
    """How many seeds more than the other the mover collects from here on, by each move, if both play for seeds to the
    last one, beyond the majority that ends a game too; None where the tables do not say."""
    endings = endings_for(node.position)
    return {move: None if endings is None else _gain(node, move, endings) for move in node.position.legal_moves()}


def _gain(node: Node, move: Move, endings: _native.OuriEndings) -> int | None:
    before = node.position
    child = Node(before.play(move), node, move)
    after = child.position
    assert isinstance(before, Ouri) and isinstance(after, Ouri)
    lead = _lead(before.stores, before.turn)
    if child.outcome is not None and child.outcome.reason != "majority":
        assert child.outcome.score is not None
        return _lead(child.outcome.score, before.turn) - lead
    found = endings.probe(after.encode())
    if found is None or _past_matters(child):
        return None
    return _lead(after.stores, before.turn) - lead + (found[0] if after.turn is before.turn else -found[0])


def _result(outcome: Outcome, player: Player) -> Score:
    if outcome.winner is None:
        return Score.draw()
    return Score.win() if outcome.winner is player else Score.loss()


def _score(node: Node, endings: _native.OuriEndings) -> Score | None:
    """What the tables say of a game that goes on, for the player to move, where it is exact."""
    position = node.position
    assert isinstance(position, Ouri)
    if (found := endings.probe(position.encode())) is None:
        return None
    lead = _lead(position.stores, position.turn)
    with_gain, without = _by_lead(lead + found[0]), _by_lead(lead)
    return with_gain if with_gain == without or not _past_matters(node) else None


def _lead(seeds: tuple[int, int], player: Player) -> int:
    return seeds[player - 1] - seeds[player.other - 1]


def _by_lead(lead: int) -> Score:
    return Score.draw() if lead == 0 else Score.win() if lead > 0 else Score.loss()


def _past_matters(node: Node) -> bool:
    """Whether a position that may come back, the one on the board aside, would end the game by doing so."""
    position = node.position
    assert isinstance(position, Ouri) and isinstance(position.options, OuriOptions)
    assert position.options.cycle_threshold is not None
    seen: Counter[Hashable] = Counter()
    past = node.parent
    while past is not None and past.position.score() == position.score():  # since the last capture
        seen[past.position.repetition_key()] += 1
        past = past.parent
    del seen[position.repetition_key()]
    return any(times >= position.options.cycle_threshold - 1 for times in seen.values())


def _unmeasured(score: Score) -> Score:
    """A result without its length: tables do not tell how long a game lasts."""
    return Score.win() if score > Score.draw() else Score.loss() if score < Score.draw() else Score.draw()
