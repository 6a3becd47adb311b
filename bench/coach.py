"""Whether the coach ever lies, and how long it takes to answer: positions of games between levels.

    python bench/coach.py --positions 1000        the solved games: every "this throws it away" is true, none is missing
    python bench/coach.py --unsolved 100          the others too: how often it says that it does not know

What the coach says of every move is compared with judges who know nothing of the solvers, tables and books that stand
behind it: in Semáforo the value of every position there is, worked out backwards from the full board; elsewhere plain
search by the rules (alpha-beta and df-pn) to the end. Where that does not get there within its positions, the judge is
silent, and the table says how often. Times are processor time of one thread. Ends with an error at a lie, at a silence
of the coach in a solved game where the judge knows better, or at an answer that took too long.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from tabuleiro import get
from tabuleiro.core import Move, Position
from tabuleiro.learn import coach
from tabuleiro.players import level_engine
from tabuleiro.record import Game, Node
from tabuleiro.search import Limit
from tabuleiro.search.base import Score, Worth
from tabuleiro.solve.base import Solution
from tabuleiro.solve.search import SearchSolver

#: Games and options in which every position is within reach of a solver at once; how many parts of the positions.
SOLVED: dict[str, tuple[str, dict[str, str], int]] = {
    "semaforo": ("semaforo", {}, 4),
    "semaforo 3x3": ("semaforo", {"board": "3x3"}, 1),
    "rastros": ("rastros", {}, 4),
    "hex 5x5": ("hex", {"size": "5"}, 1),
}
UNSOLVED: dict[str, tuple[str, dict[str, str]]] = {
    "avanco 5x5": ("avanco", {"size": "5"}),
    "konane 6x6": ("konane", {"size": "6"}),
    **{game: (game, {}) for game in ("ouri", "konane", "hex", "avanco", "guerreiros", "abalone")},
}
#: The levels that play, and the most random moves before them.
LEVELS, LOOSE = range(1, 7), 4
#: A game is followed no longer than that.
MOST_PLIES = 160
#: Milliseconds of processor time within which the coach answers.
PROMISED = 300.0


def sampled(start: Position, wanted: int, seed: int) -> Iterator[Node]:
    """Positions of games between levels with more than one move, a few of each game, spread over it."""
    chance = random.Random(f"{seed} {start.id} {start.options.changed()}")
    while wanted > 0:
        game, loose = Game(start), chance.randrange(LOOSE + 1)
        players = [level_engine(start.id, chance.choice(LEVELS), chance.getrandbits(32)) for _ in range(2)]
        while game.outcome is None and game.last.ply < MOST_PLIES:
            if game.last.ply < loose:
                game.play(chance.choice(game.position.legal_moves()))
            else:
                game.play(players[game.last.ply % 2].play(game, Limit()))
        nodes = [node for node in game.root.line() if node.outcome is None and len(node.position.legal_moves()) > 1]
        for node in chance.sample(nodes, min(4, wanted, len(nodes))):
            wanted -= 1
            yield node


#: What a judge says of a position: whether each move throws something away, None where it is silent.
Judge = Callable[[Node], dict[Move, bool | None]]


def by_search(nodes: int) -> Judge:
    """Plain search to the end, with so many positions at most."""
    solver = SearchSolver()

    def judge(node: Node) -> dict[Move, bool | None]:
        truth = solver.solve(node, Limit(nodes=nodes))
        return {move: _thrown(truth, truth.moves.get(move)) for move in node.position.legal_moves()}

    return judge


def by_everything(start: Position) -> Judge:
    """Semáforo: every position there is, a digit to base 4 a cell; each move raises one digit by one, so those with the
    greater sum of digits come first. Written from the rules alone."""
    ranks = str(start).split()[0].split("/")
    height, width = len(ranks), len(start.geometry.names) // len(ranks)
    cells = [(row, column) for row in range(height) for column in range(width)]
    number = np.arange(4 ** len(cells), dtype=np.int64)
    digits = [((number >> (2 * place)) & 3).astype(np.int8) for place in range(len(cells))]
    line = np.zeros(len(number), dtype=bool)
    for row, column in cells:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            three = [(row + step * down, column + step * right) for step in range(3)]
            if all(each in cells for each in three):
                one, two, last = (digits[cells.index(each)] for each in three)
                line |= (one > 0) & (one == two) & (two == last)
    total = np.sum(digits, axis=0, dtype=np.int8)
    wins = np.zeros(len(number), dtype=bool)  # for who moves
    for sum_of_digits in range(3 * len(cells) - 1, -1, -1):
        here = number[total == sum_of_digits]
        for place in range(len(cells)):
            free = here[digits[place][here] < 3]
            after = free + 4**place
            wins[free] |= line[after] | ~wins[after]

    def judge(node: Node) -> dict[Move, bool | None]:
        position = node.position
        read = [_digits(rank) for rank in str(position).split()[0].split("/")]
        now = sum(digit << (2 * cells.index((row, column))) for row, rank in enumerate(read) for column, digit in rank)
        thrown: dict[Move, bool | None] = {}
        for move in position.legal_moves():
            name = position.move_str(move)
            after = now + 4 ** cells.index((height - int(name[1:]), ord(name[0]) - ord("a")))
            thrown[move] = bool(wins[now] and not line[after] and wins[after])
        return thrown

    return judge


def _digits(rank: str) -> list[tuple[int, int]]:
    """The columns of a rank that are not empty, and the lights there."""
    found, column = [], 0
    for symbol in rank:
        if symbol.isdigit():
            column += int(symbol)
        else:
            found.append((column, " GYR".index(symbol)))
            column += 1
    return found


@dataclass
class Tally:
    positions: int = 0
    unknown: int = 0
    moves: int = 0
    doubts: int = 0
    judged: int = 0
    lies: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def note(self, node: Node, judge: Judge | None) -> None:
        begin = time.process_time()
        known = coach.look(node)
        legal = node.position.legal_moves()
        doubts = {move: coach.doubt(node, move, known) for move in legal}
        self.milliseconds.append(1000 * (time.process_time() - begin))
        for explained in [move for move, doubt in doubts.items() if doubt is not None][:1]:
            begin = time.process_time()
            coach.why(node, explained, known)
            self.milliseconds.append(1000 * (time.process_time() - begin))
        self.positions += 1
        self.unknown += known.score is None
        self.moves += len(legal)
        self.doubts += sum(doubt is not None for doubt in doubts.values())
        judged = {} if judge is None else judge(node)
        for move, doubt in doubts.items():
            thrown = judged.get(move)
            if thrown is None:
                continue
            self.judged += 1
            where = (
                f"{node.position.id} {node.position} {node.position.options.changed()} {node.position.move_str(move)}"
            )
            if doubt is not None and not thrown:
                self.lies.append(where)
            if doubt is None and thrown:
                self.missing.append(where)

    def row(self, name: str) -> str:
        times = sorted(self.milliseconds)
        return (
            f"{name:14} {self.positions:9} {100 * self.unknown / self.positions:6.1f} % {self.moves:6} {self.doubts:7} "
            f"{100 * self.judged / self.moves:6.1f} % {len(self.lies):5} {len(self.missing):8} "
            f"{times[len(times) // 2]:8.0f} {times[len(times) * 95 // 100]:8.0f} {times[-1]:8.0f}"
        )


def _thrown(truth: Solution, left: Score | None) -> bool | None:
    """Whether a move throws something away, by the judge; None where it is silent."""
    best = truth.score
    if best is None or best.worth is None:
        return None
    if left is None or left.worth is None:
        return False if best.worth is Worth.LOSS else None
    return left.worth < best.worth


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1000, help="in all the rows of solved games together")
    parser.add_argument("--unsolved", type=int, default=0, metavar="N", help="so many of each of the other games")
    parser.add_argument("--only", action="append", default=[], help="only this row of the table")
    parser.add_argument("--judge", type=int, default=300_000, metavar="N", help="positions that the judge may see")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(
        f"{'':14} {'positions':>9} {'unknown':>8} {'moves':>6} {'doubts':>7} {'judged':>8} {'lies':>5} {'missing':>8} "
        f"{'ms half':>8} {'95 %':>8} {'worst':>8}"
    )
    failed = False
    solved = {name: row for name, row in SOLVED.items() if not given.only or name in given.only}
    unsolved = {name: row for name, row in UNSOLVED.items() if not given.only or name in given.only}
    parts = sum(part for _, _, part in solved.values())
    rows = [(name, game, options, given.positions * part // parts) for name, (game, options, part) in solved.items()]
    rows += [(name, game, options, given.unsolved) for name, (game, options) in unsolved.items()]
    for name, game, options, wanted in rows:
        if not wanted:
            continue
        start = get(game).start(get(game).options_type.parse(options))
        coach.look(Node(start))  # tables and books are read once
        tally, judge = Tally(), None
        if name in SOLVED:
            judge = by_everything(start) if game == "semaforo" else by_search(given.judge)
        for node in sampled(start, wanted, given.seed):
            tally.note(node, judge)
        print(tally.row(name), flush=True)
        for lie in tally.lies:
            print("  lie:", lie)
        for missing in tally.missing:
            print("  missing:", missing)
        failed |= bool(tally.lies or (judge and tally.missing)) or max(tally.milliseconds) > PROMISED
    sys.exit(failed)


if __name__ == "__main__":
    main()
