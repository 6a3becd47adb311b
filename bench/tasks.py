"""How long the acts of pupils take: every task of every lesson, solved with all its help, wrong moves on the way.

python bench/tasks.py [GAME …]     # milliseconds of processor for one act: median, 95 of 100, the longest

One process does everything, as one that judges on the server would.
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator

from tabuleiro.games import GAMES, get
from tabuleiro.learn import Attempt, Step, Task, Verdict, act, lessons_of, live_overlay
from tabuleiro.server.learning.room import read_what_takes_long

#: Wrong moves that are tried in each position of a task.
TRIED = 4


def acts_of(task: Task, seed: int) -> Iterator[tuple[str, float]]:
    """What was done, and the seconds of processor that it took, with what is drawn on the board afterwards."""
    attempt, chance = Attempt(task, seed=seed), random.Random(seed)

    def timed(said: str) -> tuple[Attempt, Verdict | Step, float]:
        begun = time.process_time()
        after, came = act(attempt, said)
        live_overlay(after.node(), task.diagram)
        return after, came, time.process_time() - begun

    while not attempt.solved and len(attempt.acts) < 60:
        position = attempt.node().position
        legal = [position.move_str(move) for move in position.legal_moves()]
        for move in chance.sample(legal, min(TRIED, len(legal))) if attempt.way == "move" else ():
            yield f"move {move}", timed(f"move {move}")[2]
        moves: tuple[str, ...] = ()
        while not moves and attempt.way != "say" and not _is_against_a_level(task):
            attempt, step, seconds = timed("hint")
            yield "hint", seconds
            assert isinstance(step, Step)
            moves = step.moves
            if attempt.hints > len(task.hints):
                break
        if attempt.way == "say":
            said = f"say {task.winner}"
        elif attempt.way == "mark":
            said = " ".join(["mark", *moves])
        else:
            said = f"move {moves[0] if moves else chance.choice(legal)}"
        attempt, _, seconds = timed(said)
        yield said, seconds


def _is_against_a_level(task: Task) -> bool:
    return task.goal.kind == "play" and task.goal.number is not None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=[*GAMES], metavar="GAME")
    games = parser.parse_args().games
    read_what_takes_long()
    for game in games:
        spent: list[tuple[float, str]] = []
        for lesson in lessons_of(get(game)):
            for number, task in enumerate(lesson.tasks, start=1):
                spent += [(seconds, f"{lesson.id}/{number} {said}") for said, seconds in acts_of(task, number)]
        times = sorted(1000 * seconds for seconds, _ in spent)
        worst = ", ".join(f"{1000 * seconds:.0f} ({said})" for seconds, said in sorted(spent, reverse=True)[:4])
        late = times[int(0.95 * len(times))]
        over = sum(each > 300 for each in times)
        print(
            f"{game:11} {len(times):4} acts: median {statistics.median(times):5.0f} ms, 95 % {late:5.0f} ms, "
            f"over 300 ms {over:3}; longest {worst}",
            flush=True,
        )


if __name__ == "__main__":
    main()
