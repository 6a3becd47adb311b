"""Playing at a terminal: cursor, cells and commands without one, lines through pipes, keys through a pty."""

import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import termios
import time
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tabuleiro.cli import app, session
from tabuleiro.cli.board import Marks, draw
from tabuleiro.cli.keyboard import (
    ARROWS,
    BACKSPACE,
    DOWN,
    END_OF_INPUT,
    ENTER,
    ESCAPE,
    LEFT,
    RIGHT,
    TAB,
    UP,
    Keyboard,
    level_places,
    step,
)
from tabuleiro.cli.screen import page, split_keys
from tabuleiro.cli.session import Session, write_safely
from tabuleiro.cli.speech import speak
from tabuleiro.core import Player, Position
from tabuleiro.games import GAMES
from tabuleiro.geometry import Geometry, hexagon, pits, rhombus, square
from tabuleiro.record import Game, random_game, read_games, write_game

PROGRAM = [sys.executable, "-m", "tabuleiro", "play"]
BOARDS = {
    "square": square(7, 7),
    "oblong": square(4, 3),
    "rhombus": rhombus(11),
    "hexagon": hexagon(5),
    "pits": pits(),
}


@pytest.fixture(autouse=True)
def _english() -> None:
    speak("en")


def new(game: str, **options: str) -> Session:
    return Session(Game.new(game, GAMES[game].options_type.parse(options)))


def moves_of(session: Session) -> list[str]:
    return [node.move_text for node in session.game.root.line() if node.parent is not None]


# --------------------------------------------------------------------------------------------------------------- cursor


@pytest.mark.parametrize("geometry", BOARDS.values(), ids=list(BOARDS))
def test_arrows_reach_every_cell(geometry: Geometry) -> None:
    places = level_places(geometry)
    reached, waiting = {0}, [0]
    while waiting:
        cell = waiting.pop()
        for towards in ARROWS.values():
            if (target := step(places, cell, towards)) not in reached:
                reached.add(target)
                waiting.append(target)
    assert reached == set(range(len(geometry)))


@pytest.mark.parametrize("geometry", [BOARDS[name] for name in ("square", "oblong", "rhombus")])
def test_up_and_down_again_comes_back(geometry: Geometry) -> None:
    places = level_places(geometry)
    for cell in range(len(geometry)):
        for there, back in ((UP, DOWN), (DOWN, UP), (LEFT, RIGHT), (RIGHT, LEFT)):
            target = step(places, cell, ARROWS[there])
            assert target == cell or step(places, target, ARROWS[back]) == cell


def walk(geometry: Geometry, cell: str, *keys: str) -> str:
    here = geometry.index[cell]
    for key in keys:
        here = step(level_places(geometry), here, ARROWS[key])
    return geometry.names[here]


def test_arrows_on_each_board() -> None:
    assert walk(square(7, 7), "a1", UP, UP, RIGHT) == "b3"
    assert walk(square(7, 7), "a1", LEFT, DOWN) == "a1"
    assert walk(rhombus(11), "f6", DOWN) == "f7"
    assert walk(rhombus(11), "f6", UP) == "f5"
    assert walk(rhombus(11), "f6", RIGHT) == "g6"
    assert walk(rhombus(11), "k1", RIGHT) == "k1"
    assert walk(hexagon(5), "E5", LEFT, LEFT, LEFT, LEFT, LEFT) == "E1"
    assert walk(hexagon(5), "E5", UP) == "F5"
    assert walk(hexagon(5), "E5", DOWN) == "D5"
    assert walk(pits(), "a", RIGHT, RIGHT, UP) == "D"
    assert walk(pits(), "f", RIGHT) == "S"


# -------------------------------------------------------------------------------------------------- cells and commands


@pytest.mark.parametrize("game", GAMES)
def test_every_move_can_be_made_by_touching_cells(game: str) -> None:
    chance = random.Random(game)
    touched, typed = new(game), new(game)
    while touched.outcome is None and len(touched.game.moves) < 60:
        position = touched.position
        move = chance.choice(position.legal_moves())
        cells = position.clicks(move)
        for at, cell in enumerate(cells):
            assert cell in touched.next_cells()
            assert touched.picked == cells[:at]
            touched.pick(cell)
        if not cells:
            assert move in touched.buttons()
            touched.play(move)
        typed.submit(position.move_str(move))
        assert typed.message == touched.message == ""
        assert touched.position == typed.position
        assert touched.game.moves[-1] == move
        assert touched.picked == ()


