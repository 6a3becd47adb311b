"""The arithmetic of matches, and pairs as they are played."""

import json
import random
from pathlib import Path

import pytest

from tabuleiro.core import TabuleiroError
from tabuleiro.crew import Processes
from tabuleiro.elo import Tally, Verdict, elo_of, score_of
from tabuleiro.games import GAMES, get
from tabuleiro.match import (
    Match,
    MatchFileError,
    Pair,
    PairFile,
    opening,
    opening_plies,
    play_match,
    read_pairs,
    tally_of,
)
from tabuleiro.players import Contestant, EngineNameError, parse_name
from tabuleiro.record import Game, read_games
from tabuleiro.search import Limit
from tabuleiro.search.native import Weights


def test_elo_and_score_are_inverse() -> None:
    assert score_of(0) == 0.5
    assert round(score_of(400), 4) == 0.9091
    for elo in (-300, -1, 0, 57, 600):
        assert elo_of(score_of(elo)) == pytest.approx(elo)


def test_tally_counts_pairs() -> None:
    tally = Tally()
    for points in (0, 0.5, 1, 1, 2, 2, 2):
        tally = tally.with_pair(points)
    assert tally.counts == (1, 1, 2, 0, 3)
    assert (tally.pairs, tally.points) == (7, 8.5)


def test_reversed_pairs_say_more_than_single_games() -> None:
    """Pairs that split evenly have no spread: the error is smaller than that of as many independent games."""
    split, wild = Tally((0, 0, 100, 0, 0)), Tally((50, 0, 0, 0, 50))
    assert split.score == wild.score == 0.5
    assert split.error < wild.error / 5
    assert wild.error == pytest.approx(0.098, abs=0.003)


def test_sequential_test_finds_the_truth() -> None:
    """At 60 Elo it accepts 50 over 0, at -10 Elo it refuses, nearly always."""
    for elo, right in ((60, Verdict.STRONGER), (-10, Verdict.NOT_STRONGER)):
        verdicts = []
        for seed in range(40):
            chance, tally = random.Random(seed), Tally()
            while tally.test(0, 50) is Verdict.UNDECIDED:
                tally = tally.with_pair(sum(chance.random() < score_of(elo) for _ in range(2)))
            verdicts.append(tally.test(0, 50))
        assert verdicts.count(right) >= 35


def test_a_few_pairs_prove_nothing() -> None:
    assert Tally((0, 0, 0, 0, 2)).test(0, 20) is Verdict.UNDECIDED


def a_match(game: str, one: str = "level:2", two: str = "random", seed: int = 3) -> Match:
    return Match(game, {}, one, two, 0.01, seed, opening_plies(game))


@pytest.mark.parametrize("game", GAMES)
def test_openings_differ_go_on_and_repeat(game: str) -> None:
    match = a_match(game)
    lines = [opening(match, number) for number in range(6)]
    assert all(line.outcome is None for line in lines)
    assert len({str(line.position) for line in lines}) > 1
    assert [line.moves for line in lines] == [opening(match, number).moves for number in range(6)]


def test_a_pair_is_one_opening_with_sides_exchanged(tmp_path: Path) -> None:
    (pair,) = play_match(a_match("rastros"), [4])
    path = tmp_path / "pair"
    path.write_text("\n".join(pair.records))
    first, second = read_games(path)
    plies = len(opening(a_match("rastros"), 4).moves)
    assert first.moves[:plies] == second.moves[:plies]
    assert (first.tags["Player1"], first.tags["Player2"]) == (second.tags["Player2"], second.tags["Player1"])
    won = [
        game.tags[f"Player{game.outcome.winner}"] for game in (first, second) if game.outcome and game.outcome.winner
    ]
    assert pair.points == won.count("level:2")
    assert sum(pair.moves) + 2 * plies == len(first.moves) + len(second.moves)


def test_matches_repeat_whatever_the_processes() -> None:
    match = a_match("semaforo", "level:3", "level:1")
    once = list(play_match(match, [0, 1, 2]))
    again = list(play_match(match, [0, 1, 2], Processes(2)))
    assert [pair.records for pair in once] == [pair.records for pair in again]


def test_a_match_goes_on_from_its_file(tmp_path: Path) -> None:
    path, match = tmp_path / "pairs", a_match("semaforo")
    kept = PairFile(path, match)
    pairs = list(play_match(match, [0, 1]))
    for pair in pairs:
        kept.add(pair)
    kept.close()
    with path.open("a") as stream:
        stream.write('{"number": 2, "poi')
    assert read_pairs(path, match) == pairs
    PairFile(path, match).close()
    assert path.read_text().count("\n") == 3
    with pytest.raises(MatchFileError):
        read_pairs(path, a_match("semaforo", seed=4))


def test_levels_beat_chance() -> None:
    for game in ("avanco", "ouri"):
        pairs: list[Pair] = list(play_match(a_match(game, "level:4"), list(range(4))))
        assert tally_of(pairs).score >= 0.8


def test_player_names() -> None:
    name = parse_name("uci[time=0.5,Hash=64]:fairy-stockfish --quiet")
    assert (name.kind, name.argument, name.settings) == ("uci", "fairy-stockfish --quiet", {"Hash": "64"})
    assert name.limit is not None
    assert name.limit.seconds == 0.5
    name = parse_name("alphabeta:depth=4,threads=2")
    assert name.settings == {"threads": "2"}
    assert name.limit is not None
    assert name.limit.depth == 4


@pytest.mark.parametrize(
    "text",
    ["", "level", "level:0", "level:11", "level:x", "chess", "alphabeta:speed=3", "alphabeta:time", "alphabeta:time=-1",
     "alphabeta:depth=0", "uci", "uci:", "random:x=1", "level:3[", "\0", "alphabeta:time=1e3"],
)  # fmt: skip
def test_names_that_nobody_has(text: str) -> None:
    with pytest.raises(TabuleiroError):
        parse_name(text)


def test_weights_can_be_tried_in_a_match(tmp_path: Path) -> None:
    start = get("avanco").start()
    path = tmp_path / "weights.json"
    damaged = '{"scale": 1, "features": {}, "patterns": "%s"}'
    for text in ("", "[]", '{"scale": 1}', '{"scale": 1, "features": {"turn": 3}}', damaged % "abc", damaged % " "):
        path.write_text(text)
        with pytest.raises(EngineNameError):
            Contestant(parse_name(f"alphabeta:weights={path}"), start, Limit(depth=1))
    with pytest.raises(EngineNameError):
        Contestant(parse_name("alphabeta:weights=nowhere.json"), start, Limit(depth=1))
    # Who values nothing but being on the edge goes there.
    features = dict.fromkeys(Weights.of("avanco").features, (0, 0)) | {"edge": (9, 9)}
    path.write_text(json.dumps({"scale": 100, "features": features}))
    player = Contestant(parse_name(f"alphabeta:weights={path},depth=1"), start, Limit())
    move, _ = player.choose(Game(start))
    assert start.move_str(move)[-2] in "ag"
