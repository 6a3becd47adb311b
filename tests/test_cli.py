"""The command line: what commands print, in both languages, their exit codes, and that nothing makes them stumble."""

import json
import os
import random
import shutil
import string
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from helpers import wait_for_work
from tabuleiro.cli import app, doctor
from tabuleiro.cli.frame import UsageError, take_language
from tabuleiro.core import card_lines
from tabuleiro.diagrams import Diagram
from tabuleiro.games import GAMES
from tabuleiro.language import Text
from tabuleiro.perft import perft
from tabuleiro.record import Game, random_game, write_game
from tabuleiro.rulebook import read_rules

PROGRAM = [sys.executable, "-m", "tabuleiro"]
NO_LANGUAGE = {"LC_ALL": None, "LC_MESSAGES": None, "LANG": None}
COMMANDS = (
    ["games"], ["rules"], ["show"], ["moves"], ["play"], ["perft"], ["players"], ["bench"], ["record"],
    ["record", "check"], ["record", "convert"], ["record", "stats"], ["doctor"], ["completion"], ["manual"],
)  # fmt: skip


def run(*args: str, input: str | bytes = "", env: dict[str, str | None] | None = None) -> Result:
    result = CliRunner().invoke(app, list(args), input=input, env=NO_LANGUAGE | (env or {}))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def process(*args: str | bytes, **more: Any) -> "subprocess.CompletedProcess[str]":
    env = {name: value for name, value in os.environ.items() if name not in NO_LANGUAGE} | more.pop("env", {})
    return subprocess.run([*PROGRAM, *args], capture_output=True, text=True, env=env, timeout=60, **more)


