"""Whatever is typed, the answer is a sentence of ours: never another exception, never a wrong position let through."""

import random

import pytest

from laws import check_position, walk
from option_sets import CASE_IDS, CASES
from tabuleiro.core import InvalidPositionError, OptionError, Options, Position, TabuleiroError
from tabuleiro.games import GAMES

ALPHABET = "abcdefghijkKWwOxX#GYR0123456789/,-' !?u.:;=@+*\t\n\0\x7fáçœ√♟٣²"


def mangled(text: str, rng: random.Random) -> str:
    """A text with a few characters lost, added, changed, doubled or exchanged."""
    characters = list(text)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(characters) + 1)
        match rng.randrange(6):
            case 0:
                del characters[at : at + rng.randrange(1, 4)]
            case 1:
                characters.insert(at, rng.choice(ALPHABET))
            case 2:
                characters[at : at + 1] = rng.choice(ALPHABET)
            case 3:
                characters[at:at] = characters[at : at + rng.randrange(1, 8)]
            case 4:
                rng.shuffle(characters)
            case _:
                characters = characters * rng.choice([1, 2, 40])
    return "".join(characters)


@pytest.mark.parametrize(("game", "options"), CASES, ids=CASE_IDS)
def test_malformed_positions_and_moves_get_a_sentence(game: type[Position], options: Options) -> None:
    rng = random.Random(f"{game.id} {options}")
    for _ in range(30):
        position = rng.choice(walk(game, options, rng, 60))
        try:
            read = game.from_str(mangled(str(position), rng), options)
        except InvalidPositionError as error:
            assert error.text.pt and error.text.en and len(error.text.pt) < 300
        else:
            # What is let through must be a position like any other.
            check_position(read, rng)
        moves = position.legal_moves()
        typed = mangled(position.move_str(rng.choice(moves)) if moves else "a1", rng)
        try:
            assert position.parse_move(typed) in moves
        except TabuleiroError as error:
            assert error.text.pt and error.text.en and len(error.text.pt) < 300


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_options_that_make_no_sense_get_a_sentence(game: type[Position]) -> None:
    rng = random.Random(game.id)
    names = [*game.options_type().items(), "size", "", "é", "__class__"]
    values = ["", "0", "-1", "7", "1e9", "9" * 5000, "None", "true", "off", "٣", "\0", "south", "3x4"]
    for _ in range(400):
        pairs = {rng.choice(names): mangled(rng.choice(values), rng) for _ in range(rng.randrange(1, 3))}
        try:
            options = game.options_type.parse(pairs)
        except OptionError as error:
            assert error.text.pt and error.text.en and len(error.text.pt) < 1000
        else:
            assert game.options_type.parse(options.items()) == options
