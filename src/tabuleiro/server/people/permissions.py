"""Who may do what: the one place where that is decided."""

from collections.abc import Container
from typing import Literal, Protocol

from tabuleiro.language import Text
from tabuleiro.server.errors import SIGN_IN_FIRST, Refusal, RefusedError
from tabuleiro.server.identity import Who
from tabuleiro.server.log import Guest

#: What somebody is to a class or championship, or to a person of it: a pupil of it, a teacher of it, …
Relation = Literal[
    "nobody", "guest", "pupil", "other_pupil", "arbiter", "other_arbiter", "other_teacher", "teacher", "organiser"
]
Action = Literal[
    "make_class",
    "see_class",
    "change_class",
    "make_cards",
    "export_class",
    "run_vote",
    "make_set",
    "give_set",
    "see_results",
    "meet",
    "play_pupil",
    "watch_pupil",
    "see_person",
    "erase_person",
    "see_adults",
    "change_adults",
    "see_audit",
    "change_site",
    "end_own_sign_in",
    "make_championship",
    "check_in",
    "look_at_championship",
    "look_at_published",
    "see_championship",
    "change_championship",
    "enter_result",
    "watch_table",
    "play_table",
]

_TEACHERS: tuple[Relation, ...] = ("teacher", "organiser")
_OWN_CLASS: tuple[Relation, ...] = ("pupil", *_TEACHERS)
_SIGNED_IN: tuple[Relation, ...] = (
    "pupil",
    "other_pupil",
    "arbiter",
    "other_arbiter",
    "other_teacher",
    "teacher",
    "organiser",
)

#: The table: for each action those who may. Somebody may always see and erase what is about themselves.
MAY: dict[Action, tuple[Relation, ...]] = {
    "make_class": ("other_teacher", "teacher", "organiser"),
    "see_class": _TEACHERS,
    "change_class": _TEACHERS,
    "make_cards": _TEACHERS,
    "export_class": _TEACHERS,
    # To ask, and to be told what is chosen while votes are taken. Everybody who knows the code of a vote may vote.
    "run_vote": _TEACHERS,
    # To put tasks together; a set is changed by who made it, and by organisers.
    "make_set": ("other_teacher", "teacher", "organiser"),
    "give_set": _TEACHERS,
    # What each pupil did and learnt, with names.
    "see_results": _TEACHERS,
    "meet": _OWN_CLASS,
    "play_pupil": _OWN_CLASS,
    "watch_pupil": _OWN_CLASS,
    "see_person": _TEACHERS,
    "erase_person": _TEACHERS,
    "see_adults": ("organiser",),
    "change_adults": ("organiser",),
    "see_audit": ("organiser",),
    "change_site": ("organiser",),
    "end_own_sign_in": _SIGNED_IN,
    "make_championship": ("other_teacher", "teacher", "organiser"),
    # To be told of whoever shows a card: only what concerns a section that one looks after.
    "check_in": ("arbiter", "other_arbiter", "other_teacher", "teacher", "organiser"),
    # Pairings, results and standings, with short names.
    "look_at_championship": ("pupil", "arbiter", *_TEACHERS),
    "look_at_published": ("nobody", "guest", *_SIGNED_IN),
    # Whole names, arrangements, who called.
    "see_championship": ("arbiter", *_TEACHERS),
    "change_championship": _TEACHERS,
    # An arbiter of another section is no arbiter here.
    "enter_result": ("arbiter", *_TEACHERS),
    "watch_table": ("arbiter", *_TEACHERS),
    # Only where they are paired, and with whom.
    "play_table": ("pupil",),
}

#: What everybody who is signed in may do too, where the organiser opens the lobby to the whole server.
OPENED: tuple[Action, ...] = ("meet", "play_pupil", "watch_pupil")

NOT_ALLOWED = Refusal("not_allowed", Text("isso não te é permitido", "you are not allowed to do that"), 403)


class Group(Protocol):
    """What has teachers and pupils: a class or a championship. One that has arbiters says so in `arbiters`."""

    @property
    def teachers(self) -> Container[Guest]: ...

    @property
    def pupils(self) -> Container[Guest]: ...


def relation(who: Who, group: Group | None) -> Relation:
    """What somebody is to a class or championship; without one, to none."""
    if who.guest is None:
        return "nobody"
    if who.role == "pupil":
        return "pupil" if group is not None and who.guest in group.pupils else "other_pupil"
    if who.role == "teacher":
        return "teacher" if group is not None and who.guest in group.teachers else "other_teacher"
    if who.role == "arbiter" and who.guest not in getattr(group, "arbiters", (who.guest,)):
        return "other_arbiter"
    return who.role


def may(
    who: Who,
    action: Action,
    group: Group | None = None,
    person: Guest | None = None,
    *,
    open_lobby: bool = False,
) -> bool:
    """Whether somebody may do this, to a class or to a person of it. `open_lobby`: the organiser has opened it."""
    if person is not None and person == who.guest and action in ("see_person", "erase_person"):
        return who.sign_in is not None
    return relation(who, group) in (_SIGNED_IN if open_lobby and action in OPENED else MAY[action])


def require(who: Who, action: Action, group: Group | None = None, person: Guest | None = None) -> None:
    if not may(who, action, group, person):
        raise RefusedError(*(SIGN_IN_FIRST if who.sign_in is None else NOT_ALLOWED))