def complaint(result: Result) -> str:
    """The one line on standard error of a command that failed."""
    assert result.stdout == ""
    assert result.stderr.startswith("tabuleiro: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


# ------------------------------------------------------------------------------------------------------ help, languages


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_in_both_languages(command: list[str]) -> None:
    english = run(*command, "--help")
    portuguese = run(*command, "--help", "--lang", "pt")
    assert english.exit_code == portuguese.exit_code == 0
    assert english.stdout.startswith("Usage: tabuleiro " + " ".join(command))
    assert portuguese.stdout.startswith("Uso: tabuleiro " + " ".join(command))
    assert "Show this help." in english.stdout
    assert "Mostra esta ajuda." in portuguese.stdout
    described = [line for line in english.stdout.splitlines() if line.startswith("  ") and line.endswith(".")]
    left_in_english = [line for line in described if line in portuguese.stdout]
    assert not left_in_english


def test_help_of_all() -> None:
    for arguments in ([], ["--help"]):
        result = run(*arguments, "--lang=pt")
        assert result.exit_code == 0
        assert "Comandos:" in result.stdout
        for command in ("games", "rules", "show", "moves", "play", "perft", "record", "bench"):
            assert f"\n  {command} " in result.stdout
        assert "Install" not in result.stdout


def test_language_before_and_after_the_command_and_by_environment() -> None:
    assert "Joga o jogador 1" in run("--lang", "pt", "moves", "rastros").stdout
    assert "Joga o jogador 1" in run("moves", "rastros", "--lang=PT").stdout
    assert "Joga o jogador 1" in run("moves", "rastros", env={"LANG": "pt_PT.UTF-8"}).stdout
    assert "Player 1 to move" in run("moves", "rastros", "--lang", "en", env={"LANG": "pt_PT.UTF-8"}).stdout
    assert "Player 1 to move" in run("moves", "rastros").stdout
    wrong = run("moves", "rastros", "--lang", "xx", env={"LANG": "pt_PT.UTF-8"})
    assert wrong.exit_code == 2
    assert "não é uma língua" in complaint(wrong)


def test_take_language() -> None:
    assert take_language(["a", "--lang", "en", "--lang=pt", "b"]) == ("pt", ["a", "b"])
    assert take_language(["a", "--", "--lang", "en"]) == (None, ["a", "--", "--lang", "en"])
    with pytest.raises(UsageError):
        take_language(["a", "--lang"])


# ------------------------------------------------------------------------------------------------------------- commands


def test_games() -> None:
    listed = json.loads(run("games", "--json").stdout)
    assert [game["id"] for game in listed] == list(GAMES)
    rastros = next(game for game in listed if game["id"] == "rastros")
    assert set(rastros) == {"id", "name", "author", "summary", "cycles", "card", "options"}
    assert rastros["author"] == "Bill Taylor, 1992"
    assert rastros["cycles"] == ["3", "sec"]
    assert rastros["options"][0]["name"] == "size"
    assert rastros["options"][0]["values"][0] == "7"
    assert rastros["options"][1]["names"] == {"loss": "loses", "draw": "draws, as in 1992"}
    assert rastros["card"]["Inventor"] == "Bill Taylor, 1992"
    portuguese = run("games", "--lang", "pt").stdout
    for game in GAMES.values():
        assert game.id in portuguese
        assert game.summary.pt in portuguese
        assert all(said.pt in portuguese for _, said in card_lines(game))
        assert game.summary.en in run("games").stdout
    assert "7 (regra oficial); 5..8" in portuguese
    assert "white: Brancas (habitual); black: Negras" in portuguese
    assert json.loads(run("games", "--json", "--lang", "pt").stdout)[0]["summary"] == GAMES["avanco"].summary.pt


@pytest.mark.parametrize("game", GAMES)
def test_moves(game: str) -> None:
    start = GAMES[game].start()
    said = json.loads(run("moves", game, "--json").stdout)
    assert said == {
        "position": str(start),
        "turn": 1,
        "moves": [start.move_str(move) for move in start.legal_moves()],
        "outcome": None,
    }
    listed = run("moves", game).stdout.splitlines()
    assert listed[-1].split() == said["moves"]


def test_moves_from_a_position_with_moves_and_options() -> None:
    arguments = ["--option", "size=8", "--position", "8/8/8/4O3/8/8/8/8 2", "--play", "d4 d5"]
    said = json.loads(run("moves", "rastros", *arguments, "--json").stdout)
    assert said["position"] == "8/8/8/3O#3/3#4/8/8/8 2"
    assert said["turn"] == 2
    assert said["moves"] == ["c4", "e4", "c5", "c6", "d6", "e6"]
    said = json.loads(run("moves", "avanco", "--position", "7/6w/7/3b3/7/7/7 w", "--play", "g6-g7", "--json").stdout)
    assert said["moves"] == []
    assert said["outcome"] == {"winner": 1, "reason": "reached_last_row", "score": None}
    assert "White won" in run("moves", "avanco", "--position", "6w/7/7/3b3/7/7/7 b").stdout
    assert "Ganharam as Brancas" in run("moves", "avanco", "--position", "6w/7/7/3b3/7/7/7 b", "--lang", "pt").stdout


def test_rules_that_look_back_end_a_line_of_play() -> None:
    line = _shuffle("abalone")
    said = json.loads(run("moves", "abalone", "--play", " ".join(line), "--json").stdout)
    assert said["moves"] == []
    assert said["outcome"] == {"winner": None, "reason": "repetition", "score": said["outcome"]["score"]}
    before = json.loads(run("moves", "abalone", "--play", " ".join(line[:-1]), "--json").stdout)
    assert before["outcome"] is None
    assert line[-1] in before["moves"]


def _shuffle(name: str) -> list[str]:
    """Moves that go there and back until the start occurs for the third time."""
    game = Game.new(name)
    start = game.position
    for first in start.legal_moves():
        one = start.play(first)
        for second in one.legal_moves():
            two = one.play(second)
            for third in two.legal_moves():
                three = two.play(third)
                for fourth in three.legal_moves():
                    if three.play(fourth) == start:
                        cycle = [
                            start.move_str(first), one.move_str(second), two.move_str(third), three.move_str(fourth)
                        ]  # fmt: skip
                        return cycle * 2
    raise AssertionError("no way back to the start")


@pytest.mark.parametrize("game", GAMES)
def test_show(game: str, tmp_path: Path) -> None:
    pretty, plain = run("show", game), run("show", game, "--plain", "--flip", "--lang", "pt")
    assert pretty.exit_code == plain.exit_code == 0
    assert "Joga o jogador 1" in plain.stdout
    said = json.loads(run("show", game, "--json").stdout)
    start = GAMES[game].start()
    assert said["position"] == str(start)
    assert said["game"] == game
    assert said["options"] == start.options.items()
    assert said["pieces"] == {start.geometry.names[cell]: piece.symbol for cell, piece in start.pieces().items()}
    picture = tmp_path / "board.svg"
    for arguments in (["--svg", str(picture)], ["--svg", str(picture), "--theme", "dark", "--legal", "--flip"]):
        written = run("show", game, *arguments)
        assert (written.exit_code, written.stdout) == (0, "")
        assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_show_marks_the_last_move() -> None:
    assert "[◎]" in run("show", "rastros", "--play", "d4").stdout
    assert "[" not in run("show", "rastros").stdout


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["pt", "en"])
def test_rules(game: str, language: Any) -> None:
    for arguments in ([], ["--plain"]):
        result = run("rules", game, "--lang", language, *arguments)
        assert result.exit_code == 0
        words = " ".join(result.stdout.split())
        for block in read_rules(GAMES[game], language):
            if isinstance(block, Diagram):
                assert block.caption.replace("**", "").replace("`", "") in words
        assert "**" not in result.stdout
        assert "\x1b" not in result.stdout


