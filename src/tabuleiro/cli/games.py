"""`tabuleiro games`: which games there are."""

import dataclasses
from typing import Any

from tabuleiro.cli.arguments import JsonOption
from tabuleiro.cli.speech import both, language, print_json, tr
from tabuleiro.core import Position, option_values
from tabuleiro.games import GAMES

HELP = both("Que jogos há, e com que opções.", "Which games there are, and with which options.")


def games(json: JsonOption = False) -> None:
    if json:
        print_json([_as_json(game) for game in GAMES.values()])
        return
    for game in GAMES.values():
        print(f"{game.id:<11} {game.name.to(language())}", f"({game.author})" if game.author else "")
        print(f"{'':<11} {game.summary.to(language())}")
        if game.cycles:
            print(f"{'':<11} {tr('No campeonato', 'In the championship')}: {', '.join(map(cycle_name, game.cycles))}")
        for field in dataclasses.fields(game.options_type):
            print(f"{'':<11} --option {field.name}={'|'.join(option_values(field))}")
        print()


def cycle_name(cycle: str) -> str:
    if cycle == "sec":
        return tr("ensino secundário", "upper secondary")
    return tr(f"{cycle}.º ciclo", f"cycle {cycle}")


def _as_json(game: type[Position]) -> dict[str, Any]:
    return {
        "id": game.id,
        "name": game.name.to(language()),
        "author": game.author,
        "summary": game.summary.to(language()),
        "cycles": list(game.cycles),
        "options": [
            {
                "name": field.name,
                "values": option_values(field),
                "help": field.metadata["help"].to(language()),
            }
            for field in dataclasses.fields(game.options_type)
        ],
    }
