"""`tabuleiro championship status|pairings|standings|figures|log`: how things stand."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from tabuleiro.cli.arguments import JsonOption
from tabuleiro.cli.championship.common import (
    FileArgument,
    GroupsArgument,
    chosen_groups,
    marked,
    open_file,
    person_name,
    said,
)
from tabuleiro.cli.speech import both, print_json, tr
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro.championship import Championship
    from tabuleiro.championship.model import Group, Stage
    from tabuleiro.championship.people import People

STATUS_HELP = both("Mostra em que ponto está o campeonato.", "Show how the championship stands.")
PAIRINGS_HELP = both("Mostra os emparelhamentos de uma jornada.", "Show the pairings of a round.")
STANDINGS_HELP = both("Mostra classificações, desempates e pódios.", "Show standings, tie-breaks and podiums.")
FIGURES_HELP = both(
    "Mostra números por prova, jogo, ciclo e escola.", "Show figures by section, game, cycle and school."
)
LOG_HELP = both("Mostra os acontecimentos, com os seus números.", "List the events, with their numbers.")


def status(file: FileArgument, json: JsonOption = False) -> None:
    from tabuleiro.championship import reasons
    from tabuleiro.championship.edition import CRITERIA, FORMATS, TIE_BREAKS, UNPLAYED
    from tabuleiro.championship.rounds import is_complete, open_pairings

    championship, _ = open_file(file)
    state = championship.state
    flags = [reasons.flag(mark) for mark in state.flags]
    if json:
        print_json({**championship.summary(), "flags": [text._asdict() for text in flags]})
        return
    print(marked(championship))
    for name, section in state.sections.items():
        shown = f"{name:<14} {len(section.entries):>5}"
        for stage in section.stages:
            done = sum(is_complete(group, stage.plan) for group in stage.groups)
            waiting = sum(len(open_pairings(group, stage.plan)) for group in stage.groups)
            rounds = max(len(group.rounds) for group in stage.groups)
            ended = tr(f"{done}/{len(stage.groups)} grupos acabados", f"{done}/{len(stage.groups)} groups over")
            shown += f"  {said(stage.plan.name)}: {tr('jornada', 'round')} {rounds}, {ended}"
            shown += tr(f", faltam {waiting} resultados", f", {waiting} results missing") if waiting else ""
        print(shown)
    plans = {plan for section in state.sections.values() for plan in section.stage_plans}
    for plan in sorted(plans, key=lambda plan: plan.name):
        print(f"\n{said(plan.name)} ({said(FORMATS[plan.format])})")
        print(tr("  emparelhamento:", "  pairing:"), "; ".join(said(CRITERIA[key]) for key in plan.criteria))
        print(tr("  desempate:", "  tie-breaks:"), "; ".join(said(TIE_BREAKS[key]) for key in plan.tie_breaks))
        print(f"  {said(UNPLAYED[plan.unplayed])}")
    for text in flags:
        print(f"! {said(text)}")


def print_pairings(
    championship: "Championship", people: "People", stage: "Stage", group: "Group", number: int, why: bool
) -> None:
    from tabuleiro.championship import reasons
    from tabuleiro.championship.model import series_result

    print(f"\n{group.id}  {said(stage.plan.name)}, {tr('jornada', 'round')} {number}")
    for pairing in group.rounds[number - 1].pairings:
        one = person_name(people, pairing.one)
        if pairing.two is None:
            print(f"{'':>5}  {one}: {tr('isento', 'bye')}")
        else:
            shown = reasons.result(series_result(stage.plan, pairing.games)) if pairing.games else "-"
            print(f"{pairing.table:>5}  {one} {shown} {person_name(people, pairing.two)}")
        if why:
            print(f"{'':>7}{said(reasons.why(pairing, lambda person: person_name(people, person)))}")


def pairings(
    file: FileArgument,
    groups: GroupsArgument = None,
    number: Annotated[
        int | None,
        typer.Option("--round", metavar="N", min=1, help=both("A jornada (a última).", "The round (the last one).")),
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help=both("Diz o porquê de cada emparelhamento.", "Say why for every pairing."))
    ] = False,
    weights: Annotated[
        bool,
        typer.Option(
            "--weights",
            help=both(
                "Mostra quanto pesa cada critério na próxima jornada, e quanto ela custa.",
                "Show what each criterion weighs in the next round, and what that round costs.",
            ),
        ),
    ] = False,
    json: JsonOption = False,
) -> None:
    from tabuleiro.championship import reasons, report

    championship, people = open_file(file)
    names = chosen_groups(championship, groups)
    if weights:
        _weights(championship, people, names, json)
        return
    shown = []
    for name in names:
        _, stage, group = championship.state.group(name)
        last = number or len(group.rounds)
        if not 1 <= last <= len(group.rounds):
            continue
        shown.append({"group": name, **report.round_json(stage.plan, group.rounds[last - 1])})
        for pairing, written in zip(group.rounds[last - 1].pairings, shown[-1]["pairings"], strict=True):
            written["sentence"] = reasons.why(pairing, lambda person: person_name(people, person))._asdict()
        if not json:
            print_pairings(championship, people, stage, group, last, why)
    if json:
        print_json({"pairings": shown})


def _weights(championship: "Championship", people: "People", names: list[str], json: bool) -> None:
    from tabuleiro.championship.edition import CRITERIA
    from tabuleiro.championship.people import with_fixed_table
    from tabuleiro.championship.rounds import next_round

    found = {}
    for name in names:
        section, stage, group = championship.state.group(name)
        arrangement = next_round(championship.state, section, stage, group, with_fixed_table(people)).arrangement
        if arrangement is None:
            continue
        found[name] = {"weights": arrangement.weights, "cost": arrangement.total}
        if not json:
            print(name)
            for key, weight in arrangement.weights.items():
                cost = tr(f"custo {arrangement.total[key]}", f"cost {arrangement.total[key]}")
                print(f"  {weight:>24}  {said(CRITERIA[key])} ({cost})")
    if json:
        print_json(found)


def standings(
    file: FileArgument,
    groups: GroupsArgument = None,
    explain: Annotated[
        int | None,
        typer.Option(
            "--explain",
            metavar="PERSON",
            help=both("Explica cada número deste aluno como soma.", "Explain each number of this pupil as its sum."),
        ),
    ] = None,
    podiums: Annotated[
        bool, typer.Option("--podium", help=both("Só os pódios das secções.", "Only the podiums of the sections."))
    ] = False,
    json: JsonOption = False,
) -> None:
    from tabuleiro.championship import reasons, report
    from tabuleiro.championship.standings import standings as rank

    championship, people = open_file(file)
    if podiums:
        _podiums(championship, people, groups, json)
        return
    shown = []
    for name in chosen_groups(championship, groups):
        _, stage, group = championship.state.group(name)
        if explain is not None and explain not in group.members:
            continue
        rows = rank(group, stage.plan, championship.state.rules)
        shown.append({"group": name, "standings": [report.row_json(row) for row in rows]})
        if json:
            continue
        print(f"\n{name}  {said(stage.plan.name)}")
        for row in rows:
            if explain is not None and row.person != explain:
                continue
            # The numbers of the tie-breaks that were needed, in their order.
            numbers = "  ".join(reasons.number(abs(value.value)) for value in row.tie_breaks.values())
            place = f"{row.place:>4}{'=' if row.tied_with else ' '}"
            print(f"{place} {reasons.number(row.points):>4}  {person_name(people, row.person)}  {numbers}")
            if explain is not None:
                for line in row.record.lines:
                    opponent = "-" if line.opponent is None else person_name(people, line.opponent)
                    print(f"      {tr('jornada', 'round')} {line.round}: {reasons.number(line.points)}  {opponent}")
                for key in row.tie_breaks:
                    print(f"      {said(reasons.tie_break(row, key, lambda person: person_name(people, person)))}")
    if explain is not None and not shown:
        raise TabuleiroError(Text(f"o aluno {explain} não está em nenhum grupo", f"pupil {explain} is in no group"))
    if json:
        print_json({"standings": shown})


def _podiums(championship: "Championship", people: "People", names: list[str] | None, json: bool) -> None:
    from tabuleiro.championship.standings import podium

    state = championship.state
    found = {}
    for name, section in state.sections.items():
        steps = podium(section, state.rules) if not names or name in names else None
        if steps is None:
            continue
        found[name] = [{"place": row.place, "person": row.person} for row in steps.rows]
        if json:
            continue
        print(f"\n{said(state.rules.section_name(section.plan))}")
        for row in steps.rows:
            school = state.schools[section.entries[row.person].school].name
            print(f"  {row.place}{'=' if row.tied_with else '.'} {person_name(people, row.person)} ({school})")
    if json:
        print_json({"podiums": found})


def figures(file: FileArgument, json: JsonOption = False) -> None:
    from tabuleiro.championship.figures import figures as counted

    championship, _ = open_file(file)
    found = counted(championship.state)
    if json:
        print_json({key: [line.as_json() for line in lines] for key, lines in found.items()})
        return
    titles = {
        "sections": tr("Provas", "Sections"),
        "games": tr("Jogos", "Games"),
        "cycles": tr("Ciclos", "Cycles"),
        "schools": tr("Escolas", "Schools"),
    }
    for key, lines in found.items():
        print(titles[key])
        for line in lines:
            told = tr(
                f"{len(line.persons)} jogadores, {line.games} partidas, {line.wins} vitórias, {line.podiums} no pódio",
                f"{len(line.persons)} players, {line.games} games, {line.wins} wins, {line.podiums} on a podium",
            )
            print(f"  {said(line.name)}: {told}")


def log(file: FileArgument, json: JsonOption = False) -> None:
    from tabuleiro.championship.events import cancelled

    championship, _ = open_file(file)
    gone = cancelled(championship.events)
    if json:
        print_json({"events": [{**event._asdict(), "undone": event.number in gone} for event in championship.events]})
        return
    for event in championship.events:
        where = event.data.get("group") or event.data.get("section") or ""
        more = f" {event.data['round']}/{event.data['table']}" if "table" in event.data else ""
        more += f" #{event.data['event']}: {event.data['reason']}" if event.kind == "undone" else ""
        mark = tr(" (anulado)", " (undone)") if event.number in gone else ""
        print(f"{event.number:>6}  {datetime.fromtimestamp(event.when, UTC):%Y-%m-%d %H:%M:%S}  {event.who:>4}  "
              f"{event.kind} {where}{more}{mark}")  # fmt: skip
