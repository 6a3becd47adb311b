"""Many games at once: read, checked, counted and written by the hundred thousand.

`rows` is one game as a row of a table; `read` and `write` know three forms of files (our text, JSON lines, Parquet);
`replay` checks games by the kernels; `statistics` and `openings` count. One game with all that was said about it is
`tabuleiro.record`.
"""

from tabuleiro.collection.files import FORMS, form_of, read_rows, write_rows
from tabuleiro.collection.openings import OpeningTree, Results
from tabuleiro.collection.replay import Replayed, replayed
from tabuleiro.collection.rows import Row, game_of, row_of
from tabuleiro.collection.statistics import Statistics, statistics_of

__all__ = [
    "FORMS",
    "OpeningTree",
    "Replayed",
    "Results",
    "Row",
    "Statistics",
    "form_of",
    "game_of",
    "read_rows",
    "replayed",
    "row_of",
    "statistics_of",
    "write_rows",
]
