"""Clients that answer at once: who has read an answer may send the next command without waiting for anything."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tabuleiro.core import Position
from tabuleiro.engine.gtp import GtpServer
from tabuleiro.engine.serve import UgiServer
from tabuleiro.games import GAMES, get
from tabuleiro.programs import UgiEngine
from tabuleiro.record import random_game
from tabuleiro.search import EngineError, Limit

#: Conversations in which the client answers at once.
TRIES = 1000


class Client:
    """Our engine as a program, and a client that reads and writes its lines without delay."""

    def __init__(self, program: "subprocess.Popen[str]") -> None:
        assert program.stdin is not None and program.stdout is not None
        self._given, self._taken = program.stdin, program.stdout

    def send(self, *lines: str) -> None:
        self._given.write("".join(f"{line}\n" for line in lines))
        self._given.flush()

    def read(self) -> str:
        line = self._taken.readline()
        assert line, "the engine has ended"
        return line.rstrip("\n")


@contextmanager
def running(*words: str) -> Iterator[Client]:
    command = [sys.executable, "-m", "tabuleiro", "engine", *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        yield Client(program)
        assert program.stdin is not None
        program.stdin.close()
        assert program.wait(30) == 0


def bestmove(client: Client) -> str:
    while (line := client.read()).startswith("info depth"):
        pass
    assert line.startswith("bestmove "), line
    return line.split()[1]


def test_a_ugi_client_that_answers_at_once() -> None:
    """Each search is of the position sent just before it: its move is legal there."""
    positions = [random_game("avanco", seed, 7).position for seed in range(7)]
    with running("avanco", "--level", "5") as client:
        client.send("ugi", "setoption name Hash value 1")
        while client.read() != "ugiok":
            pass
        for number in range(TRIES):
            position = positions[number % len(positions)]
            client.send(f"position fen {position}", "go nodes 1")
            position.parse_move(bestmove(client))


def test_a_ugi_client_that_stops_and_answers_at_once() -> None:
    positions = [random_game("ouri", seed, 7).position for seed in range(5)]
    with running("ouri") as client:
        client.send("setoption name Hash value 1", "setoption name Engine value alphabeta")
        for number in range(100):
            position = positions[number % len(positions)]
            client.send(f"position fen {position}", "go infinite", "stop")
            position.parse_move(bestmove(client))


def test_a_gtp_client_that_answers_at_once() -> None:
    """Each move is for the board as it was told: on a cell that is free there, or the swap."""
    with running("hex", "--gtp", "--level", "1") as client:
        client.send("boardsize 3")
        assert (client.read(), client.read()) == ("= ", "")
        for number in range(TRIES):
            first = f"{'abc'[number % 3]}{number // 3 % 3 + 1}"
            for command in ("clear_board", f"play black {first}", "genmove white"):
                client.send(command)
                answer, end = client.read(), client.read()
                assert answer.startswith("= ") and end == ""
            assert answer != f"= {first}"
            assert answer == "= swap-pieces" or answer in {f"= {column}{row}" for column in "abc" for row in "123"}


# -------------------------------------------------------------------------------------------------- what was refused


class Talk:
    """A UGI server in this process whose searches run until they are stopped, and what it said."""

    def __init__(self, game: str = "avanco") -> None:
        self.said: list[str] = []
        self._answered = threading.Semaphore(0)
        kind = get(game)
        self.server = UgiServer(kind, kind.options_type(), 5, 1, self._hear)

    def _hear(self, line: str) -> None:
        self.said.append(line)
        if line.startswith("bestmove"):
            self._answered.release()

    def tell(self, *lines: str) -> list[str]:
        """What is said at once."""
        before = len(self.said)
        for line in lines:
            assert self.server.take(line)
        return self.said[before:]

    def best(self) -> str:
        """The next `bestmove`."""
        assert self._answered.acquire(timeout=60)
        return next(line for line in reversed(self.said) if line.startswith("bestmove")).split()[1]


def is_error(line: str) -> bool:
    return line.startswith("info string error: ")


@pytest.mark.parametrize("refused", ["position fen 8/8 w", "position", "position startpos moves a1-a1"])
def test_nothing_is_searched_after_a_refused_position(refused: str) -> None:
    talk = Talk()
    talk.tell("position startpos")
    assert all(map(is_error, talk.tell(refused)))
    for question in ("query p1turn", "query gameover", "query result"):
        (said,) = talk.tell(question)
        assert is_error(said)
    said, best = talk.tell("go depth 1")
    assert is_error(said)
    assert "position" in said
    assert best == "bestmove (none)"
    assert talk.best() == "(none)"
    assert talk.tell("position startpos", "query p1turn") == ["response true"]
    talk.tell("go depth 1")
    get("avanco").start().parse_move(talk.best())


def test_a_position_sent_while_thinking_is_refused_and_never_searched() -> None:
    talk = Talk()
    talk.tell("go infinite")
    before = len(talk.said)
    talk.tell("position startpos moves d2-d3", "uginewgame", "setoption name size value 5")
    assert len([said for said in talk.said[before:] if is_error(said)]) == 3
    talk.tell("stop")
    get("avanco").start().parse_move(talk.best())
    assert talk.tell("go depth 1")[-1] == "bestmove (none)"
    assert talk.best() == "(none)"
    # A new game alone does not give the board that was asked for.
    assert talk.tell("uginewgame", "go depth 1")[-1] == "bestmove (none)"
    assert talk.best() == "(none)"
    talk.tell("setoption name size value 5", "position startpos", "go depth 1")
    start = get("avanco").start(get("avanco").options_type.parse({"size": "5"}))
    start.parse_move(talk.best())


def test_a_refused_option_of_the_engine_changes_nothing() -> None:
    talk = Talk()
    assert all(map(is_error, talk.tell("setoption name Hash value 0", "setoption name nothing value 1", "nonsense")))
    talk.tell("go depth 1")
    get("avanco").start().parse_move(talk.best())


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_is_idle_when_its_answer_is_written(game: str) -> None:
    """Whatever is sent the moment a `bestmove` is written is taken: here the writer itself sends it."""
    errors: list[str] = []
    done = threading.Event()
    left = 20
    kind = get(game)
    start: Position = kind.start()

    def say(line: str) -> None:
        nonlocal left
        if is_error(line):
            errors.append(line)
        if line.startswith("bestmove"):
            start.parse_move(line.split()[1])
            left -= 1
            # Another thread, as the reader of the input is; it is waited for so that nothing can come in between.
            more = threading.Thread(target=lambda: [server.take(each) for each in ("position startpos", "go nodes 1")])
            if left:
                more.start()
                more.join(0.2)
            else:
                done.set()

    server = UgiServer(kind, kind.options_type(), 5, 1, say)
    server.take("go nodes 1")
    assert done.wait(60)
    server.close()
    assert errors == []


def test_why_a_program_does_not_play_is_told() -> None:
    with UgiEngine([sys.executable, "-m", "tabuleiro", "engine", "avanco", "--option", "size=5"]) as engine:
        with pytest.raises(EngineError) as caught:
            engine.play(get("avanco").from_str("7/3w3/7/b6/7/7/7 w"), Limit(depth=1))
        assert "does not play: this was refused and is needed: position" in caught.value.text.en


def test_nothing_is_played_over_gtp_on_a_board_that_was_refused() -> None:
    gtp = GtpServer(3, 1)
    assert (gtp.take("boardsize 5"), gtp.take("time_settings 0 1 20")) == ("= \n\n", "= \n\n")
    for refused in ("boardsize 99", "boardsize", "boardsize 5 6"):
        assert (gtp.take(refused) or "").startswith("? ")
        for command in ("play black a1", "genmove black", "undo"):
            assert (gtp.take(command) or "").startswith("? the board size was refused")
        assert gtp.take("clear_board") == "= \n\n"
        assert gtp.take("play black a1") == "= \n\n"
