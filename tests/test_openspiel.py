"""Games that OpenSpiel knows too: on random games both must offer the same moves, reach the same boards and agree on
the winner.

OpenSpiel's players are 0 and 1, and 0 begins, as player ONE does here.
"""

import random
from typing import Any

import pyspiel
import pytest

from tabuleiro.core import Player
from tabuleiro.games.avanco import Avanco, AvancoOptions
from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.games.ouri import Ouri, OuriOptions
from tabuleiro.record import Game


def winner(state: Any) -> Player | None:
    one, two = state.returns()
    return None if one == two else Player.ONE if one > two else Player.TWO


# ---------------------------------------------------------------------------------------------- Avanço: breakthrough


def flipped(move_text: str, size: int) -> str:
    """Our move as OpenSpiel writes it. There Black begins, at the top: the board is upside down, colours exchanged."""
    origin, target = move_text.replace("x", "-").split("-")
    cells = [f"{cell[0]}{size + 1 - int(cell[1:])}" for cell in (origin, target)]
    return "".join(cells) + ("*" if "x" in move_text else "")


def flipped_board(position: Avanco) -> str:
    size = position.options.size
    rows = [position.board[start : start + size] for start in range(0, size * size, size)]
    return "/".join(rows).translate(str.maketrans("wb", "bw"))


def breakthrough_board(state: Any, size: int) -> str:
    """The board as OpenSpiel prints it, from the top, without the coordinates."""
    return "/".join(line[1:] for line in str(state).splitlines()[:size])


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_avanco_is_breakthrough(size: int) -> None:
    rng = random.Random(size)
    options = AvancoOptions(size=size)
    # With fewer than six rows OpenSpiel gives each side one row of pieces, so that is set up here as well.
    one_row = f"{'b' * size}/" + f"{size}/" * (size - 2) + f"{'w' * size} w"
    start = Avanco.from_str(one_row, options) if size == 5 else Avanco.start(options)
    theirs = pyspiel.load_game(f"breakthrough(rows={size},columns={size})")
    for _ in range(100):
        position, state = start, theirs.new_initial_state()
        while not state.is_terminal():
            assert flipped_board(position) == breakthrough_board(state, size)
            known = {state.action_to_string(action): action for action in state.legal_actions()}
            moves = {flipped(position.move_str(move), size): move for move in position.legal_moves()}
            assert moves.keys() == known.keys()
            text = rng.choice(sorted(moves))
            position = position.play(moves[text])
            state.apply_action(known[text])
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is winner(state)


# ------------------------------------------------------------------------------------------------------------- Hex


def hex_board(state: Any) -> str:
    """The stones, rank 1 first. OpenSpiel has a letter for each way a stone may be joined to the sides."""
    return "".join(str(state).split()).translate(str.maketrans("xyzXopqO", "bbbbwwww"))


@pytest.mark.parametrize("size", [3, 4, 5, 7, 9, 11, 13])
def test_hex_is_hex(size: int) -> None:
    """In OpenSpiel Black begins and joins row 1 with the last one, as our Black does; cells have the same names."""
    rng = random.Random(size)
    options = HexOptions(size=size, swap=False, first="black")
    theirs = pyspiel.load_game(f"hex(board_size={size})")
    for _ in range(60):
        position, state = Hex.start(options), theirs.new_initial_state()
        while not state.is_terminal():
            assert position.board == hex_board(state)
            moves = position.legal_moves()
            assert moves == state.legal_actions()
            move = rng.choice(moves)
            assert position.move_str(move) == state.action_to_string(move)
            position = position.play(move)
            state.apply_action(move)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is winner(state)


@pytest.mark.parametrize("size", [3, 5, 11])
def test_the_swap_of_hex_is_theirs_seen_in_a_mirror(size: int) -> None:
    """OpenSpiel lets the players keep their colours and reflects the stone; here the stone stays and the players
    exchange colours. The one is the other with letters and numbers, and the colours, exchanged.
    """
    rng = random.Random(size)
    theirs = pyspiel.load_game(f"hex(board_size={size},swap=True)")
    mirror = [cell % size * size + cell // size for cell in range(size * size)]
    for _ in range(30):
        position, state = Hex.start(HexOptions(size=size, first="black")), theirs.new_initial_state()
        first = rng.choice(position.legal_moves())
        position = position.play(first)
        state.apply_action(first)
        assert position.legal_moves() == state.legal_actions()
        assert position.move_str(size * size) == "swap"
        position = position.play(size * size)
        state.apply_action(size * size)
        while not state.is_terminal():
            seen = "".join(position.board[cell] for cell in mirror).translate(str.maketrans("wb", "bw"))
            assert seen == hex_board(state)
            assert position.turn == state.current_player() + 1
            moves = {mirror[move]: move for move in position.legal_moves()}
            assert sorted(moves) == state.legal_actions()
            action = rng.choice(sorted(moves))
            position = position.play(moves[action])
            state.apply_action(action)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner is winner(state)


# ------------------------------------------------------------------------------------------------------------ Ouri


def oware_position(state: Any) -> tuple[list[int], list[int]]:
    """Houses a..f A..F and the two stores: OpenSpiel observes them as fractions of the 48 seeds."""
    seeds = [round(48 * fraction) for fraction in state.observation_tensor(0)]
    return seeds[:12], seeds[12:]


def test_ouri_by_oware_rules_is_oware() -> None:
    rng = random.Random(0)
    # OpenSpiel ends a game at the first position that comes back; each player then keeps the seeds of his own row.
    options = OuriOptions(rules="oware", cycle_threshold=2, cycle_collect="owners")
    theirs = pyspiel.load_game("oware")
    reasons = set()
    for _ in range(300):
        game, state = Game(Ouri.start(options)), theirs.new_initial_state()
        while not state.is_terminal():
            houses, stores = oware_position(state)
            position = game.position
            assert position.encode() == (*houses, *stores, state.current_player() + 1)
            moves = position.legal_moves()
            # Houses are numbered 0..5 for both players in OpenSpiel.
            assert [move % 6 for move in moves] == state.legal_actions()
            move = rng.choice(moves)
            game.play(move)
            state.apply_action(move % 6)
        outcome = game.outcome
        assert outcome is not None
        assert outcome.winner is winner(state)
        reasons.add(outcome.reason)
    assert reasons >= {"majority", "cannot_feed", "cycle"}
