"""`tabuleiro championship result|playoff|lots|undo`: what the arbiters write down."""

import re
from typing import TYPE_CHECKING, Annotated

import typer

from tabuleiro.cli.arguments import JsonOption
from tabuleiro.cli.championship.common import (
    FileArgument,
    GroupArgument,
    GroupsArgument,
    PersonsArgument,
    ReasonOption,
    WhoOption,
    chosen_groups,
    now,
    path_of,
    person_name,
)
from tabuleiro.cli.speech import both, complain, print_json, tr
from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro.championship import Championship
    from tabuleiro.championship.model import Result

RESULT_HELP = both(
    "Regista um resultado: mesa e 1-0, 0-1, =, ou com falta de comparência 1-0f, 0-1f, 0-0f.",
    "Enter a result: table and 1-0, 0-1, =, or by forfeit 1-0f, 0-1f, 0-0f.",
)
PLAYOFF_HELP = both(
    "Regista um desempate jogado: os alunos pela ordem em que ficaram.",
    "Record a play-off: the pupils in the order in which they finished.",
)
LOTS_HELP = both("Sorteia entre os que continuam empatados.", "Draw lots between those who are still tied.")
UNDO_HELP = both(
    "Anula um acontecimento (o último, se nada disseres); o registo fica.",
    "Undo an event (the last one if not given); the log keeps it.",
)


def read_result(text: str, score: str | None = None, adjudicated: str | None = None) -> "Result":
    """A result as people write it."""
    from tabuleiro.championship.model import How, Result

    word = "".join(text.lower().split())
    points = None
    if score is not None:
        found = re.fullmatch(r"(\d{1,4})[-:](\d{1,4})", score.strip())
        if not found:
            raise TabuleiroError(Text("escreve os pontos como 30-18", "write the score as 30-18"))
        points = (int(found[1]), int(found[2]))
    reason = adjudicated or ""
    how: How = "adjudicated" if adjudicated is not None else "played"
    if word in ("1-0", "1"):
        return Result(how, 1, points, reason)
    if word in ("0-1", "2"):
        return Result(how, 2, points, reason)
    if word in ("=", "½-½", "1/2-1/2", "0.5-0.5", "0,5-0,5", "draw", "empate"):
        return Result(how, None, points, reason)
    if word in ("1-0f", "+/-", "+-"):
        return Result("forfeit", 1)
    if word in ("0-1f", "-/+", "-+"):
        return Result("forfeit", 2)
    if word in ("0-0f", "-/-", "--"):
        return Result("double_forfeit", None)
    raise TabuleiroError(
        Text(
            f"não percebo o resultado «{shorten(text)}»; há: 1-0, 0-1, =, 1-0f, 0-1f, 0-0f",
            f"“{shorten(text)}” is no result; there are: 1-0, 0-1, =, 1-0f, 0-1f, 0-0f",
        )
    )


def _find_table(championship: "Championship", table: int, group: str | None, open_only: bool) -> tuple[str, int]:
    """The group and round where a table is: of tables with one number, the one that waits for a result."""
    from tabuleiro.championship.rounds import open_pairings

    found = []
    for name, (section, stage, where) in championship.state.groups.items():
        if group is not None and name != group and section.plan.id != group:
            continue
        if open_only:
            found += [(name, number) for number, pairing in open_pairings(where, stage.plan) if pairing.table == table]
        elif any(pairing.table == table for pairing in (where.rounds[-1].pairings if where.rounds else ())):
            found.append((name, where.rounds[-1].number))
    if not found:
        raise TabuleiroError(
            Text(
                f"a mesa {table} não espera resultado; para mudar um, usa --correct",
                f"table {table} waits for no result; to change one, use --correct",
            )
        )
    if len(found) > 1:
        names = ", ".join(name for name, _ in found)
        raise TabuleiroError(
            Text(
                f"há várias mesas {table} ({names}); indica --group",
                f"there are several tables {table} ({names}); use --group",
            )
        )
    return found[0]


