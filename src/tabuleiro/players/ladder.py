"""How strong the levels below the top are, as measured: fixed points for the ratings of people.

`training/ladder.py` measures, and writes `ladder.json`. The version of a game's ladder stands for the settings of its
levels and for what was measured, so that a rating can say by which ladder it was made."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from importlib import resources
from typing import NamedTuple

from tabuleiro.players.levels import levels_of
from tabuleiro.players.net_levels import net_levels_of


class Ladder(NamedTuple):
    version: str
    #: Of the levels from the first to the last below the top: Elo above the first.
    elo: tuple[int, ...]


def ladder_version(game: str, elo: Sequence[int]) -> str:
    levels = net_levels_of(game) or levels_of(game)
    told = json.dumps([[asdict(level) for level in levels], [*elo]])
    return hashlib.sha256(told.encode()).hexdigest()[:8]


@cache
def ladder_of(game: str) -> Ladder | None:
    """The ladder of a game as it was last measured; None for one that never was."""
    measured = json.loads(resources.files(__package__).joinpath("ladder.json").read_text("utf-8")).get(game)
    return None if measured is None else Ladder(measured["version"], tuple(measured["elo"]))
