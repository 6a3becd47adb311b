"""Round robins, knock-outs, matches, ladders, arenas, and the draw of groups."""

import random
from collections import Counter

import pytest

from championship.building import act, begun, do, edition, enter, give, group_of
from tabuleiro.championship import Championship, RefusedError
from tabuleiro.championship.berger import berger_round, round_count
from tabuleiro.championship.decisions import draw_stage, pair_by_hand, pair_round
from tabuleiro.championship.draw import Origin, draw_bracket, draw_groups, group_sizes
from tabuleiro.championship.knockout import bracket, losses, winner_of
from tabuleiro.championship.model import Group
from tabuleiro.championship.rounds import is_complete, open_pairings
from tabuleiro.championship.standings import standings


def played_out(championship: Championship, seed: int = 1) -> Group:
    """Pair and play the first group until it is complete."""
    luck = random.Random(seed)
    name = group_of(championship)
    _, stage, group = championship.state.group(name)
    while not is_complete(group, stage.plan):
        do(championship, pair_round(championship, name))
        enter(championship, name, luck)
        assert len(group.rounds) < 60
    return group


def places(championship: Championship) -> list[int]:
    _, stage, group = championship.state.group(group_of(championship))
    return [row.place for row in standings(group, stage.plan, championship.state.rules)]


# ------------------------------------------------------------------------------------------------------------- Berger


@pytest.mark.parametrize("players", range(2, 21))
def test_berger_everybody_meets_everybody_once_and_begins_half_of_the_time(players: int) -> None:
    met: Counter[frozenset[int]] = Counter()
    begun_by: Counter[int] = Counter()
    for number in range(1, round_count(players) + 1):
        pairs = berger_round(players, number)
        assert len({place for pair in pairs for place in pair}) == 2 * len(pairs) == players - players % 2
        met.update(frozenset(pair) for pair in pairs)
        begun_by.update(one for one, _ in pairs)
    assert len(met) == players * (players - 1) // 2
    assert set(met.values()) == {1}
    assert max(begun_by.values()) - min(begun_by[place] for place in range(players)) <= 1


def test_berger_a_second_leg_has_sides_exchanged() -> None:
    for number in range(1, 6):
        assert [(two, one) for one, two in berger_round(6, number)] == berger_round(6, number + 5)


def test_round_robin_is_played_to_its_end_with_somebody_missing() -> None:
    championship = begun(edition_of("round_robin"), 5)
    section = next(iter(championship.state.sections))
    act(championship, "presence", section=section, persons=[3], presence="withdrawn")
    group = played_out(championship)
    assert len(group.rounds) == 5
    for _, pairing in group.pairings():
        if 3 in pairing.persons:
            assert [game.how for game in pairing.games] == ["forfeit"]
            assert pairing.games[0].winner != pairing.seat_of(3)


def edition_of(form: str, **more: object) -> dict[str, object]:
    return edition("hex", stages=[{"name": "S", "format": form, **more}])


def test_round_robin_a_late_pupil_takes_the_free_place_if_there_is_one() -> None:
    for players, fits in ((5, True), (6, False)):
        championship = begun(edition_of("round_robin"), players)
        section, group = next(iter(championship.state.sections)), group_of(championship)
        do(championship, pair_round(championship, group))
        enter(championship, group, random.Random(1))
        act(championship, "registered", schools=[], entries=[{"person": 99, "section": section, "school": 1}])
        if fits:
            act(championship, "placed", group=group, person=99)
            played_out(championship)
            met = {p for _, pairing in championship.state.group(group)[2].pairings() for p in pairing.persons
                   if 99 in pairing.persons}  # fmt: skip
            assert len(met) == 5  # 99 and all but the one who rested in the first round
        else:
            with pytest.raises(RefusedError):
                act(championship, "placed", group=group, person=99)


# ---------------------------------------------------------------------------------------------------------- knock-outs


@pytest.mark.parametrize("players", range(2, 34))
def test_bracket_byes_go_to_the_best_seeds_and_the_best_two_meet_last(players: int) -> None:
    seeds = list(range(1, players + 1))
    slots: list[int | None] = bracket(seeds)
    assert sorted(slot for slot in slots if slot is not None) == seeds
    size = len(slots)
    free = [a or b for a, b in zip(slots[::2], slots[1::2], strict=True) if a is None or b is None]
    assert sorted(seed for seed in free if seed) == list(range(1, size - players + 1))
    while len(slots) > 2:  # the better seed always wins
        slots = [min(x for x in pair if x is not None) for pair in zip(slots[::2], slots[1::2], strict=True)]
    assert sorted(slot for slot in slots if slot is not None) == [1, 2]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 8, 13])
