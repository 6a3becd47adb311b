"""`tabuleiro games`: which games there are."""

import dataclasses
from typing import Any

from tabuleiro.cli.arguments import JsonOption, option_lines
from tabuleiro.cli.speech import both, language, print_json
from tabuleiro.core import Position, card_lines, option_values, value_name
from tabuleiro.games import GAMES

HELP = both("Que jogos há, e com que opções.", "Which games there are, and with which options.")


def games(json: JsonOption = False) -> None:
    if json:
        print_json([_as_json(game) for game in GAMES.values()])
        return
    for game in GAMES.values():
        print(f"{game.id:<11} {game.name.to(language())}")
        print(f"{'':<11} {game.summary.to(language())}")
        for label, said in card_lines(game):
            print(f"{'':<11} {label.to(language())}: {said.to(language())}")
        if dataclasses.fields(game.options_type):
            print("\n".join(f"{'':<11} {line}" for line in option_lines(game)))
        print()


def _as_json(game: type[Position]) -> dict[str, Any]:
    return {
        "id": game.id,
        "name": game.name.to(language()),
        "author": game.author,
        "summary": game.summary.to(language()),
        "cycles": list(game.cycles),
        "card": {label.to(language()): said.to(language()) for label, said in card_lines(game)},
        "options": [
            {
                "name": field.name,
                "values": option_values(field),
                "names": {value: value_name(field, value).to(language()) for value in option_values(field)},
                "official": field.metadata["official"],
                "help": field.metadata["help"].to(language()),
            }
            for field in dataclasses.fields(game.options_type)
        ],
    }
