"""What each pupil of a group has done, round by round: the ground on which standings and pairings stand."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tabuleiro.championship.edition import Points, StagePlan
from tabuleiro.championship.events import Person
from tabuleiro.championship.model import Group, How, Pairing, Result, Seat, series_result


@dataclass(frozen=True)
class Line:
    """One round of one pupil."""

    round: int
    points: float
    #: None with a bye, or where the pupil was not paired.
    opponent: Person | None
    #: None where nothing was played nor given.
    how: How | None
    seat: Seat | None = None
    #: 1 for a win, a half for a draw, 0 for a loss.
    share: float = 0.0
    #: Own seeds or marbles.
    score: int = 0

    @property
    def was_played(self) -> bool:
        return self.how in ("played", "adjudicated")


@dataclass
class Record:
    person: Person
    lines: list[Line] = field(default_factory=list)

    @property
    def points(self) -> float:
        return sum(line.points for line in self.lines)

    @property
    def played(self) -> list[Line]:
        return [line for line in self.lines if line.was_played]

    def before(self, number: int) -> float:
        """The points before a round."""
        return sum(line.points for line in self.lines if line.round < number)


def points_of(result: Result, seat: Seat, points: Points) -> tuple[float, float]:
    """What a result brings to a seat: points, and its share (1 win, a half, 0)."""
    if result.how == "bye":
        return points.bye, 1.0
    if result.how == "double_forfeit":
        return 0.0, 0.0
    if result.winner is None:
        return points.draw, 0.5
    won = result.winner == seat
    # Who did not come gets nothing, whatever a loss is worth.
    lost = 0.0 if result.how == "forfeit" else points.loss
    return (points.win, 1.0) if won else (lost, 0.0)


def records(group: Group, plan: StagePlan, points: Points) -> dict[Person, Record]:
    """The record of every member, in the order of the group. Pairings still open count nothing yet."""
    found = {person: Record(person) for person in group.members}
    for turn in group.rounds:
        busy: set[Person] = set()
        for pairing in turn.pairings:
            busy.update(pairing.persons)
            result = series_result(plan, pairing.games)
            if result is None:
                continue
            for person in pairing.persons:
                found[person].lines.append(_line(turn.number, pairing, result, person, points))
        if plan.format in ("swiss", "round_robin"):
            for person in group.members:
                if person not in busy:
                    found[person].lines.append(Line(turn.number, 0.0, None, None))
    return found


def _line(number: int, pairing: Pairing, result: Result, person: Person, points: Points) -> Line:
    seat = pairing.seat_of(person)
    gained, share = points_of(result, seat, points)
    if pairing.two is None:
        return Line(number, gained, None, result.how, None, share)
    opponent = pairing.two if seat == 1 else pairing.one
    score = sum(game.score[seat - 1] for game in pairing.games if game.score is not None)
    return Line(number, gained, opponent, result.how, seat, share, score)


def meetings(lines: Sequence[Line]) -> Counter[Person]:
    """How often each opponent was met at the board; a forfeit is no meeting."""
    return Counter(line.opponent for line in lines if line.opponent is not None and line.was_played)
