"""Files that were made to harm: refused with a sentence, before they cost anything."""

import io
import json
import sqlite3
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from championship.building import act, begun, edition
from championship.hostile import CELL, PROGRAMS, bomb, championship_file, lying, workbook
from tabuleiro.championship import Championship, RefusedError
from tabuleiro.championship import file as file_module
from tabuleiro.championship.edition import MOST_ENTRIES, MOST_SECTIONS, load_edition
from tabuleiro.championship.events import Event
from tabuleiro.championship.file import copy, read, read_data, write_new, writing
from tabuleiro.championship.people import Details
from tabuleiro.championship.reading import SettingsError
from tabuleiro.championship.registration import FullError, read_registration
from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text
from tabuleiro.sheets import MOST_ROWS, MOST_UNPACKED_BYTES, TooLargeError, read_table, write_csv

SENT = Text("o ficheiro", "the file")


def peak_of(work: Callable[[], object]) -> int:
    """The bytes that Python has had at most for some work."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# ---------------------------------------------------------------------------------------------------------- archives


def test_a_workbook_is_read() -> None:
    (row,) = read_table(workbook(b'<row><c t="s"><v>0</v></c></row>', b"<si><t>Nome</t></si>"))
    assert row[0] == "Nome" and not any(row[1:])


def test_a_bomb_is_refused_by_what_its_directory_says() -> None:
    data = bomb(20 * MOST_UNPACKED_BYTES)
    assert len(data) < 500_000

    def refused() -> None:
        with pytest.raises(TooLargeError, match="once unpacked"):
            read_table(data)

    assert peak_of(refused) < 2_000_000, "nothing was unpacked"


def test_a_directory_that_says_too_little_is_not_believed() -> None:
    honest = workbook(padding=100_000_000)
    liar = lying(honest, "xl/workbook.xml", 300)
    with zipfile.ZipFile(io.BytesIO(liar)) as archive:
        assert archive.getinfo("xl/workbook.xml").file_size == 300

    def refused() -> None:
        with pytest.raises(TabuleiroError, match="cannot be read"):
            read_table(liar)

    assert peak_of(refused) < 5_000_000, "only what the directory says was unpacked"


def test_parts_that_are_packed_in_unusual_ways_are_not_unpacked() -> None:
    for compression in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        data = lying(workbook(padding=50_000_000, compression=compression), "xl/workbook.xml", 300)

        def refused(data: bytes = data) -> None:
            with pytest.raises(TabuleiroError, match="cannot be read"):
                read_table(data)

        assert peak_of(refused) < 2_000_000


def test_an_archive_of_many_parts_is_refused() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(2000):
            archive.writestr(f"{number}.xml", b"")
    with pytest.raises(TooLargeError):
        read_table(file.getvalue())


def test_rows_that_are_too_many_are_refused_before_the_rest_is_read() -> None:
    rows = [["Nome", "Escola", "Jogo"], *([f"Aluno {n}", "EB", "Ouri"] for n in range(45_000))]
    with pytest.raises(TooLargeError, match=f"more than {MOST_ROWS} rows"):
        read_table(write_csv(rows))
    sheet = (b"<row>" + CELL + b"</row>") * 45_000
    with pytest.raises(TooLargeError, match=f"more than {MOST_ROWS} rows"):
        read_table(workbook(sheet))
    with pytest.raises(TooLargeError, match="more than 3 rows"):
        read_table(b"a\nb\nc\nd\n", most_rows=3)
    assert len(read_table(b"a\nb\nc\n", most_rows=3)) == 3


# ------------------------------------------------------------------------------------------------- championship files


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_file_that_holds_a_program_is_not_read(tmp_path: Path, program: str) -> None:
    path = tmp_path / "sent"
    data = championship_file(path, program)
    begun_at = time.process_time()
    for attempt in (
        lambda: read(path),
        lambda: read_data(data, SENT),
        lambda: copy(path, tmp_path / "copy"),
        lambda: writing(path).__enter__(),
    ):
        with pytest.raises(RefusedError, match="holds more than a championship"):
            attempt()
    assert time.process_time() - begun_at < 5
    assert path.read_bytes() == data and [*tmp_path.iterdir()] == [path], "nothing was written"


def whole(path: Path) -> Path:
    championship = begun(edition("hex"), 6)
    write_new(path, championship.events, {n: Details(f"Nome {n}") for n in range(1, 7)})
    return path


def test_a_sent_file_is_read_without_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = whole(tmp_path / "a")
    data = path.read_bytes()
    monkeypatch.setattr("tempfile.mkdtemp", None)
    contents = read_data(data, SENT)
    assert contents.championship.events == read(path).championship.events
    assert contents.people == read(path).people
    for junk in (b"", b"hello" * 1000, b"SQLite format 3\0" + b"\1" * 2000, data[:5000], data[:-4096]):
        with pytest.raises(RefusedError, match=r"^the file "):
            read_data(junk, SENT)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET data = '" + "[" * 100_000 + "' WHERE number = 2",
        "UPDATE events SET data = '{\"seed\": NaN}' WHERE number = 1",
        "UPDATE events SET data = replace(data, '\"seed\":1', '\"seed\":' || 1e19) WHERE number = 1",
        "UPDATE events SET data = replace(data, '\"seed\":1', '\"seed\":99999999999999999999') WHERE number = 1",
        "UPDATE events SET data = CAST(data AS BLOB)",
        "UPDATE events SET who = 'x' WHERE number = 2",
        "UPDATE events SET at = 'x' WHERE number = 2",
        "UPDATE events SET at = 9e999 WHERE number = 2",
        "UPDATE people SET person = 99999999999 WHERE person = 2",
        "UPDATE people SET details = '[]' WHERE person = 2",
        'UPDATE people SET details = \'{"name": " ", "class": "", "arrangements": []}\' WHERE person = 2',
        'UPDATE people SET details = \'{"name": 5, "class": "", "arrangements": []}\' WHERE person = 2',
        'UPDATE people SET details = \'{"name": "x", "class": "", "arrangements": ["y"]}\' WHERE person = 2',
    ],
)
def test_values_that_a_championship_cannot_have_are_refused(tmp_path: Path, statement: str) -> None:
    path = whole(tmp_path / "a")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
    with pytest.raises(RefusedError):
        read(path)
    with pytest.raises(RefusedError):
        read_data(path.read_bytes(), SENT)


def test_rows_and_values_of_a_file_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = whole(tmp_path / "a")
    with monkeypatch.context() as limited, pytest.raises(RefusedError, match="too many rows"):
        limited.setattr(file_module, "MOST_EVENTS", 2)
        read(path)
    with monkeypatch.context() as limited, pytest.raises(RefusedError, match="too many rows"):
        limited.setattr(file_module, "MOST_PEOPLE", 5)
        read(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE people SET details = zeroblob(17000000) WHERE person = 1")
        connection.commit()
    with pytest.raises(RefusedError, match="damaged"):
        read(path)


def test_a_statement_that_runs_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables are plain, so nothing should: the handler is for what nobody has thought of."""
    path = whole(tmp_path / "a")
    monkeypatch.setattr(file_module, "READ_TIMEOUT_S", -1.0)
    monkeypatch.setattr(file_module, "READ_STEPS", 1)
    with pytest.raises(RefusedError, match="interrupted"):
        read(path)


