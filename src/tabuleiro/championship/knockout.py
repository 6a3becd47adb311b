"""Knock-outs: the bracket of a single one, the lives of a double one, and in which order people went out."""

from collections.abc import Sequence

from tabuleiro.championship.edition import StagePlan
from tabuleiro.championship.events import Person
from tabuleiro.championship.model import Group, Pairing, series_result


def bracket(seeds: Sequence[Person]) -> list[Person | None]:
    """The first round from top to bottom, two by two; None is a bye.

    The first seed meets the last, and the two best can only meet in the final; byes go to the best seeds.
    """
    order = [1]
    while len(order) < len(seeds):
        size = 2 * len(order)
        order = [seed for place in order for seed in (place, size + 1 - place)]
    return [seeds[seed - 1] if seed <= len(seeds) else None for seed in order]


def winner_of(plan: StagePlan, pairing: Pairing) -> Person | None:
    """Who goes on; None while it is open, and where nobody does."""
    result = series_result(plan, pairing.games)
    if result is None or result.winner is None:
        return None
    return pairing.one if result.winner == 1 else pairing.two


def losers_of(plan: StagePlan, pairing: Pairing) -> list[Person]:
    """Who lost; both in a double forfeit."""
    result = series_result(plan, pairing.games)
    if result is None or pairing.two is None:
        return []
    won = winner_of(plan, pairing)
    return [person for person in pairing.persons if person != won]


def is_open(plan: StagePlan, pairing: Pairing) -> bool:
    return series_result(plan, pairing.games) is None


def losses(group: Group, plan: StagePlan) -> dict[Person, int]:
    count = dict.fromkeys(group.members, 0)
    for _, pairing in group.pairings():
        if pairing.why.get("by") != "third_place":
            for person in losers_of(plan, pairing):
                count[person] += 1
    return count


def next_bracket(group: Group, plan: StagePlan) -> list[tuple[Person | None, Person | None, str]]:
    """The next round of a single knock-out: both sides, None where nobody is left, and how the pair came about."""
    if not group.rounds:
        first = bracket(group.members)
        return [(first[i], first[i + 1], "bracket") for i in range(0, len(first), 2)]
    slots = _slots(group, plan)
    if len(slots) == 1:
        return []
    pairs = [(slots[i], slots[i + 1], "bracket") for i in range(0, len(slots), 2)]
    if len(slots) == 2 and plan.third_place:
        beaten = [person for pairing in group.rounds[-1].pairings for person in losers_of(plan, pairing)]
        if len(beaten) == 2:
            pairs.append((beaten[0], beaten[1], "third_place"))
    return pairs


def _slots(group: Group, plan: StagePlan) -> list[Person | None]:
    """Who stands in each place of the bracket after the last round, from top to bottom."""
    slots = bracket(group.members)
    for turn in group.rounds:
        place_of = {pairing.why["slot"]: pairing for pairing in turn.pairings if pairing.why.get("by") == "bracket"}
        slots = [winner_of(plan, place_of[place]) if place in place_of else None for place in range(len(slots) // 2)]
    return slots


def is_over(group: Group, plan: StagePlan) -> bool:
    """Whether nobody is left to meet: one is left, or none after double forfeits."""
    if any(is_open(plan, pairing) for _, pairing in group.pairings()):
        return False
    if plan.format == "double_knockout":
        return sum(lost < 2 for lost in losses(group, plan).values()) <= 1
    if plan.format == "match" or not group.rounds:
        return bool(group.rounds)
    slots = _slots(group, plan)
    return len(slots) == 1 or sum(slot is not None for slot in slots) <= 1


def places(group: Group, plan: StagePlan) -> list[list[Person]]:
    """Who shares which place, best first: those still in it, then whoever went out last."""
    allowed = 2 if plan.format == "double_knockout" else 1
    count = dict.fromkeys(group.members, 0)
    went_out: dict[Person, float] = {}
    for turn in group.rounds:
        for pairing in turn.pairings:
            if pairing.why.get("by") == "third_place":
                won = winner_of(plan, pairing)
                if won is not None:
                    went_out[won] = went_out.get(won, 0) + 0.5  # before the one who lost that game
                continue
            for person in losers_of(plan, pairing):
                count[person] += 1
                if count[person] == allowed:
                    went_out[person] = turn.number
    still_in = [person for person in group.members if person not in went_out]
    order = [still_in] if still_in else []
    for when in sorted(set(went_out.values()), reverse=True):
        order.append([person for person in group.members if went_out.get(person) == when])
    return order
