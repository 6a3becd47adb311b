"""The pairing of a round is the best there is: compared with all possible rounds, by costs worked out here again."""

import random
import sys
from collections.abc import Iterator

import pytest

from championship.building import act, begun, edition, group_of
from tabuleiro.championship import Championship
from tabuleiro.championship.edition import CRITERIA
from tabuleiro.championship.matching import Contender, best_round
from tabuleiro.championship.rounds import next_round
from tabuleiro.core import TabuleiroError

History = list[tuple[int, int | None, str, int | None]]  # who begins, the other one, how, which of them won
Cost = tuple[int, ...]
PRINTED_ORDER = ("rematch", "second_bye", "points", "school", "start", "alternate", "fixed_table")


def test_the_criteria_are_printed_in_the_order_in_which_they_are_judged_here() -> None:
    assert tuple(CRITERIA) == PRINTED_ORDER


def matchings(people: list[int]) -> Iterator[list[tuple[int, int | None]]]:
    """Every way to pair people; with an odd number, each has the bye once."""
    if len(people) % 2:
        for idle in people:
            rest = [person for person in people if person != idle]
            yield from ([*pairs, (idle, None)] for pairs in matchings(rest))
    elif not people:
        yield []
    else:
        first, *others = people
        for other in others:
            rest = [person for person in others if person != other]
            yield from ([*pairs, (first, other)] for pairs in matchings(rest))


class Judge:
    """Costs of pairs from a bare list of games."""

    def __init__(self, people: list[int], history: History, schools: dict[int, int], fixed: set[int]) -> None:
        self.history, self.schools, self.fixed = history, schools, fixed
        self.points = {person: self.halves(person) for person in people}

    def halves(self, person: int) -> int:
        """Points in halves."""
        found = 0
        for one, two, how, winner in self.history:
            if person not in (one, two):
                continue
            if how == "bye" or (winner is not None and (one, two)[winner - 1] == person):
                found += 2
            elif winner is None and how == "played":
                found += 1
        return found

    def begun(self, person: int) -> list[bool]:
        played = [(one, two) for one, two, how, _ in self.history if how == "played"]
        return [one == person for one, two in played if person in (one, two)]

    def cost(self, one: int, two: int | None) -> Cost:
        """With `one` beginning."""
        mine = self.begun(one)
        lead = 2 * sum(mine) - len(mine)
        if two is None:
            free = sum(how == "bye" and a == one for a, _, how, _ in self.history)
            free += sum(how == "forfeit" and (a, b)[(w or 1) - 1] == one for a, b, how, w in self.history)
            return (0, free, (self.points[one] - min(self.points.values())) ** 2, 0, lead**2, 0, 0)
        theirs = self.begun(two)
        other_lead = 2 * sum(theirs) - len(theirs)
        met = sum({a, b} == {one, two} and how == "played" for a, b, how, _ in self.history)
        return (
            met,
            0,
            (self.points[one] - self.points[two]) ** 2,
            int(self.schools[one] == self.schools[two]),
            (lead + 1) ** 2 + (other_lead - 1) ** 2,
            int(bool(mine) and mine[-1]) + int(bool(theirs) and not theirs[-1]),
            int(one in self.fixed and two in self.fixed),
        )

    def best(self, people: list[int]) -> Cost:
        """The least cost of a round, by looking at every round."""
        cheapest: dict[tuple[int, int | None], Cost] = {}
        for one in people:
            cheapest[one, None] = self.cost(one, None)
            for two in people:
                if one != two:
                    cheapest[one, two] = min(self.cost(one, two), self.cost(two, one))
        return min(
            tuple(map(sum, zip(*(cheapest[pair] for pair in pairs), strict=True))) for pairs in matchings(people)
        )


