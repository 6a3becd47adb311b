"""The option sets that tests walk through: the defaults, each option changed alone, and both extremes."""

import dataclasses
from typing import Any

from tabuleiro.core import OptionError, Options, Position
from tabuleiro.games import GAMES


def _values(field: "dataclasses.Field[Any]") -> list[Any]:
    values = list(field.metadata["values"])
    if (numbers := field.metadata["numbers"]) is not None:
        values += [numbers[0], numbers[len(numbers) // 2], numbers[-1]]
    return list(dict.fromkeys(values))


def extremes(game: type[Position]) -> list[Options]:
    """The rule book's defaults, and every option at its last value (but for those that then make no sense)."""
    options = game.options_type()
    for field in dataclasses.fields(options):
        try:
            options = dataclasses.replace(options, **{field.name: _values(field)[-1]})
        except OptionError:
            continue
    return [game.options_type(), options]


def option_sets(game: type[Position]) -> list[Options]:
    sets = extremes(game)
    for field in dataclasses.fields(game.options_type):
        for value in _values(field):
            options = dataclasses.replace(game.options_type(), **{field.name: value})
            if options not in sets:
                sets.append(options)
    return sets


def label(game: type[Position], options: Options) -> str:
    changed = ",".join(f"{name}={value}" for name, value in options.changed().items())
    return f"{game.id}[{changed}]"


#: Every game with every option set, as pytest parameters want them.
CASES = [(game, options) for game in GAMES.values() for options in option_sets(game)]
CASE_IDS = [label(game, options) for game, options in CASES]