def test_undoings_without_end_are_read_in_one_go() -> None:
    """Each undoing alone costs a replay; a file of thousands of them must not cost as many."""
    championship = begun(edition("hex"), 2)
    events = [*championship.events]
    published = {"published": True, "full_names": False}
    while len(events) < 6_000:
        events.append(Event(len(events) + 1, "published", published, 0, 0.0))
        events.append(Event(len(events) + 1, "undone", {"event": len(events), "reason": "x"}, 0, 0.0))
    begun_at = time.process_time()
    replica = Championship()
    replica.apply_all(events[:3])
    replica.apply_all(events[3:])
    assert replica.number == len(events)
    assert replica.state == Championship.replay(events).state and not replica.state.published
    assert time.process_time() - begun_at < 10


# ------------------------------------------------------------------------------------------------ editions and entries


@pytest.mark.parametrize("source", ["a=" + "[" * 9_000, "cycles.x=" + "[" * 300 + "]" * 300, "a" + ".a" * 5_000 + "=1"])
def test_an_edition_that_is_nested_deeply_is_refused(source: str) -> None:
    with pytest.raises(SettingsError):
        load_edition(source)


def test_an_edition_has_a_maximum_of_sections() -> None:
    def source(cycles: int) -> str:
        names = [f"c{number}" for number in range(cycles)]
        lines = [f"{name} = {json.dumps(name)}" for name in names]
        stage = '[[stages]]\nname = "x"\nformat = "swiss"\n'
        return f'name = "x"\n{stage}[[sections]]\ngame = "ouri"\ncycles = {json.dumps(names)}\n[cycles]\n' + "\n".join(
            lines
        )

    assert len(load_edition(source(MOST_SECTIONS))["cycles"]) == MOST_SECTIONS
    with pytest.raises(SettingsError, match=str(MOST_SECTIONS)):
        load_edition(source(MOST_SECTIONS + 1))


def table(count: int, start: int = 0) -> list[list[str]]:
    pupils = [[f"Aluno {chr(65 + n % 26)} {n}", "EB", "Hex"] for n in range(start, start + count)]
    return [["Nome", "Escola", "Jogo"], *pupils]


def test_a_section_has_a_maximum_of_entries_which_the_refusal_says() -> None:
    championship = begun(edition("hex"), 2, draw=False)
    with pytest.raises(FullError, match=f"at most {MOST_ENTRIES} entries, and would have {MOST_ENTRIES + 1}") as caught:
        read_registration(table(MOST_ENTRIES - 1), championship.state, {})
    assert f"no máximo {MOST_ENTRIES} inscritos" in caught.value.text.pt
    full = read_registration(table(MOST_ENTRIES - 2), championship.state, {})
    act(championship, "registered", **full.data)
    with pytest.raises(FullError):
        read_registration(table(1, 5000), championship.state, {})
    act(championship, "presence", section="hex-all", persons=[1], presence="withdrawn")
    read_registration(table(1, 5000), championship.state, {})  # somebody left, and there is room for one
