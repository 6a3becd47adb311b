"""Points, tie-breaks and places, against the independent checker and by examples worked out by hand."""

import random
from itertools import permutations

import pytest

from championship.building import act, begun, do, edition, enter, give, group_of
from championship.checker import Group, check
from tabuleiro.championship import Championship, RefusedError
from tabuleiro.championship.decisions import draw_lots, draw_stage, pair_round, ties_to_break
from tabuleiro.championship.edition import TIE_BREAKS, UNPLAYED
from tabuleiro.championship.reasons import tie_break
from tabuleiro.championship.report import as_json
from tabuleiro.championship.standings import Row, podium, standings


def rows(championship: Championship, number: int = 1, stage: int = 1) -> list[Row]:
    _, where, group = championship.state.group(group_of(championship, number, stage))
    return standings(group, where.plan, championship.state.rules)


@pytest.mark.parametrize("unplayed", UNPLAYED)
def test_random_groups_are_ranked_as_the_checker_ranks_them(unplayed: str) -> None:
    names = [name for name in TIE_BREAKS if name not in ("playoff", "lots")]
    for sample in range(25):
        luck = random.Random(sample)
        order = [*luck.sample(names, 4), "playoff", "lots"]
        plan = edition(rounds=luck.randint(1, 5), tie_breaks=order, unplayed=unplayed)
        plan["points"] = luck.choice([{}, {"win": 3, "draw": 1, "bye": 2}, {"win": 2, "draw": 1, "loss": 0.5}])
        championship = begun(plan, luck.randint(3, 9), sample)
        group = group_of(championship)
        section = next(iter(championship.state.sections))
        for _ in range(plan["stages"][0]["rounds"]):
            everybody = championship.state.sections[section].entries
            missing = [person for person in everybody if luck.random() < 0.1][: len(everybody) - 2]
            act(championship, "presence", section=section, persons=missing, presence="absent")
            do(championship, pair_round(championship, group))
            for pairing in championship.state.group(group)[2].rounds[-1].pairings:
                if pairing.two is None:
                    continue
                how, winner = luck.choice([("played", 1), ("played", 2), ("played", None), ("forfeit", 1),
                                           ("double_forfeit", None), ("adjudicated", 2)])  # fmt: skip
                number = len(championship.state.group(group)[2].rounds)
                give(championship, group, number, pairing.table, winner, how)
            act(championship, "presence", section=section, persons=missing, presence="present")
        data = as_json(championship, {})
        # With so few players and so many missing, opponents and byes may have to come again.
        unavoidable = ("met again", "byes", "too often")
        assert [fault for fault in check(data) if not fault.endswith(unavoidable)] == []


def test_places_do_not_depend_on_the_order_of_the_group() -> None:
    """Small case by brute force: whoever is listed first gains nothing."""
    championship = begun(edition(rounds=2), 4)
    group = group_of(championship)
    for _ in range(2):
        do(championship, pair_round(championship, group))
        enter(championship, group, random.Random(2))
    where = championship.state.group(group)[2]
    expected = {row.person: row.place for row in rows(championship)}
    for order in permutations(where.members):
        where.members[:] = order
        assert {row.person: row.place for row in rows(championship)} == expected


def four_with_a_tie() -> Championship:
    """1 beats 2, 3 beats 4; then 1 beats 3 and 4 beats 2: 1 has two points, 3 and 4 have one, 2 none."""
    championship = begun(edition("hex", rounds=2, tie_breaks=["wins", "playoff", "lots"]), 4)
    group = group_of(championship)
    for number, pairs in ((1, [(1, 2), (3, 4)]), (2, [(1, 3), (4, 2)])):
        pairings = [{"table": t, "one": a, "two": b, "why": {"by": "hand"}} for t, (a, b) in enumerate(pairs, start=1)]
        act(championship, "round_paired", group=group, round=number, pairings=pairings)
        for table in (1, 2):
            give(championship, group, number, table, 1)
    return championship


def test_a_tie_shares_a_place_until_a_playoff_or_lots() -> None:
    championship = four_with_a_tie()
    group = group_of(championship)
    assert rows(championship)[0].person == 1
    assert {row.place for row in rows(championship) if row.person in (3, 4)} == {2}
    assert ties_to_break(championship, group) in ([[3, 4]], [[4, 3]])
    steps = podium(next(iter(championship.state.sections.values())), championship.state.rules)
    assert steps is not None and len(steps.tied) == 1
    by_lot = Championship.replay(championship.events)
    do(by_lot, draw_lots(by_lot, group, [3, 4]))
    assert ties_to_break(by_lot, group) == []
    with pytest.raises(RefusedError, match="drawn already"):
        draw_lots(by_lot, group, [4, 3])
    act(championship, "playoff", group=group, order=[4, 3])
    assert [row.person for row in rows(championship)] == [1, 4, 3, 2]
    assert [row.place for row in rows(championship)] == [1, 2, 3, 4]


def test_lots_are_repeatable_and_recorded() -> None:
    numbers = [do(c, draw_lots(c, group_of(c), [3, 4])).data for c in (four_with_a_tie(), four_with_a_tie())]
    assert numbers[0] == numbers[1]
    assert sorted(number for _, number in numbers[0]["numbers"]) == [1, 2]


def test_each_number_is_explained_as_its_sum() -> None:
    championship = begun(edition(rounds=3, tie_breaks=["buchholz_cut1", "progressive", "lots"]), 6)
    group = group_of(championship)
    for _ in range(3):
        do(championship, pair_round(championship, group))
        enter(championship, group, random.Random(4))
    explained = [row for row in rows(championship) if row.tie_breaks]
    assert explained
    sentence = tie_break(explained[0], "buchholz_cut1", lambda person: f"P{person}")
    assert sentence.pt.startswith("Buchholz sem o pior: ") and " = " in sentence.pt and "[" in sentence.pt


def test_qualifying_waits_for_a_tie_at_the_border() -> None:
    stages = [
        {"name": "G", "format": "swiss", "rounds": 1, "group_size": 4, "qualify": 1, "tie_breaks": ["wins", "lots"]},
        {"name": "F", "format": "knockout"},
    ]
    championship = begun(edition("hex", stages=stages), 8)
    section = next(iter(championship.state.sections))
    for number in (1, 2):
        group = group_of(championship, number)
        do(championship, pair_round(championship, group))
        enter(championship, group, random.Random(1))
    with pytest.raises(RefusedError, match="still tied"):
        draw_stage(championship, section)
    for number in (1, 2):
        for tied in ties_to_break(championship, group_of(championship, number)):
            do(championship, draw_lots(championship, group_of(championship, number), tied))
    do(championship, draw_stage(championship, section))
    winners = {rows(championship, number)[0].person for number in (1, 2)}
    assert set(championship.state.group(f"{section}/2/1")[2].members) == winners


def test_the_checker_counts_seeds() -> None:
    """Game points: the sums of what each collected."""
    championship = begun(edition(rounds=1, tie_breaks=["game_points", "lots"]), 4)
    group = group_of(championship)
    do(championship, pair_round(championship, group))
    for table, score in ((1, [30, 18]), (2, [25, 23])):
        result = {"how": "played", "winner": 1, "score": score}
        act(championship, "result", group=group, round=1, table=table, game=1, result=result)
    found = rows(championship)
    assert [row.tie_breaks["game_points"].value for row in found] == [30, 25, 23, 18]
    data = as_json(championship, {})
    stage = data["sections"][0]["stages"][0]
    judge = Group(stage["groups"][0], data["points"], stage["unplayed"])
    assert [judge.number("game_points", row.person) for row in found] == [30, 25, 23, 18]
