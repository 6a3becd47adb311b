"""`tabuleiro championship new|register|enter|check-in|absent|withdraw|swap|erase`: who plays."""

from typing import Annotated

import typer

from tabuleiro.cli.arguments import JsonOption, naming
from tabuleiro.cli.championship.common import (
    FileArgument,
    PersonsArgument,
    WhoOption,
    find_sections,
    now,
    path_of,
    person_name,
    said,
    show_open,
)
from tabuleiro.cli.speech import both, complain, language, print_json, tr
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

NEW_HELP = both("Cria um campeonato a partir de um modelo.", "Make a championship from a template.")
REGISTER_HELP = both(
    "Inscreve os alunos de uma tabela (CSV ou XLSX): todos ou nenhum; cada linha errada é indicada.",
    "Register the pupils of a table (CSV or XLSX): all or none; every wrong row is named.",
)
ENTER_HELP = both(
    "Inscreve um aluno; depois do sorteio, entra logo num grupo.", "Register one pupil; after the draw, into a group."
)
CHECK_IN_HELP = both("Regista quem chegou.", "Check in those who have come.")
ABSENT_HELP = both("Regista quem falta, por agora.", "Note who is missing for now.")
WITHDRAW_HELP = both("Regista quem desistiu.", "Note who has left.")
SWAP_HELP = both(
    "Troca um aluno que ainda não jogou por outro da mesma escola.",
    "Replace a pupil who has not played by another of the same school.",
)
ERASE_HELP = both(
    "Apaga o nome e as adaptações de alunos; os resultados ficam, sem nome.",
    "Erase the names and arrangements of pupils; results stay, without a name.",
)

NameOption = Annotated[
    str, typer.Option("--name", metavar="NAME", show_default=False, help=both("O nome do aluno.", "The pupil's name."))
]
ClassOption = Annotated[str, typer.Option("--class", metavar="CLASS", help=both("A turma.", "The class."))]
ArrangementsOption = Annotated[
    str,
    typer.Option(
        "--arrangements",
        metavar="LIST",
        help=both("Mesa fixa, letra grande, acompanhante.", "Fixed table, large print, helper."),
    ),
]


def new(
    file: FileArgument,
    template: Annotated[
        str | None,
        typer.Option(
            "--template",
            metavar="NAME",
            help=both("O modelo: cnjm6, school-day, one-lesson.", "The template: cnjm6, school-day, one-lesson."),
        ),
    ] = None,
    edition: Annotated[
        str | None,
        typer.Option(
            "--edition", metavar="TOML", help=both("Uma edição tua, em TOML.", "An edition of yours, in TOML.")
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="N", min=0, max=2**53 - 1, help=both("Número do sorteio.", "Number of the draw.")
        ),
    ] = None,
    who: WhoOption = 0,
    json: JsonOption = False,
) -> None:
    import secrets

    from tabuleiro.championship import Championship
    from tabuleiro.championship.edition import load_edition, load_template, templates
    from tabuleiro.championship.file import create

    if (template is None) == (edition is None):
        known = ", ".join(templates())
        raise TabuleiroError(
            Text(
                f"escolhe --template ({known}) ou --edition FICHEIRO", f"choose --template ({known}) or --edition FILE"
            )
        )
    if edition is not None:
        with naming(edition):
            plan = load_edition(path_of(edition).read_text("utf-8"))
    else:
        plan = load_template(template or "")
    drawn = secrets.randbelow(10**6) if seed is None else seed
    championship = Championship()
    decision = championship.decide("created", {"edition": plan, "seed": drawn})
    create(path_of(file), decision, now(), who)
    championship.apply(championship.event(decision, who, now()))
    sections = championship.state.rules.sections
    if json:
        print_json({"file": file, "seed": drawn, "sections": [section.id for section in sections]})
        return
    print(said(championship.state.rules.name))
    for section in sections:
        print(f"  {section.id:<14} {said(championship.state.rules.section_name(section))}")
    print(tr(f"Número do sorteio: {drawn}", f"Number of the draw: {drawn}"))


def register(
    file: FileArgument,
    table: Annotated[
        str,
        typer.Argument(metavar="TABLE", show_default=False, help=both("CSV ou XLSX.", "CSV or XLSX.")),
    ],
    who: WhoOption = 0,
    json: JsonOption = False,
) -> None:
    from tabuleiro.championship.registration import RegistrationError
    from tabuleiro.sheets import read_table

    with naming(table):
        rows = read_table(path_of(table).read_bytes())
    try:
        _register(file, rows, who, json)
    except RegistrationError as error:
        # One line for each wrong row, then how it ended.
        for number, why in error.rows:
            complain(Text(f"{table}, linha {number}: {why.pt}", f"{table}, row {number}: {why.en}"))
        count = len(error.rows)
        raise TabuleiroError(
            Text(f"nada foi inscrito: {count} linha(s) por corrigir", f"nothing was registered: {count} row(s) to mend")
        ) from error


