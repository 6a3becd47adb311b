"""Games to learn from: alpha-beta against itself at a few thousand nodes a move, judging by the net that the game has
already, or by the weights of its evaluation (`--no-net`).

    python -m training.nnue.generate avanco - --nodes 5000 --seconds 600 --processes 4 --out games

A game begins with a random number of random moves, and now and then a random move comes later too; all others are
searched for. Kept are the moves and what each search thought, from which `games.py` makes positions again: four bytes a
move. One process a core; each writes a file whenever it has played so long (`--every`), so that little is lost. The
games of a process depend on the seed, its number and nothing else; how many there are depends on the time. Tables of
endings are looked up where there are some, and rules that look back end games as they do among people.
"""

import argparse
import multiprocessing
import random
import time
from pathlib import Path

from training.nnue.games import LOST, NOT_SEARCHED, WON, Games, GamesWriter

from tabuleiro import _native, get, native
from tabuleiro.core import Options, Position
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


def work(given: argparse.Namespace, number: int) -> None:
    kind = get(given.game)
    options = kind.options_type.parse(Games.pairs(given.options))
    play = SelfPlay(kind, options, given.nodes, f"{given.seed} {number}", by_net=given.net)
    end, count, part = time.monotonic() + given.seconds, 0, 0
    while time.monotonic() < end:
        games, next_file = GamesWriter(given.game, given.options), time.monotonic() + given.every
        while time.monotonic() < min(end, next_file):
            play.play(count, games)
            count += 1
        games.write(given.out / f"{given.game}-{given.seed}-{number:02}-{part:03}.npz")
        part += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("options", help="OPTION=VALUE,… or -")
    parser.add_argument("--nodes", type=int, default=5000, help="a move (5000)")
    parser.add_argument("--net", action=argparse.BooleanOptionalAction, default=True, help="judge by the game's net")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=120, help="seconds between two files of a process")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    workers = [multiprocessing.Process(target=work, args=(given, number)) for number in range(given.processes)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
