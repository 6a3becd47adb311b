"""The log is the truth: replaying it gives the state, undoing is an event, refusals change nothing."""

import contextlib
import copy
import random
from typing import Any

import pytest

from championship.building import act, begun, do, edition, enter, give, group_of
from tabuleiro.championship import Championship, Decision, Event, RefusedError, compare
from tabuleiro.championship.decisions import (
    draw_lots,
    draw_stage,
    pair_again,
    pair_by_hand,
    pair_round,
    place_late,
    ties_to_break,
)
from tabuleiro.championship.edition import FORMATS
from tabuleiro.championship.events import cancelled, refused
from tabuleiro.championship.reasons import why
from tabuleiro.championship.report import as_json
from tabuleiro.championship.rounds import open_pairings
from tabuleiro.core import TabuleiroError

STAGES = [
    {"name": "G", "format": "swiss", "rounds": 3, "group_size": 6, "qualify": 2},
    {"name": "F", "format": "swiss", "rounds": 2},
]


class Walk:
    """A day on which anything may happen, in any order."""

    def __init__(self, seed: int, form: str = "swiss") -> None:
        self.luck = random.Random(seed)
        stages = STAGES if form == "swiss" else [{"name": "S", "format": form, "group_size": 5}]
        self.championship = begun(edition(stages=stages), self.luck.randint(6, 16), seed, 5, draw=False)
        self.section = next(iter(self.championship.state.sections))
        self.next_person = 100

    def step(self) -> None:
        acts = [self.draw, self.pair, self.pair, self.again, self.result, self.result, self.result, self.results,
                self.results, self.correct, self.presence, self.late, self.swap, self.hand, self.undo, self.lots,
                self.settings]  # fmt: skip
        self.luck.choice(acts)()

    def group(self) -> str:
        stages = self.championship.state.sections[self.section].stages
        if not stages:
            raise refused("ainda não", "not yet")
        return self.luck.choice(stages[-1].groups).id

    def person(self) -> int:
        entries = list(self.championship.state.sections[self.section].entries)
        if not entries:
            raise refused("ainda não", "not yet")
        return self.luck.choice(entries)

    def do(self, kind: str, **data: Any) -> None:
        act(self.championship, kind, **data)

    def draw(self) -> None:
        do(self.championship, draw_stage(self.championship, self.section))

    def pair(self) -> None:
        do(self.championship, pair_round(self.championship, self.group()))

    def again(self) -> None:
        do(self.championship, pair_again(self.championship, self.group()))

    def hand(self) -> None:
        pair = (self.person(), self.person())
        do(self.championship, pair_by_hand(self.championship, self.group(), [pair]).decision)

    def result(self) -> None:
        group = self.group()
        _, stage, where = self.championship.state.group(group)
        opened = open_pairings(where, stage.plan)
        if opened:
            number, pairing = self.luck.choice(opened)
            how, winner = self.luck.choice([("played", 1), ("played", None), ("forfeit", 2), ("double_forfeit", None)])
            give(self.championship, group, number, pairing.table, winner, how)

    def results(self) -> None:
        enter(self.championship, self.group(), self.luck)

    def correct(self) -> None:
        group = self.group()
        done = [(t.number, p.table) for t, p in self.championship.state.group(group)[2].pairings() if p.games and p.two]
        if done:
            number, table = self.luck.choice(done)
            result = {"how": "played", "winner": self.luck.choice([1, 2, None])}
            self.do("corrected", group=group, round=number, table=table, game=1, result=result, reason="x")

    def presence(self) -> None:
        state = self.luck.choice(["present", "present", "absent", "withdrawn"])
        self.do("presence", section=self.section, persons=[self.person()], presence=state)

    def late(self) -> None:
        self.next_person += 1
        entry = {"person": self.next_person, "section": self.section, "school": 1 + self.next_person % 5}
        self.do("registered", schools=[], entries=[entry])
        if self.championship.state.sections[self.section].stages:
            do(self.championship, place_late(self.championship, self.section, self.next_person))

    def swap(self) -> None:
        self.next_person += 1
        self.do("swapped", section=self.section, out=self.person(), **{"in": self.next_person})

    def undo(self) -> None:
        number = self.luck.randint(min(3, self.championship.number), self.championship.number)
        self.do("undone", event=number, reason="engano")

    def lots(self) -> None:
        group = self.group()
        for tied in ties_to_break(self.championship, group):
            do(self.championship, draw_lots(self.championship, group, tied))

    def settings(self) -> None:
        change = self.luck.choice([{"tie_breaks": ["wins", "lots"]}, {"rounds": 4}, {"weights": {"points": 1}}])
        self.do("settings_changed", section=self.section, stage=1, settings=change)


@pytest.mark.parametrize("form", [form for form in FORMATS if form not in ("swiss", "match")])
@pytest.mark.parametrize("seed", range(6))
def test_other_formats_live_through_any_day(seed: int, form: str) -> None:
    walk = Walk(seed, form)
    for _ in range(80):
        with contextlib.suppress(TabuleiroError):
            walk.step()
    assert Championship.replay(walk.championship.events).state == walk.championship.state
    as_json(walk.championship, {})
    for _, _, group in walk.championship.state.groups.values():
        for _, pairing in group.pairings():
            assert why(pairing, str).pt


