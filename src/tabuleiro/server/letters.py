"""What a server and the engine workers on other machines write to each other, by way of Redis.

- `tabuleiro:VERSION:moves`, `tabuleiro:VERSION:analyses`: streams of questions, an entry `{"letter": …}` each. The
  workers are one consumer group: each entry goes to one of them, is acknowledged when it is answered, and claimed by
  another where the one that has it stands still. Only workers of the same version see it.
- `tabuleiro:answers:SERVER`: a channel on which a server hears answers.
- `tabuleiro:stops`: a channel on which workers hear what is no longer wanted, or wanted at once.
- `tabuleiro:workers`, `tabuleiro:servers`: who was heard of when (a sorted set, by the time of Redis in milliseconds);
  `tabuleiro:worker:NAME`: what a worker says of itself, as long as it lives.
"""

from pydantic import BaseModel

from tabuleiro import __version__
from tabuleiro.core import Position
from tabuleiro.games import GAMES

VERSION: str = __version__
MOVES, ANALYSES = f"tabuleiro:{VERSION}:moves", f"tabuleiro:{VERSION}:analyses"
GROUP = "workers"
STOPS = "tabuleiro:stops"
WORKERS, SERVERS = "tabuleiro:workers", "tabuleiro:servers"

#: Seconds between two times at which workers and servers say that they live, and after which one not heard of does not.
BEAT, GONE = 0.5, 2.5


def answers_to(server: str) -> str:
    return f"tabuleiro:answers:{server}"


def worker_key(name: str) -> str:
    return f"tabuleiro:worker:{name}"


class QuestionLetter(BaseModel):
    number: str
    #: The server that asks, and on whose behalf.
    server: str
    asker: str
    #: Of which game it is a move: its engine is kept for the next one.
    place: str | None
    kind: str
    question: str
    #: The seconds after which nobody waits for the answer any more.
    within: float


class AnswerLetter(BaseModel):
    number: str
    answer: str | None = None
    #: Where the question itself was wrong: code, what is said in both languages, status.
    refusal: tuple[str, tuple[str, str], int] | None = None


class StopLetter(BaseModel):
    number: str
    #: Whether the answer is wanted at once; else not at all.
    hurry: bool


class WorkerCard(BaseModel):
    """What a worker says of itself."""

    name: str
    version: str
    threads: int
    games: list[str]


def own_games() -> list[str]:
    kinds: dict[str, type[Position]] = dict(GAMES)
    return sorted(kinds)
