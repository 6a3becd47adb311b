"""What is decided about people without a server: codes, attempts, lists of names, pairings, who may do what."""

import io
from collections import Counter
from contextlib import nullcontext
from itertools import combinations
from pathlib import Path

import openpyxl
import pytest

from tabuleiro.core import Player, TabuleiroError
from tabuleiro.server.championships.store import Hall
from tabuleiro.server.clock import ClockRule
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.identity import Role, Who
from tabuleiro.server.log import Decision, Event
from tabuleiro.server.people import codes
from tabuleiro.server.people.pairing import Pairing, pair
from tabuleiro.server.people.permissions import MAY, Action, Relation, may, relation
from tabuleiro.server.people.roster import RosterError, read_file, read_list, shown_names
from tabuleiro.server.people.school_class import SECOND_THOUGHTS, ClassSettings, HouseRules, SchoolClass
from tabuleiro.server.people.throttle import Throttle
from tabuleiro.server.settings import sqlite_url

TEACHER, PUPILS = 1, (11, 12, 13, 14, 15)


def school_class() -> SchoolClass:
    return SchoolClass("k" * 12, ClassSettings("7.º B", "Escola", "3", "BCDF", TEACHER, PUPILS), 0.0)


# ---- codes


def test_codes_are_long_enough_and_hard_to_mistake() -> None:
    assert len(codes.LETTERS) ** codes.CODE_LENGTH > 4e8 and len(set(codes.LETTERS)) == len(codes.LETTERS)
    assert not set(codes.LETTERS) & set("AEIOU01L")
    assert len({codes.new_token() for _ in range(1000)}) == 1000
    assert all(len(codes.new_token()) * 6 >= 128 for _ in range(10))


def test_the_secret_is_kept_in_a_file_of_its_owner(tmp_path: Path) -> None:
    secret = codes.load_secret(sqlite_url(tmp_path))
    assert len(secret) == 32 and codes.load_secret(sqlite_url(tmp_path)) == secret
    (file,) = tmp_path.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert codes.code_hash(secret, "class", "K7M4PQ") != codes.code_hash(secret, "other", "K7M4PQ")


# ---- attempts


def attempts(throttle: Throttle, about: str, address: str, browser: str | None) -> int:
    """How many attempts somebody has before they are refused, all made before the first is compared."""
    for count in range(1000):
        try:
            throttle.attempt(about, address, browser)
        except RefusedError:
            return count
    raise AssertionError("nobody was stopped")


def test_who_guesses_is_stopped_and_the_class_is_not() -> None:
    now = 0.0
    throttle = Throttle(lambda: now)
    for _ in range(200):  # who is right is never stopped
        throttle.attempt("BCDF", "school", "one browser")
        throttle.right("BCDF", "school", "one browser")
    assert attempts(throttle, "BCDF", "school", "one browser") == 10
    throttle.attempt("BCDF", "school", "another browser")
    for house in range(20):  # a crowd elsewhere uses up what strangers may do
        attempts(throttle, "BCDF", f"house {house}", None)
    with pytest.raises(RefusedError):
        throttle.attempt("BCDF", "a new house", None)
    throttle.attempt("BCDF", "school", "another browser")
    now = 31.0
    throttle.attempt("BCDF", "school", "one browser")


# ---- lists


@pytest.mark.parametrize(
    "text",
    [
        "Ana Silva\nRui Costa\n",
        "Nome\n1. Ana   Silva\n2. Rui Costa",
        " - Ana Silva\r\n\r\n - Rui Costa \r\n",
        "N.º\tNome\n1\tAna Silva\n2\tRui Costa",
        "nome;turma\nAna Silva;7B\nRui Costa;7B\n",
    ],
)
def test_names_are_read_as_people_paste_them(text: str) -> None:
    assert [pupil.name for pupil in read_list(text)] == ["Ana Silva", "Rui Costa"]


def test_each_wrong_row_is_named_and_nothing_is_read() -> None:
    with pytest.raises(RosterError) as wrong:
        read_list("Ana Silva\n???\nRui\nana  silva\n" + "x" * 101, ["Eva"])
    assert [number for number, _ in wrong.value.rows] == [2, 4, 5]
    assert "linha 4: «ana silva» repetido (linha 1)" in wrong.value.text.pt
    with pytest.raises(RosterError, match="is in the class already"):
        read_list("Rui\nEva", ["Eva"])
    with pytest.raises(TabuleiroError, match="missing"):
        read_list(" \n")


