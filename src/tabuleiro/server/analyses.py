"""Analyses: what engines and solvers think of positions and of whole games, for everybody who asks.

Analysts are processes of their own and give way to computer players, who have moves to make. They think in slices, and
each slice goes to the one who has had the least so far: many people share few workers and nobody waits for long. One
who goes away is forgotten at once.
"""

import asyncio
import contextlib
import itertools
import secrets
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncGenerator, Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from tabuleiro.core import Player, Position
from tabuleiro.language import Text
from tabuleiro.learn import coach, review
from tabuleiro.learn.points import Point, point_of
from tabuleiro.players import TOP, make_engine
from tabuleiro.record import Line, Node, write_moves
from tabuleiro.search import Engine, Limit, Score, ScoredLine
from tabuleiro.search.base import Worth
from tabuleiro.server.engines import GLANCE, Elsewhere, Pool, Question, WorkerLostError
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.fairness import FairQueue, Level
from tabuleiro.server.judgement import Judgement, Seen, hastening_move, judge, losing_move

Json = dict[str, Any]

#: How far analysts give way to everybody else.
ANALYSTS_GIVE_WAY = 15
#: The first slice of thinking about a position and the longest; each is twice the one before it, so that beginning anew
#: costs no more than going on would.
FIRST_SLICE, LONGEST_SLICE = 0.15, 1.6
#: The seconds that a process which is only just starting may take to answer, on a machine with much to do.
STARTING = 60.0
#: The seconds in which all positions of a game are to be judged, however many there are, and the seconds that each gets
#: at least and at most.
REPORT_SECONDS, LEAST_LOOK, MOST_LOOK = 5.0, 0.001, 0.4
#: The part of their time for which analysts think, before it is known, and at most.
THINKING_PART, MOST_THINKING = 0.75, 0.95
#: Analysts are asked about as many positions at once as they can look at in these seconds: every question has its cost.
QUESTION_SECONDS = 0.3
#: Then what is in doubt is looked at again: the seconds of the first such look, which double each time; how often; and
#: the seconds after the beginning at which it ends.
SECOND_LOOK, MOST_LOOKS, REPORT_ENDS = 0.8, 3, 15.0
#: The analyses that a guest may have at once; all behind one address of whom nothing else is known, who are one guest;
#: all who share an address, which is more than a class needs; and everybody together. Who finds no room takes that of
#: one who has more.
MAX_EACH, MAX_STRANGERS, MAX_ADDRESS, MAX_ALL = 4, 60, 100, 200
#: The memory of an engine in MiB, and how many each worker keeps for those who come back.
ENGINE_MEMORY, ENGINES_KEPT = 32, 6
#: Positions that are looked at for mistakes in one question.
POINTS_AT_ONCE = 6
#: The moves of a line that are worth showing.
MAX_LINE_SHOWN = 12

TOO_MANY = Refusal(
    "too_many_analyses",
    Text("já tens muitas análises a correr; fecha uma", "you have many analyses running already; close one"),
    429,
)
CROWDED = Refusal(
    "too_many_analyses_here",
    Text(
        "há muitas análises a correr na tua rede; tenta daqui a pouco",
        "many analyses are running in your network; try again soon",
    ),
    429,
)
BUSY = Refusal(
    "busy", Text("há muita gente a analisar; tenta daqui a pouco", "many people are analysing; try again soon"), 503
)


class Requester(NamedTuple):
    """Who asks for an analysis, as long as it runs."""

    #: None: somebody of whom we know nothing. A cookie that somebody made up is nobody's.
    guest: str | None
    address: str

    @property
    def most(self) -> int:
        return MAX_STRANGERS if self.guest is None else MAX_EACH


class _Running:
    """An analysis that runs."""

    def __init__(self, requester: Requester, number: int) -> None:
        self.requester = requester
        self.number = number
        self.is_evicted = False
        self._task = asyncio.current_task()

    def evict(self) -> None:
        self.is_evicted = True
        if self._task is not None:
            self._task.cancel()