def test_perft() -> None:
    assert run("perft", "rastros", "3").stdout == "313\n"
    assert json.loads(run("perft", "rastros", "2", "--json").stdout) == {"nodes": 56}
    divided = json.loads(run("perft", "avanco", "3", "--divide", "--json").stdout)
    assert divided["nodes"] == sum(divided["divide"].values()) == 7220
    assert len(divided["divide"]) == 19
    assert run("perft", "avanco", "1", "--divide").stdout.splitlines()[-1] == "19"
    assert run("perft", "konane", "0", "--divide").stdout == "1\n"
    after = GAMES["konane"].start()
    after = after.play(after.legal_moves()[0])
    text = GAMES["konane"].start().move_str(GAMES["konane"].start().legal_moves()[0])
    assert run("perft", "konane", "2", "--play", text).stdout == f"{perft(after, 2)}\n"
    for backend in ("native", "python"):
        assert run("perft", "ouri", "5", "--backend", backend).stdout == run("perft", "ouri", "5").stdout


def test_bench() -> None:
    said = json.loads(run("bench", "--seconds", "0.01", "--game", "rastros", "--game", "ouri", "--json").stdout)
    assert set(said["games"]) == {"rastros", "ouri", "ouri rules=oware"}
    for speed in said["games"].values():
        assert speed["moves"] > speed["games"] > 0
        assert speed["leaves_counted"] > 0 and speed["leaves_played"] > 0 and speed["python_moves"] > 0
    assert "jogadas/s" in run("bench", "--seconds", "0.01", "--game", "semaforo", "--lang", "pt").stdout
    said = json.loads(run("bench", "--search", "--speed", "--seconds", "0.01", "--game", "ouri", "--json").stdout)
    assert said["games"]["ouri"]["one_thread"] > 0 and said["games"]["ouri"]["two_threads"] > 0


# -------------------------------------------------------------------------------------------------------------- records


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    path = tmp_path / "games.tab"
    path.write_text("\n".join(write_game(random_game(game, 1, 40)) for game in GAMES), encoding="utf-8")
    return path


def test_record_check(record_file: Path, tmp_path: Path) -> None:
    fine = run("record", "check", str(record_file))
    assert (fine.exit_code, fine.stdout) == (0, f"{record_file}: {len(GAMES)} games\n")
    damaged = tmp_path / "damaged.tab"
    damaged.write_text('[Game "rastros"]\n\n1. d4 a1 *\n')
    both = run("record", "check", str(record_file), str(damaged), str(tmp_path / "missing"), "--lang", "pt")
    assert both.exit_code == 1
    assert both.stdout == f"{record_file}: {len(GAMES)} partidas\n"
    lines = both.stderr.splitlines()
    assert len(lines) == 2
    assert f"{damaged}: linha 3:" in lines[0]
    assert lines[1].endswith("missing: não existe")
    said = run("record", "check", str(record_file), str(damaged), "--json")
    assert said.exit_code == 1
    reports = json.loads(said.stdout)
    assert [(report["games"], report["line"]) for report in reports] == [(len(GAMES), None), (0, 3)]
    assert reports[0]["error"] is None
    assert "a1" in reports[1]["error"]


