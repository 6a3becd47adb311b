"""A kind of engine is added with one file and one line. Do that, and let it play by its name wherever engines play."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tabuleiro.players.registry
from tabuleiro.cli import app
from tabuleiro.engine.serve import UgiServer
from tabuleiro.games import get
from tabuleiro.match import Match, play_match
from tabuleiro.players import EngineKind, EngineNameError, make_engine, parse_name
from tabuleiro.record import Game, Line, read_games
from tabuleiro.search import Limit
from toys import add_to_registry, forget_module

#: Plays the legal move of a number, from the first or from the last.
TOY = """
from tabuleiro.language import Text
from tabuleiro.players.kinds import EngineKind, Setting
from tabuleiro.search.base import Analysis, Engine, Score, ScoredLine


class NthEngine(Engine):
    stops_by_itself = True

    def __init__(self, place):
        super().__init__()
        self.place = place

    def forget(self):
        pass

    def search(self, node, limit, lines, stop, listener):
        moves = node.position.legal_moves()
        return Analysis((ScoredLine(Score.estimate(0, 0.5), (moves[self.place % len(moves)],)),), 0, 1, 0.0, False)


KINDS = (
    EngineKind(
        "nth",
        Text("a jogada de um número", "the move of a number"),
        lambda game, argument, settings: NthEngine(settings["place"]),
        {"place": Setting(Text("que número", "which number"), 0)},
    ),
)
"""


@pytest.fixture(autouse=True)
def nth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EngineKind]:
    new = add_to_registry(monkeypatch, tmp_path, tabuleiro.players.registry, "KINDS", '        "nth",\n', TOY)
    assert [*new] == ["nth"]
    kind: EngineKind = new["nth"]
    yield kind
    forget_module("tabuleiro.players.nth")


def expected(game: Game, place: int) -> str:
    moves = game.position.legal_moves()
    return game.position.move_str(moves[place % len(moves)])


def test_it_has_a_name_and_settings() -> None:
    game = Game.new("avanco")
    assert game.position.move_str(make_engine("nth:place=4", "avanco").play(game, Limit())) == expected(game, 4)
    assert parse_name("nth:place=4,time=0.5").limit == Limit(seconds=0.5)
    with pytest.raises(EngineNameError, match="it has: time, nodes, depth, place"):
        parse_name("nth:speed=4")
    with pytest.raises(EngineNameError, match="is no number"):
        make_engine("nth:place=x", "avanco")
    with pytest.raises(EngineNameError, match="nth"):
        parse_name("nobody")


def test_it_plays_matches(tmp_path: Path) -> None:
    (pair,) = play_match(Match("semaforo", {}, "nth", "nth:place=2", 0.1, 1, 0), [0])
    path = tmp_path / "games"
    path.write_text("\n".join(pair.records), "utf-8")
    first, second = read_games(path)
    assert (first.tags["Player1"], second.tags["Player1"]) == ("nth", "nth:place=2")
    for game, places in ((first, (0, 2)), (second, (2, 0))):
        again = Game(game.start)
        for node in [*game.root.line()][1:]:
            assert node.move_text == expected(again, places[again.last.ply % 2])
            again.play(node.move_text)


def test_the_command_line_knows_it() -> None:
    arguments = ["match", "semaforo", "nth", "random", "--games", "2", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "nth" in json.dumps(json.loads(result.stdout))
    listed = json.loads(CliRunner().invoke(app, ["--lang", "en", "players", "--json"]).stdout)
    assert listed[-1] == {
        "name": "nth",
        "help": "the move of a number",
        "argument": "",
        "settings": [{"name": "place", "default": 0, "help": "which number"}],
    }
    said = CliRunner().invoke(app, ["--lang", "pt", "players"]).stdout
    assert "a jogada de um número" in said and "place=…  que número (0)" in said
    refused = CliRunner().invoke(app, ["--lang", "en", "match", "semaforo", "nobody", "random"])
    assert refused.exit_code == 1 and "nth" in refused.stderr


def test_it_speaks_the_protocol() -> None:
    said: list[str] = []
    server = UgiServer(get("avanco"), get("avanco").options_type(), 10, 1, said.append)
    server.take("setoption name Engine value nth:place=3")
    server.take("position startpos moves d2-d3")
    server.take("go nodes 10")
    deadline = time.monotonic() + 30
    while not any(line.startswith("bestmove") for line in said) and time.monotonic() < deadline:
        time.sleep(0.01)
    server.close()
    assert said[-1] == f"bestmove {expected(Line('avanco', moves=('d2-d3',)).replay(), 3)}"
    server.take("setoption name Engine value ugi:program")
    assert "other programs" in said[-1]


def test_a_worker_of_the_server_plays_it() -> None:
    """What a worker does with a question; that workers are processes of their own is tested with the server."""
    from tabuleiro.server.engines import NextMove

    assert NextMove(Line("ouri"), "nth:place=2", 5.0).answer(lambda: False) == expected(Game.new("ouri"), 2)