def test_picking() -> None:
    session = new("avanco")
    cell = session.position.geometry.index
    assert session.next_cells() == {cell[f"{column}2"] for column in "abcdefg"}
    session.pick(cell["d2"])
    assert session.picked == (cell["d2"],)
    assert session.next_cells() == {cell["c3"], cell["d3"], cell["e3"]}
    session.pick(cell["e2"])  # another piece
    assert session.picked == (cell["e2"],)
    session.pick(cell["e2"])  # let go
    assert not session.picked
    session.pick(cell["d5"])
    assert session.message == "There is no piece on d5: begin with one of yours."
    session.pick(cell["e2"])
    session.pick(cell["e3"])
    assert moves_of(session) == ["e2-e3"]


@pytest.mark.parametrize(
    "word", [word for words in session.COMMANDS.values() for word in words], ids=lambda word: f"'{word}'"
)
def test_no_command_is_a_move(word: str) -> None:
    for kind in GAMES.values():
        for position in random_game(kind.id, 1, 30).positions():
            assert word.lower() not in {position.move_str(move).lower() for move in position.legal_moves()}


def test_undo() -> None:
    session = new("rastros")
    for line in ("d4", "d5"):
        session.submit(line)
    session.submit("u")
    assert moves_of(session) == ["d4"]
    session.submit("anular")
    session.submit("undo")
    assert moves_of(session) == []
    assert session.message == "There is nothing to undo."


def test_undo_against_the_random_player_takes_back_both_moves() -> None:
    session = Session(Game.new("rastros"), frozenset({Player.TWO}))
    session.submit("d4")
    assert session.machine_moves
    session.play_by_machine()
    assert not session.machine_moves
    session.submit("u")
    assert moves_of(session) == []


def test_wrong_moves_are_told_and_change_nothing() -> None:
    session = new("rastros")
    session.submit("a1")
    assert session.message == "The move “a1” is not legal: the piece moves one cell, to one of its neighbours."
    session.submit("hello world")
    assert "is not a move of Rastros" in session.message
    session.submit("   ")
    assert session.message == ""
    assert moves_of(session) == []


def test_resigning() -> None:
    session = new("rastros")
    session.submit("d4")
    session.submit("resign")
    assert session.outcome is not None
    assert (session.outcome.winner, session.outcome.reason) == (Player.ONE, "resignation")
    for line in ("d5", "resign", "draw"):
        session.submit(line)
        assert session.message == "The game is over."
    session.pick(0)
    assert session.message == "The game is over."
    assert session.next_cells() == set()


def test_draw_by_agreement() -> None:
    session = new("abalone")
    session.submit("draw")
    assert session.message == "Player 2, do you agree to stop now (Draw 0 all)? (y/n)"
    session.submit("n")
    assert session.outcome is None
    session.submit("empate")
    session.submit("sim")
    assert session.outcome is not None
    assert (session.outcome.winner, session.outcome.reason) == (None, "agreement")
    early = new("ouri")
    early.submit("draw")
    assert early.outcome is None and early.message.startswith("Players may agree to stop only when")
    without = new("rastros")
    without.submit("draw")
    assert without.message == "There are no draws in this game."
    alone = Session(Game.new("abalone"), frozenset({Player.TWO}))
    alone.submit("draw")
    assert alone.outcome is None
    assert alone.answer is None


def test_help_and_moves() -> None:
    session = new("hex")
    session.submit("?")
    assert "f6" in session.message
    assert "draw" not in session.message
    session.submit("a1")
    session.submit("m")
    assert {"b1", "swap"} <= set(session.message.split())
    ouri = new("ouri")
    speak("pt")
    ouri.submit("ajuda")
    assert "empate" in ouri.message


def test_saving(tmp_path: Path) -> None:
    session = new("rastros")
    session.submit("d4")
    session.submit("save")
    assert session.message == "Save to which file?"
    path = tmp_path / "my game.tab"
    session.submit(str(path))
    assert session.message == f"Saved to {path}."
    session.submit("d5")
    assert [node.move_text for node in next(read_games(path)).root.line()][1:] == ["d4", "d5"]
    session.submit("u")
    assert next(read_games(path)).moves == session.game.moves
    assert list(tmp_path.iterdir()) == [path]

    other = new("rastros")
    other.submit(f"save {path}")
    assert "exists already" in other.message
    assert other.save_to is None
    other.submit(f"save {tmp_path}/none/x.tab")
    assert other.message == f"{tmp_path}/none/x.tab: there is no such file."
    assert other.save_to is None
    other.submit("save a\0b")
    assert "name of a file" in other.message


