"""Engine workers on other machines: asked first, and nobody depends on them."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from server.people import LocalServer, Person, wait_for
from server.workers import WorkerProcess
from tabuleiro.core import Player
from tabuleiro.language import Text
from tabuleiro.learn.points import Point
from tabuleiro.record import Line
from tabuleiro.search import Score
from tabuleiro.server import remote
from tabuleiro.server.analyses import AnalysisRequest, Finding, PointsRequest, ShownLine, WhyRequest
from tabuleiro.server.coaching import Coached, CoachQuestion
from tabuleiro.server.engines import NextMove, NobodyAnswersError, Question
from tabuleiro.server.letters import (
    ANALYSES,
    GROUP,
    MOVES,
    VERSION,
    AnswerLetter,
    QuestionLetter,
    WorkerCard,
    answers_to,
    own_games,
)
from tabuleiro.server.metrics import Metrics
from tabuleiro.server.questions import KINDS, kind_of
from tabuleiro.server.remote import RemoteEngines
from tabuleiro.server.settings import Settings, sqlite_url
from tabuleiro.server.worker import Worker, _Entry

LINE = Line.from_texts("hex", {"size": "5"}, None, ("a1", "b2"))
SHOWN = ShownLine(Score(None, None, 12, 0.6), ("c3", "d4"), (12,), 0.25)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (NextMove(LINE, "level:3", 0.5, "abc"), "c3"),
        (NextMove(LINE, "level:10", 1.0), "c3"),
        (CoachQuestion(LINE, "why", "c3"), Coached(Text("porque", "because"), "c3", (12,))),
        (CoachQuestion(LINE, "step", step=2), None),
        (
            AnalysisRequest(LINE, (0, 2), 3, 0.1, 77),
            [Finding(Player.TWO, (SHOWN,), Score.win(3), True, False, 4, 99, "c3", (12,))],
        ),
        (WhyRequest(LINE, 2), Text("porque", "because")),
        (PointsRequest(LINE, (1, 2)), [Point("hex", {"size": "5"}, "x", "c3", "win", ("a1", "b1"))]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_questions_and_answers_travel_whole(question: Question, answer: Any) -> None:
    kind = kind_of(question)
    assert kind is not None and kind.work(question) > 0
    assert kind.question.validate_json(kind.question.dump_json(question)) == question
    back = kind.answer.validate_json(kind.answer.dump_json(answer))
    assert back == answer and type(back) is type(answer)


def test_the_hand_goes_by_moves_then_whom_it_thinks_for_then_deadlines() -> None:
    def entry(stream: str, asker: str, deadline: float) -> _Entry:
        letter = QuestionLetter(
            number="1", server="s", asker=asker, place=None, kind="NextMove", question="", within=1.0
        )
        return _Entry(stream, f"{deadline}-0", letter, deadline, 0.0)

    async def run() -> None:
        worker = Worker("redis://127.0.0.1:1", 2)
        greedy = entry(MOVES, "greedy", 1.0)
        worker._thinking[greedy] = asyncio.create_task(asyncio.sleep(0))
        hand = [
            entry(ANALYSES, "other", 0.5),
            entry(MOVES, "greedy", 0.1),
            entry(MOVES, "late", 3.0),
            entry(MOVES, "soon", 2.0),
        ]
        askers = [(one.stream, one.letter.asker) for one in sorted(hand, key=worker._rank)]
        assert askers == [(MOVES, "soon"), (MOVES, "late"), (MOVES, "greedy"), (ANALYSES, "other")]

    asyncio.run(run())


def with_remote(redis_url: str, work: Callable[[RemoteEngines], Awaitable[None]]) -> None:
    async def run() -> None:
        engines = RemoteEngines(redis_url, "server", Metrics())
        engines.start()
        try:
            await work(engines)
        finally:
            await engines.close()

    asyncio.run(run())


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not is_so():
            await asyncio.sleep(0.05)


def announce(redis_url: str, name: str, **said: Any) -> None:
    """A worker says that it is there, and never answers."""
    connection = redis.Redis.from_url(redis_url)
    seconds, _ = connection.time()
    card = WorkerCard.model_validate({"name": name, "version": VERSION, "threads": 2, "games": own_games(), **said})
    connection.zadd("tabuleiro:workers", {name: 1000 * (seconds + 60)})
    connection.set(f"tabuleiro:worker:{name}", card.model_dump_json(), ex=60)


@pytest.fixture
def nobody(redis_url: str) -> Iterator[str]:
    redis.Redis.from_url(redis_url).flushall()
    yield redis_url
    redis.Redis.from_url(redis_url).flushall()


def test_who_is_announced_is_asked_for_what_it_can(nobody: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "LATE", 0.3)
    question = NextMove(LINE, "level:1", 0.1)

    async def work(engines: RemoteEngines) -> None:
        assert not engines.takes(question) and engines.threads == 0
        announce(nobody, "old", version="0.0.1")
        announce(nobody, "new")
        await until(lambda: engines.threads == 2)
        assert engines.workers == 1 and engines.takes(question)
        announce(nobody, "few", games=["rastros"])
        await until(lambda: engines.workers == 2)
        assert not engines.takes(question), "one of them cannot play Hex"
        announce(nobody, "few")
        await until(lambda: engines.takes(question))
        with pytest.raises(NobodyAnswersError):
            await engines.ask(question, None, "ana")
        assert engines.asked == 0
        assert not engines.takes(question), "after a silence nobody is asked for a while"
        await until(lambda: redis.Redis.from_url(nobody).xlen(MOVES) == 0)  # what nobody answered is taken back

    with_remote(nobody, work)


def test_an_answer_that_says_nothing_is_no_answer(nobody: str) -> None:
    async def work(engines: RemoteEngines) -> None:
        announce(nobody, "new")
        await until(lambda: engines.threads > 0)
        asking = asyncio.create_task(engines.ask(NextMove(LINE, "level:1", 0.1), None, "ana"))
        await until(lambda: engines.asked == 1)
        (number,) = engines._asked
        engines._hear(AnswerLetter(number=number))
        with pytest.raises(NobodyAnswersError):
            await asking

    with_remote(nobody, work)


def counted(server: LocalServer, what: str) -> int:
    """What /metrics has counted."""
    lines = httpx.get(f"{server.address}/metrics").text.splitlines()
    return sum(int(float(line.split()[-1])) for line in lines if line.startswith(what))


def left_by_a_worker_that_stands_still(connection: "redis.Redis") -> Any:
    """A question was taken and never answered; where the answer would be heard."""
    question = NextMove(LINE, "level:1", 0.1)
    body = KINDS["NextMove"].question.dump_json(question).decode()
    letter = QuestionLetter(
        number="left", server="test", asker="ana", place=None, kind="NextMove", question=body, within=300
    )
    connection.xgroup_create(MOVES, GROUP, id="0", mkstream=True)
    connection.xadd(MOVES, {"letter": letter.model_dump_json()})
    assert connection.xreadgroup(GROUP, "frozen", {MOVES: ">"})
    hearing: Any = connection.pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
    hearing.subscribe(answers_to("test"))
    return hearing


def has_gone_on(plies: int, session: dict[str, Any]) -> bool:
    return len(session["history"]) >= plies or bool(session["status"] == "over")


def test_games_go_on_when_a_worker_is_killed_and_another_frozen(nobody: str, tmp_path: Path) -> None:
    answered = 'tabuleiro_worker_questions_total{kind="NextMove",outcome="answered"}'
    settings = Settings(sqlite_url(tmp_path), nobody)
    connection = redis.Redis.from_url(nobody)  # which is heard as long as it is kept
    hearing = left_by_a_worker_that_stands_still(connection)
    with (
        LocalServer(settings) as server,
        WorkerProcess(nobody) as killed,
        WorkerProcess(nobody) as frozen,
    ):
        wait_for(lambda: counted(server, "tabuleiro_workers ") == 2, 60)
        heard: list[Any] = []

        def has_heard() -> bool:
            heard.append(hearing.get_message(timeout=1))
            return heard[-1] is not None

        wait_for(has_heard, 60)
        letter = AnswerLetter.model_validate_json(heard[-1]["data"])
        assert letter.number == "left" and letter.answer is not None, "another worker has claimed it"
        pupils = [Person(server.address) for _ in range(3)]
        games = [pupil.create("semaforo", {"kind": "engine", "level": 8}, side="first") for pupil in pupils]

        def everybody_moves() -> None:
            for pupil, game in zip(pupils, games, strict=True):
                with pupil.watch(game) as table:
                    if table.session["status"] != "over":
                        plies = len(table.session["history"])
                        table.move(table.moves()[0])
                        table.until_session(partial(has_gone_on, plies + 2))

        everybody_moves()
        assert counted(server, answered) >= 1
        killed.kill()
        everybody_moves()
        frozen.freeze()
        everybody_moves()
        wait_for(lambda: counted(server, "tabuleiro_workers ") == 0, 60)
        plies = [
            len(pupil.get(f"/api/v1/sessions/{game}")["history"]) for pupil, game in zip(pupils, games, strict=True)
        ]
        assert all(count >= 4 for count in plies), "Semáforo is never over sooner"


def test_every_kind_of_question_has_a_kind_of_its_own_name() -> None:
    assert {"NextMove", "AnalysisRequest", "PointsRequest", "WhyRequest", "CoachQuestion"} == {*KINDS}
