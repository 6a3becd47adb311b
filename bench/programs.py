"""A match against another program by the processor time of both, whatever else runs on the machine.

    python bench/programs.py ouri level:10 "ugi:COMMAND" --option rules=oware --time 0.3 --games 60 --resume FILE

Both are given the same time by the clock; told is how much of the processor each had a move (our searches: that of this
process; the program's: that of the processes it runs as). Pairs of games from random openings, sides exchanged, one
after the other. `--minutes` ends a piece of the match; the same command goes on with the next.
"""

import argparse
import os
import time
from pathlib import Path

from tabuleiro import games
from tabuleiro.core import Move
from tabuleiro.elo import Verdict
from tabuleiro.match import Match, PairFile, opening_plies, play_pair, tally_of
from tabuleiro.players import Contestant
from tabuleiro.record import Game
from tabuleiro.search import Limit

#: Clock ticks a second, in which the system tells processor time.
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds_of_children() -> float:
    """Of all processes that descend from this one."""
    parents, spent = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        number = int(path.parent.name)
        parents[number], spent[number] = int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS
    total, waiting = 0.0, [os.getpid()]
    while waiting:
        above = waiting.pop()
        for number, parent in parents.items():
            if parent == above:
                total += spent[number]
                waiting.append(number)
    return total


class Measured(Contestant):
    """A player of whom the processor time of each move is told."""

    def choose(self, game: Game) -> tuple[Move, float]:
        own, others = time.process_time(), processor_seconds_of_children()
        move = self.engine.play(game, self.limit)
        if self.name.startswith(("ugi", "uci", "gtp")):
            return move, processor_seconds_of_children() - others
        return move, time.process_time() - own


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("one")
    parser.add_argument("two")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--time", type=float, default=0.3, help="seconds a move by the clock")
    parser.add_argument("--games", type=int, default=60, help="at most")
    parser.add_argument("--sprt", default="0,30", help="ELO0,ELO1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9, help="no pair begins later than this")
    parser.add_argument("--resume", type=Path, required=True, metavar="FILE", help="keeps the finished pairs")
    given = parser.parse_args()
    options = dict(option.split("=", 1) for option in given.option)
    match = Match(given.game, options, given.one, given.two, given.time, given.seed, opening_plies(given.game))
    kind = games.get(given.game)
    start, limit = kind.start(kind.options_type.parse(options)), Limit(seconds=given.time)
    one, two = (Measured(name, start, limit) for name in (given.one, given.two))
    file, begun = PairFile(given.resume, match), time.monotonic()
    pairs = file.pairs
    try:
        for number in range(len(pairs), given.games // 2):
            if time.monotonic() - begun > 60 * given.minutes:
                break
            pairs.append(play_pair(match, number, one, two))
            file.add(pairs[-1])
    finally:
        file.close()
        one.close()
        two.close()
    tally = tally_of(pairs)
    spent = [1000 * sum(pair.seconds[i] for pair in pairs) / sum(pair.moves[i] for pair in pairs) for i in (0, 1)]
    low, high = map(float, given.sprt.split(","))
    verdict = tally.test(low, high)
    print(
        f"{2 * tally.pairs} games: {100 * tally.score:.1f} ± {100 * tally.error:.1f} %, {tally.elo_text()} Elo; pairs "
        f"{tally.counts}; {spent[0]:.0f} v {spent[1]:.0f} ms of processor time a move; SPRT {low:g}, {high:g} Elo: "
        f"{'undecided' if verdict is Verdict.UNDECIDED else verdict.value}"
    )


if __name__ == "__main__":
    main()