def test_files_of_spreadsheets() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Escola X"], ["Nome", "Ano"], ["Ana Silva", 7], ["Rui Costa", 5]):
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    assert read_file(file.getvalue()) == [("Ana Silva", "3"), ("Rui Costa", "2")]
    assert [pupil.name for pupil in read_file("João\r\nInês\r\n".encode("cp1252"))] == ["João", "Inês"]


def test_the_names_that_others_see_are_short_and_different() -> None:
    names = ["Ana Maria Silva", "Ana Sousa", "Ana Santos", "Rui", "Bartolomeuzinho Perestrelo"]
    shown = shown_names(names, ["Rui"])
    assert shown == ["Ana S.", "Ana S. 2", "Ana S. 3", "Rui 2", "Bartolomeuzinh P."]
    assert all(len(name) <= 20 for name in shown)


# ---- pairings


@pytest.mark.parametrize("count", [2, 5, 8, 25])
def test_everybody_plays_somebody_and_nobody_twice_the_same_while_that_can_be(count: int) -> None:
    pupils = list(range(1, count + 1))
    past: list[Pairing] = []
    met: Counter[frozenset[int]] = Counter()
    rounds = count - 1 if count % 2 == 0 and count < 10 else min(count, 5)
    for seed in range(rounds):
        made = pair(pupils, past, seed)
        seated = [guest for pairing in made for guest in (pairing.one, pairing.two) if guest is not None]
        assert sorted(seated) == pupils
        assert sum(pairing.two is None for pairing in made) == count % 2
        past += made
        met.update(frozenset((pairing.one, pairing.two)) for pairing in made if pairing.two is not None)
    if count == 25:
        assert max(met.values()) == 1
    alone = Counter(pairing.one for pairing in past if pairing.two is None)
    assert not alone or max(alone.values()) == 1, "the computer is shared out"


def test_the_latest_meeting_is_avoided_first() -> None:
    past = [Pairing(1, 2), Pairing(3, 4), Pairing(1, 3), Pairing(2, 4), Pairing(1, 4), Pairing(2, 3), Pairing(1, 2)]
    for seed in range(5):
        made = {frozenset((pairing.one, pairing.two or 0)) for pairing in pair([1, 2, 3, 4], past, seed)}
        assert made == {frozenset((1, 3)), frozenset((2, 4))}


def test_who_began_less_often_begins() -> None:
    for seed in range(10):
        (made,) = pair([1, 2], [Pairing(1, 2)], seed)
        assert made.one == 2


# ---- class


def happen(each: SchoolClass, *decisions: Decision) -> None:
    for kind, data, _ in decisions:
        each.apply(Event(each.number + 1, kind, data, 100.0))


def test_a_class_is_what_its_events_tell() -> None:
    each = school_class()
    happen(each, each.decide_pupils([16]), each.decide_nicknames(False))
    happen(each, each.decide_remove(12))
    assert each.pupils == [11, 13, 14, 15, 16] and each.removed == {12: 100.0}
    with pytest.raises(RefusedError):
        each.decide_remove(12)
    with pytest.raises(RefusedError):
        each.decide_bring_back(12, 101.0 + SECOND_THOUGHTS)
    happen(each, each.decide_bring_back(12, 200.0))
    assert 12 in each.pupils and not each.removed
    rules = HouseRules(takebacks=False, hints=False, highest_level=2, games=("hex",))
    happen(each, each.decide_rules(rules))
    with pytest.raises(RefusedError):
        each.decide_round("ouri", {}, None, [11, 12], ["s"], 0)
    sessions = [f"session{n}" for n in range(5)]
    decision = each.decide_round("hex", {"size": "5"}, ClockRule("move", 30.0), [11, 12, 13], sessions, 0)
    event = Event(each.number + 1, decision.kind, decision.data, 300.0)
    begun = each.successors(event)
    assert len(begun) == 2 and [*{session.settings.house for session in begun}] == [(False, False)]
    assert sorted(seat.level or 0 for session in begun for seat in session.settings.seats) == [0, 0, 0, 2]
    each.apply(event)
    again = SchoolClass.begin(each.id, each.settings_json(), 0.0)
    assert again.members() == {1: 1, 2: 11, 3: 12, 4: 13, 5: 14, 6: 15}
    assert each.members() == {**again.members(), 7: 16}
    happen(each, each.decide_year("8.º B"))
    assert each.name == "8.º B" and not each.rounds


