"""Self-play keeps the rules of the game, those that look back too, and depends on its seed alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tabuleiro import GAMES, Game, Options, Player, Position, _native
from tabuleiro.nn import View

SETTINGS: dict[str, float] = {
    "simulations": 6,
    "candidates": 4,
    "trust_visits": 50.0,
    "trust_scale": 1.0,
    "opening_share": 0.5,
    "opening_plies": 3,
    "longest": 300,
}
#: Options under which rules that look back end games soon.
OPTIONS: dict[str, dict[str, str]] = {
    "avanco": {"size": "5"},
    "hex": {"size": "4"},
    "abalone": {"move_limit": "60"},
    "ouri": {"cycle_threshold": "2", "no_capture_limit": "20"},
    "guerreiros": {"no_progress_limit": "12"},
}


class OwnPlay:
    """Games of a made-up judge, whose answers depend on the planes alone."""

    def __init__(
        self, kind: type[Position], options: Options, games: int = 16, threads: int = 1, seed: int = 1
    ) -> None:
        self.view = View(kind, options)
        self.planes = np.zeros((games, self.view.packed_words), np.uint64)
        self.logits = np.zeros((games, self.view.policy_size), np.uint16)
        self.values = np.zeros(games, np.float32)
        make: Callable[..., Any] = _native.SELF_PLAYS[kind.id]
        self.native: _native.SelfPlay = make(
            options.encode(),
            self.view.native_tables(),
            kind.start(options).encode(),
            SETTINGS,
            seed,
            games,
            2,
            threads,
            True,
            self.planes,
            self.logits,
            self.values,
        )
        # The upper half of a float is what the native side calls a logit.
        weights = np.random.default_rng(0).normal(size=(2, self.view.policy_size))
        self._weights = weights.astype(np.float32)

    def run(self, steps: int) -> None:
        for _ in range(steps):
            for group in (0, 1):
                self.native.advance(group)
            mixed = (self.planes * np.uint64(0x9E3779B97F4A7C15)).sum(1) >> np.uint64(40)
            share = (mixed / 2.0**24).astype(np.float32)[:, None]
            logits = self._weights[0] + 3 * np.sin(40 * share * self._weights[1])
            self.logits[:] = logits.astype(np.float32).view(np.uint32) >> 16
            self.values[:] = np.sin(90 * share[:, 0])


@pytest.mark.parametrize("kind", GAMES.values(), ids=GAMES)
def test_games_are_played_and_ended_by_the_rules(kind: type[Position]) -> None:
    options = kind.options_type.parse(OPTIONS.get(kind.id, {}))
    play = OwnPlay(kind, options)
    records: list[tuple[list[int], int]] = []
    for _ in range(200):
        play.run(50)
        records += play.native.records()
        if len(records) >= 12:
            break
    assert len(records) >= 12
    for moves, result in records[:40]:
        node = Game(kind.start(options)).root
        for move in moves:
            assert node.outcome is None
            node = node.play(node.position.move_str(move))
        if node.outcome is None:
            assert (len(moves), result) == (SETTINGS["longest"], 3)
        else:
            assert result == (3 if node.outcome.winner is None else node.outcome.winner)


@pytest.mark.parametrize("kind", GAMES.values(), ids=GAMES)
def test_what_is_taught_is_a_policy_over_the_legal_moves(kind: type[Position]) -> None:
    options = kind.options_type.parse(OPTIONS.get(kind.id, {}))
    play = OwnPlay(kind, options)
    planes, policies, values = b"", b"", b""
    for _ in range(200):
        play.run(50)
        planes, policies, values = play.native.lessons()
        if planes:
            break
    count = len(planes) // (8 * play.view.packed_words)
    shares = (np.frombuffer(policies, np.uint16).astype(np.uint32) << 16).view(np.float32).reshape(count, -1)
    assert set(shares[shares < 0].tolist()) <= {-1.0}
    assert np.allclose(np.maximum(shares, 0).sum(1), 1, atol=0.03)
    results, thoughts = np.frombuffer(values, np.float32).reshape(count, 2).T
    assert set(results.tolist()) <= {-1.0, 0.0, 1.0}
    assert np.abs(thoughts).max() <= 1


def test_games_depend_on_the_seed_and_not_on_the_threads() -> None:
    kind = GAMES["avanco"]
    options = kind.options_type.parse({"size": "5"})
    played = []
    for threads, seed in ((1, 1), (3, 1), (1, 2)):
        play = OwnPlay(kind, options, threads=threads, seed=seed)
        play.run(400)
        played.append((play.native.lessons(), play.native.records(), play.native.tally()))
    assert played[0] == played[1] != played[2]


def test_a_win_in_one_is_found_and_taught() -> None:
    kind = GAMES["avanco"]
    options = kind.options_type.parse({"size": "5"})
    play = OwnPlay(kind, options)
    play.run(300)
    wins = 0
    for moves, result in play.native.records():
        position = kind.start(options)
        for move in moves:
            winning = [m for m in position.legal_moves() if (end := position.play(m).outcome()) and end.winner]
            # Every move that is tried and wins is seen to win, so what is played when some do, nearly always wins.
            wins += bool(winning) and move in winning
            position = position.play(move)
        assert result in (Player.ONE, Player.TWO)
    assert wins > 0


def test_nonsense_is_refused() -> None:
    kind = GAMES["hex"]
    view = View(kind)
    make: Callable[..., Any] = _native.SELF_PLAYS["hex"]
    planes, logits = np.zeros((4, view.packed_words), np.uint64), np.zeros((4, view.policy_size), np.uint16)
    arguments = [kind.options_type().encode(), view.native_tables(), kind.start().encode(), SETTINGS, 1, 4, 2, 1, False]
    with pytest.raises(ValueError, match="one row a game"):
        make(*arguments, planes, logits, np.zeros(3, np.float32))
    with pytest.raises(ValueError, match="another length"):
        make(*arguments, planes, logits[:, :5].copy(), np.zeros(4, np.float32))
    tables = view.native_tables() | {"planes": 3}
    with pytest.raises(ValueError, match="that many planes"):
        make(arguments[0], tables, *arguments[2:], planes, logits, np.zeros(4, np.float32))
