"""Each set of rules is the other's oracle: random games walked in Python and in the native kernels side by side.

As a command it compares as many positions as wanted, over every game and option set:

    python tests/differential.py --positions 1000000
"""

import argparse
import dataclasses
import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rich.progress import Progress

from tabuleiro import GAMES, native
from tabuleiro.core import InvalidPositionError, Options, Position
from tabuleiro.record import Game

#: Long enough to meet every rule, short enough to meet many games.
LONGEST_WALK = 150
LONGEST_REPLAY = 1000


def compare(
    game: type[Position],
    options: Options | None = None,
    *,
    games: int,
    seed: int,
    each: Callable[[], object] = lambda: None,
) -> int:
    """Walk random games in both sets of rules; AssertionError where they differ. Returns the positions compared.

    Every second game begins in a set-up position, made from the game before and read back from its string.
    """
    chance = random.Random(seed)
    start = game.start(options)
    compared, path = 0, [start]
    for number in range(games):
        path = list(_walk(_set_up(chance.choice(path), chance) if number % 2 else start, chance))
        for _ in path:
            each()
        compared += len(path)
    return compared


def _walk(position: Position, chance: random.Random) -> Iterator[Position]:
    kernel = native.kernel(position)
    assert kernel is not None, f"{position.id} has no kernel"
    for _ in range(LONGEST_WALK):
        words, moves = position.encode(), position.legal_moves()
        here = f"{position.id} {position} {position.options.changed()}"
        assert kernel.words == len(words), here
        assert kernel.turn(words) == position.turn, here
        assert kernel.moves(words) == moves, here
        assert not moves or moves[-1] < kernel.move_codes, here
        assert kernel.outcome(words) == native.outcome_number(position.outcome()), here
        assert kernel.hash(words) == position.hash64(), here
        assert type(position).decode(words, position.options) == position, here
        for symmetry in chance.sample(position.symmetries(), min(1, len(position.symmetries()))):
            turned = kernel.transform(words, symmetry.cells, symmetry.exchanges_players)
            assert turned == position.transform(symmetry).encode(), f"{here} {symmetry}"
        yield position
        if not moves:
            return
        move = chance.choice(moves)
        after = position.play(move)
        assert kernel.play(words, move) == after.encode(), f"{here} {position.move_str(move)}"
        position = after


def _set_up(position: Position, chance: random.Random) -> Position:
    """A position that need not be reachable: pieces missing, seeds elsewhere, the other player to move."""
    values: Any = position
    for _ in range(20):
        changes: dict[str, Any] = {"turn": chance.choice((position.turn, position.turn.other))}
        if hasattr(values, "houses"):
            changes["houses"] = tuple(chance.sample(values.houses, len(values.houses)))
        else:
            kept = chance.uniform(0.05, 1)
            board = [piece if chance.random() < kept else "." for piece in values.board]
            changes["board"] = tuple(board) if isinstance(values.board, tuple) else "".join(board)
        try:
            return type(position).from_str(str(replace(position, **changes)), position.options)
        except (InvalidPositionError, ValueError):
            continue
    return type(position).from_str(str(position), position.options)


def replay(start: Position, *, games: int, seed: int) -> int:
    """Check native random games against the rules of records: every move legal, and the end where they see it."""
    played = native.random_games(start, games, seed=seed, records=True, max_plies=LONGEST_REPLAY)
    for number, moves in enumerate(played.records()):
        node = Game(start).root
        for move in moves:
            node = node.play(move)
        here = f"{start.id} {start.options.changed()} seed {seed} game {number}: {node.outcome}"
        assert native.outcome_number(node.outcome) == played.results[number], here
        assert node.outcome is not None or node.ply == LONGEST_REPLAY, here
    return sum(played.lengths)


def option_sets(game: type[Position], combinations: int = 6) -> list[Options]:
    """The defaults, every option changed alone, and some random combinations."""
    choices: dict[str, list[Any]] = {}
    for field in dataclasses.fields(game.options_type):
        numbers: Sequence[int] = field.metadata["numbers"] or ()
        few = numbers if len(numbers) <= 20 else (numbers[0], numbers[len(numbers) // 100])
        choices[field.name] = list(dict.fromkeys([*field.metadata["values"], *few]))
    sets: list[Options] = [game.options_type()]
    alone = [{name: value} for name, values in choices.items() for value in values[1:]]
    chance = random.Random(game.id)
    together = [{name: chance.choice(values) for name, values in choices.items()} for _ in range(combinations)]
    for changes in itertools.chain(alone, together):
        try:
            sets.append(game.options_type(**changes))
        except ValueError:
            continue  # a combination that makes no sense
    return list(dict.fromkeys(sets))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=100_000, help="how many to compare, over all games")
    parser.add_argument("--games", nargs="*", default=list(GAMES), help="which games")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    share = arguments.positions // len(arguments.games)
    with Progress() as progress:
        for name in arguments.games:
            sets = option_sets(GAMES[name])
            bar = progress.add_task(name, total=share)

            def advance(bar: Any = bar) -> None:
                progress.advance(bar)

            compared = 0
            for seed in itertools.count(arguments.seed):
                compared += compare(GAMES[name], sets[seed % len(sets)], games=4, seed=seed, each=advance)
                if compared >= share:
                    break
    print(f"{arguments.positions} positions agree")


if __name__ == "__main__":
    main()