def _register(file: str, rows: list[list[str]], who: int, json: bool) -> None:
    from tabuleiro.championship.decisions import place_late
    from tabuleiro.championship.file import writing
    from tabuleiro.championship.registration import read_registration

    with writing(path_of(file)) as writer:
        championship = writer.championship
        registration = read_registration(rows, championship.state, writer.people)
        writer.act(championship.decide("registered", registration.data), who, now(), registration.people)
        placed = []
        for entry in registration.data["entries"]:
            if championship.state.sections[entry["section"]].stages:
                event = writer.act(place_late(championship, entry["section"], entry["person"]), who, now())
                placed.append((entry["person"], event.data["group"]))
    entries, schools = registration.data["entries"], registration.data["schools"]
    if json:
        print_json(
            {
                "registered": entries,
                "schools": len(schools),
                "placed": [{"person": person, "group": group} for person, group in placed],
                "notes": [note.to(language()) for note in registration.notes],
            }
        )
        return
    print(
        tr(
            f"Inscritos: {len(entries)}. Escolas novas: {len(schools)}.",
            f"Registered: {len(entries)}. New schools: {len(schools)}.",
        )
    )
    for person, group in placed:
        print(f"  {person_name(registration.people, person)}: {group}")
    for note in registration.notes:
        complain(note)


def enter(
    file: FileArgument,
    name: NameOption,
    school: Annotated[
        str, typer.Option("--school", metavar="NAME", show_default=False, help=both("A escola.", "The school."))
    ],
    game: Annotated[str, typer.Option("--game", metavar="GAME", show_default=False, help=both("O jogo.", "The game."))],
    cycle: Annotated[str, typer.Option("--cycle", metavar="CYCLE", help=both("O ciclo.", "The cycle."))] = "",
    region: Annotated[str, typer.Option("--region", metavar="NAME", help=both("O distrito.", "The district."))] = "",
    school_class: ClassOption = "",
    arrangements: ArrangementsOption = "",
    who: WhoOption = 0,
    json: JsonOption = False,
) -> None:
    titles = ["name", "school", "game", "cycle", "region", "class", "arrangements"]
    _register(file, [titles, [name, school, game, cycle, region, school_class, arrangements]], who, json)


def _presence(file: str, persons: list[int], presence: str, who: int, json: bool) -> None:
    from tabuleiro.championship.file import writing

    with writing(path_of(file)) as writer:
        championship = writer.championship
        by_section: dict[str, list[int]] = {}
        for person in persons:
            for section in find_sections(championship, person):
                by_section.setdefault(section, []).append(person)
        for section, some in by_section.items():
            data = {"section": section, "persons": some, "presence": presence}
            writer.act(championship.decide("presence", data), who, now())
    if json:
        print_json({"presence": presence, "persons": persons})
        return
    for person in persons:
        print(f"{person_name(writer.people, person)}: {_PRESENCES[presence].to(language())}")
    if presence != "present":
        show_open(writer, persons)


_PRESENCES = {
    "present": Text("presente", "present"),
    "absent": Text("ausente", "absent"),
    "withdrawn": Text("desistiu", "withdrawn"),
}


def check_in(
    file: FileArgument,
    persons: Annotated[
        list[int] | None,
        typer.Argument(
            metavar="PERSON", show_default=False, help=both("Números dos alunos.", "Numbers of the pupils.")
        ),
    ] = None,
    everybody: Annotated[
        bool, typer.Option("--all", help=both("Todos os que ainda se esperam.", "All who are still expected."))
    ] = False,
    who: WhoOption = 0,
    json: JsonOption = False,
) -> None:
    from tabuleiro.championship.file import read

    if everybody:
        state = read(path_of(file)).championship.state
        expected = {e.person for s in state.sections.values() for e in s.entries.values() if e.presence == "expected"}
        persons = sorted(expected)
    _presence(file, persons or [], "present", who, json)


def absent(file: FileArgument, persons: PersonsArgument, who: WhoOption = 0, json: JsonOption = False) -> None:
    _presence(file, persons, "absent", who, json)


def withdraw(file: FileArgument, persons: PersonsArgument, who: WhoOption = 0, json: JsonOption = False) -> None:
    _presence(file, persons, "withdrawn", who, json)


def swap(
    file: FileArgument,
    person: Annotated[
        int,
        typer.Argument(metavar="PERSON", show_default=False, help=both("Quem sai.", "Who leaves.")),
    ],
    name: NameOption,
    school_class: ClassOption = "",
    arrangements: ArrangementsOption = "",
    who: WhoOption = 0,
    json: JsonOption = False,
) -> None:
    from tabuleiro.championship.file import writing
    from tabuleiro.championship.people import Details
    from tabuleiro.championship.registration import next_person
    from tabuleiro.championship.words import read_arrangements

    found = read_arrangements(arrangements)
    if found is None or not name.strip():
        raise TabuleiroError(Text("falta o nome, ou a adaptação não existe", "no name, or no such arrangement"))
    with writing(path_of(file)) as writer:
        championship = writer.championship
        (section, *_) = find_sections(championship, person)
        new_person = next_person(championship.state, writer.people)
        details = {new_person: Details(" ".join(name.split()), school_class, found)}
        data = {"section": section, "out": person, "in": new_person}
        writer.act(championship.decide("swapped", data), who, now(), details)
    if json:
        print_json({"section": section, "out": person, "in": new_person})
    else:
        print(f"{section}: {person_name(writer.people, person)} → {person_name(writer.people, new_person)}")


def erase(file: FileArgument, persons: PersonsArgument, who: WhoOption = 0, json: JsonOption = False) -> None:
    from tabuleiro.championship.file import writing

    with writing(path_of(file)) as writer:
        for person in persons:
            if person not in writer.people:
                raise TabuleiroError(
                    Text(f"não há ninguém com o número {person}", f"there is nobody with number {person}")
                )
        writer.act(writer.championship.decide("erased", {"persons": persons}), who, now())
    if json:
        print_json({"erased": persons})
    else:
        print(tr(f"Apagados: {len(persons)}.", f"Erased: {len(persons)}."))
