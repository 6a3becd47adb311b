"""`tabuleiro championship rehearse`: a whole championship with invented pupils, from registration to podiums."""

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabuleiro.cli.arguments import JsonOption
from tabuleiro.cli.championship.common import now, path_of
from tabuleiro.cli.speech import both, print_json, tr
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro.championship.file import Writer
    from tabuleiro.championship.rehearsal import Strengths

REHEARSE_HELP = both(
    "Ensaia um campeonato inteiro com alunos inventados.", "Rehearse a whole championship with invented pupils."
)


class Progress:
    """Steps of a rehearsal with the seconds each took."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.steps: list[dict[str, Any]] = []
        self._began = time.perf_counter()

    def step(self, name: Text, detail: Text) -> None:
        seconds = time.perf_counter() - self._began
        self.steps.append({"step": name.en, "detail": detail.en, "seconds": round(seconds, 3)})
        if not self.quiet:
            print(f"{seconds:7.2f} s  {tr(*name)}: {tr(*detail)}", flush=True)
        self._began = time.perf_counter()


def rehearse(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE", show_default=False, help=both("Guarda o ensaio aqui.", "Keep the rehearsal here.")
        ),
    ] = None,
    pupils: Annotated[
        int,
        typer.Option(metavar="N", min=4, max=20_000, help=both("Quantos alunos (1800).", "How many pupils (1800).")),
    ] = 1800,
    schools: Annotated[
        int, typer.Option(metavar="N", min=1, max=5_000, help=both("Quantas escolas (340).", "How many schools (340)."))
    ] = 340,
    seed: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=2**53 - 1, help=both("Número do sorteio (1).", "Number of the draw (1).")),
    ] = 1,
    template: Annotated[
        str, typer.Option(metavar="NAME", help=both("O modelo (cnjm6).", "The template (cnjm6)."))
    ] = "cnjm6",
    json: JsonOption = False,
) -> None:
    if file is not None:
        _rehearse(path_of(file), pupils, schools, seed, template, json)
        return
    with tempfile.TemporaryDirectory(prefix="tabuleiro-") as folder:
        _rehearse(
            Path(folder) / tr("ensaio.campeonato", "rehearsal.championship"), pupils, schools, seed, template, json
        )


def _rehearse(path: Path, pupils: int, schools: int, seed: int, template: str, json: bool) -> None:
    from tabuleiro.championship import Championship
    from tabuleiro.championship.edition import load_template, read_edition
    from tabuleiro.championship.file import create, write_private, writing
    from tabuleiro.championship.registration import read_registration
    from tabuleiro.championship.rehearsal import Strengths, invent_table
    from tabuleiro.sheets import read_table, write_csv

    progress = Progress(json)
    plan = load_template(template)
    table = path.with_suffix(".csv")
    if table.exists():
        raise TabuleiroError(Text(f"{table} já existe", f"{table} exists already"))
    create(path, Championship().decide("created", {"edition": plan, "seed": seed, "rehearsal": True}), now())
    write_private(table, write_csv(invent_table(read_edition(plan), pupils, schools, seed)))
    progress.step(Text("alunos inventados", "invented pupils"), Text(str(table), str(table)))
    with writing(path) as writer:
        championship = writer.championship
        registration = read_registration(read_table(table.read_bytes()), championship.state, writer.people)
        writer.act(championship.decide("registered", registration.data), 0, now(), registration.people)
        writer.commit()
        entries, new = len(registration.data["entries"]), len(registration.data["schools"])
        progress.step(
            Text("inscrições", "registration"),
            Text(f"{entries} alunos de {new} escolas", f"{entries} pupils of {new} schools"),
        )
        strengths = Strengths(random.Random(seed))
        stages = max(len(section.stage_plans) for section in championship.state.sections.values())
        slowest = 0.0
        for stage in range(stages):
            _draw(writer, stage, progress)
            slowest = max(slowest, _play(writer, stage, strengths, progress))
        podiums = _podiums(writer)
        writer.commit()
        progress.step(Text("pódios", "podiums"), Text(f"{podiums} secções", f"{podiums} sections"))
    summary: dict[str, Any] = {
        **championship.summary(),
        "pairing_of_a_round_seconds": round(slowest, 3),
        "peak_memory_mib": round(_peak_memory(), 1),
        "steps": progress.steps,
    }
    if json:
        print_json(summary)
        return
    print(
        tr(
            f"Emparelhar uma jornada de todos os grupos: no máximo {slowest:.2f} s. "
            f"Memória: no máximo {_peak_memory():.0f} MiB. Acontecimentos: {championship.number}.",
            f"Pairing one round of all groups: {slowest:.2f} s at most. "
            f"Memory: {_peak_memory():.0f} MiB at most. Events: {championship.number}.",
        )
    )


def _peak_memory() -> float:
    """Of this process, in MiB; Linux counts in KiB, macOS in bytes."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _draw(writer: "Writer", stage: int, progress: Progress) -> None:
    """Draw a stage of every section that has players for it; ties that stand in the way are played off, or drawn."""
    from tabuleiro.championship.decisions import draw_stage

    groups = 0
    for name, section in writer.championship.state.sections.items():
        if len(section.stage_plans) <= stage or len(section.entries) < 2 or len(section.stages) < stage:
            continue
        if stage:
            for group in section.stages[-1].groups:
                _separate(writer, group.id)
        event = writer.act(draw_stage(writer.championship, name), 0, now())
        groups += len(event.data["groups"])
    writer.commit()
    progress.step(Text("sorteio", "draw"), Text(f"{groups} grupos", f"{groups} groups"))


