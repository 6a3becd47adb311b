"""Games between strong levels that look at few positions a move, from the standard start: how they begin.

The files are made by `training/openings.py`, a game each.
"""

from functools import cache
from importlib.resources import as_file, files

from tabuleiro.collection import OpeningTree, Row, read_rows, replayed

#: Plies of the openings that are kept in memory.
DEPTH = 12


def engine_games(game: str) -> list[Row]:
    """The games of a file, none where a game has no file."""
    with as_file(files(__package__).joinpath(f"{game}.jsonl.gz")) as path:
        return [*read_rows(path)] if path.is_file() else []


@cache
def engine_openings(game: str) -> OpeningTree:
    """How they begin."""
    tree = OpeningTree(DEPTH)
    for played in replayed(engine_games(game), DEPTH):
        tree.add(played)
    return tree
