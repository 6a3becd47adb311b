"""The Universal Game Interface: conversations, nonsense, and being stopped."""

import random
import subprocess
import sys
import time

import pytest

from tabuleiro.core import Position
from tabuleiro.engine.serve import UgiServer
from tabuleiro.games import GAMES, get
from tabuleiro.programs.protocol import Go, ProtocolError, SetOption, SetPosition, parse, score_words
from tabuleiro.record import random_game
from tabuleiro.search import Score

FUZZED_LINES = 10_000


class Talk:
    """A server in this process, and what it said."""

    def __init__(self, game: str, level: int = 10) -> None:
        self.said: list[str] = []
        kind = get(game)
        self.server = UgiServer(kind, kind.options_type(), level, 1, self.said.append)

    def tell(self, *lines: str) -> list[str]:
        """What is said at once."""
        before = len(self.said)
        for line in lines:
            assert self.server.take(line)
        return self.said[before:]

    def think(self, go: str) -> str:
        """What is said last after thinking."""
        self.tell(go)
        self.wait()
        return self.said[-1]

    def wait(self) -> None:
        assert self.server._reporter is not None
        self.server._reporter.join(20)


def test_a_conversation() -> None:
    talk = Talk("avanco")
    greeting = talk.tell("ugi")
    assert greeting[-1] == "ugiok"
    assert "option name size type combo default 7 var 7 var 5..8" in greeting
    assert talk.tell("isready") == ["readyok"]
    assert talk.tell("setoption name Hash value 1", "uginewgame", "position startpos moves d2-d3") == []
    assert talk.tell("query p1turn", "query gameover", "query result") == [
        "response false",
        "response false",
        "response none",
    ]
    best = talk.think("go depth 3").split()
    assert best[0] == "bestmove"
    get("avanco").start().play(get("avanco").start().parse_move("d2-d3")).parse_move(best[1])
    assert any(line.startswith("info depth 3 multipv 1 score cp ") and " pv " in line for line in talk.said)
    assert not talk.server.take("quit")


def test_finished_games_are_known() -> None:
    talk = Talk("avanco")
    talk.tell("position fen 3w3/7/7/b6/7/7/7 b")
    assert talk.tell("query gameover", "query result") == ["response true", "response p1win"]
    said = talk.tell("go depth 2")
    assert said[0].startswith("info string error: ")
    assert said[1] == "bestmove (none)"


def test_a_win_is_announced() -> None:
    talk = Talk("avanco")
    talk.tell("position fen 7/3w3/7/b6/7/7/7 w")
    assert talk.think("go depth 4").startswith("bestmove d6-")
    assert any(" score mate 1 wdl 1000 0 0 " in line for line in talk.said)


def test_several_lines() -> None:
    talk = Talk("ouri")
    talk.tell("setoption name MultiPV value 3")
    talk.think("go depth 4")
    assert {line.split(" multipv ")[1][0] for line in talk.said if " multipv " in line} == {"1", "2", "3"}


def test_options_change_the_game_and_the_level() -> None:
    talk = Talk("hex")
    talk.tell("setoption name size value 4", "setoption name Level value 1", "position startpos moves d4")
    assert talk.think("go movetime 1000").startswith("bestmove ")
    assert talk.tell("position startpos moves e5")[0].startswith("info string error: ")


def test_scores_in_words() -> None:
    assert score_words(Score.win(5)).startswith("mate 3 ")
    assert score_words(Score.loss(4)).startswith("mate -2 ")
    assert score_words(Score.win()) == "cp 30000 wdl 1000 0 0"
    assert score_words(Score.draw()) == "cp 0 wdl 0 1000 0"
    assert score_words(Score.estimate(-12, 0.25)) == "cp -12 wdl 250 0 750"


def test_parsing() -> None:
    assert parse("setoption name first value black") == SetOption("first", "black")
    assert parse("position fen 7/3w3 w moves a b") == SetPosition("7/3w3 w", ("a", "b"))
    assert parse("go nodes 5 depth 3") == Go({"nodes": 5, "depth": 3})
    assert parse("go") == Go({}, infinite=True)


