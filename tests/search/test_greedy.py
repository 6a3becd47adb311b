"""The player `greedy`: at random, but a win that is one move away is taken."""

import pytest

from tabuleiro import GAMES, get
from tabuleiro.players import make_engine
from tabuleiro.record import random_game
from tabuleiro.search import Limit

#: A position of each of some games in which one move wins at once.
WON = {
    "avanco": ("7/3w3/7/7/7/b6/7 w", {"d6-d7", "d6-c7", "d6-e7"}),
    "semaforo": ("4/4/GG2 1", {"c1"}),
    "rastros": ("7/7/7/7/7/1O5/7 1", {"a1"}),
}


@pytest.mark.parametrize("game", ["avanco", "semaforo", "rastros"])
def test_a_win_in_one_is_taken(game: str) -> None:
    text, wins = WON[game]
    position = get(game).from_str(text)
    for seed in range(20):
        engine = make_engine("greedy", game)
        engine.begin(seed)
        assert position.move_str(engine.play(position, Limit())) in wins


@pytest.mark.parametrize("game", GAMES)
def test_else_it_plays_at_random_and_repeats_with_its_seed(game: str) -> None:
    position = random_game(get(game).start(), seed=5, max_plies=2).position
    chosen = []
    for seed in (*range(12), *range(12)):
        engine = make_engine("greedy", game)
        engine.begin(seed)
        chosen.append(engine.play(position, Limit()))
    assert chosen[:12] == chosen[12:]
    assert len(set(chosen)) > 2, "not always the same move"
    assert set(chosen) <= set(position.legal_moves())