def test_trouble_while_saving_is_told_and_keeps_the_old_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.tab"
    session = new("rastros")
    session.save_to = path
    session.submit("d4")
    before = path.read_text(encoding="utf-8")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    session.submit("d5")
    assert session.message.endswith("game.tab: no space left on the disk.")
    assert moves_of(session) == ["d4", "d5"]
    assert path.read_text(encoding="utf-8") == before
    assert list(tmp_path.iterdir()) == [path]


def test_writing_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    write_safely(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_quitting_asks_to_save(tmp_path: Path) -> None:
    session = new("rastros")
    session.submit("q")
    assert session.left  # nothing was played

    session = new("rastros")
    session.submit("d4")
    session.submit("quit")
    assert not session.left
    assert session.message.startswith("Save the game?")
    session.submit(str(tmp_path))  # there already
    assert not session.left
    session.submit(str(tmp_path / "a.tab"))
    assert session.left
    assert (tmp_path / "a.tab").is_file()

    session = new("rastros")
    session.submit("d4")
    session.submit("sair")
    session.submit("")
    assert session.left

    session = new("rastros")
    session.save_to = tmp_path / "b.tab"
    session.submit("d4")
    session.submit("q")
    assert session.left


# ------------------------------------------------------------------------------------------------------- keys and pages


def test_keys() -> None:
    keyboard = Keyboard(new("rastros"))
    session, names = keyboard.session, keyboard.session.position.geometry.names
    assert names[keyboard.cursor] == "d4"  # the first cell one may touch
    keyboard.press(ENTER)
    assert moves_of(session) == ["d4"]
    keyboard.press(RIGHT)
    keyboard.press(" ")
    assert moves_of(session) == ["d4", "e4"]
    for key in "f3x":
        keyboard.press(key)
    keyboard.press(BACKSPACE)
    assert keyboard.typed == "f3"
    keyboard.press(ENTER)
    assert moves_of(session) == ["d4", "e4", "f3"]
    for key in "zz":
        keyboard.press(key)
    keyboard.press(ESCAPE)
    assert keyboard.typed == ""
    keyboard.press("?")
    assert session.message.startswith("To move")
    for key in ("s", ENTER, ESCAPE):
        keyboard.press(key)
    assert session.answer is None
    keyboard.press("\x01")
    assert keyboard.typed == ""
    keyboard.press(END_OF_INPUT)
    assert session.left


def test_tab_goes_through_the_buttons() -> None:
    keyboard = Keyboard(new("hex", size="5"))
    keyboard.press(TAB)
    assert keyboard.button is None
    keyboard.press(ENTER)
    keyboard.press(TAB)
    assert keyboard.button is not None
    keyboard.press(TAB)
    assert keyboard.button is None
    keyboard.press(TAB)
    keyboard.press(RIGHT)
    assert keyboard.button is None
    keyboard.press(TAB)
    keyboard.press(ENTER)
    assert moves_of(keyboard.session) == ["a1", "swap"]


def test_answers_may_have_spaces_and_be_empty() -> None:
    keyboard = Keyboard(new("rastros"))
    for key in (ENTER, "q", ENTER):
        keyboard.press(key)
    assert keyboard.session.answer is not None
    for key in (" ", "x", BACKSPACE, BACKSPACE, ENTER):
        keyboard.press(key)
    assert keyboard.session.left


def test_split_keys() -> None:
    received = "\x1b[A\x1bOBd4\r\x7f\t\x1b[5~\x1b[1;5C\x07é\x1b"
    assert list(split_keys(received)) == [UP, DOWN, "d", "4", ENTER, BACKSPACE, TAB, "é", ESCAPE]


def written(keyboard: Keyboard, rows: int, columns: int) -> list[str]:
    return ["".join(glyph.character for glyph in line) for line in page(keyboard, rows, columns)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [(50, 120), (24, 80), (14, 50)])
def test_pages_fit_their_window(game: str, size: tuple[int, int]) -> None:
    keyboard = Keyboard(new(game))
    for move in random_game(game, 1, 3).moves:
        keyboard.session.play(move)
        lines = written(keyboard, *size)
        assert len(lines) <= size[0]
        assert any("> _" in line for line in lines)
        assert GAMES[game].name.en in lines[0]
        if size[0] >= 24:
            assert max(map(len, lines)) <= size[1]


def test_ranks_of_hexagons_lie_half_a_cell_apart_in_every_scale() -> None:
    for columns in range(30, 120, 5):
        lines = [
            "".join(glyph.character for glyph in line) for line in draw(GAMES["hex"].start(), Marks(), 60, columns)
        ]
        first_cells = [line.index("·") for line in lines if "·" in line]
        assert len({two - one for one, two in pairwise(first_cells)}) == 1


@pytest.mark.parametrize("game", GAMES)
def test_marks_do_not_need_colours(game: str) -> None:
    position = GAMES[game].start()
    cells = sorted({position.clicks(move)[0] for move in position.legal_moves() if position.clicks(move)})

    def shown(marks: Marks) -> str:
        return "\n".join("".join(glyph.character for glyph in line) for line in draw(position, marks, 60, 160))

    plain = shown(Marks())
    marked = {shown(Marks(cursor=cells[0])), shown(Marks(picked=cells[:1])), shown(Marks(next=cells[:1])), plain}
    assert len(marked) == 4
    assert len({shown(Marks(cursor=cell)) for cell in cells}) == len(cells)


def test_page_shows_what_is_going_on() -> None:
    keyboard = Keyboard(new("avanco"))
    keyboard.press(ENTER)
    lines = written(keyboard, 40, 80)
    assert lines[0] == "Avanço · Player 1 (White) to move."
    assert any("[○]" in line for line in lines)
    assert any(line.count("(·)") == 2 for line in lines)
    keyboard.press(UP)
    keyboard.press(ENTER)
    lines = written(keyboard, 40, 80)
    assert lines[0] == "Avanço · Player 2 (Black) to move."
    assert lines[1] == "Move 1: a2-a3"
    keyboard.session.submit("resign")
    assert "White won: Black resigned." in written(keyboard, 40, 80)[0]
    swapping = Keyboard(new("hex"))
    for key in (ENTER, TAB):
        swapping.press(key)
    assert "Tab: [swap]" in written(swapping, 40, 80)


# ---------------------------------------------------------------------------------------------------------------- lines


def play(*args: str, input: str | bytes = "") -> Result:
    result = CliRunner().invoke(app, ["play", *args], input=input, env={"LC_ALL": "en_GB.UTF-8"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "\x1b" not in result.output
    return result


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plain", [True, False])
def test_a_whole_game_by_lines(game: str, plain: bool, tmp_path: Path) -> None:
    expected = random_game(game, 4, 30)
    lines = [node.move_text for node in expected.root.line() if node.parent is not None]
    if expected.outcome is None:
        expected.end(expected.position.turn.other, "resignation")
        lines.append("resign")
    path = tmp_path / "game.tab"
    result = play(game, "--save", str(path), *(["--plain"] if plain else []), input="\n".join([*lines, "q"]))
    assert result.exit_code == 0
    saved = next(read_games(path))
    assert saved.moves == expected.moves
    assert saved.outcome == expected.outcome
    assert expected.outcome is not None
    assert expected.position.tell_result(expected.outcome).en in result.stdout
    assert result.stdout.endswith("Goodbye!\n")


def test_lines_in_portuguese_and_mistakes() -> None:
    result = play("rastros", "--lang", "pt", "--plain", input="a1\nd4\nhum\nanular\nd5\n")
    assert result.exit_code == 0
    assert "A jogada «a1» não é legal: a peça anda uma só casa, para uma das vizinhas." in result.stdout
    assert "«hum» não é uma jogada de Rastros" in result.stdout
    assert "Joga o jogador 2" in result.stdout
    assert result.stdout.endswith("Até à próxima!\n")


def test_input_that_is_not_text() -> None:
    result = play("rastros", input=b"\xff\xfe\n\0\n" + b"x" * 100_000 + b"\nd4\nq\n\n")
    assert result.exit_code == 0
    assert "[◎]" in result.stdout


def test_random_players_repeat_with_their_seed(tmp_path: Path) -> None:
    once = play("semaforo", "--random", "both", "--seed", "7", "--save", str(tmp_path / "a"))
    again = play("semaforo", "--random", "both", "--seed", "7", "--save", str(tmp_path / "b"))
    assert once.stdout == again.stdout
    assert " won" in once.stdout
    game = next(read_games(tmp_path / "a"))
    assert game.outcome is not None
    assert game.tags["Player1"] == game.tags["Player2"] == "random"
    other = play("rastros", "--random", "2", "--seed", "1", input="d4\n")
    assert other.stdout.count("Player 2 plays ") == 1
    first = play("rastros", "--random", "1", "--seed", "1", input="")
    assert first.stdout.count("Player 1 plays ") == 1


def test_resuming(tmp_path: Path) -> None:
    path = tmp_path / "game.tab"
    play("rastros", "--save", str(path), "--option", "size=8", input="d4\nd5\n")
    refused = play("rastros", "--save", str(path))
    assert refused.exit_code == 1
    assert "exists already" in refused.stderr
    result = play("rastros", "--resume", str(path), "--save", str(path), input="c6\n")
    assert result.exit_code == 0
    assert len(next(read_games(path)).moves) == 3
    assert next(read_games(path)).start.options.items()["size"] == "8"

    assert "this is a game of Rastros" in play("hex", "--resume", str(path)).stderr
    empty = tmp_path / "empty.tab"
    empty.write_text("")
    assert "there is no game in it" in play("hex", "--resume", str(empty)).stderr
    damaged = tmp_path / "damaged.tab"
    damaged.write_text('[Game "hex"]\n\n1. a1 a1 *\n')
    assert f"{damaged}: line 3" in play("hex", "--resume", str(damaged)).stderr
    several = tmp_path / "several.tab"
    several.write_text("\n".join(write_game(random_game("rastros", seed, 5)) for seed in (1, 2)), encoding="utf-8")
    assert "exists already" in play("rastros", "--resume", str(several), "--save", str(several)).stderr
    other = tmp_path / "other.tab"
    assert play("rastros", "--resume", str(several), "--save", str(other)).exit_code == 0
    assert next(read_games(other)).moves == random_game("rastros", 2, 5).moves


def test_a_game_that_is_over_when_it_begins() -> None:
    result = play("avanco", "--position", "6w/7/7/3b3/7/7/7 b", input="d4-d3\n")
    assert result.exit_code == 0
    assert "The game is over." in result.stdout


def test_a_kill_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.tab"
    with subprocess.Popen(
        [*PROGRAM, "rastros", "--save", str(path), "--plain"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write("d4\nd5\nc6\n")
        program.stdin.flush()
        shown = ""
        while "Last move: c6" not in shown:
            line = program.stdout.readline()
            assert line
            shown += line
        program.kill()
    assert [node.move_text for node in next(read_games(path)).root.line()][1:] == ["d4", "d5", "c6"]


# ------------------------------------------------------------------------------------------------------ a real terminal


class Terminal:
    """The program in a pseudo-terminal of 80 columns."""

    def __init__(self, *args: str, rows: int = 30, env: dict[str, str] | None = None) -> None:
        self.ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (rows, 80))
        self.before = termios.tcgetattr(theirs)
        self.theirs = theirs
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
        self.program = subprocess.Popen(
            [*PROGRAM, *args],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment | {"LANG": "en_GB.UTF-8", "TERM": "xterm"} | (env or {}),
            start_new_session=True,
        )
        self.seen = ""

    def wait_for(self, text: str, seconds: float = 20) -> None:
        """Read until the last page drawn shows a text."""
        until = time.monotonic() + seconds
        while text not in self.page():
            assert time.monotonic() < until, self.page()
            self.read(0.2)

    def page(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.seen.rpartition("\x1b[H")[2])

    def read(self, seconds: float) -> None:
        while select.select([self.ours], [], [], seconds)[0]:
            try:
                received = os.read(self.ours, 65536)
            except OSError:
                return
            self.seen += received.decode(errors="replace")
            seconds = 0

    def send(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def end(self) -> int:
        until = time.monotonic() + 20
        while self.program.poll() is None:
            assert time.monotonic() < until
            self.read(0.1)
        self.read(0.1)
        restored = termios.tcgetattr(self.theirs)
        os.close(self.theirs)
        os.close(self.ours)
        assert restored == self.before, "the terminal was not put back as it was"
        return self.program.returncode


def arrows(position: Position, origin: int, target: int) -> str:
    """The keys from one cell of a square board to another."""
    (x, y), (to_x, to_y) = position.geometry.centres[origin], position.geometry.centres[target]
    across, along = round(to_x - x), round(to_y - y)
    return ("\x1b[C" * across if across > 0 else "\x1b[D" * -across) + (
        "\x1b[B" * along if along > 0 else "\x1b[A" * -along
    )


@pytest.mark.parametrize("game", ["semaforo", "konane"])
def test_a_whole_game_with_arrow_keys(game: str, tmp_path: Path) -> None:
    options = {"konane": {"size": "4"}}.get(game, {})
    start = GAMES[game].start(GAMES[game].options_type.parse(options))
    expected = random_game(start, 2)
    path = tmp_path / "game.tab"
    chosen = [f"--option={name}={value}" for name, value in options.items()]
    terminal = Terminal(game, "--save", str(path), *chosen)
    terminal.wait_for("The game begins.")
    cursor = Keyboard(Session(Game(start))).cursor
    for node in expected.root.line():
        if node.parent is None or node.move is None:
            continue
        for cell in node.parent.position.clicks(node.move):
            terminal.send(arrows(start, cursor, cell) + "\r")
            cursor = cell
        terminal.wait_for(f"Move {node.ply}: {node.move_text}")
    assert expected.outcome is not None
    terminal.wait_for(expected.position.tell_result(expected.outcome).en)
    terminal.send("q\r")
    assert terminal.end() == 0
    assert "\x1b[?1049h" in terminal.seen
    assert "\x1b[?1049l" in terminal.seen
    assert "Traceback" not in terminal.seen
    saved = next(read_games(path))
    assert saved.moves == expected.moves
    assert saved.outcome == expected.outcome


def test_typing_in_a_terminal_against_the_random_player() -> None:
    terminal = Terminal("ouri", "--random", "2", "--seed", "1", "--lang", "pt", env={"NO_COLOR": "1"})
    terminal.wait_for("Início da partida.")
    terminal.send("c\r")
    terminal.wait_for("Jogada 2:")
    terminal.send("u\r")
    terminal.wait_for("Início da partida.")
    terminal.send("xyz\r")
    terminal.wait_for("não é uma jogada de Ouri")
    terminal.send("c\r")
    terminal.wait_for("Jogada 2:")
    terminal.send("q\r")
    terminal.wait_for("Queres guardar a partida?")
    terminal.send("\r")
    assert terminal.end() == 0
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", terminal.seen)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_put_the_terminal_back(number: signal.Signals, code: int) -> None:
    terminal = Terminal("hex")
    terminal.wait_for("The game begins.")
    terminal.program.send_signal(number)
    assert terminal.end() == code
    assert "\x1b[?1049l" in terminal.seen
    assert "Traceback" not in terminal.seen


def test_plain_in_a_terminal_is_lines() -> None:
    terminal = Terminal("rastros", "--plain")
    terminal.wait_for("> ")
    terminal.send("d4\n")
    terminal.wait_for("Last move: d4")
    terminal.send("\x04")
    assert terminal.end() == 0
    assert "\x1b" not in terminal.seen


def test_levels_play_and_repeat_with_their_seed(tmp_path: Path) -> None:
    once = play("avanco", "--level", "2", "--seed", "1", "--save", str(tmp_path / "a"), input="d2-d3\nresign\n")
    again = play("avanco", "--level", "2", "--seed", "1", input="d2-d3\nresign\n")
    assert once.stdout == again.stdout
    assert once.stdout.count("Player 2 plays ") == 1
    assert next(read_games(tmp_path / "a")).tags["Player2"] == "level 2"
    first = play("rastros", "--level", "1", "--machine", "1", input="")
    assert first.stdout.count("Player 1 plays ") == 1


@pytest.mark.parametrize(
    "arguments", [("--level", "11"), ("--level", "1", "--random", "2"), ("--machine", "1"), ("--machine", "3")]
)
def test_levels_asked_for_wrongly(arguments: tuple[str, ...]) -> None:
    result = play("avanco", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("tabuleiro: ")
