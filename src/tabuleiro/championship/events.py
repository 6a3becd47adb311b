"""What happens in a championship, as numbered events, and how two logs of them compare.

The events are the truth; `championship.Championship` is what replaying them gives. Events hold the ids of persons and
never their names.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

Json = dict[str, Any]
#: The id of a person: a pupil, a teacher, an arbiter.
Person = int

#: Who acts when nobody says otherwise: the organiser at the laptop that holds the championship.
ORGANISER: Person = 0


class RefusedError(TabuleiroError):
    """Something that may not be done as the championship stands; nothing has changed."""


def refused(pt: str, en: str) -> RefusedError:
    return RefusedError(Text(pt, en))


class Decision(NamedTuple):
    """What a wish would add to the championship."""

    kind: str
    data: Json


class Event(NamedTuple):
    number: int
    kind: str
    data: Json
    who: Person
    #: Seconds since 1970, UTC.
    when: float


class Comparison(NamedTuple):
    """How two logs relate: as many events at the beginning are the same, and what each has besides."""

    common: int
    only_first: list[Event]
    only_second: list[Event]


def compare(first: Sequence[Event], second: Sequence[Event]) -> Comparison:
    common = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        common += 1
    return Comparison(common, list(first[common:]), list(second[common:]))


def cancelled(events: Sequence[Event]) -> set[int]:
    """The numbers of the events that were undone. An undoing that was itself undone has no effect."""
    gone: set[int] = set()
    for event in reversed(events):
        if event.kind == "undone" and event.number not in gone:
            gone.add(event.data["event"])
    return gone
