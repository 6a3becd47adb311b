"""What nets see: the same for both players, the same in both languages, and every move has a place of its own."""

import random
from array import array
from collections.abc import Iterator
from itertools import islice

import pytest

from option_sets import CASE_IDS, CASES
from tabuleiro import GAMES, Options, Position, _native
from tabuleiro.nn import View


def random_positions(kind: type[Position], options: Options, seed: int) -> Iterator[Position]:
    chance = random.Random(seed)
    while True:
        position = kind.start(options)
        for _ in range(chance.randrange(1, 120)):
            yield position
            if not (moves := position.legal_moves()):
                break
            position = position.play(chance.choice(moves))


@pytest.mark.parametrize(("kind", "options"), CASES, ids=CASE_IDS)
def test_both_languages_show_the_same(kind: type[Position], options: Options) -> None:
    view = View(kind, options)
    positions = list(islice(random_positions(kind, options, 1), 60))
    words = array("Q", [word for position in positions for word in position.encode()])
    rows = memoryview(words).cast("B").cast("Q", (len(positions), len(positions[0].encode())))
    packed = _native.PACKERS[kind.id](options.encode(), view.native_tables(), rows)
    assert packed == b"".join(view.packed(position) for position in positions)


@pytest.mark.parametrize(("kind", "options"), CASES, ids=CASE_IDS)
def test_every_legal_move_has_an_index_of_its_own(kind: type[Position], options: Options) -> None:
    view = View(kind, options)
    for position in islice(random_positions(kind, options, 2), 200):
        moves = position.legal_moves()
        indices = {view.index(position, move): move for move in moves}
        assert len(indices) == len(moves)
        assert all(0 <= index < view.policy_size for index in indices)
        assert [*view.actions(position).items()] == sorted(indices.items())


@pytest.mark.parametrize("kind", GAMES.values(), ids=GAMES)
def test_both_players_see_their_own_side_alike(kind: type[Position]) -> None:
    view = View(kind)
    exchanges = 0
    for position in islice(random_positions(kind, kind.options_type(), 3), 200):
        for symmetry in position.symmetries():
            if symmetry.exchanges_players and tuple(symmetry.cells) == view.exchange:
                other = position.transform(symmetry)
                assert view.bits(other) == view.bits(position)
                for move in position.legal_moves():
                    turned = position.transform_move(move, symmetry)
                    assert view.index(other, turned) == view.index(position, move)
                exchanges += 1
    assert (exchanges > 0) == (view.exchange is not None)


@pytest.mark.parametrize("kind", GAMES.values(), ids=GAMES)
def test_a_symmetry_of_the_game_turns_planes_and_policy_together(kind: type[Position]) -> None:
    view = View(kind)
    for position in islice(random_positions(kind, kind.options_type(), 4), 100):
        kept = [symmetry for symmetry in position.symmetries() if not symmetry.exchanges_players]
        # The second player sees a symmetry through the exchange of the sides: the same one, or another of them.
        if position.turn != 1:
            continue
        for symmetry, turned in zip(kept, view.symmetries, strict=True):
            before, after = view.bits(position), view.bits(position.transform(symmetry))
            assert after == sum((before >> source & 1) << bit for bit, source in enumerate(turned.bits))
            for move in position.legal_moves():
                goal = view.index(position.transform(symmetry), position.transform_move(move, symmetry))
                assert turned.policy[goal] == view.index(position, move)