@pytest.mark.parametrize("best_of", [1, 3])
def test_knockout_everybody_but_the_winner_loses_once(players: int, best_of: int) -> None:
    championship = begun(edition_of("knockout", best_of=best_of, third_place=True), players, seed=players)
    group = played_out(championship, best_of)
    lost = losses(group, championship.state.group(group.id)[1].plan)
    assert sorted(lost.values()) == [0] + [1] * (players - 1)
    assert places(championship)[:2] == [1, 2]
    if players >= 4:
        assert places(championship)[2:4] == [3, 4]  # the game for the third place
    for _, pairing in group.pairings():
        if pairing.two is not None:
            assert best_of // 2 + 1 <= len(pairing.games) <= best_of


@pytest.mark.parametrize("third_place", [False, True])
@pytest.mark.parametrize("players", range(2, 17))
def test_knockout_pairs_and_places_as_counted_by_hand(players: int, third_place: bool) -> None:
    """Every round and the final places equal those of a knock-out played on a list, loser by loser."""
    for seed in range(4):
        championship = begun(edition_of("knockout", third_place=third_place), players, seed=seed)
        name, luck = group_of(championship), random.Random(seed)
        group, plan = championship.state.group(name)[2], championship.state.group(name)[1].plan
        standing: list[int | None] = bracket(group.members)
        #: Those out of it, best first: who shares a place stands together.
        out: list[set[int | None]] = []
        while len(standing) > 1:
            pairs = [standing[i : i + 2] for i in range(0, len(standing), 2)]
            expected: list[set[int | None]] = [{person for person in pair if person is not None} for pair in pairs]
            beaten = out[0] if out else set()
            is_final_round = len(pairs) == 1
            if third_place and is_final_round and len(beaten) == 2:
                expected.append(beaten)
            do(championship, pair_round(championship, name))
            paired = group.rounds[-1].pairings
            assert [set(pairing.persons) - {None} for pairing in paired] == expected
            enter(championship, name, luck)
            winners = [winner_of(plan, pairing) for pairing in paired]
            if len(expected) > len(pairs):
                third = {winners.pop()}
                out[:1] = [third, beaten - third]
            out.insert(0, {person for pair in expected[: len(pairs)] for person in pair} - {*winners})
            standing = winners
        assert is_complete(group, plan)
        rows = standings(group, plan, championship.state.rules)
        ranked = [{*standing}, *(shared for shared in out if shared)]
        places_of = {person: 1 + sum(map(len, ranked[:i])) for i, shared in enumerate(ranked) for person in shared}
        assert {row.person: row.place for row in rows} == places_of


@pytest.mark.parametrize("players", range(2, 14))
def test_double_knockout_two_losses_and_out(players: int) -> None:
    for seed in range(5):
        championship = begun(edition_of("double_knockout"), players, seed=seed)
        group = played_out(championship, seed)
        lost = losses(group, championship.state.group(group.id)[1].plan)
        assert sorted(lost.values())[1:] == [2] * (players - 1)
        assert min(lost.values()) <= 1
        games = sum(pairing.two is not None for _, pairing in group.pairings())
        assert games in (2 * players - 2, 2 * players - 1)
        assert places(championship)[:2] == [1, 2]


def test_knockout_who_is_missing_loses() -> None:
    for form in ("knockout", "double_knockout"):
        championship = begun(edition_of(form, best_of=3), 6)
        section = next(iter(championship.state.sections))
        act(championship, "presence", section=section, persons=[2], presence="withdrawn")
        group = played_out(championship)
        plan = championship.state.group(group.id)[1].plan
        assert losses(group, plan)[2] == (1 if form == "knockout" else 2)


@pytest.mark.parametrize("form", ["knockout", "double_knockout", "match"])
def test_whoever_does_not_come_a_knockout_is_over_some_day(form: str) -> None:
    """Also where neither of two has come, again and again: somebody is left, or nobody, and there is an order."""
    for seed in range(60):
        luck = random.Random(seed)
        players = 2 if form == "match" else luck.randint(2, 9)
        third = {"third_place": True} if form == "knockout" else {}
        championship = begun(edition_of(form, best_of=luck.choice([1, 3]), **third), players, seed=seed)
        name = group_of(championship)
        _, stage, group = championship.state.group(name)
        while not is_complete(group, stage.plan):
            do(championship, pair_round(championship, name))
            for number, pairing in open_pairings(group, stage.plan):
                if luck.random() < 0.4:
                    give(championship, name, number, pairing.table, None, "double_forfeit")
            enter(championship, name, luck)
        assert sorted(row.person for row in standings(group, stage.plan, championship.state.rules)) == sorted(
            group.members
        )


def test_knockouts_are_not_paired_by_hand() -> None:
    championship = begun(edition_of("knockout"), 4)
    with pytest.raises(RefusedError, match="those of the table"):
        pair_by_hand(championship, group_of(championship), [(1, 2)])