@pytest.mark.parametrize("seed", range(40))
def test_replay_equals_state_and_refusals_change_nothing(seed: int) -> None:
    walk = Walk(seed)
    refusals = done = 0
    for _ in range(60):
        events, before = list(walk.championship.events), copy.deepcopy(walk.championship.state)
        try:
            walk.step()
            done += 1
        except TabuleiroError as error:
            refusals += 1
            assert error.text.pt and error.text.en
            if walk.championship.events == events:
                assert walk.championship.state == before
    again = Championship.replay(walk.championship.events)
    assert again.state == walk.championship.state
    assert again.summary() == walk.championship.summary()
    for person_group in walk.championship.state.groups.values():
        for turn in person_group[2].rounds:
            persons = [person for pairing in turn.pairings for person in pairing.persons]
            assert len(set(persons)) == len(persons)
    assert refusals and done > 8


@pytest.mark.parametrize("seed", range(10))
def test_undoing_the_last_event_gives_the_state_before_it(seed: int) -> None:
    walk = Walk(seed)
    for _ in range(25):
        number, before = walk.championship.number, copy.deepcopy(walk.championship.state)
        try:
            walk.step()
        except TabuleiroError:
            continue
        if walk.championship.number != number + 1 or walk.championship.events[-1].kind == "undone":
            continue
        trial = Championship.replay(walk.championship.events)
        act(trial, "undone", event=number + 1, reason="engano")
        flags = trial.state.flags
        trial.state.flags = before.flags
        assert trial.state == before
        act(trial, "undone", event=number + 2, reason="afinal não")
        assert len(trial.state.flags) >= len(flags) - 1
        trial.state.flags = walk.championship.state.flags
        assert trial.state == walk.championship.state


def played(rounds: int, players: int = 6) -> Championship:
    championship = begun(edition("hex", rounds=4), players)
    for _ in range(rounds):
        do(championship, pair_round(championship, group_of(championship)))
        enter(championship, group_of(championship), random.Random(1))
    return championship


def test_what_others_rest_on_cannot_be_undone() -> None:
    championship = played(2)
    first_round = next(event.number for event in championship.events if event.kind == "round_paired")
    with pytest.raises(RefusedError, match=r"event \d+ rests on this one"):
        act(championship, "undone", event=first_round, reason="x")
    with pytest.raises(RefusedError, match="reason"):
        act(championship, "undone", event=championship.number, reason=" ")
    act(championship, "undone", event=championship.number, reason="x")
    with pytest.raises(RefusedError, match="undone already"):
        act(championship, "undone", event=championship.number - 1, reason="x")
    assert cancelled(championship.events) == {championship.number - 1}


def test_a_correction_is_counted_and_what_was_built_on_it_is_flagged_not_changed() -> None:
    championship = played(1)
    group = group_of(championship)
    do(championship, pair_round(championship, group))
    where = championship.state.group(group)[2]
    second = copy.deepcopy(where.rounds[1])
    pairing = where.rounds[0].pairings[0]
    winner = 2 if pairing.games[0].winner == 1 else 1
    result = {"how": "adjudicated", "winner": winner, "reason": "lance ilegal"}
    correction = {"group": group, "round": 1, "table": pairing.table, "game": 1, "result": result}
    with pytest.raises(RefusedError, match="reason"):
        act(championship, "corrected", **correction, reason="")
    event = act(championship, "corrected", **correction, reason="o árbitro enganou-se")
    assert where.rounds[0].pairings[0].games[0].winner == winner
    assert where.rounds[1] == second
    assert [(flag.event, flag.kind, flag.round) for flag in championship.state.flags] == [
        (event.number, "later_round", 1)
    ]


def test_games_without_draws_take_none() -> None:
    championship = begun(edition("rastros", rounds=1), 2)
    do(championship, pair_round(championship, group_of(championship)))
    with pytest.raises(RefusedError, match="cannot end in a draw"):
        give(championship, group_of(championship), 1, 1, None)
    drawn = begun(edition("rastros", {"stalemate": "draw"}, rounds=1), 2)
    do(drawn, pair_round(drawn, group_of(drawn)))
    give(drawn, group_of(drawn), 1, 1, None)


def test_absent_after_the_round_was_drawn_the_rest_is_paired_again() -> None:
    championship = played(1, players=8)
    section, group = next(iter(championship.state.sections)), group_of(championship)
    do(championship, pair_round(championship, group))
    where = championship.state.group(group)[2]
    first, second, third, fourth = where.rounds[1].pairings
    give(championship, group, 2, third.table, 1)
    assert first.two is not None
    act(championship, "presence", section=section, persons=[first.one, second.one], presence="absent")
    do(championship, pair_again(championship, group))
    now = where.rounds[1].pairings
    assert third in now and third.games
    assert fourth in now
    with pytest.raises(RefusedError, match="nothing to mend"):
        pair_again(championship, group)
    left = {person for person in (first.two, second.two) if person}
    assert any(set(pairing.persons) == left for pairing in now)
    assert all(first.one not in pairing.persons for pairing in now)


