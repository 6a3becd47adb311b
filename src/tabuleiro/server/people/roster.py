"""The pupils of a class from a list of names or a table: either every row is right, or each wrong one is named."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tabuleiro.championship.words import cycle_of_year, find_titles, plain
from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text
from tabuleiro.server.tables import MAX_NAME
from tabuleiro.sheets import read_table

MAX_PUPILS = 300
#: Characters of the name that others see, as of a nickname.
MAX_SHOWN = 20


class RosterError(TabuleiroError):
    """Rows that cannot be pupils; nothing was kept."""

    def __init__(self, rows: Sequence[tuple[int, Text]]) -> None:
        self.rows = list(rows)
        super().__init__(
            Text(
                "; ".join(f"linha {number}: {why.pt}" for number, why in self.rows),
                "; ".join(f"line {number}: {why.en}" for number, why in self.rows),
            )
        )


class Pupil(NamedTuple):
    name: str
    cycle: str = ""


def read_list(text: str, known: Sequence[str] = ()) -> list[Pupil]:
    """A name on each line, as people paste them: with or without numbers, bullets or a first line that says «Nome».
    Lines that came out of a spreadsheet are read as a table. `known`: the names that the class has already."""
    if "\t" in text or ";" in text:
        return read_file(text.encode(), known)
    rows = [
        (number, re.sub(r"^\s*(\d+\s*[.)º-]*|[-*•])\s+", "", line)) for number, line in enumerate(text.splitlines(), 1)
    ]
    return _pupils([(number, name, "") for number, name in rows if plain(name) not in ("nome", "name")], known)


def read_file(data: bytes, known: Sequence[str] = ()) -> list[Pupil]:
    """CSV or XLSX with a column of names; a single column needs no title."""
    rows = read_table(data)
    filled = [[cell for cell in row if cell] for row in rows]
    try:
        first, columns = find_titles(rows, ("name",))
    except TabuleiroError:
        if any(len(row) > 1 for row in filled):
            raise
        return _pupils([(place, row[0] if row else "", "") for place, row in enumerate(filled, 1)], known)

    def cell(row: Sequence[str], title: str) -> str:
        return row[columns[title]] if title in columns and columns[title] < len(row) else ""

    return _pupils(
        [
            (place, cell(row, "name"), cycle_of_year(cell(row, "year")) or "")
            for place, row in enumerate(rows[first + 1 :], first + 2)
            if filled[place - 1]
        ],
        known,
    )


def _pupils(rows: Sequence[tuple[int, str, str]], known: Sequence[str]) -> list[Pupil]:
    pupils: list[Pupil] = []
    wrong: list[tuple[int, Text]] = []
    lines = {plain(name): 0 for name in known}
    for number, cell, cycle in rows:
        name = " ".join(cell.split())
        if not name:
            continue
        if len(name) > MAX_NAME or not any(letter.isalpha() for letter in name) or not name.isprintable():
            wrong.append((number, Text(f"«{shorten(name)}» não é um nome", f"“{shorten(name)}” is not a name")))
        elif (line := lines.get(plain(name))) is not None:
            pt, en = (f"linha {line}", f"line {line}") if line else ("já está na turma", "is in the class already")
            wrong.append((number, Text(f"«{shorten(name)}» repetido ({pt})", f"“{shorten(name)}” twice ({en})")))
        else:
            lines[plain(name)] = number
            pupils.append(Pupil(name, cycle))
    if wrong:
        raise RosterError(wrong)
    if not pupils:
        raise TabuleiroError(Text("falta a lista dos nomes", "the list of names is missing"))
    if len(pupils) + len(known) > MAX_PUPILS:
        raise TabuleiroError(
            Text(f"uma turma tem no máximo {MAX_PUPILS} alunos", f"a class has at most {MAX_PUPILS} pupils")
        )
    return pupils


def shown_names(names: Sequence[str], taken: Sequence[str] = (), *, short: bool = True) -> list[str]:
    """The names that others see, all different: first name and initial of the last, or both names in full.

    >>> shown_names(["Ana Maria Silva", "Ana Sousa", "Rui"])
    ['Ana S.', 'Ana S. 2', 'Rui']
    >>> shown_names(["Ana Maria Silva", "Maximiliano Albuquerque"], short=False)
    ['Ana Silva', 'Maximiliano Albuq']
    """
    used = set(taken)
    shown = []
    for name in names:
        words = name.split()
        last = words[-1] if len(words) > 1 else ""
        initial = f" {last[0].upper()}." if last else ""
        base = words[0][: MAX_SHOWN - 6] + initial if short else f"{words[0]} {last}".strip()[: MAX_SHOWN - 3].strip()
        wish, count = base, 1
        while wish in used:
            count += 1
            wish = f"{base} {count}"
        used.add(wish)
        shown.append(wish)
    return shown
