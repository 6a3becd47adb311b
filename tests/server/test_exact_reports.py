"""Reports of games that are solved: every verdict is that of the solver, and the losing move is the one that lost."""

from itertools import pairwise
from typing import Any

import pytest

from server.people import Person
from server.test_analysis import moves_of, stream
from tabuleiro import Game
from tabuleiro.players import level_engine
from tabuleiro.record import random_game
from tabuleiro.search import Limit, Score
from tabuleiro.search.base import Worth
from tabuleiro.solve.registry import solver_for

Json = dict[str, Any]


def played(name: str, levels: tuple[int, int], seed: int) -> Game:
    """A game of two computer players, the same every time."""
    players = [level_engine(name, level, seed=seed) for level in levels]
    game = Game.new(name)
    while game.outcome is None:
        game.play(players[game.position.turn - 1].play(game, Limit(nodes=2000)))
    return game


def true_scores(game: Game) -> list[Score]:
    """What perfect play leads to from every position but the last, for the player to move."""
    scores = []
    for node in [*game.root.line()][:-1]:
        solution = solver_for(node).solve(node, every_move=False)
        assert solution.score is not None and solution.exact
        scores.append(solution.score)
    return scores


def thrown_wins(game: Game, scores: list[Score]) -> list[int]:
    """The plies of the moves with which somebody turned a win into a loss."""
    line = [*game.root.line()]
    assert game.outcome is not None
    winners = [
        node.position.turn if score.worth is Worth.WIN else node.position.turn.other
        for node, score in zip(line, scores, strict=False)
    ]
    return [ply for ply, (had, has) in enumerate(pairwise([*winners, game.outcome.winner]), start=1) if had is not has]


GAMES = {
    "semaforo, by chance": lambda: random_game("semaforo", seed=2),
    "semaforo, levels 2 and 4": lambda: played("semaforo", (2, 4), 1),
    "rastros, by chance": lambda: random_game("rastros", seed=1),
    "rastros, levels 3 and 5": lambda: played("rastros", (3, 5), 3),
}


@pytest.mark.parametrize("name", GAMES)
def test_every_verdict_is_the_truth(ana: Person, name: str) -> None:
    game = GAMES[name]()
    truth = true_scores(game)
    positions: dict[int, Json] = {}
    verdict: Json = {}
    for event in stream(ana, "/api/v1/reports", game=game.start.id, moves=moves_of(game)):
        if event["type"] == "position":
            positions[event["ply"]] = event
        else:
            verdict = event
    assert sorted(positions) == [*range(game.last.ply + 1)] and verdict["done"]
    assert [ply for ply, seen in positions.items() if not seen["exact"]] == []
    for ply, score in enumerate(truth):
        assert score.worth is not None
        assert positions[ply]["score"]["worth"] == score.worth.name.lower(), ply
        if score.plies is not None:
            assert positions[ply]["score"]["plies"] == score.plies, ply
    assert game.start.id != "semaforo" or all(score.plies is not None for score in truth)
    thrown = thrown_wins(game, truth)
    assert [move["ply"] for move in verdict["moves"] if move["fault"] == "threw_win"] == thrown
    # Only a player who has a win can throw it, so after the last time it stays with the winner.
    assert verdict["losing"] == thrown[-1]
    assert [move["ply"] for move in verdict["moves"] if move["loses"]] == thrown[-1:]
