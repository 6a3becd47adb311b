"""Many games at once: three forms of files, the kernels as judges, and what is counted."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tabuleiro import get
from tabuleiro.cli import app
from tabuleiro.collection import OpeningTree, Row, game_of, read_rows, replayed, row_of, statistics_of, write_rows
from tabuleiro.collection.replay import _Replayer
from tabuleiro.core import TabuleiroError
from tabuleiro.games import GAMES
from tabuleiro.record import Game, RecordError, random_game, read_games, write_game

MATCHES = Path(__file__).parents[1] / "docs" / "matches"


def games_of(name: str, count: int = 6) -> list[Game]:
    played = [random_game(name, seed, max_plies=40) for seed in range(count)]
    for number, game in enumerate(played):
        game.tags |= {"Player1": 'Ana "a rápida"', "Player2": "Rui", "Round": str(number)}
        if game.outcome is None and number % 2:
            game.end(game.position.turn, "resignation")
    return played


@pytest.mark.parametrize("ending", [".tab", ".tab.gz", ".jsonl", ".jsonl.gz", ".parquet"])
@pytest.mark.parametrize("name", GAMES)
def test_games_are_read_as_they_were_written(name: str, ending: str, tmp_path: Path) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    rows = [row_of(game) for game in games_of(name)]
    file = tmp_path / f"games{ending}"
    write_rows(rows, file)
    assert [*read_rows(file)] == rows
    assert [game.row for game in replayed(read_rows(file))] == rows


@pytest.mark.parametrize("name", GAMES)
def test_the_kernels_see_the_positions_that_the_rules_see(name: str) -> None:
    played = games_of(name)
    found = replayed([row_of(game) for game in played], depth=50)
    for game, again in zip(played, found, strict=True):
        assert list(again.keys) == [position.hash64() for position in game.positions()]


@pytest.mark.parametrize("name", GAMES)
def test_plain_games_need_no_rules_in_python(name: str) -> None:
    """Else a million of them would take a day."""
    rows = [row_of(game) for game in games_of(name)]
    assert None not in _Replayer(depth=0).block(rows)


def test_our_text_written_by_rows_is_our_text(tmp_path: Path) -> None:
    rows = [row_of(game) for game in games_of("avanco")]
    write_rows(rows, tmp_path / "games.tab")
    assert [row_of(game) for game in read_games(tmp_path / "games.tab")] == rows
    assert [row_of(game_of(row)) for row in rows] == rows


def test_comments_clocks_and_variations_stay_behind(tmp_path: Path) -> None:
    """A file in which plain games and others take turns, read in pieces that end anywhere."""
    file = tmp_path / "games.tab"
    games = games_of("semaforo", 8)
    for game in games[::2]:
        game.root.children[0].comment = '[Game "rastros"]\n\n1. bem'
        game.root.children[0].clock = 30
    file.write_text("\n".join(map(write_game, games)) + "\n; the end\n", "utf-8")
    assert [*read_rows(file)] == [row_of(game) for game in games]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (Row("avanco", (), None, "a2-a3 a6-a5 a3-a5", "*", None, {}), "game 1: move 3"),
        (Row("semaforo", (), None, "a1", "1-0", "line", {}), "only the rules decide"),
        (Row("semaforo", (), None, "a1 a2", "1/2-1/2", None, {}), "cannot end in a draw"),
        (Row("hex", (("size", "3"),), None, "a1 a2 b1", "2-0", None, {}), "the result is"),
        (Row("hex", (("size", "99"),), None, "a1", "*", None, {}), "game 1"),
        (Row("chess", (), None, "e4", "*", None, {}), "game 1"),
    ],
)
def test_what_is_wrong_is_said_with_the_number_of_the_game(row: Row, complaint: str) -> None:
    with pytest.raises(RecordError, match=complaint):
        list(replayed([row]))


def test_a_result_that_contradicts_the_rules_is_refused() -> None:
    right, ended = row_of(random_game("hex", 1)), row_of(random_game("hex", 2))
    wrong = ended._replace(result={"1-0": "0-1", "0-1": "1-0"}[ended.result])
    with pytest.raises(RecordError, match=r"game 2: .*contradicts the rules"):
        list(replayed([right, wrong]))


def test_another_spelling_is_read_and_put_right() -> None:
    [found] = replayed([Row("hex", (), None, "F6 troca c3", "*", None, {})])
    assert found.row.moves == "f6 swap c3"


@pytest.mark.parametrize("line", ["[]", "{}", '{"game": 1, "moves": "a1", "result": "*"}', "nonsense", '{"game":"hex"'])
def test_lines_that_are_no_games_are_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text(line)
    with pytest.raises(RecordError, match="line 1: each line"):
        list(read_rows(tmp_path / "games.jsonl"))


@pytest.mark.parametrize("name", ["games.parquet", "games.jsonl.gz", "games.tab.gz", "games.tab", "games.jsonl"])
def test_noise_is_refused_with_a_sentence(name: str, tmp_path: Path) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    (tmp_path / name).write_bytes(b'PAR1\x1f\x8b\xff\xfe noise [Game "hex"]')
    with pytest.raises((TabuleiroError, OSError)):
        list(read_rows(tmp_path / name))


def test_positions_are_counted_once_however_they_were_reached() -> None:
    options = (("size", "4"),)
    played = replayed([Row("hex", options, None, moves, "1-0", "time", {}) for moves in ("a1 b2 c3", "c3 b2 a1")], 3)
    [counted] = statistics_of(played, 3)
    start = get("hex").start(get("hex").options_type.parse(dict(options)))
    assert [each.move for each in counted.tree.at(start.hash64())] == ["a1", "c3"]
    reached = start
    for move in ("a1", "b2", "c3"):
        reached = reached.play(reached.parse_move(move))
    assert counted.tree.results(reached.hash64()) == (2, 0, 0, 0)
    assert counted.tree.by_ply() == [1, 2, 2, 1]


def test_a_game_that_comes_back_to_a_position_is_one_game() -> None:
    tree = OpeningTree(depth=8)
    moves = "A1B2 I9H8 B2A1 H8I9 A1B2"
    for game in replayed([Row("abalone", (), None, moves, "*", None, {})], tree.depth):
        tree.add(game)
    assert tree.results(get("abalone").start().hash64()).games == 1


def test_the_command_counts_what_the_matches_hold(capsys: pytest.CaptureFixture[str]) -> None:
    file = MATCHES / "semaforo-uct.tab"
    with pytest.raises(SystemExit) as left:
        app(["record", "stats", str(file), "--depth", "3", "--json"])
    assert left.value.code == 0
    told = json.loads(capsys.readouterr().out)
    games = [*read_games(file)]
    assert sum(each["results"]["games"] for each in told) == len(games)
    assert sum(each["results"]["one"] for each in told) == sum(game.result == "1-0" for game in games)
    [first] = [each for each in told[0]["openings"] if each["key"] == f"{games[0].start.hash64():016x}"]
    assert sum(move["results"]["games"] for move in first["moves"]) <= first["results"]["games"]


def test_the_command_converts_between_all_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow")
    source = MATCHES / "semaforo-uct.tab"
    steps = [source, tmp_path / "a.jsonl.gz", tmp_path / "b.parquet", tmp_path / "c.tab"]
    for given, wanted in pairwise(steps):
        with pytest.raises(SystemExit) as left:
            app(["record", "convert", str(given), str(wanted)])
        assert left.value.code == 0, capsys.readouterr().err
    assert [row_of(game) for game in read_games(steps[-1])] == [row_of(game) for game in read_games(source)]
