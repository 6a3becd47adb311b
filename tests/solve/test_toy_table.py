"""The tables of a game are added with one file and one line. Do that, and list, build, check, mend and ask them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import tabuleiro.solve.registry
from tabuleiro import Position
from tabuleiro.cli import app
from tabuleiro.players import level_engine
from tabuleiro.search import Limit, Score
from tabuleiro.solve import SolveError, files, solver_for
from tabuleiro.solve.files import State
from tabuleiro.solve.search import SearchSolver
from tabuleiro.solve.tables import GameTables, TableSolver
from toys import add_tictactoe, add_to_registry, forget_module

#: A byte for each board of Tic-tac-toe, a number in base three: 0 where no game comes, else 1 and the plies to the end,
#: and 16 more for a draw. An odd number of plies is a win for the player to move, an even one a loss.
TOY = '''
from tabuleiro.games.tictactoe import Tictactoe
from tabuleiro.language import Text, figure
from tabuleiro.search.base import Score
from tabuleiro.solve import files
from tabuleiro.solve.base import SolveError
from tabuleiro.solve.tables import Checked, GameTables, Statistics

DRAW = 16


def number_of(position):
    return sum(".XO".index(symbol) * 3**cell for cell, symbol in enumerate(position.board))


def value_of(position, known):
    """What stands in the table, by playing everything out."""
    if position not in known:
        outcome = position.outcome()
        after = [value_of(position.play(move), known) for move in position.legal_moves()]
        if outcome is not None:
            known[position] = (DRAW if outcome.winner is None else 0) + 1
        elif losses := [value for value in after if value < DRAW and value % 2]:
            known[position] = 1 + min(losses)
        elif draws := [value for value in after if value >= DRAW]:
            known[position] = 1 + max(draws)
        else:
            known[position] = 1 + max(after)
    return known[position]


class TictactoeTables(GameTables):
    pace = 100.0
    most = usual = 1
    at_once = listed = 0

    def __init__(self, options):
        self.content = None

    @classmethod
    def offered(cls):
        return [cls(Tictactoe.options_type())]

    def table(self, number):
        return files.Table("tictactoe", "all", 3**9)

    def label(self, number):
        return Text("tudo", "everything")

    def command(self, number):
        return "tabuleiro tables build tictactoe"

    def needed(self, position):
        return 1

    def build(self, threads=1, progress=lambda part, nodes: None):
        content, known = files.room_for(3**9), {}
        value_of(Tictactoe.start(), known)
        for position, value in known.items():
            content[number_of(position)] = value
        progress(1.0, len(known))
        return content

    def _take(self, content):
        self.content = content

    def score(self, position):
        value = 0 if self.content is None else self.content[number_of(position)]
        if value == 0:
            return None
        if value >= DRAW:
            return Score.draw()
        return Score.loss(value - 1) if value % 2 else Score.win(value - 1)

    def verify(self, positions, chance):
        known = {}
        for _ in range(positions):
            position = Tictactoe.start()
            for _ in range(chance.randrange(5)):
                position = position.play(chance.choice(position.legal_moves()))
            if self.content[number_of(position)] != value_of(position, known):
                raise SolveError(Text(f"a tabela está errada em {position}", f"the table is wrong for {position}"))
        yield Checked(Text("posições jogadas até ao fim", "positions played out"), positions)

    def summary(self):
        return Text(f"valor: {self.score(Tictactoe.start())}", f"value: {self.score(Tictactoe.start())}")

    def statistics(self):
        return Statistics([Text("posições", "positions")], [[figure(sum(value > 0 for value in self.content))]])
'''


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GameTables]:
    """The tables, which nobody has made yet."""
    monkeypatch.setenv("TABULEIRO_CACHE", str(tmp_path / "tables"))
    for folder in ("games", "solve"):
        (tmp_path / folder).mkdir()
    game = add_tictactoe(monkeypatch, tmp_path / "games")
    new = add_to_registry(
        monkeypatch, tmp_path / "solve", tabuleiro.solve.registry, "TABLES", '        "tictactoe",\n', TOY
    )
    assert [*new] == ["tictactoe"]
    yield new["tictactoe"](game.options_type())
    tabuleiro.solve.registry._solver.cache_clear()
    for module in ("tabuleiro.games.tictactoe", "tabuleiro.solve.tictactoe"):
        forget_module(module)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["--lang", "en", *arguments])


def state() -> str | None:
    listed = json.loads(run("tables", "list", "--json").stdout)["tables"]
    return next((table["state"] for table in listed if table["game"] == "tictactoe"), None)


def flip(table: files.Table) -> None:
    whole = bytearray(table.path.read_bytes())
    whole[-1] ^= 1
    table.path.write_bytes(whole)


def test_it_is_built_listed_and_counted(tables: GameTables) -> None:
    assert state() is None
    built = run("tables", "build", "tictactoe")
    assert built.exit_code == 0, built.output
    assert "everything; positions: 19,683" in built.stdout and "value: =" in built.stdout
    assert state() == "good"
    assert run("tables", "statistics", "tictactoe").stdout.splitlines()[-1] == "| 5,478 |"


def test_it_is_checked(tables: GameTables) -> None:
    missing = run("tables", "verify", "tictactoe")
    assert missing.exit_code == 1 and "make it with “tabuleiro tables build tictactoe”" in missing.stderr
    run("tables", "build", "tictactoe")
    assert "all agree" in run("tables", "verify", "tictactoe").stdout
    # A table that is whole, and wrong, is found out.
    wrong = tables.build()
    wrong[0] ^= 1
    table = tables.table(0)
    files.write(table.path, (table.header(wrong), wrong))
    assert state() == "good"
    said = run("tables", "verify", "tictactoe")
    assert said.exit_code == 1 and "the table is wrong" in said.stderr


@pytest.mark.parametrize("arguments", [("tables", "build"), ("tables", "verify"), ("solve",)])
def test_a_damaged_one_is_made_again(tables: GameTables, arguments: tuple[str, ...]) -> None:
    run("tables", "build", "tictactoe")
    good = tables.table(0).path.read_bytes()
    flip(tables.table(0))
    assert state() == "damaged"
    said = run(*arguments, "tictactoe")
    assert said.exit_code == 0, said.output
    assert said.stderr.count("was damaged and is made again") == 1
    assert tables.table(0).path.read_bytes() == good


def test_solvers_and_engines_look_it_up(tables: GameTables) -> None:
    start: Position = tabuleiro.games.GAMES["tictactoe"].start()
    files.make(tables.table(0), tables.build)
    assert isinstance(solver_for(start), TableSolver)
    solution = solver_for(start).solve(start)
    # The start and the position after each move; a search looks at thousands.
    assert solution.exact and solution.score == Score.draw() and solution.nodes == 10
    for moves in ("b2 a1", "a1 b2 c3", "a1 b1", "a1 a2 b2"):
        position = start
        for text in moves.split():
            position = position.play(position.parse_move(text))
        found, searched = solver_for(position).solve(position), SearchSolver().solve(position)
        assert found.exact and (found.score, found.moves) == (searched.score, searched.moves)
        assert level_engine("tictactoe", 10).analyse(position, Limit(seconds=1)).score == found.score


def test_without_it_positions_are_searched(tables: GameTables) -> None:
    position = tabuleiro.games.GAMES["tictactoe"].from_str("XO1/1X1/2O 1")
    solution = solver_for(position).solve(position)
    assert solution.exact and solution.nodes > 10
    assert not tables.table(0).path.exists() and files.state(tables.table(0)) is State.MISSING


def test_other_games_have_no_such_tables() -> None:
    said = run("tables", "build", "hex")
    assert said.exit_code == 1 and "there are of semaforo, ouri and tictactoe" in said.stderr
    with pytest.raises(SolveError):
        tabuleiro.solve.registry.TABLES["ouri"](
            tabuleiro.games.GAMES["ouri"].options_type.parse({"cycle_threshold": "off"})
        )