@dataclass(frozen=True)
class Finding:
    """What is known of a position."""

    turn: Player
    #: The best lines first, each as its moves are written; none when the game is over.
    lines: tuple["ShownLine", ...]
    #: For the player to move.
    score: Score
    exact: bool
    over: bool
    depth: int
    nodes: int
    #: The move that the line goes on with here, and what it touches.
    played: str | None = None
    played_clicks: tuple[int, ...] = ()

    def as_json(self) -> Json:
        return {
            "turn": self.turn,
            "score": score_json(self.score),
            "lines": [line.as_json() for line in self.lines],
            "exact": self.exact,
            "over": self.over,
            "depth": self.depth,
            "nodes": self.nodes,
        }


@dataclass(frozen=True)
class ShownLine:
    score: Score
    moves: tuple[str, ...]
    #: What the first move touches.
    clicks: tuple[int, ...]
    #: How much it was trusted before any search, where something tells.
    prior: float | None = None

    def as_json(self) -> Json:
        prior = None if self.prior is None else round(self.prior, 4)
        return {"score": score_json(self.score), "moves": self.moves, "clicks": self.clicks, "prior": prior}


def score_json(score: Score) -> Json:
    return {
        "worth": None if score.worth is None else score.worth.name.lower(),
        "plies": score.plies,
        "points": score.points,
        "chance": round(score.chance, 4),
    }


# ------------------------------------------------------------------------------------------------------ in the worker


class AnalysisRequest(NamedTuple):
    """Think about some positions of a line, for `seconds` about each; on a machine that is too slow for that, about as
    many of them as it can, but one at least."""

    line: Line
    plies: tuple[int, ...]
    lines: int
    seconds: float
    #: The number of the analysis: its next look finds the engine as the last one left it.
    job: int

    @property
    def game(self) -> str:
        return self.line.game

    @property
    def patience(self) -> float:
        return self.seconds * len(self.plies) + STARTING

    def answer(self, stop: Callable[[], bool]) -> list[Finding]:
        line = _nodes(self.line)
        ends = time.monotonic() + self.seconds * len(self.plies)
        found: list[Finding] = []
        for ply in self.plies:
            if found and (time.monotonic() > ends or stop()):
                break
            found.append(self._look(line, ply, stop))
        return found

    def _look(self, line: list[Node], ply: int, stop: Callable[[], bool]) -> Finding:
        node, turn = line[ply], line[ply].position.turn
        if node.outcome is not None:
            ends = {None: Score.draw(), turn: Score.win(0), turn.other: Score.loss(0)}
            return Finding(turn, (), ends[node.outcome.winner], True, True, 0, 0)
        after = line[ply + 1] if ply + 1 < len(line) else None
        found = self._found(node, stop)
        if after is None or after.move is None:
            return found
        return replace(found, played=after.move_text, played_clicks=node.position.clicks(after.move))

    def _found(self, node: Node, stop: Callable[[], bool]) -> Finding:
        running = _engine_of(self.job, self.game).start(node, Limit(seconds=self.seconds), lines=self.lines)
        while not running.wait(GLANCE):
            if stop():
                running.stop()
        found = running.result()
        lines = tuple(_shown(node.position, line, found.prior(line)) for line in found.lines)
        exact = found.exact and found.score.exact
        return Finding(node.position.turn, lines, found.score, exact, False, found.depth, found.nodes)


class WhyRequest(NamedTuple):
    """Why the move at a ply of a line was a mistake, in words; None where that is not proven."""

    line: Line
    ply: int

    @property
    def game(self) -> str:
        return self.line.game

    @property
    def patience(self) -> float:
        return STARTING

    def answer(self, stop: Callable[[], bool]) -> Text | None:
        before, after = _nodes(self.line)[self.ply - 1 : self.ply + 1]
        assert after.move is not None
        return coach.why(before, after.move, coach.look(before))


class PointsRequest(NamedTuple):
    """The moves at these plies of a line that threw away what was proven, as tasks."""

    line: Line
    plies: tuple[int, ...]

    @property
    def game(self) -> str:
        return self.line.game

    @property
    def patience(self) -> float:
        return len(self.plies) + STARTING

    def answer(self, stop: Callable[[], bool]) -> list[Point]:
        nodes, found = _nodes(self.line), list[Point]()
        for ply in self.plies:
            move = nodes[ply].move
            assert move is not None
            point = None if stop() else point_of(nodes[ply - 1].position, move)
            if point is not None:
                found.append(point)
        return found