def test_record_convert(tmp_path: Path) -> None:
    ours, sgf, link, back = (tmp_path / name for name in ("a.tab", "a.sgf", "a.txt", "b.pgn"))
    game = random_game("hex", 3)
    ours.write_text(write_game(game), encoding="utf-8")
    assert run("record", "convert", str(ours), str(sgf)).exit_code == 0
    assert sgf.read_text(encoding="utf-8").startswith("(;")
    assert run("record", "convert", str(sgf), str(back)).exit_code == 0
    assert back.read_text(encoding="utf-8") == ours.read_text(encoding="utf-8")
    assert run("record", "convert", str(ours), str(link)).exit_code == 0
    printed = run("record", "convert", str(sgf), "-", "--to", "hexworld")
    assert printed.stdout == link.read_text(encoding="utf-8")
    assert printed.stdout.startswith("https://hexworld.org/board/#")
    from_link = run("record", "convert", printed.stdout.strip(), "-")
    assert from_link.stdout.startswith('[Game "hex"]')
    assert from_link.stdout == run("record", "convert", str(link), "-").stdout


def test_record_convert_refuses(tmp_path: Path) -> None:
    rastros, out = tmp_path / "r.tab", tmp_path / "out.sgf"
    rastros.write_text(write_game(random_game("rastros", 1)), encoding="utf-8")
    assert "Hex" in complaint(run("record", "convert", str(rastros), str(out)))
    assert not out.exists()
    for arguments, code in (
        ([str(rastros), str(tmp_path / "out.odd")], 2),
        ([str(rastros), "-", "--to", "xml"], 2),
        ([str(tmp_path / "missing.sgf"), "-"], 1),
        ([str(rastros), str(tmp_path)  + "/none/out.tab"], 1),
        ([str(rastros), str(tmp_path), "--to", "record"], 1),
    ):  # fmt: skip
        result = run("record", "convert", *arguments)
        assert result.exit_code == code
        complaint(result)
    broken = tmp_path / "broken.txt"
    broken.write_bytes(b"\xff\xfe")
    assert "UTF-8" in complaint(run("record", "convert", str(broken), "-"))
    broken.write_text("\nnonsense\n")
    assert f"{broken}: line 2" in complaint(run("record", "convert", str(broken), "-"))


# --------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("arguments", "code", "pt", "en"),
    [
        (["moves", "rastro"], 1, "querias dizer rastros?", "did you mean rastros?"),
        (["moves", "xyzzy"], 1, "há: avanco", "there are: avanco"),
        (["moves", "x" * 10_000], 1, "…", "…"),
        (["mvoes"], 2, "querias dizer moves?", "did you mean moves?"),
        (["xyzzy"], 2, "há: games", "there are: games"),
        (["record", "chek"], 2, "querias dizer check?", "did you mean check?"),
        (["moves"], 2, "falta GAME", "GAME is missing"),
        (["moves", "avanco", "--jso"], 2, "não há nenhuma opção «--jso»", "there is no option “--jso”"),
        (["moves", "avanco", "--position"], 2, "falta o valor", "needs a value"),
        (["moves", "avanco", "--json=1"], 2, "não leva valor", "takes no value"),
        (["moves", "avanco", "extra"], 2, "argumentos a mais", "too many arguments"),
        (["moves", "avanco", "--option", "size"], 1, "nome=valor", "name=value"),
        (["moves", "avanco", "--option", "size=5", "--option", "size=6"], 1, "duas vezes", "twice"),
        (["moves", "avanco", "--option", "size=99"], 1, "não aceita", "does not take"),
        (["moves", "avanco", "--option", "=5"], 1, "não existe", "no option"),
        (["moves", "avanco", "--position", "9" * 10_000], 1, "demasiado longa", "too long"),
        (["moves", "avanco", "--position", ""], 1, "partes", "parts"),
        (["moves", "avanco", "--play", "d2-d3 d7-d1"], 1, "jogada 2:", "move 2:"),
        (["moves", "avanco", "--play", "a" * 10_000], 1, "jogada 1:", "move 1:"),
        (["perft", "avanco", "--", "-1"], 2, "DEPTH (Quantas jogadas", "DEPTH (How many moves"),
        (["perft", "avanco", "x"], 2, "valor errado", "wrong value"),
        (["perft", "avanco", "9" * 5000], 2, "valor errado", "wrong value"),
        (["show", "avanco", "--theme", "pink"], 2, "valor errado em --theme", "wrong value for --theme"),
        (["show", "avanco", "--svg", "/nonexistent/x.svg"], 1, "não existe", "no such file"),
        (["show", "avanco", "--svg", "/"], 1, "é uma pasta", "folder"),
        (["show", "avanco", "--svg", "a\0b"], 1, "nome de ficheiro", "name of a file"),
        (["show", "avanco", "--svg", "\ud800"], 1, "nome de ficheiro", "name of a file"),
        (["show", "avanco", "--svg", "/tmp/" + "x" * 5000], 1, "demasiado longo", "too long"),
        (["bench", "--seconds", "0"], 2, "valor errado em --seconds", "wrong value for --seconds"),
        (["bench", "--speed"], 2, "--speed vai com --search", "--speed goes with --search"),
        (["bench", "--seconds", "nan"], 2, "valor errado em --seconds", "wrong value for --seconds"),
        (["bench", "--game", "damas"], 1, "não há nenhum jogo", "there is no game"),
        (["play", "avanco", "--random", "3"], 2, "--random é", "--random is"),
        (["play", "avanco", "--seed", "x"], 2, "valor errado em --seed", "wrong value for --seed"),
        (["play", "avanco", "--resume", "x", "--position", "y"], 2, "vêm do registo", "come from the record"),
        (["play", "avanco", "--resume", "/nonexistent"], 1, "não existe", "no such file"),
        (["play", "avanco", "--save", "/nonexistent/x"], 1, "não existe", "no such file"),
        (["play", "avanco", "--save", "/tmp"], 1, "já existe", "exists already"),
    ],
)  # fmt: skip
def test_errors_are_one_line_in_either_language(arguments: list[str], code: int, pt: str, en: str) -> None:
    for language, part in (("pt", pt), ("en", en)):
        result = run("--lang", language, *arguments)
        assert result.exit_code == code
        assert part in complaint(result)
        assert len(result.stderr) < 500


