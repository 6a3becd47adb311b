"""The engine games of the opening explorer: strong levels that look at few positions a move, from the standard start.

    python training/openings.py hex --games 100 --processes 2

adds games to `src/tabuleiro/openings/hex.jsonl.gz`. Strong levels would play few openings again and again, so the first
moves, from none to six, are those of a careless one. A game depends on its number alone; one that was there already is
left out.
"""

import argparse
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from tabuleiro import native
from tabuleiro.collection import Row, read_rows, row_of, write_rows
from tabuleiro.core import Player
from tabuleiro.crew import Each, gather
from tabuleiro.games import GAMES
from tabuleiro.players import make_engine
from tabuleiro.record import Game
from tabuleiro.search import Limit

FOLDER = Path(__file__).parents[1] / "src" / "tabuleiro" / "openings"
#: Who plays: by the number of the game, players ONE and TWO.
PAIRS = ((8, 9), (9, 8), (8, 8), (9, 9))
#: Who makes the first moves, and how many games run through all their numbers.
CARELESS, VARIED = "level:5", 7
#: Positions (or simulations) a move.
FEW = Limit(nodes=300)
#: Games of a file, at most, and plies of a game.
MOST, LONGEST = 3000, 400


def play(game_id: str, number: int) -> Row:
    native.list_moves(GAMES)
    levels = PAIRS[number % len(PAIRS)]
    engines = {player: make_engine(f"level:{level}", game_id) for player, level in zip(Player, levels, strict=True)}
    careless = make_engine(CARELESS, game_id)
    for seed, engine in enumerate((*engines.values(), careless)):
        engine.begin(3 * number + seed)
    game = Game.new(game_id)
    game.tags |= {"Round": str(number), "Player1": f"level:{levels[0]}", "Player2": f"level:{levels[1]}"}
    while game.outcome is None and game.last.ply < LONGEST:
        engine = careless if game.last.ply < number % VARIED else engines[game.position.turn]
        game.play(engine.play(game, FEW))
    return row_of(game)


def keep(rows: Iterable[Row], file: Path) -> None:
    partly = file.with_name(f"partly-{file.name}")
    write_rows(rows, partly)
    partly.replace(file)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("game", choices=[*GAMES])
    asked.add_argument("--games", type=int, default=100)
    asked.add_argument("--processes", type=int, default=1)
    given = asked.parse_args()
    file = FOLDER / f"{given.game}.jsonl.gz"
    rows = {row.moves: row for row in read_rows(file)} if file.is_file() else {}
    before, last = len(rows), max((int(row.tags["Round"]) for row in rows.values()), default=0)
    numbers = range(last + 1, last + 1 + min(given.games, MOST - before))
    crew = gather(processes=given.processes)
    for done, row in enumerate(crew.results(Each(partial(play, given.game)), numbers), 1):
        rows.setdefault(row.moves, row)
        if done % 10 == 0:
            keep(rows.values(), file)  # whoever is stopped has lost little
    keep(rows.values(), file)
    print(f"{file.name}: {before} + {len(rows) - before} games, {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
