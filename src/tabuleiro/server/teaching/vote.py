"""A class votes on positions: the teacher asks, phones answer, and in the end the truth is told. A vote is one stream
with question after question, so that phones stay where they are.

Events hold numbers of guests only. As in sessions, `decide_…` says which event a wish would be, or refuses it, and
`apply` what an event changes; nothing here waits, writes or looks at the time by itself.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, Self

from tabuleiro.core import Position
from tabuleiro.language import Text
from tabuleiro.learn.task import DRAW, MOVER, OTHER
from tabuleiro.record import Line, Node
from tabuleiro.server.clock import Pause
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.log import Decision, Event, Guest, Json, Stream
from tabuleiro.server.moves import find_move

#: What is asked: which move one would make, or who wins.
Asks = Literal["move", "winner"]
#: Votes are taken; no more are taken; the truth is told.
Status = Literal["open", "closed", "revealed"]
#: Seconds after which a vote in which nothing happens is over.
FORGOTTEN = 3 * 3600.0
#: Questions and voters of one vote.
MOST_QUESTIONS, MOST_VOTERS = 200, 1000

OVER = Refusal("vote_over", Text("esta votação acabou", "this vote is over"), 409)
NOTHING_ASKED = Refusal("nothing_asked", Text("ainda não há nada para votar", "there is nothing to vote on yet"), 409)
NOT_OPEN = Refusal(
    "not_open", Text("já não se pode votar nesta posição", "this position can no longer be voted on"), 409
)
NO_SUCH_CHOICE = Refusal("no_such_choice", Text("isso não se pode escolher aqui", "that cannot be chosen here"), 400)
FULL = Refusal("vote_full", Text("já votou gente a mais", "too many have voted already"), 409)


class VoteSettings(NamedTuple):
    """What is settled when a vote begins."""

    class_id: str
    teacher: Guest
    #: What is projected, and typed by who does not scan the QR code.
    code: str


@dataclass
class Question:
    line: Line
    asks: Asks
    #: What is said above the board; None where nothing but the usual is.
    text: Text | None
    votes: dict[Guest, str] = field(default_factory=dict)
    status: Status = "open"
    #: What is proven, once it is told (`truth.py`).
    truth: Json | None = None

    @cached_property
    def node(self) -> Node:
        return self.line.replay().last

    @property
    def position(self) -> Position:
        return self.node.position

    @property
    def choices(self) -> tuple[str, ...]:
        """What may be said where it is asked who wins."""
        return (MOVER, OTHER, *((DRAW,) if self.position.can_draw else ())) if self.asks == "winner" else ()

    def tally(self) -> list[tuple[str, int]]:
        """What was chosen how often, most often first; where it is asked who wins, everything that can be said."""
        counts = Counter(self.votes.values())
        if self.asks == "winner":
            return [(choice, counts[choice]) for choice in self.choices]
        return sorted(counts.items(), key=lambda each: (-each[1], each[0]))

    def read(self, choice: str) -> str:
        """A choice as it is kept."""
        if self.asks == "winner":
            if choice not in self.choices:
                raise RefusedError(*NO_SUCH_CHOICE)
            return choice
        return self.position.move_str(find_move(self.position, choice))

    def as_json(self) -> Json:
        line = self.line
        return {
            "game": line.game,
            "options": dict(line.options),
            "start": line.start,
            "moves": [*line.moves],
            "asks": self.asks,
            "text": None if self.text is None else self.text._asdict(),
        }

    @classmethod
    def from_json(cls, data: Json) -> Self:
        line = Line.from_texts(data["game"], data["options"], data["start"], data["moves"])
        return cls(line, data["asks"], None if data["text"] is None else Text(**data["text"]))


class Vote(Stream):
    kind: ClassVar[str] = "vote"

    def __init__(self, stream_id: str, settings: VoteSettings, created: float) -> None:
        self.id = stream_id
        self.settings = settings
        self.created = created
        self.number = 0
        self.questions: list[Question] = []
        self.ended = False
        self._touched = created
        self._places: dict[Guest, int] = {settings.teacher: 1}

    @classmethod
    def begin(cls, stream_id: str, settings: Json, created: float) -> Self:
        return cls(stream_id, VoteSettings(**settings), created)

    def settings_json(self) -> Json:
        return self.settings._asdict()

    def members(self) -> dict[int, Guest]:
        """The teacher, and everybody who voted."""
        return {place: guest for guest, place in self._places.items()}

    def due(self, now: float, pauses: Sequence[Pause]) -> float | None:
        return None if self.ended else self._touched + FORGOTTEN

    def decide_due(self, now: float, pauses: Sequence[Pause]) -> Decision | None:
        return Decision("end", {}) if not self.ended and now >= self._touched + FORGOTTEN else None

    def summary(self) -> Json:
        return {"class": self.settings.class_id, "code": self.settings.code, "ended": self.ended}

    # -- what happened ----------------------------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        data: Any = event.data
        match event.kind:
            case "ask":
                self.questions.append(Question.from_json(data))
            case "vote":
                self.questions[-1].votes[data["guest"]] = data["choice"]
                self._places.setdefault(data["guest"], len(self._places) + 1)
            case "close":
                self.questions[-1].status = "closed"
            case "reveal":
                self.questions[-1].status = "revealed"
                self.questions[-1].truth = data
            case "end":
                self.ended = True
            case _:
                raise AssertionError(event.kind)
        self.number = event.number
        self._touched = event.at

    # -- what may happen --------------------------------------------------------------------------------------------

    def asked(self) -> Question:
        """The question that is being voted on, or was last."""
        if self.ended:
            raise RefusedError(*OVER)
        if not self.questions:
            raise RefusedError(*NOTHING_ASKED)
        return self.questions[-1]

    def decide_ask(self, question: Question) -> Decision:
        if self.ended or len(self.questions) >= MOST_QUESTIONS:
            raise RefusedError(*OVER)
        return Decision("ask", question.as_json())

    def decide_vote(self, guest: Guest, number: int, choice: str) -> Decision | None:
        """Somebody chooses, or chooses again. `number`: of the question that they saw."""
        question = self.asked()
        if number != len(self.questions) or question.status != "open":
            raise RefusedError(*NOT_OPEN)
        if guest not in question.votes and len(self._places) > MOST_VOTERS:
            raise RefusedError(*FULL)
        read = question.read(choice)
        return None if question.votes.get(guest) == read else Decision("vote", {"guest": guest, "choice": read})

    def decide_close(self) -> Decision | None:
        return Decision("close", {}) if self.asked().status == "open" else None

    def decide_reveal(self, number: int, truth: Json) -> Decision | None:
        """The truth about a question is told, once."""
        if number != len(self.questions) or self.asked().status == "revealed":
            return None
        return Decision("reveal", truth)

    def decide_end(self) -> Decision | None:
        return None if self.ended else Decision("end", {})
