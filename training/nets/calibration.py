"""Do chances mean what they say? What an engine predicts in its own games, against what becomes of them.

    python -m training.nets.calibration hex size=11,swap=off games.jsonl --games 50 --engine net:nodes=60
    python -m training.nets.calibration hex size=11,swap=off games.jsonl --games 0 --svg docs/hex-calibration.svg

Adds games to a file and then prints, for all games in it, a table: predictions by tenths, how many positions they are
of, their mean, and the share of those games that the player to move won. The first moves are random, the next few drawn
by the visits of the search, so that no two games are alike. Positions with a proven result are left out. Positions of
one game are not independent: errors (95 %) come from drawing whole games again and again.
"""

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from training.pairs import read_pairs

from tabuleiro import Game, get
from tabuleiro.core import Player, Position
from tabuleiro.crew import Each, gather
from tabuleiro.players import make_engine, parse_name
from tabuleiro.search import Engine, Limit

#: Random moves at the start, and moves after them that are drawn by visits.
RANDOM, DRAWN = 2, 8
BINS = 10
#: How often whole games are drawn again for the errors.
AGAIN = 400

#: Predictions of a game, each with whether the player to move won.
Predictions = list[tuple[float, bool]]


class Table:
    """The engine of a process, and where its games start."""

    now: "Table | None" = None

    def __init__(self, game: str, options: str, engine: str) -> None:
        kind = get(game)
        self.start = kind.start(kind.options_type.parse(read_pairs(options)))
        limit = parse_name(engine).limit
        assert limit is not None, "the engine's name has a limit"
        self.limit = limit
        self.engine = make_engine(engine, game)


def play_number(task: tuple[str, str, str, int]) -> Predictions:
    """The game of a number: game, options, engine and number."""
    *names, number = task
    table = Table.now = Table.now or Table(*names)
    table.engine.begin(number)
    return play(table.engine, table.limit, table.start, random.Random(number))


def play(engine: Engine, limit: Limit, start: Position, chance: random.Random) -> Predictions:
    game = Game(start)
    seen: list[tuple[float, Player]] = []
    while game.outcome is None:
        position = game.position
        if game.last.ply < RANDOM:
            game.play(position.move_str(chance.choice(position.legal_moves())))
            continue
        found = engine.analyse(game, limit)
        if not found.exact:
            seen.append((found.score.chance, position.turn))
        move = found.move
        if game.last.ply < RANDOM + DRAWN and not found.exact:
            (move,) = chance.choices([each.move for each in found.root], [each.visits for each in found.root])
        game.play(position.move_str(move))
    winner = game.outcome.winner
    return [(predicted, player is winner) for predicted, player in seen]


def shares(games: Sequence[Predictions]) -> list[tuple[int, float, float]]:
    """For each tenth: positions, their mean prediction, the share that was won."""
    found = []
    for number in range(BINS):
        inside = [
            (predicted, won)
            for game in games
            for predicted, won in game
            if min(int(predicted * BINS), BINS - 1) == number
        ]
        n = max(len(inside), 1)
        found.append((len(inside), sum(p for p, _ in inside) / n, sum(won for _, won in inside) / n))
    return found


def with_errors(games: Sequence[Predictions], chance: random.Random) -> list[tuple[int, float, float, float]]:
    """As `shares`, and how far each share may be off."""
    again = [shares(chance.choices(games, k=len(games))) for _ in range(AGAIN)]
    rows = []
    for number, (positions, predicted, won) in enumerate(shares(games)):
        drawn = sorted(each[number][2] for each in again if each[number][0])
        error = (drawn[int(0.975 * len(drawn))] - drawn[int(0.025 * len(drawn))]) / 2 if drawn else 0.0
        rows.append((positions, predicted, won, error))
    return rows


def mean_error(games: Sequence[Predictions]) -> float:
    """The mean distance of prediction and share over all positions."""
    rows = shares(games)
    return sum(n * abs(predicted - won) for n, predicted, won in rows) / max(sum(n for n, _, _ in rows), 1)


def table(rows: Sequence[tuple[int, float, float, float]]) -> str:
    lines = ["| predicted, % | positions | mean prediction, % | won, % |", "|---|---:|---:|---:|"]
    for number, (positions, predicted, won, error) in enumerate(rows):
        if positions:
            bounds = f"{100 * number // BINS}–{100 * (number + 1) // BINS}"
            lines.append(f"| {bounds} | {positions} | {100 * predicted:.1f} | {100 * won:.1f} ± {100 * error:.1f} |")
    return "\n".join(lines)


def picture(rows: Sequence[tuple[int, float, float, float]]) -> str:
    side, left, top = 300, 60, 20

    def at(x: float, y: float) -> tuple[float, float]:
        return left + x * side, top + (1 - y) * side

    drawn = [f'<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="none" stroke="#999"/>']
    (x0, y0), (x1, y1) = at(0, 0), at(1, 1)
    drawn.append(f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="#999" stroke-dasharray="4"/>')
    for share in (0, 0.5, 1):
        x, y = at(share, share)
        drawn.append(f'<text x="{x}" y="{top + side + 16}" text-anchor="middle">{share:.0%}</text>')
        drawn.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{share:.0%}</text>')
    for positions, predicted, won, error in rows:
        if positions:
            x, y = at(predicted, won)
            low, high = at(0, max(won - error, 0))[1], at(0, min(won + error, 1))[1]
            drawn.append(f'<line x1="{x:.1f}" y1="{low:.1f}" x2="{x:.1f}" y2="{high:.1f}" stroke="#2563eb"/>')
            drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#2563eb"/>')
    drawn.append(f'<text x="{left + side / 2}" y="{top + side + 34}" text-anchor="middle">predicted</text>')
    drawn.append(f'<text x="14" y="{top + side / 2}" text-anchor="middle" transform="rotate(-90 14 170)">won</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + side + 20} {top + side + 44}"'
    return f'{head} font-family="sans-serif" font-size="12">\n' + "\n".join(drawn) + "\n</svg>\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("options", help="OPTION=VALUE,… or -")
    parser.add_argument("file", type=Path, help="games that were played, and where new ones are added")
    parser.add_argument("--engine", default="net:nodes=60")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    lines = given.file.read_text().splitlines() if given.file.exists() else []
    new = range(len(lines), len(lines) + given.games)
    tasks = [(given.game, given.options, given.engine, number) for number in new]
    with given.file.open("a") as file:
        for found in gather(given.processes).results(Each(play_number), tasks):
            lines.append(json.dumps(found))
            print(lines[-1], file=file, flush=True)
    games: list[Any] = [json.loads(line) for line in lines]
    rows = with_errors(games, random.Random(0))
    print(
        f"{len(games)} games, {sum(n for n, *_ in rows)} positions, {100 * mean_error(games):.1f} % off on the mean\n"
    )
    print(table(rows))
    if given.svg is not None:
        given.svg.write_text(picture(rows))


if __name__ == "__main__":
    main()
