"""Levels that choose by a net, on the boards that one serves."""

import pytest

from tabuleiro.core import Position
from tabuleiro.games import get
from tabuleiro.players import TOP, level_engine, net_levels
from tabuleiro.players.levels import LevelEngine, levels_of
from tabuleiro.players.net_levels import NetLevel, NetLevelEngine, net_levels_of
from tabuleiro.players.nets import NET
from tabuleiro.record import random_game
from tabuleiro.search import Limit

pytest.importorskip("onnxruntime")

SEEDS = range(12)
BOARD = get("hex").options_type.parse({"size": "9"})


def on_the_way() -> Position:
    return random_game(get("hex").start(BOARD), 3, 8).last.position


def test_every_level_is_more_careful_than_the_one_below() -> None:
    levels = net_levels_of("hex")
    assert len(levels) == TOP - 1 and not net_levels_of("avanco")
    assert all(level.nodes >= 1 and 0 <= level.overlooks <= 0.5 for level in levels)
    careful = [(-level.temperature, level.nodes) for level in levels]
    assert careful == sorted(careful) and len(set(careful)) == len(careful)


def test_the_weak_draw_and_the_strong_do_as_the_net_says() -> None:
    position = on_the_way()
    best = NET.new("hex").play(position, Limit(nodes=1))
    strong = NetLevelEngine("hex", NetLevel(), level_engine("hex", 1))
    assert strong.play(position, Limit()) == best
    drawn = [level_engine("hex", 1, seed).play(position, Limit()) for seed in SEEDS]
    assert drawn == [level_engine("hex", 1, seed).play(position, Limit()) for seed in SEEDS]
    assert len({*drawn}) > len(SEEDS) / 2


def test_what_is_one_move_away_is_seen() -> None:
    """White, who joins left and right, has a row but for one cell; who draws blindly hits that cell seldom."""
    hasty = NetLevelEngine("hex", NetLevel(temperature=1000.0), level_engine("hex", 1))
    for white, turn in (("9", "w"), ("w8", "b")):
        position = get("hex").from_str(f"4b4/8b/{white}/8b/4b4/9/b5b1b/wwwwwwww1/b8 {turn} -", BOARD)
        for seed in SEEDS:
            hasty.begin(seed)
            assert position.move_str(hasty.play(position, Limit())) == "i8"


def test_without_nets_levels_play_as_in_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_levels, "has_net", lambda _: False)
    position = on_the_way()
    plain = LevelEngine("hex", levels_of("hex")[2], 0)
    for seed in SEEDS:
        plain.begin(seed)
        assert level_engine("hex", 3, seed).play(position, Limit()) == plain.play(position, Limit())