_replayed: tuple[Line, list[Node]] | None = None
_engines: "OrderedDict[int, Engine]" = OrderedDict()


def _nodes(line: Line) -> list[Node]:
    """The positions of a line. The last line is remembered: a report asks for all of its positions."""
    global _replayed
    if _replayed is None or _replayed[0] != line:
        _replayed = line, [*line.replay().root.line()]
    return _replayed[1]


def _engine_of(job: int, game: str) -> Engine:
    engine = _engines.pop(job, None) or make_engine(f"level:{TOP}", game, table=ENGINE_MEMORY)
    _engines[job] = engine
    if len(_engines) > ENGINES_KEPT:
        _engines.popitem(last=False)
    return engine


def _shown(position: Position, line: ScoredLine, prior: float | None) -> ShownLine:
    clicks = position.clicks(line.moves[0])
    return ShownLine(line.score, tuple(write_moves(position, line.moves[:MAX_LINE_SHOWN])), clicks, prior)


# ------------------------------------------------------------------------------------------------------- in the server


class TimeShare:
    """The time for all positions of a game, divided among them. Where the machine has much else to do, or others ask
    too, less of the time is thinking: what is left is then divided anew, so that the last position is judged in time
    and no worse than the first."""

    def __init__(self, seconds: float, workers: int, now: float) -> None:
        self._ends = now + seconds
        self._workers = workers
        #: The part of a worker's time that has been thinking of late.
        self._part = THINKING_PART
        #: Positions that others are being asked about.
        self._asked = 0

    def portion(self, waiting: int, now: float) -> tuple[int, float]:
        """How many of the positions that wait to ask about next, and how long to look at each. What becomes of that
        question must be told to `answered`."""
        share = self._part * self._workers * (self._ends - now) / (waiting + self._asked)
        share = min(max(share, LEAST_LOOK), MOST_LOOK)
        fair = -(-waiting // self._workers)
        count = max(1, min(int(QUESTION_SECONDS / share), fair))
        self._asked += count
        return count, share

    def answered(self, count: int, thinking: float, seconds: float) -> None:
        """A question about `count` positions is answered: for `thinking` of its `seconds` analysts thought."""
        self._asked -= count
        part = min(thinking / max(seconds, 1e-6), MOST_THINKING)
        self._part = (self._part + part) / 2


class Analyses:
    """Everything that is being analysed in this process."""

    def __init__(self, workers: int, elsewhere: Elsewhere | None = None) -> None:
        self._own = workers
        self._elsewhere = elsewhere
        #: The share of one guest at one address is as large as any other's.
        self._queue = FairQueue([Level()], slots=lambda: self._workers)
        #: Started when somebody first asks: a server without analysts costs less.
        self._pool: Pool | None = None
        self._running: list[_Running] = []
        # Workers elsewhere tell the analyses of several servers apart by their numbers.
        self._jobs = itertools.count(secrets.randbits(48))

    @property
    def _workers(self) -> int:
        """How many questions are thought about at the same time."""
        return self._own + (0 if self._elsewhere is None else self._elsewhere.threads)

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()

    @property
    def running(self) -> int:
        return len(self._running)

    @contextlib.contextmanager
    def _admitted(self, requester: Requester) -> Iterator[int]:
        """The number of a new analysis, for as long as it runs."""
        mine = sum(one.requester == requester for one in self._running)
        if mine >= requester.most:
            raise RefusedError(*TOO_MANY)
        neighbours = [one for one in self._running if one.requester.address == requester.address]
        if len(neighbours) >= MAX_ADDRESS:
            self._make_room(neighbours, lambda one: one.requester, mine, CROWDED)
        elif self.running >= MAX_ALL:
            self._make_room(self._running, lambda one: one.requester.address, len(neighbours), BUSY)
        running = _Running(requester, next(self._jobs))
        self._running.append(running)
        try:
            yield running.number
        except asyncio.CancelledError:
            if not running.is_evicted:
                raise
            raise RefusedError(*BUSY) from None
        finally:
            if running in self._running:
                self._running.remove(running)

    def _make_room(
        self, running: list[_Running], by: Callable[[_Running], Hashable], mine: int, refusal: Refusal
    ) -> None:
        """End the newest analysis of the one who has most, if that is more than one who asks would have."""
        had = Counter(by(one) for one in running)
        greediest, most = had.most_common(1)[0]
        if most <= mine + 1:
            raise RefusedError(*refusal)
        last = max((one for one in running if by(one) == greediest), key=lambda one: one.number)
        self._running.remove(last)
        last.evict()

    async def _ask(self, requester: Requester, question: Question) -> Any:
        if self._pool is None:
            self._pool = Pool(self._own, ANALYSTS_GIVE_WAY, self._elsewhere)
        asker = requester.guest or requester.address
        async with self._queue.turn(requester):
            try:
                return await self._pool.ask(question, asker=asker)
            except WorkerLostError:
                return await self._pool.ask(
                    question, asker=asker
                )  # a worker was lost; another one may have better luck

    async def _look(self, requester: Requester, one: AnalysisRequest) -> Finding:
        (found,) = await self._ask(requester, one)
        assert isinstance(found, Finding)
        return found

    async def position(
        self, requester: Requester, line: Line, lines: int, seconds: float
    ) -> AsyncGenerator[Json, None]:
        """What is known of the last position of a line: more and more, until it is proven or the time is spent."""
        with self._admitted(requester) as job:
            spent, turn = 0.0, FIRST_SLICE
            while True:
                turn = min(turn, seconds - spent)
                found = await self._look(requester, AnalysisRequest(line, (len(line.moves),), lines, turn, job))
                spent += turn
                done = found.exact or seconds - spent < FIRST_SLICE
                yield {"type": "position", **found.as_json(), "seconds": round(spent, 3), "done": done}
                if done:
                    return
                turn = min(2 * turn, LONGEST_SLICE)

    async def report(self, requester: Requester, line: Line, winner: Player | None) -> AsyncGenerator[Json, None]:
        """Every position of a game as it is judged, the last one first; then what was good and bad, and which move
        lost."""
        with self._admitted(requester) as job:
            begun = time.monotonic()
            plies = len(line.moves)
            found: dict[int, Finding] = {}
            async with contextlib.aclosing(self._all_looks(requester, line, job)) as looks:
                async for ply, finding in looks:
                    for known in _learn(found, ply, finding):
                        yield {"type": "position", "ply": known, **found[known].as_json()}
            for again in range(MOST_LOOKS + 1):
                game = [found[ply] for ply in range(plies + 1)]
                verdict = _verdict(game, winner)
                doubtful = _doubtful(game, verdict["losing"]) if again < MOST_LOOKS else []
                done = not doubtful or time.monotonic() - begun > REPORT_ENDS - FIRST_SLICE
                words = await self._story(requester, line, game, verdict, winner) if done else []
                yield {"type": "verdict", **verdict, "words": [text._asdict() for text in words], "done": done}
                if done:
                    return
                for ply in doubtful:
                    left = REPORT_ENDS - (time.monotonic() - begun)
                    if left < FIRST_SLICE:
                        break
                    finding = await self._look(
                        requester, AnalysisRequest(line, (ply,), 1, min(SECOND_LOOK * 2**again, left), job)
                    )
                    for known in _learn(found, ply, finding):
                        yield {"type": "position", "ply": known, **found[known].as_json()}

    async def _story(
        self, requester: Requester, line: Line, game: list[Finding], verdict: Json, winner: Player | None
    ) -> list[Text]:
        """The game in a few sentences."""
        seen = _seen(game)
        winner, losing, judged = _winner(seen, winner), verdict["losing"], judge(seen)
        why: Text | None = None
        if losing is not None and judged[losing - 1].fault in review.PROVEN:
            why = await self._ask(requester, WhyRequest(line, losing))
        sides = await asyncio.to_thread(lambda: line.replay().position.sides())
        return review.sentences(review.Story(judged, sides, winner, losing, why))

    async def points(self, requester: Requester, line: Line, plies: Sequence[int]) -> list[Point]:
        """The moves at these plies that threw away what was proven; a few at a time, so that nobody waits long."""
        found: list[Point] = []
        with self._admitted(requester):
            for begin in range(0, len(plies), POINTS_AT_ONCE):
                asked = PointsRequest(line, tuple(plies[begin : begin + POINTS_AT_ONCE]))
                found += await self._ask(requester, asked)
        return found

    async def _all_looks(self, requester: Requester, line: Line, job: int) -> AsyncGenerator[tuple[int, Finding], None]:
        """From the end to the start: what an engine learns about later positions helps it with earlier ones."""
        budget = TimeShare(REPORT_SECONDS, self._workers, time.monotonic())
        waiting = deque(range(len(line.moves), -1, -1))
        results: asyncio.Queue[tuple[int, Finding] | BaseException] = asyncio.Queue()

        async def work() -> None:
            while waiting:
                asked = time.monotonic()
                count, share = budget.portion(len(waiting), asked)
                plies = tuple(waiting.popleft() for _ in range(count))
                try:
                    found: list[Finding] = await self._ask(requester, AnalysisRequest(line, plies, 1, share, job))
                except Exception as error:
                    results.put_nowait(error)
                    return
                for entry in zip(plies, found, strict=False):
                    results.put_nowait(entry)
                waiting.extendleft(reversed(plies[len(found) :]))
                budget.answered(count, share * len(found), time.monotonic() - asked)

        tasks = [asyncio.create_task(work()) for _ in range(self._workers)]
        try:
            for _ in range(len(line.moves) + 1):
                result = await results.get()
                if isinstance(result, BaseException):
                    raise result
                yield result
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def _learn(found: dict[int, Finding], ply: int, finding: Finding) -> Iterator[int]:
    """Note what was found at a ply, and what the moves that were made prove by it of the positions before: the player
    who made a move that wins for certain was winning. The plies about which more is known."""
    found[ply] = finding
    yield ply
    for earlier in range(ply if ply + 1 in found else ply - 1, -1, -1):
        before, after = found.get(earlier), found[earlier + 1]
        if before is None or before.exact or not after.exact or before.played is None:
            return
        left = after.score if after.turn is before.turn else -after.score
        if left.worth is not Worth.WIN:
            return
        score = Score.win(None if left.plies is None else left.plies + 1)
        line = ShownLine(score, (before.played,), before.played_clicks)
        found[earlier] = replace(before, score=score, lines=(line,), exact=True)
        yield earlier


def _doubtful(game: list[Finding], losing: int | None) -> list[int]:
    """The plies at which a closer look may change the verdict: on both sides of the move that lost; where nothing is
    proven although it is before and after; and in a game most of which is proven, the rest."""
    plies = range(len(game))
    around = [losing, losing - 1] if losing else []
    between = [ply for ply in plies[1:-1] if game[ply - 1].exact and game[ply + 1].exact]
    rest = plies if 2 * sum(finding.exact for finding in game) >= len(game) else []
    return [ply for ply in dict.fromkeys([*around, *between, *reversed(rest)]) if not game[ply].exact]


def _seen(game: list[Finding]) -> list[Seen]:
    return [
        Seen(finding.turn, finding.score, finding.lines[0].moves[0] if finding.lines else None, finding.played)
        for finding in game
    ]


def _winner(seen: list[Seen], winner: Player | None) -> Player | None:
    """Who won, or would."""
    last = seen[-1]
    if winner is None and last.score.chance != 0.5:
        return last.turn if last.score.chance > 0.5 else last.turn.other
    return winner


def _verdict(game: list[Finding], winner: Player | None) -> Json:
    seen = _seen(game)
    winner = _winner(seen, winner)
    losing = losing_move(seen, winner)
    return {
        "moves": [_judgement_json(judgement, losing) for judgement in judge(seen)],
        "losing": losing,
        "hastened": None if losing is not None else hastening_move(seen, winner),
    }


def _judgement_json(judgement: Judgement, losing: int | None) -> Json:
    return {**judgement._asdict(), "gave": round(judgement.gave, 4), "loses": judgement.ply == losing}
