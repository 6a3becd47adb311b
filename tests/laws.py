"""What holds in every position of every game. `check_position` is called on random walks through all of them."""

import random
import string
from collections.abc import Hashable
from itertools import pairwise
from typing import Any

import pytest

from tabuleiro import native
from tabuleiro.core import (
    IllegalMoveError,
    InvalidMoveError,
    Options,
    Player,
    Position,
    TabuleiroError,
)
from tabuleiro.geometry import Geometry
from tabuleiro.perft import perft


def check_position(position: Position, rng: random.Random) -> None:
    moves = position.legal_moves()
    check_moves(position, moves)
    check_notation(position, moves, rng)
    check_faces(position, moves)
    check_looks(position, moves)
    check_symmetries(position, moves, rng)
    check_secrets(position, moves)


def check_moves(position: Position, moves: list[int]) -> None:
    assert (moves == []) == (position.outcome() is not None), "moves are empty exactly when the game is over"
    assert all(a < b for a, b in pairwise(moves)), "moves ascend and are distinct"
    kernel = native.kernel(position)
    assert kernel is None or not moves or moves[-1] < kernel.move_codes, "no move is beyond what the kernel says"
    before = (str(position), position.encode())
    for move in moves[:3]:
        position.play(move)
    assert (str(position), position.encode()) == before, "playing changes nothing"
    assert position.move_texts() == {position.move_str(move): move for move in moves}
    outcome = position.outcome()
    position.forget()
    assert (position.legal_moves(), position.outcome()) == (moves, outcome), "what is forgotten is worked out again"


def check_notation(position: Position, moves: list[int], rng: random.Random) -> None:
    game, options = type(position), position.options
    assert game.from_str(str(position), options) == position
    words = position.encode()
    assert all(0 <= word < 1 << 64 for word in words)
    assert game.decode(words, options) == position
    texts = [position.move_str(move) for move in moves]
    assert len(set(texts)) == len(texts), "different moves have different texts"
    for move, text in zip(moves, texts, strict=True):
        assert position.parse_move(text) == move
        assert position.parse_move(f"  {text} ") == move
    for number in {-1, rng.randrange(1 << 14), (moves or [0])[-1] + 1} - set(moves):
        with pytest.raises(IllegalMoveError):
            position.play(number)
        with pytest.raises(IllegalMoveError):
            position.move_str(number)
    nonsense = "".join(rng.choices(string.printable + "áç√♟\0", k=rng.randrange(1, 30)))
    for text in ("", nonsense, "?" + "".join(texts[:1])):
        try:
            assert position.parse_move(text) in moves
        except TabuleiroError as error:
            assert isinstance(error, InvalidMoveError | IllegalMoveError)
            assert error.text.pt and error.text.en


def check_faces(position: Position, moves: list[int]) -> None:
    geometry = position.geometry
    assert all(0 <= cell < len(geometry) for cell in position.pieces())
    touched = sorted(position.clicks(move) for move in moves)
    assert all(0 <= cell < len(geometry) for clicks in touched for cell in clicks)
    buttons = [clicks for clicks in touched if clicks == ()]
    assert len(buttons) <= 1, "a move without cells is a button: at most one at a time"
    for shorter, longer in pairwise(clicks for clicks in touched if clicks):
        assert longer[: len(shorter)] != shorter, "no move's cells begin with all the cells of another"
    for move in moves[:10]:
        held = set(position.pieces())
        for origin, target in position.motions(move):
            assert origin in held, "what travels was there"
            held.add(target)
    prompt = position.prompt()
    assert prompt is None or (prompt.pt and prompt.en)
    outcome = position.outcome()
    if outcome is not None and outcome.winner is None:
        assert position.can_draw


#: By game and board: how a move was written, touched and shown when it first looked so.
LOOKS: dict[tuple[str, Geometry], dict[Hashable, tuple[Any, ...]]] = {}


def check_looks(position: Position, moves: list[int]) -> None:
    if (looks := position.move_looks()) is None:
        return
    known = LOOKS.setdefault((position.id, position.geometry), {})
    for move, look in zip(moves, looks, strict=True):
        shown = (move, position.move_str(move), position.clicks(move), position.motions(move))
        assert known.setdefault(look, shown) == shown, "what looks the same is the same"


def check_symmetries(position: Position, moves: list[int], rng: random.Random) -> None:
    for symmetry in rng.sample(position.symmetries(), k=min(2, len(position.symmetries()))):
        image = position.transform(symmetry)
        assert type(position).from_str(str(image), position.options) == image
        image_moves = {move: position.transform_move(move, symmetry) for move in moves}
        assert sorted(image_moves.values()) == image.legal_moves()
        assert image.turn == (position.turn.other if symmetry.exchanges_players else position.turn)
        outcome, image_outcome = position.outcome(), image.outcome()
        assert (outcome is None) == (image_outcome is None)
        if outcome and image_outcome and outcome.winner:
            expected = outcome.winner.other if symmetry.exchanges_players else outcome.winner
            assert image_outcome.winner == expected
        for move in rng.sample(moves, k=min(2, len(moves))):
            assert position.play(move).transform(symmetry) == image.play(image_moves[move])
        if len(moves) <= 20:
            assert perft(image, 2) == perft(position, 2)


def check_secrets(position: Position, moves: list[int]) -> None:
    for player in (*Player, None):
        seen = position.seen_by(player)
        if seen is position:
            continue
        assert position.seen_by(None) is not position, "who only watches sees no more than any player"
        assert seen != position, "where nothing is hidden one sees the very position"
        assert seen.seen_by(player) is seen, "looking again shows no less"
        assert seen.turn is position.turn
        assert type(position).from_str(str(seen), position.options) == seen
        if player is position.turn:
            assert seen.move_texts() == position.move_texts(), "the player to move knows what may be played"
        if (kernel := native.kernel(position)) is not None:
            assert kernel.moves(seen.encode()) == seen.legal_moves()


def walk(game: type[Position], options: Options, rng: random.Random, plies: int) -> list[Position]:
    """The positions of a random game, at most that many plies long; history rules are not applied."""
    positions = [game.start(options)]
    while len(positions) <= plies and (moves := positions[-1].legal_moves()):
        positions.append(positions[-1].play(rng.choice(moves)))
    assert all(isinstance(position.turn, Player) for position in positions)
    return positions