def test_match_goes_on_until_it_is_decided_and_the_players_take_turns_to_begin() -> None:
    championship = begun(edition("ouri", stages=[{"name": "M", "format": "match", "best_of": 3}]), 2)
    group = group_of(championship)
    do(championship, pair_round(championship, group))
    pairing = championship.state.group(group)[2].rounds[0].pairings[0]
    for winner in (None, 1, 2, None):
        give(championship, group, 1, pairing.table, winner)
        assert not is_complete(championship.state.group(group)[2], championship.state.group(group)[1].plan)
    give(championship, group, 1, pairing.table, 2)
    assert is_complete(championship.state.group(group)[2], championship.state.group(group)[1].plan)
    assert [pairing.starter(game) for game in range(1, 6)] == [1, 2, 1, 2, 1]
    with pytest.raises(RefusedError, match="result already"):
        give(championship, group, 1, pairing.table, 1)


# ------------------------------------------------------------------------------------------------------ ladder, arena


def test_ladder_a_challenger_who_wins_takes_the_place() -> None:
    championship = begun(edition_of("ladder", reach=2), 5)
    group = group_of(championship)
    order = list(championship.state.group(group)[2].members)
    do(championship, pair_by_hand(championship, group, [(order[3], order[1])]).decision)
    table = championship.state.group(group)[2].rounds[0].pairings[0].table
    with pytest.raises(RefusedError, match="still playing"):
        pair_by_hand(championship, group, [(order[4], order[3])])
    with pytest.raises(RefusedError, match="2 places above"):
        pair_by_hand(championship, group, [(order[4], order[0])])
    give(championship, group, 1, table, 1)
    _, stage, where = championship.state.group(group)
    ranked = [row.person for row in standings(where, stage.plan, championship.state.rules)]
    assert ranked == [order[0], order[3], order[1], order[2], order[4]]


def test_arena_pairs_whoever_is_free() -> None:
    championship = begun(edition_of("arena", minutes=60), 7)
    group = group_of(championship)
    do(championship, pair_round(championship, group), when=100.0)
    where = championship.state.group(group)[2]
    assert len(where.rounds[0].pairings) == 3
    give(championship, group, 1, where.rounds[0].pairings[0].table, 1)
    do(championship, pair_round(championship, group), when=200.0)
    second = where.rounds[1].pairings
    assert len(second) == 1
    assert set(second[0].persons) != set(where.rounds[0].pairings[0].persons)
    assert championship.due(150.0) == 100.0 + 3600
    with pytest.raises(RefusedError, match="over"):
        pair_round(championship, group, now=100.0 + 3601)


# --------------------------------------------------------------------------------------------------------------- draws


def test_groups_keep_schools_apart_as_well_as_possible_and_spread_regions() -> None:
    for sample in range(30):
        luck = random.Random(sample)
        players = luck.randint(13, 120)
        schools = luck.randint(3, 40)
        origins = {}
        for person in range(1, players + 1):
            school = luck.randrange(schools)
            origins[person] = Origin(school, f"R{school % 5}")
        sizes = group_sizes(players, 12)
        groups = draw_groups(origins, sizes, sample)
        assert sorted(map(len, groups), reverse=True) == sizes and sum(sizes) == players and max(sizes) <= 12
        assert sum(size % 2 for size in sizes) == players % 2  # at most one group has byes
        assert groups == draw_groups(origins, sizes, sample)
        count = Counter(origin.school for origin in origins.values())
        for school, pupils in count.items():
            together = max(Counter(origins[p].school for p in group)[school] for group in groups)
            assert together <= -(-pupils // len(groups)) + (pupils > len(groups))
            assert together == 1 or pupils > len(groups)


def test_bracket_draw_keeps_schools_apart_in_the_first_round() -> None:
    origins = {person: Origin(person % 4, "") for person in range(1, 17)}
    for seed in range(20):
        order = draw_bracket(origins, seed)
        slots = bracket(order)
        for one, two in zip(slots[::2], slots[1::2], strict=True):
            assert one is not None and two is not None
            assert origins[one].school != origins[two].school


def test_finals_have_tables_of_their_own_and_groups_never_share_one() -> None:
    championship = begun(edition("hex", group_size=4, rounds=2), 20)
    groups = [group for _, _, group in championship.state.groups.values()]
    for group in groups:
        do(championship, pair_round(championship, group.id))
    tables = [pairing.table for group in groups for _, pairing in group.pairings()]
    assert len(set(tables)) == len(tables) == 10


def test_a_second_draw_of_the_same_stage_is_refused() -> None:
    championship = begun(edition("hex", rounds=1), 4)
    with pytest.raises(RefusedError, match="no more stages"):
        draw_stage(championship, next(iter(championship.state.sections)))