def _separate(writer: "Writer", group: str) -> None:
    """The first tie of a group is played off, in an order that chance gives; what is left is drawn by lot."""
    from tabuleiro.championship.decisions import draw_lots, ties_to_break

    for place, tied in enumerate(ties_to_break(writer.championship, group)):
        if place == 0 and len(tied) == 2:
            writer.act(writer.championship.decide("playoff", {"group": group, "order": tied[::-1]}), 0, now())
        else:
            writer.act(draw_lots(writer.championship, group, tied), 0, now())


def _play(writer: "Writer", stage: int, strengths: "Strengths", progress: Progress) -> float:
    """Play a stage to its end, round after round; the seconds of the slowest pairing of all groups."""
    from tabuleiro.championship.decisions import pair_round
    from tabuleiro.championship.people import with_fixed_table
    from tabuleiro.championship.rounds import is_complete, open_pairings

    championship = writer.championship
    fixed = with_fixed_table(writer.people)
    slowest, number = 0.0, 0
    while True:
        waiting = [
            group.id
            for section in championship.state.sections.values()
            if len(section.stages) > stage
            for group in section.stages[stage].groups
            if not is_complete(group, section.stages[stage].plan)
        ]
        if not waiting:
            return slowest
        number += 1
        _come_and_go(writer, strengths.luck)
        began = time.perf_counter()
        decisions = [pair_round(championship, name, fixed) for name in waiting]
        slowest = max(slowest, time.perf_counter() - began)
        for decision in decisions:
            writer.act(decision, 0, now())
        writer.commit()
        progress.step(
            Text(f"jornada {number}", f"round {number}"),
            Text(f"{len(waiting)} grupos emparelhados", f"{len(waiting)} groups paired"),
        )
        results = 0
        for name in waiting:
            section, where, group = championship.state.group(name)
            while opened := open_pairings(group, where.plan):
                for round_number, pairing in opened:
                    data = {
                        "group": name,
                        "round": round_number,
                        "table": pairing.table,
                        "game": len(pairing.games) + 1,
                        "result": strengths.result(section, pairing).as_json(),
                    }
                    writer.act(championship.decide("result", data), 0, now())
                    results += 1
        writer.commit()
        progress.step(Text(f"jornada {number}", f"round {number}"), Text(f"{results} resultados", f"{results} results"))


def _come_and_go(writer: "Writer", luck: random.Random) -> None:
    """Before a round half of those who were missing come back, and one pupil in a hundred is missing."""
    for name, section in writer.championship.state.sections.items():
        back = [e.person for e in section.entries.values() if e.presence == "absent" and luck.random() < 0.5]
        away = [e.person for e in section.entries.values() if e.presence != "absent" and luck.random() < 0.01]
        for persons, presence in ((back, "present"), (away, "absent")):
            if persons:
                data = {"section": name, "persons": persons, "presence": presence}
                writer.act(writer.championship.decide("presence", data), 0, now())


def _podiums(writer: "Writer") -> int:
    """Separate whoever shares a place on a podium; how many podiums there are."""
    from tabuleiro.championship.standings import podium

    state = writer.championship.state
    count = 0
    for section in state.sections.values():
        if section.stages and podium(section, state.rules) is not None:
            _separate(writer, section.stages[-1].groups[0].id)
            count += 1
    return count