def with_history(players: int, luck: random.Random) -> tuple[Championship, History, dict[int, int], set[int]]:
    """A group with some rounds behind it that were paired by chance, with byes and forfeits among them."""
    schools = luck.randint(2, players)
    championship = begun(edition(rounds=12), players, luck.randrange(1000), schools)
    group = group_of(championship)
    people = list(range(1, players + 1))
    history: History = []
    for number in range(1, luck.randint(0, 5) + 1):
        luck.shuffle(people)
        pairings = []
        for place in range(0, players - 1, 2):
            one, two = people[place], people[place + 1]
            how, winner = luck.choice([("played", 1), ("played", 2), ("played", 1), ("played", None), ("forfeit", 2)])
            result = {"how": how, "winner": winner}
            pairings.append({"table": place // 2 + 1, "one": one, "two": two, "why": {"by": "hand"}, "result": result})
            history.append((one, two, how, winner))
        if players % 2:
            bye = {"how": "bye", "winner": 1}
            pairings.append({"table": 0, "one": people[-1], "two": None, "why": {"by": "hand"}, "result": bye})
            history.append((people[-1], None, "bye", 1))
        act(championship, "round_paired", group=group, round=number, pairings=pairings)
    entries = next(iter(championship.state.sections.values())).entries
    fixed = {person for person in people if luck.random() < 0.2}
    return championship, history, {person: entry.school for person, entry in entries.items()}, fixed


HISTORIES = {2: 50, 3: 100, 4: 300, 5: 300, 6: 300, 7: 200, 8: 100}


@pytest.mark.parametrize("players", HISTORIES)
def test_no_round_is_better(players: int) -> None:
    for sample in range(HISTORIES[players]):
        compare(players, sample)


@pytest.mark.parametrize("players", [9, 10])
def test_no_round_is_better_for_ten(players: int) -> None:
    for sample in range(60):
        compare(players, sample)


def compare(players: int, sample: int) -> None:
    luck = random.Random(1000 * players + sample)
    championship, history, schools, fixed = with_history(players, luck)
    section, stage, group = championship.state.group(group_of(championship))
    found = next_round(championship.state, section, stage, group, fixed)
    people = list(range(1, players + 1))
    judge = Judge(people, history, schools, fixed)
    made = [judge.cost(pairing["one"], pairing["two"]) for pairing in found.pairings]
    total = tuple(map(sum, zip(*made, strict=True)))
    assert total == judge.best(people), (players, sample)
    assert found.arrangement is not None
    assert tuple(found.arrangement.total.values()) == total


def test_who_begins_is_judged_with_the_pairs_not_after_them() -> None:
    """All pairs and all beginners at once, without taking the better of each pair beforehand."""
    for sample in range(40):
        luck = random.Random(sample)
        _, history, schools, fixed = with_history(6, luck)
        judge = Judge(list(range(1, 7)), history, schools, fixed)
        totals = []
        for pairs in matchings(list(range(1, 7))):
            for turned in range(8):
                sides = [(b, a) if turned >> place & 1 else (a, b) for place, (a, b) in enumerate(pairs)]
                costs = [judge.cost(one, two) for one, two in sides if one is not None]
                totals.append(tuple(map(sum, zip(*costs, strict=True))))
        assert min(totals) == judge.best(list(range(1, 7)))


def test_the_order_of_the_criteria_decides() -> None:
    """Two of one school with equal points: together when points come first, apart when schools do."""
    people = [Contender(1, 1.0, 1), Contender(2, 1.0, 1), Contender(3, 0.0, 2), Contender(4, 0.0, 3)]

    def pairs(criteria: tuple[str, ...], weights: dict[str, int] | None = None) -> set[frozenset[int]]:
        round_ = best_round(people, criteria, 1, weights).matches
        return {frozenset(player.person for player in (m.one, m.two) if player) for m in round_}

    assert frozenset((1, 2)) in pairs(("rematch", "points", "school"))
    assert frozenset((1, 2)) not in pairs(("rematch", "school", "points"))
    assert frozenset((1, 2)) in pairs(("points", "school"), {"points": 1, "school": 1})
    assert frozenset((1, 2)) not in pairs(("points", "school"), {"points": 1, "school": 100})


def test_the_same_number_of_the_draw_gives_the_same_round_and_another_number_another() -> None:
    people = [Contender(n, 0.0, n) for n in range(1, 13)]

    def drawn(seed: int, order: list[Contender]) -> set[tuple[int, int | None]]:
        return {(m.one.person, m.two.person if m.two else None) for m in best_round(order, PRINTED_ORDER, seed).matches}

    assert drawn(5, people) == drawn(5, people[::-1])
    assert len({frozenset(drawn(seed, people)) for seed in range(10)}) > 5


def test_large_arenas_stay_exact() -> None:
    """Weights of 200 players over many rounds still fit in what the matching counts with."""
    luck = random.Random(3)
    people = [Contender(n, luck.randrange(60) / 2, n % 20, starts=luck.randrange(9)) for n in range(1, 201)]
    best = best_round(people, PRINTED_ORDER, 1)
    assert len(best.matches) == 100
    worse = sorted(people, key=lambda player: player.points)
    neighbours = sum(int(2 * (a.points - b.points)) ** 2 for a, b in zip(worse[::2], worse[1::2], strict=True))
    assert best.total["points"] <= neighbours


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rustworkx", None)
    with pytest.raises(TabuleiroError, match=r"pip install 'tabuleiro\[championship\]'"):
        best_round([Contender(1), Contender(2)], PRINTED_ORDER, 1)