@pytest.mark.parametrize(
    "line",
    ["", "hello", "isready now", "position", "position fen", "position startpos d2", "query", "query life", "go fast",
     "go depth", "go depth x", "go movetime 1e9", "setoption", "setoption name x", "go nodes 99999999999999999999"],
)  # fmt: skip
def test_what_is_no_message(line: str) -> None:
    with pytest.raises(ProtocolError):
        parse(line)
    said = Talk("rastros").tell(line)
    assert len(said) == 1
    assert said[0].startswith("info string error: ")


def test_illegal_positions_and_options_leave_everything_as_it_was() -> None:
    talk = Talk("konane")
    talk.tell("position startpos")
    for line in (
        "position fen 8/8/8 w",
        "position fen " + "w" * 2000,
        "position startpos moves a1-a2",
        "position startpos moves nonsense",
        "setoption name size value 99",
        "setoption name Threads value 0",
        "setoption name Hash value -1",
        "setoption name nothing value 1",
    ):
        (said,) = talk.tell(line)
        assert said.startswith("info string error: ")
    talk.tell("setoption name size value 8", "position startpos")
    assert talk.think("go depth 2").startswith("bestmove ")


def fuzzed(chance: random.Random, position: Position) -> str:
    moves = [position.move_str(move) for move in position.legal_moves()] or ["a1"]
    seeds = [
        "ugi", "isready", "uginewgame", "stop", "query result", "go depth 2", "go nodes 50", "go movetime 1",
        "go p1time 10 p2time 10 p1inc 0 p2inc 0", "setoption name MultiPV value 2", "setoption name Level value 3",
        "setoption name Hash value 1", "position startpos", f"position fen {position}",
        f"position fen {position} moves {chance.choice(moves)}", f"position startpos moves {' '.join(moves)}",
    ]  # fmt: skip
    line = list(chance.choice(seeds))
    for _ in range(chance.choice((0, 1, 1, 2, 3, 8))):
        at = chance.randrange(len(line) + 1)
        junk = chance.choice(
            (" ", "9", "-", "/", "w", "é", "\0", "\t", "x" * 50, "moves", "value", "fen", "go", "\u2028")
        )
        if chance.random() < 0.5:
            line[at:at] = junk
        else:
            line[at : at + chance.randrange(4)] = junk
    return "".join(line)


def test_nonsense_is_answered_and_survived() -> None:
    chance = random.Random(7)
    talks = {game: Talk(game, level=3) for game in GAMES}
    positions = {game: [random_game(game, seed, 6).position for seed in range(20)] for game in GAMES}
    errors = 0
    for number in range(FUZZED_LINES):
        game = chance.choice(list(GAMES))
        line, talk = fuzzed(chance, chance.choice(positions[game])), talks[game]
        if line.split() == ["quit"]:
            continue
        words = line.split()
        before = len(talk.said)
        talk.tell(line)
        if talk.server._reporter is not None:
            talk.server._stop()
            talk.wait()
        wrong = sum(said.startswith("info string error: ") for said in talk.said[before:])
        try:
            parse(line)
        except ProtocolError:
            assert wrong == 1, (number, line, words)
        errors += wrong
        # Large tables would only slow this down.
        talk.server._numbers["Hash"] = 1
        del talk.said[:]
    assert errors > FUZZED_LINES / 4
    for talk in talks.values():
        talk.tell("setoption name Level value 3", "setoption name MultiPV value 1", "position startpos")
        assert talk.think("go depth 1").startswith("bestmove ")


def test_stop_is_answered_at_once() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tabuleiro", "engine", "abalone"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        delays = []
        for _ in range(5):
            program.stdin.write("position startpos\ngo infinite\nisready\n")
            program.stdin.flush()
            waited = {"readyok", "info"}
            while waited:  # until it thinks
                waited.discard(program.stdout.readline().split()[0])
            began = time.monotonic()
            program.stdin.write("stop\n")
            program.stdin.flush()
            while not program.stdout.readline().startswith("bestmove"):
                pass
            delays.append(time.monotonic() - began)
        program.stdin.write("quit\n")
        program.stdin.flush()
        assert program.wait(10) == 0
    # The fastest of several: other programs run on this machine too.
    assert min(delays) < 0.02
