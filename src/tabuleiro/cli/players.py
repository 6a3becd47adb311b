"""`tabuleiro players`: which engines can be named in matches, and how."""

from typing import TYPE_CHECKING, Any

from tabuleiro.cli.arguments import JsonOption
from tabuleiro.cli.speech import both, language, print_json, tr

if TYPE_CHECKING:
    from tabuleiro.players import EngineKind

HELP = both("Que motores há, e com que nomes se chamam.", "Which engines there are, and how they are named.")


def players(json: JsonOption = False) -> None:
    from tabuleiro.nn.evaluator import runs_nets
    from tabuleiro.players import KINDS, LIMITS
    from tabuleiro.players.contestant import TABLE
    from tabuleiro.players.nets import WITHOUT_NETS

    if json:
        print_json([_as_json(kind) for kind in KINDS.values()])
        return
    for kind in KINDS.values():
        print(f"{_written(kind):<16} {kind.help.to(language())}")
        for name, setting in kind.settings.items():
            usual = "" if setting.default is None else f" ({_plain(setting.default)})"
            print(f"{'':<16} {name}=…  {setting.help.to(language())}{usual}")
    print()
    limits = ", ".join(LIMITS)
    print(
        tr(
            f"Qualquer um aceita um limite por jogada: {limits}. Por exemplo alphabeta:time=0.5,threads=2\n"
            f"Num encontro, a tabela tem {TABLE} MiB se nada disseres: podem correr muitos ao mesmo tempo.",
            f"Each takes a limit a move: {limits}. For example alphabeta:time=0.5,threads=2\n"
            f"In a match the table has {TABLE} MiB if not given: many may run at once.",
        )
    )

    if not runs_nets():
        print(WITHOUT_NETS.to(language()))


def _written(kind: "EngineKind") -> str:
    from tabuleiro.players.kinds import Argument

    return (
        kind.name
        + {Argument.NOTHING: "", Argument.WORD: ":N", Argument.COMMAND: tr(":comando", ":command")}[kind.argument]
    )


def _plain(value: object) -> str:
    """A value as it is typed."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _as_json(kind: "EngineKind") -> dict[str, Any]:
    return {
        "name": kind.name,
        "help": kind.help.to(language()),
        "argument": kind.argument.value,
        "settings": [
            {"name": name, "default": setting.default, "help": setting.help.to(language())}
            for name, setting in kind.settings.items()
        ],
    }
