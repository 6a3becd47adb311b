"""Games to learn from: alpha-beta against itself at a few thousand nodes a move, judging by the net that the game has
already, or by the weights of its evaluation (`--no-net`).

    python -m training.nnue.generate avanco - --nodes 5000 --games 20000 --processes 4 --out games
    python -m training.nnue.generate avanco - --nodes 5000 --games 20000 --ray auto --out games

A game begins with a random number of random moves, and now and then a random move comes later too; all others are
searched for. Kept are the moves and what each search thought, from which `games.py` makes positions again: four bytes a
move. Games are played and kept so many at a time (`--each`), whichever worker of the crew does it; those depend on the
seed, their numbers and nothing else. What is there already is not played again. Tables of endings are looked up where
there are some, and rules that look back end games as they do among people.
"""

import argparse
import random
from pathlib import Path
from typing import NamedTuple

from training.nnue.games import LOST, NOT_SEARCHED, WON, GamesWriter
from training.pairs import read_pairs

from tabuleiro import _native, get, native
from tabuleiro.core import Options, Position
from tabuleiro.crew import Job, gather
from tabuleiro.record import Game
from tabuleiro.search.native import WIN_SCORE, Weights, searcher
from tabuleiro.search.nnue import net_for
from tabuleiro.solve.registry import search_tables

#: Random moves that a game begins with, at most, and how often one comes later.
OPENING, LATER = 12, 0.03
#: Plies: a game this long counts as a draw.
LONGEST_GAME = 250
#: Scores beyond this are wins or losses, proven or at a distance that the search has seen.
DECIDED = WIN_SCORE - 1000


class SelfPlay:
    def __init__(self, kind: type[Position], options: Options, nodes: int, seed: str, *, by_net: bool = True) -> None:
        self._start = kind.start(options)
        self._nodes, self._seed = nodes, seed
        self._search = searcher(
            kind.id,
            options,
            Weights.of(kind.id, options),
            table=4,
            tables=search_tables(self._start),
            net=net_for(self._start) if by_net else None,
        )

    def play(self, number: int, games: GamesWriter) -> None:
        chance = random.Random(f"{self._seed} {number}")
        self._search.forget()
        game = Game(self._start)
        scores: list[int] = []
        opening = chance.randrange(OPENING + 1)
        result: int | None = None
        while len(scores) < LONGEST_GAME and game.outcome is None and result is None:
            if len(scores) < opening or chance.random() < LATER:
                move, score = chance.choice(game.position.legal_moves()), NOT_SEARCHED
            else:
                request = _native.SearchRequest(start=self._start.encode(), moves=game.moves, nodes=self._nodes)
                _, _, _, decided, lines, _ = self._search.search(request, _native.StopFlag(), lambda _: None)
                score, floor, _, line = lines[0]
                move = line[0]
                if decided:
                    # Nothing is to be learnt from the rest of the game.
                    turn = game.position.turn
                    result = native.DRAW if floor == 0 else turn if floor > 0 else turn.other
                score = LOST if score < -DECIDED else WON if score > DECIDED else score
            game.play(move)
            scores.append(score)
        if result is None:
            winner = None if game.outcome is None else game.outcome.winner
            result = native.DRAW if winner is None else winner
        games.add(game.moves, scores, result)


class Part(NamedTuple):
    """Games that are played one after another and kept in one file, by the number of the first."""

    number: int
    first: int
    games: int


class Playing(Job[Part, GamesWriter]):
    def __init__(self, game: str, options: str, nodes: int, seed: int, *, by_net: bool) -> None:
        self._game, self._options, self._nodes, self._seed = game, options, nodes, seed
        self._by_net = by_net

    def begin(self) -> None:
        kind = get(self._game)
        options = kind.options_type.parse(read_pairs(self._options))
        self._play = SelfPlay(kind, options, self._nodes, str(self._seed), by_net=self._by_net)

    def do(self, unit: Part) -> GamesWriter:
        games = GamesWriter(self._game, self._options)
        for number in range(unit.first, unit.first + unit.games):
            self._play.play(number, games)
        return games


def parts(games: int, each: int) -> list[Part]:
    starts = range(0, games, each)
    return [Part(number, first, min(each, games - first)) for number, first in enumerate(starts)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("options", help="OPTION=VALUE,… or -")
    parser.add_argument("--nodes", type=int, default=5000, help="a move (5000)")
    parser.add_argument("--net", action=argparse.BooleanOptionalAction, default=True, help="judge by the game's net")
    parser.add_argument("--games", type=int, default=1000, help="(1000)")
    parser.add_argument("--each", type=int, default=100, help="games a file (100)")
    parser.add_argument("--processes", type=int)
    parser.add_argument("--ray", metavar="ADDRESS", help="of a Ray cluster: auto, local or host:port")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    files = {
        part: given.out / f"{given.game}-{given.seed}-{part.number:05}.npz" for part in parts(given.games, given.each)
    }
    missing = [part for part, file in files.items() if not file.exists()]
    crew = gather(given.processes, given.ray)
    playing = Playing(given.game, given.options, given.nodes, given.seed, by_net=given.net)
    for finished in crew.finished(playing, missing):
        finished.get().write(files[finished.unit])
        print(f"{crew.done} of {len(missing)} files, {crew.again} begun anew", flush=True)


if __name__ == "__main__":
    main()
