"""Standings of a group: places by points, then by the tie-breaks in their order."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tabuleiro.championship import knockout
from tabuleiro.championship.edition import Edition, StagePlan
from tabuleiro.championship.events import Person
from tabuleiro.championship.model import Group, Result, Section, series_result
from tabuleiro.championship.rounds import is_complete
from tabuleiro.championship.scores import Record, records
from tabuleiro.championship.tiebreaks import NUMBERS, Explained, Rules, direct

#: Places on the podium.
PODIUM = 3


@dataclass
class Row:
    person: Person
    #: From 1; pupils whom nothing separates share a place.
    place: int
    points: float
    record: Record
    #: The tie-breaks that were looked at, in their order.
    tie_breaks: dict[str, Explained] = field(default_factory=dict)
    #: Others in the same place.
    tied_with: list[Person] = field(default_factory=list)


def standings(group: Group, plan: StagePlan, edition: Edition) -> list[Row]:
    found = records(group, plan, edition.points)
    rows = {person: Row(person, 0, record.points, record) for person, record in found.items()}
    if plan.format == "ladder":
        order = [[person] for person in ladder_order(group, plan)]
    elif plan.format in ("knockout", "double_knockout", "match"):
        order = knockout.places(group, plan)
        for row in rows.values():
            row.points = float(sum(line.share == 1 for line in row.record.lines))
        order = [part for tied in order for part in _by_recorded(group, tied)]
    else:
        rules = Rules(edition.points, plan.unplayed)
        order = []
        for points in sorted({row.points for row in rows.values()}, reverse=True):
            tied = [person for person in group.members if rows[person].points == points]
            order += _separated(group, plan, found, rules, rows, tied, plan.tie_breaks)
    ranked, place = [], 1
    for tied in order:
        for person in tied:
            rows[person].place = place
            rows[person].tied_with = [other for other in tied if other != person]
            ranked.append(rows[person])
        place += len(tied)
    return ranked


def _separated(
    group: Group,
    plan: StagePlan,
    found: dict[Person, Record],
    rules: Rules,
    rows: dict[Person, Row],
    tied: list[Person],
    tie_breaks: Sequence[str],
) -> list[list[Person]]:
    """The tied ones in order, by the first tie-break that separates any, then by those after it."""
    for number, name in enumerate(tie_breaks if len(tied) > 1 else (), start=1):
        if name in NUMBERS:
            values: dict[Person, Explained] | None = {p: NUMBERS[name](found, rules, p) for p in tied}
        elif name == "direct":
            values = direct(found, tied)
        else:
            values = _recorded(group, name, tied)
        if values is None:
            continue
        for person in tied:
            rows[person].tie_breaks[name] = values[person]
        levels = sorted({values[person].value for person in tied}, reverse=True)
        if len(levels) > 1:
            parts = [[person for person in tied if values[person].value == level] for level in levels]
            rest = tie_breaks[number:]
            return [smaller for part in parts for smaller in _separated(group, plan, found, rules, rows, part, rest)]
    return [tied]


def _recorded(group: Group, name: str, tied: Sequence[Person]) -> dict[Person, Explained] | None:
    """Play-offs and lots, as numbers of which the highest is best; None where they were not held among the tied."""
    if name == "lots":
        if not all(person in group.lots for person in tied):
            return None
        return {person: Explained(-float(group.lots[person]), ()) for person in tied}
    for order in reversed(group.playoffs):
        if set(tied) <= set(order):
            return {person: Explained(-float(order.index(person) + 1), ()) for person in tied}
    return None


def _by_recorded(group: Group, tied: list[Person]) -> list[list[Person]]:
    """A shared place of a knock-out, separated where a play-off or lots did."""
    for name in ("playoff", "lots"):
        values = _recorded(group, name, tied) if len(tied) > 1 else None
        if values is not None:
            return [[person] for person in sorted(tied, key=lambda person: -values[person].value)]
    return [tied]


def ladder_order(group: Group, plan: StagePlan) -> list[Person]:
    """A challenger who wins takes the place of the challenged; those between move down by one."""
    order = list(group.members)
    for _, pairing in group.pairings():
        result: Result | None = series_result(plan, pairing.games)
        if result is None or pairing.two is None or result.winner is None:
            continue
        winner, loser = (pairing.one, pairing.two) if result.winner == 1 else (pairing.two, pairing.one)
        if order.index(winner) > order.index(loser):
            order.remove(winner)
            order.insert(order.index(loser), winner)
    return order


def undecided(rows: Sequence[Row], places: int) -> list[list[Person]]:
    """Those who share a place among the first `places` and must still be separated."""
    found: list[list[Person]] = []
    for row in rows:
        if row.place <= places and row.tied_with and all(row.person not in tied for tied in found):
            found.append([row.person, *row.tied_with])
    return found


def needs_separating(rows: Sequence[Row], places: int) -> list[list[Person]]:
    """Ties that cross the border between the first `places` and the rest."""
    return [tied for tied in undecided(rows, places) if _crosses(rows, tied, places)]


def _crosses(rows: Sequence[Row], tied: Sequence[Person], places: int) -> bool:
    place = next(row.place for row in rows if row.person == tied[0])
    return place + len(tied) - 1 > places


class Podium(NamedTuple):
    """The first three of a section, as far as they are known."""

    rows: list[Row]
    #: Those who share a place on it and must still be separated.
    tied: list[list[Person]]


def podium(section: Section, edition: Edition) -> Podium | None:
    """The podium of a section; None while its last stage goes on."""
    if len(section.stages) < len(section.stage_plans):
        return None
    stage = section.stages[-1]
    if len(stage.groups) != 1 or not is_complete(stage.groups[0], stage.plan):
        return None
    rows = standings(stage.groups[0], stage.plan, edition)
    return Podium([row for row in rows if row.place <= PODIUM], undecided(rows, PODIUM))