def test_names_of_games_forgive_case_and_accents() -> None:
    assert run("moves", "Avanço", "--json").stdout == run("moves", "avanco", "--json").stdout


WORDS = st.one_of(
    st.sampled_from(
        [word for command in COMMANDS for word in command if word not in ("play", "bench")]
        + [*GAMES, "--json", "--play", "--position", "--option", "--plain", "--legal", "--divide", "--lang", "pt", "--"]
        + ["size=5", "size=", "=", "d2-d3", "1", "2", "7/7/7/7/7/7/7 w", "--help", "--flip", "--to", "sgf", "-"]
    ),
    st.text(max_size=30),
    st.text(alphabet=string.printable, max_size=200),
)


@settings(deadline=None, max_examples=120)
@given(st.lists(WORDS, max_size=8))
def test_no_arguments_make_it_stumble(arguments: list[str]) -> None:
    # Writing where chance decides would litter the disk; perft and bench could take long.
    if {"convert", "--svg"} & set(arguments) or any(word.startswith("--svg") for word in arguments):
        return
    result = run(*arguments)
    assert result.exit_code in (0, 1, 2)
    assert "Traceback" not in result.output
    if result.exit_code == 2:
        assert result.stderr.startswith("tabuleiro: ")


@pytest.mark.parametrize("game", GAMES)
def test_no_position_or_move_makes_it_stumble(game: str) -> None:
    chance = random.Random(game)
    start = str(GAMES[game].start())
    for _ in range(25):
        position = list(start)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(position))
            position[at : at + chance.randint(0, 2)] = chance.choice(
                ["", " ", "/", "w", "b", "K", "'", "9", "-1", "\0", "ç"]
            )
        moves = " ".join(
            chance.choice(["a1", "a2-a3", "K=e", "c", "A1A2", "swap", "x" * 50, "\x07", "-"]) for _ in range(2)
        )
        result = run("moves", game, "--position", "".join(position), "--play", moves)
        assert result.exit_code in (0, 1)
        assert result.stderr.count("\n") == result.exit_code


# --------------------------------------------------------------------------------------------------- the real program