@pytest.mark.parametrize(
    ("rules", "no_takebacks", "no_hints"),
    [
        (HouseRules(takebacks=False), "no take-backs", None),
        (HouseRules(hints=False), None, "no hints"),
        (HouseRules(takebacks=False, hints=False), "a move made stands", "a move made stands"),
    ],
)
def test_house_rules_hold_in_its_games(rules: HouseRules, no_takebacks: str | None, no_hints: str | None) -> None:
    each = school_class()
    happen(each, each.decide_rules(rules))
    decision = each.decide_round("hex", {}, None, [11, 12, 13], ["s", "t"], 0)
    alone = each.successors(Event(2, decision.kind, decision.data, 0.0))[-1]
    restored = type(alone).begin("t", alone.settings_json(), 0.0)
    pupil = restored.seats[Player.ONE].guest
    restored.apply(Event(1, "move", {"move": "f6"}, 0.0))
    restored.apply(Event(2, "move", {"move": "e5"}, 0.0))
    with pytest.raises(RefusedError, match=no_takebacks) if no_takebacks else nullcontext():
        restored.decide_ask_takeback(pupil)
    with pytest.raises(RefusedError, match=no_hints) if no_hints else nullcontext():
        restored.require_hint(pupil)
    assert restored.rematch_settings().house == rules.house()


# ---- permissions

#: Everybody who may ask, and what they are to the class.
ASKING: dict[Relation, Who] = {
    "nobody": Who(None),
    "guest": Who(99),
    "pupil": Who(11, "pupil", 5),
    "other_pupil": Who(98, "pupil", 5),
    "arbiter": Who(97, "arbiter", 5),
    "other_teacher": Who(96, "teacher", 5),
    "teacher": Who(TEACHER, "teacher", 5),
    "organiser": Who(95, "organiser", 5),
}
#: The same table, written by hand: n nobody, g guest, p pupil, q pupil of another, a arbiter, u other teacher,
#: t teacher, o organiser.
WRITTEN: dict[Action, str] = {
    "make_class": "uto",
    "see_class": "to",
    "change_class": "to",
    "make_cards": "to",
    "export_class": "to",
    "meet": "pto",
    "play_pupil": "pto",
    "watch_pupil": "pto",
    "see_person": "to",
    "erase_person": "to",
    "see_adults": "o",
    "change_adults": "o",
    "see_audit": "o",
    "change_site": "o",
    "end_own_sign_in": "pqauto",
    "make_championship": "uto",
    "check_in": "auto",
    "look_at_championship": "pato",
    "look_at_published": "ngpqauto",
    "see_championship": "ato",
    "change_championship": "to",
    "enter_result": "ato",
    "watch_table": "ato",
    "play_table": "p",
    "run_vote": "to",
    "make_set": "uto",
    "give_set": "to",
    "see_results": "to",
}
SIGNS: dict[Relation, str] = dict(zip(ASKING, "ngpqauto", strict=True))


@pytest.mark.parametrize("action", MAY)
def test_who_may_do_what(action: Action) -> None:
    group = school_class()
    for wanted, who in ASKING.items():
        assert relation(who, group) == wanted
        assert may(who, action, group) == (SIGNS[wanted] in WRITTEN[action]), (wanted, action)
        opened = "pqauto" if action in ("meet", "play_pupil", "watch_pupil") else WRITTEN[action]
        assert may(who, action, group, open_lobby=True) == (SIGNS[wanted] in opened), (wanted, action)
    assert may(ASKING["pupil"], "see_person", group, person=11) and not may(ASKING["pupil"], "see_person", group, 12)
    assert not may(Who(99), "see_person", None, person=99), "a guest is no person"


def test_an_arbiter_of_another_section_is_none_here() -> None:
    arbiter = ASKING["arbiter"]
    here, elsewhere = Hall((1,), (), (97,)), Hall((1,), (), ())
    assert relation(arbiter, here) == "arbiter" and may(arbiter, "enter_result", here)
    assert relation(arbiter, elsewhere) == "other_arbiter"
    may_still = {action for action in MAY if may(arbiter, action, elsewhere)}
    assert may_still == {"end_own_sign_in", "look_at_published", "check_in"}


def test_no_role_is_forgotten() -> None:
    roles: set[Role] = {who.role for who in ASKING.values()}
    assert roles == {"guest", "pupil", "arbiter", "teacher", "organiser"}
    assert {*MAY} == {*WRITTEN}
    for a, b in combinations(ASKING, 2):
        assert ASKING[a] != ASKING[b]
