"""Games a second that are written and read, in processor time, so per core:

    python bench/records.py [--game hex] [--json]

The games are random ones, all different. Reading means that every move and every result was checked, once the words of
the moves are known (they are learnt as they are met); the last figure is that of reading records one by one, with
all that may be said about a game.
"""

import argparse
import gc
import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

from rich.console import Console
from rich.table import Table

from tabuleiro.cli.bench import new_table, short
from tabuleiro.core import Position
from tabuleiro.games import GAMES as ALL_GAMES
from tabuleiro.games import get

#: Moves of the games that are written and read at once, the least number of games, and how many are read one by one.
MOVES, GAMES, ONE_BY_ONE = 200_000, 1_000, 20
#: Plies of the longest game: under some options random games need not end.
LONGEST = 400


@dataclass(frozen=True)
class RecordSpeed:
    """Games a second of processor time, in games that have `plies` on average; None where pyarrow is missing."""

    plies: float
    write_text: float
    read_text: float
    write_jsonl: float
    read_jsonl: float
    write_parquet: float | None
    read_parquet: float | None
    one_by_one: float


def measure_records(start: Position) -> RecordSpeed:
    from tabuleiro import native
    from tabuleiro.collection import Row, read_rows, replayed, write_rows
    from tabuleiro.record import read_games, write_moves

    some = native.random_games(start, 100, seed=1, max_plies=LONGEST)
    count = max(GAMES, 100 * MOVES // sum(some.lengths))
    played = native.random_games(start, count, seed=1, records=True, max_plies=LONGEST)
    results = {native.ONGOING: "*", 1: "1-0", 2: "0-1", native.DRAW: "1/2-1/2"}
    tags = {"Player1": "random", "Player2": "random"}
    rows = [
        Row(start.id, (), None, " ".join(write_moves(start, moves)), results[result], None, tags)
        for moves, result in zip(played.records(), played.results, strict=True)
    ]

    def rate(work: Callable[[], object], games: int = count) -> float:
        gc.collect()  # what earlier measures left behind is not this one's
        began = process_time()
        work()
        return games / (process_time() - began)

    def read(path: Path) -> int:
        return sum(1 for _ in replayed(read_rows(path)))

    has_arrow = find_spec("pyarrow") is not None
    measured: dict[str, float | None] = {}
    with tempfile.TemporaryDirectory() as folder:
        if has_arrow:
            # To load what it needs takes longer than to write a thousand games.
            write_rows(rows, first := Path(folder, "first.parquet"))
            read(first)
        text = Path(folder, "games.tab")
        for name, file in (
            ("text", text),
            ("jsonl", Path(folder, "games.jsonl")),
            ("parquet", Path(folder, "games.parquet")),
        ):
            there = name != "parquet" or has_arrow
            measured[f"write_{name}"] = rate(partial(write_rows, rows, file)) if there else None
            if name == "text":
                read(file)
            measured[f"read_{name}"] = rate(partial(read, file)) if there else None
        one_by_one = rate(lambda: list(islice(read_games(text), ONE_BY_ONE)), ONE_BY_ONE)
    return RecordSpeed(plies=sum(played.lengths) / count, one_by_one=one_by_one, **measured)  # type: ignore[arg-type]


def record_table(measured: dict[str, Any]) -> Table:
    write, read = "write", "read and check"
    table = new_table(
        "games/s per core",
        "plies",
        f"{write} .tab",
        f"{read} .tab",
        f"{write} .jsonl",
        f"{read} .jsonl",
        f"{write} .parquet",
        f"{read} .parquet",
        "read .tab one by one",
    )
    for name, speed in measured["games"].items():
        table.add_row(name, *("" if rate is None else short(rate) for rate in speed.values()))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=[*ALL_GAMES], help="only this game; may be repeated")
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    measured = {"games": {name: asdict(measure_records(get(name).start())) for name in wanted.game or ALL_GAMES}}
    if wanted.json:
        print(json.dumps(measured))
    else:
        Console().print(record_table(measured))


if __name__ == "__main__":
    main()
