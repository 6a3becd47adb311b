"""OpenSpiel's C++ tree search (random playouts) as a UGI engine, for Hex, Avanço and Ouri by the rules of Oware.

python examples/openspiel_ugi.py hex [size]     (needs the package open_spiel, and nothing of Tabuleiro)

It is told a time (`go movetime`), and searches as many simulations as it does in that time by its own measure.
"""

import random
import sys
import time

import pyspiel

NAMES = {"hex": "hex(board_size={size})", "avanco": "breakthrough(rows={size},columns={size})", "ouri": "oware"}
SIZES = {"hex": 11, "avanco": 7, "ouri": 6}
#: Simulations of the first, measuring search of a move.
PROBE = 1000


class Translator:
    """Moves as Tabuleiro writes them, from and to OpenSpiel's numbers."""

    def __init__(self, game: str, size: int) -> None:
        self.game = game
        self.size = size

    def text(self, state: "pyspiel.State", action: int) -> str:
        theirs = state.action_to_string(action)
        if self.game == "ouri":
            return ("abcdef" if state.current_player() == 0 else "ABCDEF")[action]
        if self.game == "avanco":
            # There Black begins, at the top: the board is upside down.
            cells = [f"{theirs[at]}{self.size + 1 - int(theirs[at + 1])}" for at in (0, 2)]
            return ("x" if theirs.endswith("*") else "-").join(cells)
        return theirs

    def action(self, state: "pyspiel.State", text: str) -> int:
        return next(action for action in state.legal_actions() if self.text(state, action) == text)


def search(game: "pyspiel.Game", state: "pyspiel.State", simulations: int) -> int:
    evaluator = pyspiel.RandomRolloutEvaluator(1, random.getrandbits(30))
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, True, random.getrandbits(30), False)
    return bot.step(state)


def best_action(game: "pyspiel.Game", state: "pyspiel.State", seconds: float) -> int:
    # Processor time: what else runs on the machine must not decide how much it searches.
    began = time.process_time()
    action = search(game, state, PROBE)
    spent = time.process_time() - began
    rest = int((seconds - spent) * PROBE / max(spent, 1e-6))
    return search(game, state, rest) if rest > PROBE else action


def main() -> None:
    name = sys.argv[1]
    size = int(sys.argv[2]) if len(sys.argv) > 2 else SIZES[name]
    game = pyspiel.load_game(NAMES[name].format(size=size))
    translator = Translator(name, size)
    state = game.new_initial_state()
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            print("ugiok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:2] == ["position", "startpos"]:
            state = game.new_initial_state()
            for move in words[3:]:
                state.apply_action(translator.action(state, move))
        elif words[:1] == ["go"]:
            seconds = int(words[words.index("movetime") + 1]) / 1000
            print("bestmove", translator.text(state, best_action(game, state, seconds)), flush=True)
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()
