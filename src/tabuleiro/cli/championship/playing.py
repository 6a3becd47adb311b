"""`tabuleiro championship draw|pair|settings`: groups and rounds."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from tabuleiro.cli.arguments import JsonOption
from tabuleiro.cli.championship.common import (
    FileArgument,
    GroupsArgument,
    WhoOption,
    chosen_groups,
    now,
    path_of,
    said,
)
from tabuleiro.cli.championship.showing import print_pairings
from tabuleiro.cli.speech import both, complain, print_json, tr
from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro.championship.events import Decision, Event
    from tabuleiro.championship.file import Writer

DRAW_HELP = both(
    "Sorteia os grupos, ou a fase seguinte de quem já acabou.",
    "Draw the groups, or the next stage of who has finished.",
)
PAIR_HELP = both("Emparelha a próxima jornada.", "Pair the next round.")
SETTINGS_HELP = both(
    'Muda regras de uma fase, como tie_breaks=["buchholz","lots"] ou rounds=5.',
    'Change settings of a stage, as tie_breaks=["buchholz","lots"] or rounds=5.',
)


def draw(
    file: FileArgument,
    sections: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SECTION",
            show_default=False,
            help=both("Secções, como ouri-2; sem isto, todas.", "Sections, as ouri-2; all if not given."),
        ),
    ] = None,
    who: WhoOption = 0,
    json: JsonOption = False,
) -> None:
    from tabuleiro.championship.decisions import draw_stage
    from tabuleiro.championship.file import writing

    with writing(path_of(file)) as writer:
        championship = writer.championship
        events = _each(
            writer,
            sections or list(championship.state.sections),
            lambda section: draw_stage(championship, section),
            who,
            strict=bool(sections),
        )
    if json:
        print_json({"drawn": [event.data for event in events]})
        return
    for event in events:
        sizes = [len(group["members"]) for group in event.data["groups"]]
        plan = championship.state.sections[event.data["section"]].stage_plans[event.data["stage"] - 1]
        shown = ", ".join(str(size) for size in sizes)
        print(f"{event.data['section']}: {said(plan.name)}: {len(sizes)} × ({shown})")


def _each(
    writer: "Writer", names: list[str], decide: "Callable[[str], Decision]", who: int, strict: bool, quiet: bool = False
) -> "list[Event]":
    """Do something for each name. Where nobody asked for one in particular, those not ready are left out and said."""
    events, refusals = [], []
    for name in names:
        try:
            events.append(writer.act(decide(name), who, now()))
        except TabuleiroError as error:
            if strict:
                raise
            refusals.append(error)
    if not events and refusals:
        raise refusals[0]
    for refusal in () if quiet else refusals:
        complain(refusal)
    return events


def pair(
    file: FileArgument,
    groups: GroupsArgument = None,
    hand: Annotated[
        list[str] | None,
        typer.Option(
            "--hand",
            metavar="A-B",
            help=both(
                "Emparelha A com B (A começa), ou A- isento; o resto como de costume.",
                "Pair A with B (A begins), or A- with a bye; the rest as usual.",
            ),
        ),
    ] = None,
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help=both(
                "Refaz na última jornada as mesas a que falta alguém.",
                "Mend the tables of the last round that lack somebody.",
            ),
        ),
    ] = False,
    why: Annotated[
        bool, typer.Option("--why", help=both("Diz o porquê de cada emparelhamento.", "Say why for every pairing."))
    ] = False,
    who: WhoOption = 0,
    json: JsonOption = False,
) -> None:
    from tabuleiro.championship.decisions import pair_again, pair_by_hand, pair_round
    from tabuleiro.championship.file import writing
    from tabuleiro.championship.people import with_fixed_table

    with writing(path_of(file)) as writer:
        championship = writer.championship
        names = chosen_groups(championship, groups)
        fixed = with_fixed_table(writer.people)
        if not names:
            raise TabuleiroError(
                Text("ainda não há grupos; faz primeiro «draw»", "there are no groups yet; “draw” first")
            )
        if hand:
            if len(names) != 1:
                raise TabuleiroError(Text("à mão, um grupo de cada vez", "by hand, one group at a time"))
            warned = pair_by_hand(championship, names[0], [_read_pair(text) for text in hand], fixed)
            for warning in warned.warnings:
                complain(warning)
            events = [writer.act(warned.decision, who, now())]
        else:

            def decide(name: str) -> "Decision":
                return pair_again(championship, name, fixed) if again else pair_round(championship, name, fixed, now())

            # Mending all groups means those that need it.
            events = _each(writer, names, decide, who, strict=bool(groups), quiet=again)
    rounds = [(event.data["group"], event.data["round"]) for event in events]
    if json:
        print_json({"paired": [event.data for event in events]})
        return
    for name, number in rounds:
        _, stage, group = championship.state.group(name)
        print_pairings(championship, writer.people, stage, group, number, why)


def _read_pair(text: str) -> tuple[int, int | None]:
    found = re.fullmatch(r"(\d{1,9})-(\d{1,9})?", text.strip())
    if not found:
        raise TabuleiroError(
            Text(f"escreve 12-15 ou 12-, não «{shorten(text)}»", f"write 12-15 or 12-, not “{shorten(text)}”")
        )
    return int(found[1]), int(found[2]) if found[2] else None


def settings(
    file: FileArgument,
    section: Annotated[
        str, typer.Argument(metavar="SECTION", show_default=False, help=both("A secção.", "The section."))
    ],
    stage: Annotated[
        int,
        typer.Argument(metavar="STAGE", min=1, show_default=False, help=both("A fase, de 1.", "The stage, from 1.")),
    ],
    changes: Annotated[
        list[str],
        typer.Argument(metavar="KEY=VALUE", show_default=False, help=both("Como em TOML.", "As in TOML.")),
    ],
    who: WhoOption = 0,
    json: JsonOption = False,
) -> None:
    from tabuleiro.championship.file import writing
    from tabuleiro.championship.reading import read_toml

    data = {"section": section, "stage": stage, "settings": read_toml("\n".join(changes))}
    with writing(path_of(file)) as writer:
        event = writer.act(writer.championship.decide("settings_changed", data), who, now())
    print_json(event.data) if json else print(tr("Regras mudadas.", "Settings changed."))
