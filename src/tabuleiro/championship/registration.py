"""Registrations from a table: either every row is right, or each wrong one is named and nothing is registered."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tabuleiro.championship.edition import ARRANGEMENTS, MOST_ENTRIES, MOST_ENTRIES_IN_ALL
from tabuleiro.championship.events import Json, Person
from tabuleiro.championship.model import State
from tabuleiro.championship.people import Details, People
from tabuleiro.championship.words import (
    TITLES,
    cycle_of_year,
    find_titles,
    plain,
    read_arrangements,
    read_cycle,
    read_game,
)
from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text

MOST_LETTERS = 100  # in a name


class RegistrationError(TabuleiroError):
    """Rows that cannot be registered; nothing was."""

    def __init__(self, rows: "Sequence[tuple[int, Text]]") -> None:
        self.rows = list(rows)
        number, why = self.rows[0]
        more = len(self.rows) - 1
        super().__init__(
            Text(
                f"linha {number}: {why.pt}" + (f" (e mais {more})" if more else ""),
                f"row {number}: {why.en}" + (f" (and {more} more)" if more else ""),
            )
        )


class FullError(TabuleiroError):
    """More pupils than a section, or a championship, may have; nobody was registered."""


def require_room(state: State, added: Mapping[str, int] | None = None) -> None:
    """Raise `FullError` if so many more in each section are too many; without them, if there are too many already.

    Those who withdrew do not count, and a section that nobody is added to may be as large as it is.
    """
    count = Counter(added)
    for section in state.sections.values():
        count[section.plan.id] += sum(entry.presence != "withdrawn" for entry in section.entries.values())
    for name, entries in count.items():
        if entries > MOST_ENTRIES and (added is None or added.get(name)):
            raise FullError(
                Text(
                    f"{name}: uma secção tem no máximo {MOST_ENTRIES} inscritos, e assim teria {entries}; "
                    "divide-a em dois campeonatos",
                    f"{name}: a section has at most {MOST_ENTRIES} entries, and would have {entries}; "
                    "split it into two championships",
                )
            )
    if count.total() > MOST_ENTRIES_IN_ALL:
        raise FullError(
            Text(
                f"um campeonato tem no máximo {MOST_ENTRIES_IN_ALL} inscritos, e assim teria {count.total()}",
                f"a championship has at most {MOST_ENTRIES_IN_ALL} entries, and would have {count.total()}",
            )
        )


@dataclass
class Registration:
    """What a table adds: an event, and the names that go to the table of names."""

    data: Json
    people: dict[Person, Details]
    #: Things that are right but worth a look.
    notes: list[Text] = field(default_factory=list)


def next_person(state: State, people: People) -> Person:
    """A number that nobody has or had."""
    registered = (person for section in state.sections.values() for person in section.entries)
    return 1 + max([0, *people, *registered, *state.erased])


class _Reader:
    """Reads row after row, and remembers what it has seen."""

    def __init__(self, state: State, people: People) -> None:
        self.state, self.edition = state, state.rules
        self.wrong: list[tuple[int, Text]] = []
        self.next_person = next_person(state, people)
        self.new_people: dict[Person, Details] = {}
        self.schools = {plain(school.name): school.id for school in state.schools.values()}
        self.new_schools: dict[str, Json] = {}
        self.entries: list[Json] = []
        self.teachers: dict[str, Person] = {}
        #: (school, class, name) to the person, and the row where it stood; 0 for those registered before.
        self.known: dict[tuple[int, str, str], tuple[Person, int]] = {}
        self.sections_of: dict[Person, dict[str, int]] = {}
        self.of_school: dict[tuple[str, int], int] = {}
        for section in state.sections.values():
            for entry in section.entries.values():
                if entry.presence != "withdrawn":
                    self.of_school[section.plan.id, entry.school] = (
                        self.of_school.get((section.plan.id, entry.school), 0) + 1
                    )
                if (details := people.get(entry.person)) is not None:
                    self.known[entry.school, plain(details.school_class), plain(details.name)] = (entry.person, 0)
                self.sections_of.setdefault(entry.person, {})[section.plan.id] = 0

    def person(self, details: Details) -> Person:
        number = self.next_person
        self.next_person += 1
        self.new_people[number] = details
        return number

    def row(self, number: int, cells: dict[str, str]) -> None:
        def no(pt: str, en: str) -> None:
            self.wrong.append((number, Text(pt, en)))

        name = cells["name"]
        if not name or not cells["school"]:
            return no("falta o nome ou a escola", "the name or the school is missing")
        if len(name) > MOST_LETTERS or len(cells["school"]) > MOST_LETTERS or not any(c.isalpha() for c in name):
            return no(f"«{shorten(name)}» não é um nome", f"“{shorten(name)}” is not a name")
        game = read_game(cells["game"], self.edition)
        if game is None:
            known = ", ".join(sorted({section.game for section in self.edition.sections}))
            given = shorten(cells["game"])
            return no(f"não há o jogo «{given}»; há: {known}", f"there is no game “{given}”; there are: {known}")
        cycle = self.cycle(cells)
        if cycle is None:
            given = shorten(cells["cycle"] or cells["year"])
            known = ", ".join(self.edition.cycles)
            return no(f"não há o ciclo «{given}»; há: {known}", f"there is no cycle “{given}”; there are: {known}")
        section = f"{game}-{cycle}"
        if section not in self.state.sections:
            return no(f"{game} não se joga no ciclo {cycle}", f"{game} is not played in cycle {cycle}")
        arrangements = read_arrangements(cells["arrangements"])
        if arrangements is None:
            given = shorten(cells["arrangements"])
            pt, en = (", ".join(text.to(language) for text in ARRANGEMENTS.values()) for language in ("pt", "en"))
            return no(f"adaptação desconhecida: «{given}»; há: {pt}", f"unknown arrangement “{given}”; there are: {en}")
        return self.enter(number, cells, section, Details(name, cells["class"], arrangements))

    def cycle(self, cells: dict[str, str]) -> str | None:
        if cells["cycle"]:
            return read_cycle(cells["cycle"], self.edition)
        if cells["year"]:
            cycle = cycle_of_year(cells["year"])
            return cycle if cycle in self.edition.cycles else None
        return next(iter(self.edition.cycles)) if len(self.edition.cycles) == 1 else None

    def enter(self, number: int, cells: dict[str, str], section: str, details: Details) -> None:
        school = self.school(cells)
        key = (school, plain(details.school_class), plain(details.name))
        person, row = self.known.get(key, (0, 0))
        others = self.sections_of.get(person, {}) if person else {}
        where_pt, where_en = (f"linha {row}", f"row {row}") if row else ("já inscrito", "registered before")
        if section in others:
            self.wrong.append(
                (number, Text(f"{details.name}: repetido ({where_pt})", f"{details.name}: twice ({where_en})"))
            )
            return
        if len(others) >= self.edition.games_per_pupil:
            said = Text(
                f"{details.name}: já joga {', '.join(others)} ({where_pt}); se é outro aluno, indica a turma",
                f"{details.name}: plays {', '.join(others)} already ({where_en}); is it another pupil? say the class",
            )
            self.wrong.append((number, said))
            return
        limit, count = self.edition.pupils_per_school, self.of_school.get((section, school), 0)
        if limit is not None and count >= limit:
            said = Text(
                f"{cells['school']}: só pode ter {limit} em {section}",
                f"{cells['school']}: may have {limit} in {section}",
            )
            self.wrong.append((number, said))
            return
        self.of_school[section, school] = count + 1
        if not person:
            person = self.person(details)
            self.known[key] = (person, number)
        self.sections_of.setdefault(person, {})[section] = number
        self.entries.append({"person": person, "section": section, "school": school})

    def school(self, cells: dict[str, str]) -> int:
        """The school of that name, made where it is new; its teachers are those its rows name."""
        key = plain(cells["school"])
        if key not in self.schools:
            number = 1 + max(self.schools.values(), default=0)
            self.schools[key] = number
            self.new_schools[key] = {"id": number, "name": cells["school"], "region": cells["region"], "teachers": []}
        new = self.new_schools.get(key)
        if new is not None:
            new["region"] = new["region"] or cells["region"]
            teacher = f"{key}/{plain(cells['teacher'])}"
            if cells["teacher"] and teacher not in self.teachers:
                self.teachers[teacher] = self.person(Details(cells["teacher"][:MOST_LETTERS]))
                new["teachers"].append(self.teachers[teacher])
        return self.schools[key]


def read_registration(rows: Sequence[Sequence[str]], state: State, people: People) -> Registration:
    """The registrations of a table. Raises `RegistrationError` with every wrong row, numbered as in the file."""
    titles, columns = find_titles(rows)
    reader = _Reader(state, people)
    for place in range(titles + 1, len(rows)):
        if any(rows[place]):
            row = dict(enumerate(rows[place]))
            reader.row(place + 1, {key: row.get(columns.get(key, -1), "") for key in TITLES})
    if reader.wrong:
        raise RegistrationError(reader.wrong)
    if not reader.entries:
        raise TabuleiroError(Text("o ficheiro não tem inscrições", "the file has no registrations"))
    require_room(state, Counter(entry["section"] for entry in reader.entries))
    data = {"schools": list(reader.new_schools.values()), "entries": reader.entries}
    return Registration(data, reader.new_people, _lookalikes(reader))


def _lookalikes(reader: _Reader) -> list[Text]:
    """Schools whose names differ only in the words every school has: perhaps one school written in two ways."""
    common = {
        "escola",
        "escolas",
        "basica",
        "secundaria",
        "agrupamento",
        "eb",
        "es",
        "ebs",
        "ae",
        "de",
        "da",
        "do",
        "e",
    }
    by_core: dict[str, list[str]] = {}
    for key in reader.schools:
        core = " ".join(word for word in key.split() if word not in common)
        by_core.setdefault(core or key, []).append(key)
    found = []
    for names in by_core.values():
        if len(names) > 1 and any(name in reader.new_schools for name in names):
            listed = " / ".join(sorted(names))
            found.append(Text(f"será a mesma escola? {listed}", f"is this one school? {listed}"))
    return found