def test_program() -> None:
    done = process("moves", "rastros", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["turn"] == 1
    wrong = process("moves", "damas", env={"LANG": "pt_PT.UTF-8"})
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr.startswith("tabuleiro: não há nenhum jogo «damas»")


def test_a_stream_without_unicode_gets_plain_text() -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    for arguments in (["show", "hex"], ["rules", "hex"], ["games"], ["--help"], ["show", "avanco", "--play", "«"]):
        done = process(*arguments, "--lang", "pt", env=ascii_only)
        assert "Traceback" not in done.stderr
        assert done.stdout.isascii()
        assert done.stderr.isascii()
    assert "posicao" in process("--lang", "pt", "--help", env=ascii_only).stdout
    assert json.loads(process("games", "--json", env=ascii_only).stdout)[0]["name"] == "Avanço"


def test_arguments_that_are_not_text() -> None:
    done = process(b"moves", b"\xff\xfe", env={"LC_ALL": "C"})
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


@pytest.fixture
def buffered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program has not written yet when it ends can still fail."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


SHORT_AND_LONG = pytest.mark.parametrize(
    "arguments",
    [["--help"], ["moves", "hex"], ["games", "--json"], ["rules", "ouri"], ["record", "check", "/", "--json"]],
)


@SHORT_AND_LONG
@pytest.mark.usefixtures("buffered")
def test_a_reader_that_goes_away(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*PROGRAM, *arguments], stdout=writer, stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 141


@SHORT_AND_LONG
@pytest.mark.usefixtures("buffered")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.stderr == "tabuleiro: no space left on the disk\n"
    assert done.returncode == 1


def test_ctrl_c() -> None:
    import signal

    with subprocess.Popen([*PROGRAM, "perft", "hex", "9"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        wait_for_work(program, 2.0)
        program.send_signal(signal.SIGINT)
        said, complained = program.communicate(timeout=30)
    assert program.returncode == 130
    assert said == b""
    assert b"Traceback" not in complained


@pytest.mark.parametrize("arguments", [["moves", "rastros", "--json"], ["--help"], ["perft", "rastros", "2"]])
def test_light_commands_stay_light(arguments: list[str]) -> None:
    """Starting fast means not importing what is not used."""
    script = (
        "import sys\n"
        f"sys.argv[1:] = {arguments!r}\n"
        "try:\n    from tabuleiro.cli import main; main()\nexcept SystemExit: pass\n"
        "heavy = {'rich', 'tabuleiro.svg', 'tabuleiro.text', 'tabuleiro.rulebook', 'tabuleiro.hexformats', 'asyncio'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stderr == "[]\n"


def test_completion_of_games() -> None:
    asked = {"_TABULEIRO_COMPLETE": "complete_bash", "COMP_WORDS": "tabuleiro moves ra", "COMP_CWORD": "2"}
    done = process(env=asked)
    assert done.stdout.split() == ["rastros"]


@pytest.mark.parametrize("command", ["play", "show", "moves", "match"])
def test_option_help_names_every_value(command: str) -> None:
    players = ("level:1", "random") if command == "match" else ()
    told = run(command, "ouri", *players, "--option", "help", "--lang", "pt").stdout
    assert "--option cycle_collect=…" in told
    assert "none: de ninguém (regra oficial); owners: de quem as tem nas suas casas" in told
    assert "3: terceira (habitual); 2: segunda; off: não acaba" in told
    assert "Joga" not in told, "nothing else is done"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_the_tab_key_suggests_is_written_for_each_shell(shell: str) -> None:
    told = run("completion", shell).stdout
    assert "_TABULEIRO_COMPLETE" in told and f"complete_{shell}" in told
    if (program := shutil.which(shell)) is not None:
        done = subprocess.run([program, "-n"], input=told, text=True, capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr


def test_a_shell_we_do_not_know_is_refused() -> None:
    refused = run("completion", "tcsh")
    assert refused.exit_code == 2 and "bash, zsh, fish" in complaint(refused)


@pytest.mark.parametrize("language", ["pt", "en"])
def test_the_manual_has_every_command(language: str) -> None:
    told = run("manual", "--lang", language).stdout
    assert told.startswith(".TH TABULEIRO 1")
    for command in ("play GAME", "record stats FILE…", "tables build GAME", "serve", "doctor"):
        assert f".SS tabuleiro {command}" in told
    assert not [line for line in told.splitlines() if line.startswith("'")]


def test_the_doctor_says_what_is_missing_and_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = doctor.Extra(("no_such_module",), Text("o sítio", "the site"))
    monkeypatch.setitem(doctor.EXTRAS, "server", missing)
    ill = run("doctor", "--json", "--lang", "pt")
    assert ill.exit_code == 1
    told = json.loads(ill.stdout)
    (server,) = (finding for finding in told["findings"] if finding["name"] == "server")
    assert server["state"] == "bad" and server["do"] == "pip install 'tabuleiro[server]'"
    assert not told["well"]
    assert "pip install 'tabuleiro[server]'" in run("doctor", "--lang", "en").stdout
