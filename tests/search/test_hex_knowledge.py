"""What the judge of Hex knows: connections, cells that do not matter, when to swap."""

import random

import pytest

from tabuleiro import Game
from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.search import Limit, MctsEngine, ProofEngine
from tabuleiro.search.base import Score, Worth

AT_ONCE = Limit(nodes=1)


def without_swap(size: int) -> HexOptions:
    return HexOptions(size=size, swap=False)


def test_what_is_claimed_at_once_is_true() -> None:
    """Connections and filled-in cells against exhaustive proof, on boards small enough for it."""
    chance = random.Random(1)
    prover = ProofEngine()
    claims = 0
    for _ in range(60):
        size, fewest = chance.choice(((3, 1), (4, 3), (5, 12)))
        position = Hex.start(without_swap(size))
        for _ in range(chance.randint(fewest, size * size * 2 // 3)):
            if position.outcome() is None:
                position = position.play(chance.choice(position.legal_moves()))
        if position.outcome() is not None:
            continue
        truth = prover.analyse(position, Limit()).score.worth
        found = MctsEngine(memory=8).analyse(position, AT_ONCE, lines=100)
        assert not found.exact or found.score.worth is truth, str(position)
        for line in found.lines:
            if line.score.exact:
                claims += 1
                after = position.play(line.moves[0])
                lost = after.outcome() is not None or prover.analyse(after, Limit()).score.worth is Worth.LOSS
                assert lost == (line.score.worth is Worth.WIN), f"{position} {position.move_str(line.moves[0])}"
    assert claims > 120


@pytest.mark.parametrize(
    ("size", "position"),
    [
        # A stone of the third line is joined to the side by what lies below it: here to both sides.
        (5, "5/5/2b2/5/5 w -"),
        # The same on both sides of a chain of bridges; the second cell of each is what is left of the way.
        (11, "11/11/5b5/11/4b6/11/3b7/11/2b8/11/11 w -"),
        # One bridge from side to side.
        (3, "3/1b1/3 w -"),
    ],
)
def test_connections_are_seen_without_searching(size: int, position: str) -> None:
    here = Hex.from_str(position, without_swap(size))
    found = MctsEngine().analyse(here, AT_ONCE)
    assert found.exact and found.score == Score.loss()
    # The other colour to move, and the sides exchanged, the same player wins.
    assert MctsEngine().analyse(Hex.from_str(position.replace(" w", " b"), here.options), AT_ONCE).score == Score.win()
    mirrored = here.transform(here.symmetries()[0])
    assert MctsEngine().analyse(mirrored, AT_ONCE).score == Score.loss()


def test_a_broken_connection_is_not_seen() -> None:
    here = Hex.from_str("11/11/5b5/11/4b6/3w7/3b7/11/2b8/11/11 w -", without_swap(11))
    assert MctsEngine().analyse(here, AT_ONCE).score != Score.loss()


def test_only_what_meets_the_threat_is_searched() -> None:
    """Black threatens to join both halves in the middle: White must play there."""
    here = Hex.from_str("5b5/5b5/5b5/5b5/5b5/11/4b6/4b6/4b6/4b6/4b6 w -", without_swap(11))
    found = MctsEngine().analyse(here, AT_ONCE, lines=200)
    assert found.exact and found.score == Score.loss()
    here = Hex.from_str("5b5/5b5/5b5/5b5/5b5/11/11/4b6/4b6/4b6/4b6 w -", without_swap(11))
    found = MctsEngine().analyse(here, AT_ONCE, lines=200)
    assert sum(line.score == Score.loss() for line in found.lines) > 60


def test_cells_that_do_not_matter_are_left_out() -> None:
    # Four stones of Black that touch one another lie around c3: whatever comes on its other sides, it joins nothing.
    here = Hex.from_str("7/2bb3/1b1b3/7/7/1wwww2/7 w -", without_swap(7))
    moves = {here.move_str(line.moves[0]) for line in MctsEngine().analyse(here, Limit(nodes=50), lines=30).lines}
    assert "c3" not in moves


def test_won_games_are_won() -> None:
    chance = random.Random(2)
    for seed in range(3):
        game = Game(Hex.start(without_swap(9)))
        engine = MctsEngine(seed=seed)
        proven = False
        while game.outcome is None:
            if game.position.turn == 1:
                found = engine.analyse(game, Limit(nodes=300))
                assert found.score.worth is Worth.WIN or not proven
                proven = found.exact
                game.play(found.move)
            else:
                game.play(chance.choice(game.position.legal_moves()))
        assert game.outcome.winner == 1 and proven


# ------------------------------------------------------------------------------------------------------------- the swap


@pytest.mark.parametrize("first", ["white", "black"])
@pytest.mark.parametrize("size", [3, 4, 5])
def test_the_swap_is_right_on_small_boards(size: int, first: str) -> None:
    start = Hex.start(HexOptions(size=size, first=first))
    bare = Hex.start(HexOptions(size=size, first=first, swap=False))
    oracle = ProofEngine() if size < 5 else MctsEngine()
    for cell in start.legal_moves():
        truth = oracle.analyse(bare.play(cell), Limit(seconds=60))
        assert truth.exact
        good = truth.score.worth is Worth.LOSS
        swaps = MctsEngine().play(start.play(cell), Limit(nodes=20_000)) == size * size
        assert swaps == good, start.move_str(cell)


@pytest.mark.parametrize("first", ["white", "black"])
@pytest.mark.parametrize(("cell", "swaps"), [("f6", True), ("e6", True), ("g5", True), ("a1", False), ("k11", False)])
def test_the_swap_on_the_full_board(first: str, cell: str, swaps: bool) -> None:
    start = Hex.start(HexOptions(first=first))
    position = start.play(start.parse_move(cell))
    assert (MctsEngine().play(position, Limit(nodes=3000)) == 121) == swaps


@pytest.mark.parametrize("size", [11, 14, 19])
def test_the_first_stone_is_not_worth_taking(size: int) -> None:
    """Whoever begins on a board with the swap keeps off the middle."""
    start = Hex.start(HexOptions(size=size))
    cell = MctsEngine().play(start, Limit(nodes=1500))
    letter, number = cell % size, cell // size
    assert abs(letter - size // 2) + abs(number - size // 2) > 2
