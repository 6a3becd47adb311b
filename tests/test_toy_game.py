"""CONTRIBUTING says how to add a game with one file and one line. Do what it says, and play the game everywhere."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from laws import check_position, walk
from tabuleiro import Position, svg, text
from tabuleiro.cli import app
from tabuleiro.perft import perft
from tabuleiro.record import random_game, read_games, write_game
from toys import add_tictactoe, forget_module


@pytest.fixture
def tictactoe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Position]]:
    """A copy of the games' folder that has the recipe's file and line."""
    game = add_tictactoe(monkeypatch, tmp_path)
    yield game
    forget_module("tabuleiro.games.tictactoe")


def test_the_laws_hold(tictactoe: type[Position]) -> None:
    for seed in range(50):
        rng = random.Random(seed)
        for position in walk(tictactoe, tictactoe.options_type(), rng, 9):
            check_position(position, rng)


def test_perft(tictactoe: type[Position]) -> None:
    assert [perft(tictactoe.start(), depth) for depth in range(1, 6)] == [9, 72, 504, 3024, 15120]


def test_records_and_pictures(tictactoe: type[Position], tmp_path: Path) -> None:
    path = tmp_path / "games.tab"
    games = [random_game("tictactoe", seed=seed) for seed in range(20)]
    path.write_text("\n".join(map(write_game, games)), "utf-8")
    assert list(read_games(path)) == games
    for game in games:
        ElementTree.fromstring(svg.draw(game.position))
        assert "X" in text.draw(game.position) and text.draw(game.position, plain=True).isascii()


def test_the_command_line_knows_it(tictactoe: type[Position], tmp_path: Path) -> None:
    def run(*arguments: str, typed: str = "") -> str:
        result = CliRunner().invoke(app, list(arguments), input=typed)
        assert result.exit_code == 0, result.output
        return result.stdout

    assert "tictactoe" in run("games")
    assert "Tic-tac-toe" in run("--lang", "en", "rules", "tictactoe")
    assert json.loads(run("moves", "tictactoe", "--play", "b2 a1", "--json"))["turn"] == 1
    assert json.loads(run("perft", "tictactoe", "4", "--json")) == {"nodes": 3024}
    assert "X" in run("show", "tictactoe", "--play", "b2")
    saved = tmp_path / "saved.tab"
    run("play", "tictactoe", "--save", str(saved), typed="b2\na1\nb1\na2\nb3\n")
    (game,) = read_games(saved)
    assert game.result == "1-0"
