"""Engine workers on other machines, as a server sees them: asked before its own engines, where they live.

Whoever has asked one does not depend on it: where no answer comes in time, the engines of this machine think.
"""

import asyncio
import contextlib
import secrets
import time
from dataclasses import dataclass
from typing import Any, cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from tabuleiro.language import Text
from tabuleiro.server.engines import NobodyAnswersError, Question
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.letters import (
    ANALYSES,
    BEAT,
    GONE,
    MOVES,
    SERVERS,
    STOPS,
    VERSION,
    WORKERS,
    AnswerLetter,
    QuestionLetter,
    StopLetter,
    WorkerCard,
    answers_to,
    worker_key,
)
from tabuleiro.server.loglines import log, log_failure
from tabuleiro.server.metrics import Metrics
from tabuleiro.server.questions import KINDS, Kind, kind_of
from tabuleiro.server.tasks import Tasks

#: The seconds beyond the work itself in which an answer must be here.
LATE = 2.5
#: The seconds for which nobody else is asked after all were silent.
SILENCE = 5.0
#: Entries that a stream keeps at most: more than are ever open at a time.
MOST_ENTRIES = 10_000


@dataclass
class _Asked:
    number: str
    answer: "asyncio.Future[AnswerLetter]"
    kind: Kind
    place: str | None