def test_late_in_the_round_fills_the_bye() -> None:
    championship = played(0, players=5)
    section, group = next(iter(championship.state.sections)), group_of(championship)
    do(championship, pair_round(championship, group))
    where = championship.state.group(group)[2]
    idle = next(pairing.one for pairing in where.rounds[0].pairings if pairing.two is None)
    act(championship, "registered", schools=[], entries=[{"person": 50, "section": section, "school": 1}])
    do(championship, place_late(championship, section, 50))
    do(championship, pair_again(championship, group))
    assert any(set(pairing.persons) == {idle, 50} for pairing in where.rounds[0].pairings)


def test_fixed_tables_stay_and_two_of_them_are_kept_apart() -> None:
    championship = begun(edition("hex", rounds=4), 8)
    group, fixed = group_of(championship), {2, 5}
    for _ in range(4):
        do(championship, pair_round(championship, group, fixed))
        enter(championship, group, random.Random(3))
    where = championship.state.group(group)[2]
    for person in fixed:
        alone = [pairing.table for _, pairing in where.pairings() if fixed & set(pairing.persons) == {person}]
        assert len(alone) >= 3 and len(set(alone)) == 1


def test_pairings_by_hand_warn() -> None:
    championship = played(1, players=4)
    group = group_of(championship)
    pairing = championship.state.group(group)[2].rounds[0].pairings[0]
    assert pairing.two is not None
    warned = pair_by_hand(championship, group, [(pairing.one, pairing.two)])
    assert any("meets an opponent again" in text.en for text in warned.warnings)
    do(championship, warned.decision)
    assert len(championship.state.group(group)[2].rounds[1].pairings) == 2


def test_two_logs_part_where_they_differ() -> None:
    one = played(1)
    two = Championship.replay(one.events)
    act(one, "presence", section="hex-all", persons=[1], presence="absent")
    act(two, "presence", section="hex-all", persons=[2], presence="absent")
    act(two, "presence", section="hex-all", persons=[3], presence="absent")
    found = compare(one.events, two.events)
    assert (found.common, len(found.only_first), len(found.only_second)) == (one.number - 1, 1, 2)


@pytest.mark.parametrize("kind", ["created", "registered", "presence", "swapped", "stage_drawn", "placed",
                                  "round_paired", "round_changed", "result", "corrected", "playoff", "lots",
                                  "settings_changed", "erased", "undone", "nonsense"])  # fmt: skip
def test_nonsense_in_a_log_is_refused_with_a_sentence(kind: str) -> None:
    """Whatever a foreign file holds, it is an answer and not a crash."""
    luck = random.Random(kind)
    championship = played(1)
    good = {"group": group_of(championship), "section": "hex-all", "stage": 1, "round": 2, "table": 1, "game": 1}
    for _ in range(150):
        data = {key: value for key, value in good.items() if luck.random() < 0.7}
        for key in luck.sample(["pairings", "result", "persons", "order", "numbers", "groups", "members", "schools",
                                "entries", "settings", "event", "reason", "presence", "in", "out", "edition", "seed",
                                "person"], 5):  # fmt: skip
            data[key] = luck.choice([None, -1, 3, "x", [], [[]], {}, [None], {"how": "bye"}, [{"table": 1}], True, 1.5])
        before = copy.deepcopy(championship.state)
        try:
            championship.apply(championship.event(Decision(kind, data), 0, 0.0))
        except TabuleiroError:
            assert championship.state == before


@pytest.mark.parametrize(
    "data", [{}, {"event": "x"}, {"event": 99, "reason": "x"}, {"event": 1, "reason": "x"}, [], None]
)
def test_a_foreign_log_with_a_senseless_undoing_is_refused(data: Any) -> None:
    championship = played(1)
    with pytest.raises(RefusedError):
        Championship.replay([*championship.events, Event(championship.number + 1, "undone", data, 0, 0.0)])


def test_nobody_comes_late_to_a_final() -> None:
    stages = [{"name": "G", "format": "swiss", "rounds": 1, "qualify": 2}, {"name": "F", "format": "match"}]
    championship = begun(edition("hex", stages=stages), 3)
    do(championship, pair_round(championship, group_of(championship)))
    enter(championship, group_of(championship), random.Random(1))
    for tied in ties_to_break(championship, group_of(championship)):
        do(championship, draw_lots(championship, group_of(championship), tied))
    do(championship, draw_stage(championship, "hex-all"))
    act(championship, "registered", schools=[], entries=[{"person": 9, "section": "hex-all", "school": 1}])
    with pytest.raises(RefusedError, match="first stage is over"):
        place_late(championship, "hex-all", 9)


def test_a_gap_in_the_numbers_is_refused() -> None:
    championship = played(1)
    with pytest.raises(RefusedError, match="missing"):
        championship.apply(Event(championship.number + 2, "erased", {"persons": []}, 0, 0.0))
    with pytest.raises(RefusedError, match="missing"):
        Championship.replay(championship.events[1:])
