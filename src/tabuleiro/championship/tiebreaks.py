"""Tie-breaks: each a number of a pupil, explained as the sum of its terms.

`docs/championship.md` defines each in words; here is nothing else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tabuleiro.championship.edition import Points
from tabuleiro.championship.events import Person
from tabuleiro.championship.scores import Line, Record

Records = Mapping[Person, Record]


@dataclass(frozen=True)
class Term:
    """One number of a sum."""

    value: float
    round: int
    #: Whose points these are, where they are somebody's.
    opponent: Person | None = None
    #: Left out of the sum: the worst or the best, where a tie-break cuts them.
    dropped: bool = False


class Explained(NamedTuple):
    value: float
    terms: tuple[Term, ...]


class Rules(NamedTuple):
    points: Points
    #: A key of `edition.UNPLAYED`.
    unplayed: str


def _sum(terms: Sequence[Term]) -> Explained:
    return Explained(sum(term.value for term in terms if not term.dropped), tuple(terms))


def opponents_points(records: Records, rules: Rules, opponent: Person) -> float:
    """The points of an opponent as tie-breaks count them: under `virtual`, games not played count as draws."""
    record = records[opponent]
    if rules.unplayed != "virtual":
        return record.points
    return sum(line.points if line.was_played else rules.points.draw for line in record.lines)


def _strength(records: Records, rules: Rules, record: Record, line: Line) -> float:
    """How strong the opponent of a round was, in points."""
    if line.opponent is not None and line.was_played:
        return opponents_points(records, rules, line.opponent)
    if rules.unplayed == "nothing":
        return 0.0
    if rules.unplayed == "own_points":
        return record.points
    # Virtual: as many points as the pupil before that round, the rest of that round's point, and draws after it.
    left = sum(other.round > line.round for other in record.lines)
    return record.before(line.round) + (rules.points.win - line.points) + rules.points.draw * left


def buchholz(records: Records, rules: Rules, person: Person) -> Explained:
    record = records[person]
    return _sum([Term(_strength(records, rules, record, line), line.round, line.opponent) for line in record.lines])


def _cut(explained: Explained, lowest: int, highest: int) -> Explained:
    """Without the lowest and the highest terms; of equal ones the earliest goes."""
    order = sorted(range(len(explained.terms)), key=lambda place: (explained.terms[place].value, place))
    gone = set(order[:lowest]) | set(order[len(order) - highest :] if highest else ())
    return _sum([replace(term, dropped=place in gone) for place, term in enumerate(explained.terms)])


def buchholz_cut1(records: Records, rules: Rules, person: Person) -> Explained:
    return _cut(buchholz(records, rules, person), 1, 0)


def buchholz_median(records: Records, rules: Rules, person: Person) -> Explained:
    return _cut(buchholz(records, rules, person), 1, 1)


def sonneborn_berger(records: Records, rules: Rules, person: Person) -> Explained:
    record = records[person]
    terms = []
    for line in record.lines:
        terms.append(Term(line.share * _strength(records, rules, record, line), line.round, line.opponent))
    return _sum(terms)


def wins(records: Records, rules: Rules, person: Person) -> Explained:
    return _sum([Term(1.0, line.round, line.opponent) for line in records[person].played if line.share == 1])


def wins_second(records: Records, rules: Rules, person: Person) -> Explained:
    played = records[person].played
    return _sum([Term(1.0, line.round, line.opponent) for line in played if line.share == 1 and line.seat == 2])


def progressive(records: Records, rules: Rules, person: Person) -> Explained:
    terms, sum_so_far = [], 0.0
    for line in records[person].lines:
        sum_so_far += line.points
        terms.append(Term(sum_so_far, line.round))
    return _sum(terms)


def game_points(records: Records, rules: Rules, person: Person) -> Explained:
    return _sum([Term(float(line.score), line.round, line.opponent) for line in records[person].played])


#: Those that are a number of each pupil alone. The others look at who is tied.
NUMBERS: dict[str, Callable[[Records, Rules, Person], Explained]] = {
    "buchholz": buchholz,
    "buchholz_cut1": buchholz_cut1,
    "buchholz_median": buchholz_median,
    "sonneborn_berger": sonneborn_berger,
    "wins": wins,
    "wins_second": wins_second,
    "progressive": progressive,
    "game_points": game_points,
}


def direct(records: Records, tied: Sequence[Person]) -> dict[Person, Explained] | None:
    """The points that the tied ones won from each other; None unless all of them met."""
    found = {}
    for person in tied:
        among = [line for line in records[person].played if line.opponent in tied]
        if {line.opponent for line in among} != set(tied) - {person}:
            return None
        found[person] = _sum([Term(line.points, line.round, line.opponent) for line in among])
    return found