class RemoteEngines:
    """The workers that share a Redis with this server."""

    def __init__(self, url: str, process: str, metrics: Metrics) -> None:
        self._redis = Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2)
        self._hearing = Redis.from_url(url, socket_connect_timeout=5, socket_timeout=None, health_check_interval=15)
        self._process = process
        self._metrics = metrics
        self._cards: list[WorkerCard] = []
        self._servers = 1
        self._asked: dict[str, _Asked] = {}
        self._last_answer = 0.0
        self._silent_until = 0.0
        self._listens = False
        self._tasks = Tasks()

    def start(self) -> None:
        self._tasks.spawn(self._watch())
        self._tasks.spawn(self._listen())

    async def close(self) -> None:
        await self._tasks.close()
        for client in (self._redis, self._hearing):
            with contextlib.suppress(RedisError, OSError):
                await client.aclose()

    # -- who is there ------------------------------------------------------------------------------------------------

    @property
    def workers(self) -> int:
        return len(self._cards)

    @property
    def asked(self) -> int:
        """Questions that wait for an answer."""
        return len(self._asked)

    @property
    def threads(self) -> int:
        """How many questions of this server they think about at the same time: servers share them."""
        if not self._listens or time.monotonic() < self._silent_until:
            return 0
        return -(-sum(card.threads for card in self._cards) // self._servers)

    def takes(self, question: Question) -> bool:
        """Whether a worker is free for a question and can answer it. Analyses leave half of them to the moves."""
        kind = kind_of(question)
        if kind is None or not self._cards or not all(question.game in card.games for card in self._cards):
            return False
        moves = sum(asked.kind.urgent for asked in self._asked.values())
        if kind.urgent:
            return moves < self.threads
        return len(self._asked) < self.threads and len(self._asked) - moves < max(self.threads // 2, 1)

    async def _watch(self) -> None:
        """Say that this server lives, and see which workers do."""
        while True:
            try:
                await self._look()
            except (RedisError, OSError) as error:
                log("redis_away", level="warning", error=type(error).__name__)
                self._cards = []
            except Exception as error:
                log_failure("workers_unseen", error)
                self._cards = []
            if not self._cards:
                self._give_up()
            await asyncio.sleep(BEAT)

    async def _look(self) -> None:
        seconds, micros = await self._redis.time()
        now = 1000 * seconds + micros // 1000
        oldest = now - int(1000 * GONE)
        async with self._redis.pipeline(transaction=False) as pipe:
            pipe.zadd(SERVERS, {self._process: now})
            pipe.zremrangebyscore(SERVERS, 0, oldest)
            pipe.zcard(SERVERS)
            pipe.zrangebyscore(WORKERS, oldest, "+inf")
            *_, servers, names = await pipe.execute()
        self._servers = max(int(servers), 1)
        cards = await self._redis.mget([worker_key(name.decode()) for name in names]) if names else []
        read = [WorkerCard.model_validate_json(card) for card in cards if card is not None]
        alive = [card for card in read if card.version == VERSION]
        before, after = {card.name for card in self._cards}, {card.name for card in alive}
        for name in before - after:
            log("worker_gone", level="warning", worker=name)
        for name in after - before:
            log("worker_came", worker=name)
        self._cards = alive

    def _give_up(self) -> None:
        """Nobody is left who could answer."""
        for asked in self._asked.values():
            if not asked.answer.done():
                asked.answer.set_exception(NobodyAnswersError())

    # -- questions and answers ---------------------------------------------------------------------------------------

    async def ask(self, question: Question, place: str | None, asker: str) -> Any:
        """The answer of whichever worker takes it. Raises `NobodyAnswersError` where none comes in time."""
        kind = cast(Kind, kind_of(question))
        begun, limit = time.monotonic(), kind.work(question) + LATE
        asked = _Asked(secrets.token_hex(8), asyncio.get_running_loop().create_future(), kind, place)
        letter = QuestionLetter(
            number=asked.number,
            server=self._process,
            asker=asker,
            place=place,
            kind=type(question).__name__,
            question=kind.question.dump_json(question).decode(),
            within=limit,
        )
        stream, entry = MOVES if kind.urgent else ANALYSES, None
        self._asked[asked.number] = asked
        outcome = "withdrawn"
        try:
            async with asyncio.timeout(limit):
                entry = await self._redis.xadd(
                    stream, {"letter": letter.model_dump_json()}, maxlen=MOST_ENTRIES, approximate=True
                )
                answer = await asked.answer
            if answer.answer is None and answer.refusal is None:
                outcome = "failed"
                raise NobodyAnswersError
            outcome = "answered"
            self._last_answer = time.monotonic()
            self._metrics.measure("worker_answer", self._last_answer - begun)
            if answer.refusal is not None:
                code, said, status = answer.refusal
                raise RefusedError(*Refusal(code, Text(*said), status))
            return kind.answer.validate_json(answer.answer or "null")
        except (TimeoutError, RedisError, OSError) as error:
            outcome = "late"
            if self._last_answer < begun:
                self._silent_until = time.monotonic() + SILENCE
            raise NobodyAnswersError from error
        finally:
            del self._asked[asked.number]
            if outcome in ("late", "withdrawn"):
                self._tasks.spawn(self._withdraw(stream, entry, asked.number))
            self._metrics.count("worker_questions", kind=letter.kind, outcome=outcome)

    async def _withdraw(self, stream: str, entry: bytes | str | None, number: str) -> None:
        with contextlib.suppress(RedisError, OSError):
            if entry is not None:
                await self._redis.xdel(stream, entry)
            await self._redis.publish(STOPS, StopLetter(number=number, hurry=False).model_dump_json())

    def hurry(self, place: str) -> None:
        """Whoever thinks about a game shall answer at once."""
        for asked in self._asked.values():
            if asked.place == place:
                self._tasks.spawn(self._hurry(asked.number))

    async def _hurry(self, number: str) -> None:
        with contextlib.suppress(RedisError, OSError):
            await self._redis.publish(STOPS, StopLetter(number=number, hurry=True).model_dump_json())

    async def _listen(self) -> None:
        while True:
            try:
                async with self._hearing.pubsub() as channel:
                    await channel.subscribe(answers_to(self._process))
                    self._listens = True
                    async for message in channel.listen():
                        if message["type"] == "message":
                            self._hear(AnswerLetter.model_validate_json(message["data"]))
            except (RedisError, OSError) as error:
                log("redis_away", level="warning", error=type(error).__name__)
            except Exception as error:
                log_failure("answers_unheard", error)
            self._listens = False
            await asyncio.sleep(1)

    def _hear(self, letter: AnswerLetter) -> None:
        asked = self._asked.get(letter.number)
        if asked is not None and not asked.answer.done():
            asked.answer.set_result(letter)


def question_in(letter: QuestionLetter) -> Question:
    """At a worker."""
    question: Question = KINDS[letter.kind].question.validate_json(letter.question)
    return question
