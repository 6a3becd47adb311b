"""Programs as engines: our own over the protocol, and some that misbehave."""

import sys
import time
from pathlib import Path

import pytest

from tabuleiro.games import GAMES
from tabuleiro.programs import GtpEngine, UciEngine, UgiEngine
from tabuleiro.record import Game, random_game
from tabuleiro.search import EngineError, Limit

TABULEIRO = [sys.executable, "-m", "tabuleiro", "engine"]


def python(program: str) -> list[str]:
    return [sys.executable, "-u", "-c", program]


@pytest.mark.parametrize("game", ["avanco", "ouri", "guerreiros"])
def test_our_own_engine_over_the_protocol(game: str) -> None:
    with UgiEngine([*TABULEIRO, game], {"Hash": "1"}) as engine:
        line = random_game(game, 3, 9)
        analysis = engine.analyse(line, Limit(depth=3), lines=2)
        assert len(analysis.lines) == 2
        assert analysis.depth == 3
        assert analysis.nodes > 0
        engine.forget()
        assert engine.play(line, Limit(nodes=100)) in line.position.legal_moves()


def test_set_up_positions_travel() -> None:
    with UgiEngine([*TABULEIRO, "avanco"]) as engine:
        game = Game(GAMES["avanco"].from_str("7/3w3/7/b6/7/7/7 w"))
        analysis = engine.analyse(game, Limit(depth=3))
        assert analysis.score.plies == 1


def test_two_programs_think_at_once() -> None:
    with UgiEngine([*TABULEIRO, "rastros"]) as one, UgiEngine([*TABULEIRO, "rastros"]) as two:
        running = [each.start(Game.new("rastros"), Limit(depth=2)) for each in (one, two)]
        first, second = (each.result() for each in running)
    assert first.move == second.move


def test_a_search_can_be_stopped() -> None:
    with UgiEngine([*TABULEIRO, "abalone"]) as engine:
        running = engine.start(Game.new("abalone"), Limit())
        assert not running.wait(1.0)  # by itself it goes on
        began = time.monotonic()
        running.stop()
        assert running.result().lines
        assert time.monotonic() - began < 10


def test_hex_over_gtp() -> None:
    with GtpEngine([*TABULEIRO, "hex", "--gtp", "--level", "2"]) as engine:
        game = Game.new("hex", GAMES["hex"].options_type.parse({"size": "5", "first": "black"}))
        while game.outcome is None:
            game.play(engine.play(game, Limit(seconds=1)))
        assert len(game.moves) >= 5


GTP = """
import sys
moves = iter(["a1", "b1", "c1", "d1"])
with open(sys.argv[1], "w") as log:
    for line in sys.stdin:
        print(line.strip(), file=log, flush=True)
        answer = "? unknown command" if line.startswith("time_settings") else "="
        print(answer, next(moves) if line.startswith("genmove") else "", end="\\n\\n", flush=True)
"""


def test_a_gtp_program_is_told_no_more_than_what_is_new(tmp_path: Path) -> None:
    said = tmp_path / "said"
    with GtpEngine([*python(GTP), str(said)]) as engine:
        options = GAMES["hex"].options_type.parse({"size": "4", "swap": "false"})
        game = Game.new("hex", options)
        game.play("d4")
        for answer in ("c4", "b4"):
            game.play(engine.play(game, Limit(seconds=1)))
            game.play(answer)
        first = said.read_text().splitlines()[1:]
        # Another game, and one that leaves the line: everything is told again.
        other = Game.new("hex", options)
        other.play("d3")
        engine.play(other, Limit(nodes=1))
        second = said.read_text().splitlines()[1 + len(first) :]
        assert engine.processor_seconds() > 0
    colours = ("white", "black") if first[2].startswith("play white") else ("black", "white")
    begun, other_colour = colours
    assert first == [
        "boardsize 4",
        "clear_board",
        f"play {begun} d4",
        "time_settings 0 1 1",
        f"genmove {other_colour}",
        f"play {begun} c4",
        "time_settings 0 1 1",
        f"genmove {other_colour}",
    ]
    assert second == ["boardsize 4", "clear_board", f"play {begun} d3", f"genmove {other_colour}"]
    assert engine.processor_seconds() == 0


UCI = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci": print("uciok")
    elif word == "isready": print("readyok")
    elif word == "go": print("info depth 1 score cp 33 pv d6d5 d2d3"); print("bestmove d6d5 ponder d2d3")
    elif word == "position" and line.split()[2:] != ["moves", "c2d3", "e6e5"]: print("bestmove wrong")
    elif word == "quit": break
"""


def test_moves_for_chess_programs_are_bare() -> None:
    with UciEngine(python(UCI)) as engine:
        game = Game.new("avanco")
        for move in ("c2-d3", "e6-e5"):
            game.play(move)
        with pytest.raises(EngineError, match="d6d5"):  # White is to move
            engine.play(game, Limit(seconds=1))


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["/nowhere/at/all"],
        python("raise SystemExit('out of memory')"),
        python("import time; time.sleep(60)"),
        python("print('ugiok'); print('readyok'); print('bestmove z9'); input(); input(); input(); input(); input()"),
        python("print('ugiok'); print('readyok'); print('bestmove'); [input() for _ in range(9)]"),
        python("import os; os.write(1, bytes(range(256)) * 1000)"),
    ],
    ids=["no command", "no program", "crash", "silence", "illegal move", "no move", "noise"],
)
def test_programs_that_misbehave(command: list[str]) -> None:
    with UgiEngine(command, patience=1) as engine:
        for _ in range(2):
            with pytest.raises(EngineError):
                engine.play(Game.new("rastros"), Limit(seconds=0.1))


def test_a_crash_says_why() -> None:
    engine = UgiEngine(python("import sys; sys.exit('the cat bit the cable')"), patience=5)
    with pytest.raises(EngineError, match="the cat bit the cable"):
        engine.play(Game.new("rastros"), Limit(seconds=0.1))
