"""A Konane player who counts moves: full-width alpha-beta whose evaluation is our jumps less theirs. Speaks UGI.

python examples/konane_mobility.py, then `go depth 8`.
"""

import sys

from tabuleiro.games import get
from tabuleiro.programs.protocol import Go, Hello, IsReady, Quit, SetPosition, parse
from tabuleiro.record import Game
from tabuleiro.search import AlphaBetaEngine
from tabuleiro.search.native import Weights

JUMPS = {"own_jumps": (10, 10), "enemy_jumps": (-10, -10)}


def main() -> None:
    konane = get("konane")
    features = Weights.of(konane.id).features
    weights = Weights(100, {name: JUMPS.get(name, (0, 0)) for name in features})
    engine = AlphaBetaEngine(full_width=True, weights=weights)
    game = Game(konane.start())
    for line in sys.stdin:
        match parse(line):
            case Hello():
                print("ugiok", flush=True)
            case IsReady():
                print("readyok", flush=True)
            case SetPosition(start, moves):
                game = Game(konane.start() if start is None else konane.from_str(start))
                for move in moves:
                    game.play(move)
            case Go() as go:
                position = game.position
                best = engine.play(game, go.limit(position.turn))
                print(f"bestmove {position.move_str(best)}", flush=True)
            case Quit():
                break


if __name__ == "__main__":
    main()
