"""Who plays, as people send it: a table with a row of titles, or only names."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tabuleiro import games
from tabuleiro.championship.edition import DECIDING
from tabuleiro.championship.events import Json
from tabuleiro.championship.model import State
from tabuleiro.championship.registration import RegistrationError
from tabuleiro.championship.words import find_titles
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.people.roster import RosterError, read_list
from tabuleiro.sheets import MOST_ROWS as MOST_TABLE_ROWS
from tabuleiro.sheets import TooLargeError, read_table

if TYPE_CHECKING:
    from tabuleiro.server.championships import schemas

#: Wrong rows that are told one by one.
MOST_ROWS = 30
#: What stands for the school where nobody says one: in a tournament of a class all are of it.
NO_SCHOOL = "—"


def read_rows(names: str, file: bytes | None, section_id: str | None, state: State) -> list[list[str]]:
    """The table to register, whatever came. Where only names came they go to a section."""
    if file is not None:
        return read_table(file)
    if any(letter in names for letter in "\t;") and _has_titles(names):
        return read_table(names.encode())
    lines = names.splitlines()
    if len(lines) > MOST_TABLE_ROWS:
        raise TooLargeError(
            Text(f"a lista tem mais de {MOST_TABLE_ROWS} nomes", f"the list has more than {MOST_TABLE_ROWS} names")
        )
    section = state.section(section_id) if section_id else next(iter(state.sections.values()))
    if not section_id and len(state.sections) > 1:
        raise RefusedError(
            "which_section", Text("diz em que jogo e ciclo se inscrevem", "say in which game and cycle they enter"), 409
        )
    rows = [["Nome", "Escola", "Jogo", "Ciclo"]]
    for line in lines:  # rows keep their numbers, so that what is wrong is named by its line
        try:
            (name,) = [pupil.name for pupil in read_list(line)] if line.strip() else [""]
        except RosterError:
            name = line.strip()
        plan = section.plan
        rows.append([name, NO_SCHOOL, plan.game, plan.cycle] if name else [])
    return rows


def _has_titles(text: str) -> bool:
    try:
        find_titles(read_table(text.encode()))
    except TabuleiroError:
        return False
    return True


def wrong_rows(error: RegistrationError, *, only_names: bool) -> RefusedError:
    """Each wrong row with its cause, on a line of its own. Where only names came there was no row of titles."""
    less = 1 if only_names else 0
    told: Sequence[tuple[int, Text]] = [(number - less, why) for number, why in error.rows[:MOST_ROWS]]
    more = len(error.rows) - len(told)
    pt = [f"linha {number}: {why.pt}" for number, why in told] + ([f"e mais {more}"] if more else [])
    en = [f"row {number}: {why.en}" for number, why in told] + ([f"and {more} more"] if more else [])
    return RefusedError("wrong_rows", Text("\n".join(pt), "\n".join(en)))


def quick_edition(quick: "schemas.QuickBody") -> Json:
    """The edition of a championship of one game."""
    game = games.get(quick.game)
    stage: Json = {"name": {"pt": "Torneio", "en": "Tournament"}, "format": quick.format}
    if quick.rounds is not None:
        stage["rounds"] = quick.rounds
    if quick.format in DECIDING:
        stage["best_of"] = quick.best_of
    if quick.format == "knockout":
        stage["third_place"] = True
    if quick.format == "arena" and quick.minutes is not None:
        stage["minutes"] = quick.minutes
    if quick.clock is not None:
        stage["clock"] = quick.clock.model_dump()
    return {
        "name": game.name._asdict(),
        "cycles": {"all": {"pt": "todos", "en": "all"}},
        "sections": [{"game": quick.game, "cycles": ["all"], "options": quick.options}],
        "stages": [stage],
    }


def is_only_names(rows: Sequence[Sequence[str]]) -> bool:
    return rows[:1] == [["Nome", "Escola", "Jogo", "Ciclo"]] and all(not row or row[1] == NO_SCHOOL for row in rows[1:])