def result(
    file: FileArgument,
    table: Annotated[
        int, typer.Argument(metavar="TABLE", min=1, show_default=False, help=both("A mesa.", "The table."))
    ],
    outcome: Annotated[
        str, typer.Argument(metavar="RESULT", show_default=False, help=both("O resultado.", "The result."))
    ],
    group: Annotated[
        str | None, typer.Option("--group", metavar="GROUP", help=both("O grupo ou a secção.", "The group or section."))
    ] = None,
    number: Annotated[
        int | None, typer.Option("--round", metavar="N", min=1, help=both("A jornada.", "The round."))
    ] = None,
    game: Annotated[
        int | None,
        typer.Option("--game", metavar="N", min=1, help=both("A partida da série.", "The game of the series.")),
    ] = None,
    score: Annotated[
        str | None,
        typer.Option("--score", metavar="A-B", help=both("Sementes ou berlindes.", "Seeds or marbles.")),
    ] = None,
    adjudicated: Annotated[
        str | None,
        typer.Option(
            "--adjudicated",
            metavar="TEXT",
            help=both("Decidido pelo árbitro, e porquê.", "Ruled by the arbiter, and why."),
        ),
    ] = None,
    correct: Annotated[
        str | None,
        typer.Option(
            "--correct", metavar="TEXT", help=both("Corrige um resultado; o motivo.", "Correct a result; the reason.")
        ),
    ] = None,
    who: WhoOption = 0,
    json: JsonOption = False,
) -> None:
    from tabuleiro.championship import reasons
    from tabuleiro.championship.file import writing

    given = read_result(outcome, score, adjudicated)
    with writing(path_of(file)) as writer:
        championship = writer.championship
        if group is not None and number is not None:
            name = group
        else:
            name, number = _find_table(championship, table, group, correct is None)
        pairing = championship.state.group(name)[2].find(number, table)
        place = game or (len(pairing.games) + 1 if correct is None else len(pairing.games))
        data = {"group": name, "round": number, "table": table, "game": place, "result": given.as_json()}
        kind = "result"
        if correct is not None:
            kind, data["reason"] = "corrected", correct
        flags = len(championship.state.flags)
        event = writer.act(championship.decide(kind, data), who, now())
    new = [reasons.flag(mark) for mark in championship.state.flags[flags:]]
    if json:
        print_json({"event": event.number, **event.data, "flags": [text._asdict() for text in new]})
        return
    two = "" if pairing.two is None else person_name(writer.people, pairing.two)
    print(f"{name}, {tr('jornada', 'round')} {number}, {tr('mesa', 'table')} {table}: "
          f"{person_name(writer.people, pairing.one)} {reasons.result(given)} {two}")  # fmt: skip
    for text in new:
        complain(text)


def playoff(
    file: FileArgument, group: GroupArgument, persons: PersonsArgument, who: WhoOption = 0, json: JsonOption = False
) -> None:
    from tabuleiro.championship.file import writing

    with writing(path_of(file)) as writer:
        event = writer.act(writer.championship.decide("playoff", {"group": group, "order": persons}), who, now())
    print_json(event.data) if json else print(" > ".join(person_name(writer.people, person) for person in persons))


def lots(file: FileArgument, groups: GroupsArgument = None, who: WhoOption = 0, json: JsonOption = False) -> None:
    from tabuleiro.championship.decisions import draw_lots, ties_to_break
    from tabuleiro.championship.file import writing
    from tabuleiro.championship.rounds import is_complete

    with writing(path_of(file)) as writer:
        championship = writer.championship
        events = []
        for name in chosen_groups(championship, groups):
            _, stage, where = championship.state.group(name)
            if not groups and not is_complete(where, stage.plan):
                continue
            for tied in ties_to_break(championship, name):
                events.append(writer.act(draw_lots(championship, name, tied), who, now()))
    if json:
        print_json({"lots": [event.data for event in events]})
        return
    for event in events:
        drawn = sorted(event.data["numbers"], key=lambda pair: int(pair[1]))
        shown = ", ".join(f"{number}: {person_name(writer.people, person)}" for person, number in drawn)
        print(f"{event.data['group']}: {shown}")
    if not events:
        print(tr("Não há empates por desfazer.", "There are no ties to break."))


def undo(
    file: FileArgument,
    reason: ReasonOption,
    number: Annotated[
        int | None,
        typer.Argument(
            metavar="EVENT", show_default=False, help=both("O acontecimento, como em «log».", "The event, as in “log”.")
        ),
    ] = None,
    who: WhoOption = 0,
    json: JsonOption = False,
) -> None:
    from tabuleiro.championship.events import cancelled
    from tabuleiro.championship.file import writing

    with writing(path_of(file)) as writer:
        championship = writer.championship
        if number is None:
            gone = cancelled(championship.events)
            kept = [e.number for e in championship.events if e.number not in gone and e.kind != "undone"]
            number = kept[-1]
        writer.act(championship.decide("undone", {"event": number, "reason": reason}), who, now())
        kind = championship.events[number - 1].kind
    if json:
        print_json({"undone": number, "kind": kind})
    else:
        print(tr(f"Anulado: {number} ({kind}).", f"Undone: {number} ({kind})."))
