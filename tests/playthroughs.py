"""Golden playthroughs: a game of each game, written so that a person can follow it and a diff shows any change.

`python tests/playthroughs.py` writes anew the files of data/playthroughs from the moves they hold (after a change that
is meant); `python tests/playthroughs.py GAME [--option k=v]… [--seed N] [--plies N]` prints a new one.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from tabuleiro import Options, Position, get

FOLDER = Path(__file__).parent / "data" / "playthroughs"


def describe(position: Position) -> Iterator[str]:
    yield f"position: {position}"
    yield f"encoded: {' '.join(map(str, position.encode()))}"
    yield f"hash: {position.hash64():016x}"
    outcome = position.outcome()
    if outcome is None:
        yield f"turn: {position.turn}"
        yield "legal: " + " ".join(f"{position.move_str(move)}={move}" for move in position.legal_moves())
    else:
        yield f"outcome: winner {outcome.winner or 'nobody'}, {outcome.reason}, score {outcome.score}"


def playthrough(game: type[Position], options: Options, moves: list[str]) -> str:
    lines = [f"game: {game.id}", "options: " + " ".join(f"{k}={v}" for k, v in options.items().items())]
    position = game.start(options)
    for ply, text in enumerate(moves, start=1):
        lines += ["", *describe(position), "", f"{ply}. {text}"]
        position = position.play(position.parse_move(text))
    return "\n".join([*lines, "", *describe(position), ""])


def read(text: str) -> tuple[type[Position], Options, list[str]]:
    """The game, options and moves that a playthrough file holds."""
    lines = text.splitlines()
    game = get(lines[0].removeprefix("game: "))
    pairs = dict(pair.split("=") for pair in lines[1].removeprefix("options:").split())
    moves = [line.split(". ", 1)[1] for line in lines if line[:1].isdigit()]
    return game, game.options_type.parse(pairs), moves


def random_moves(game: type[Position], options: Options, seed: int, plies: int) -> list[str]:
    rng, position = random.Random(seed), game.start(options)
    moves: list[str] = []
    while len(moves) < plies and position.legal_moves():
        move = rng.choice(position.legal_moves())
        moves.append(position.move_str(move))
        position = position.play(move)
    return moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=100)
    arguments = parser.parse_args()
    if arguments.game:
        game = get(arguments.game)
        options = game.options_type.parse(dict(pair.split("=") for pair in arguments.option))
        print(playthrough(game, options, random_moves(game, options, arguments.seed, arguments.plies)), end="")
        return
    for path in sorted(FOLDER.glob("*.txt")):
        path.write_text(playthrough(*read(path.read_text("utf-8"))), "utf-8")


if __name__ == "__main__":
    main()
