"""What championships cost is paid in processes apart, with limits: nobody else waits, and what is sent harms nobody."""

import asyncio
import base64
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from championship.hostile import CELL, PROGRAMS, bomb, championship_file, workbook
from server.cup import PATH, group_of, open_tables
from server.people import Json, LocalServer, Person, ProcessServer, wait_for
from server.school import first_organiser, organiser, school_class, teacher
from server.test_jobs import is_alive
from tabuleiro import sheets
from tabuleiro.championship import Championship, decisions, report, rounds, standings
from tabuleiro.championship import file as championship_files
from tabuleiro.championship.edition import MOST_ENTRIES
from tabuleiro.server import files
from tabuleiro.server.championships import group_json, replicas, work
from tabuleiro.server.championships.replicas import Replicas
from tabuleiro.server.championships.stream import ChampionshipStream, as_stored
from tabuleiro.server.jobs import NO_WORKER, TOO_LONG, Jobs, LimitError
from tabuleiro.server.log import Event
from tabuleiro.sheets import MOST_UNPACKED_BYTES, write_csv

GROUP = "rastros-all/1/1"
#: Enough that a round is neither paired nor shown at once.
PLAYERS = 100


def names(count: int, start: int = 0) -> list[str]:
    return [f"Aluno {chr(65 + n % 26)}{chr(65 + n // 26)}" for n in range(start, start + count)]


@pytest.fixture(scope="module")
def head(server: LocalServer) -> Person:
    return organiser(server)


def make(by: Person, count: int = PLAYERS, form: str = "swiss") -> str:
    body = {"quick": {"game": "rastros", "format": form}, "entries": {"names": "\n".join(names(count))}}
    made: str = by.post(PATH, body)["id"]
    by.post(f"{PATH}/{made}/draws", {})
    return made


def sent(data: bytes) -> str:
    return base64.b64encode(data).decode()


def refusal(answer: httpx.Response) -> tuple[int, str, str]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["text"]["en"]


def stream_of(server: LocalServer, cup: str) -> ChampionshipStream:
    stream: ChampionshipStream = server.hub.log.open[cup].stream
    return stream


def not_here(*_: Any, **__: Any) -> Any:
    raise AssertionError("this is work for a process apart")


# ------------------------------------------------------------------------------------------------------- in time, apart


def test_a_large_section_is_drawn_paired_and_shown_apart_and_the_same(
    server: LocalServer, head: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"quick": {"game": "rastros", "format": "swiss"}, "entries": {"names": "\n".join(names(PLAYERS))}}
    cup = head.post(PATH, body)["id"]
    with monkeypatch.context() as patched:
        for module, name in ((rounds, "best_round"), (decisions, "next_round"), (decisions, "draw_groups")):
            patched.setattr(module, name, not_here)
        for module in (decisions, group_json, report, standings):
            patched.setattr(module, "standings", not_here)
        head.post(f"{PATH}/{cup}/draws", {})
        for _ in range(2):
            head.post(f"{PATH}/{cup}/rounds", {})
            shown = group_of(head, cup, GROUP)
            for table in open_tables(shown):
                head.post(f"{PATH}/{cup}/results", {**table, "winner": 1 + table["table"] % 2})
        head.get(f"{PATH}/{cup}")
        head.get(f"{PATH}/{cup}/figures")
        assert head.web.get(f"{PATH}/{cup}/file/csv").status_code == 200
    assert server.app.state.jobs.pids
    # Whoever replays the events and asks the library gets the same draws and rounds, byte for byte.
    stored = stream_of(server, cup).championship.events
    again = Championship()
    for event in stored:
        if event.kind == "stage_drawn":
            assert decisions.draw_stage(again, "rastros-all").data == event.data
        if event.kind == "round_paired":
            assert decisions.pair_round(again, GROUP).data == event.data
        again.apply(event)
    assert len(shown["standings"]) == PLAYERS


@pytest.mark.long
def test_no_step_of_the_largest_section_holds_the_loop_up(
    server: LocalServer, head: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In time of the processor, which does not depend on what else the machine does. A step is some milliseconds; what
    is allowed here is for slow machines. To pair 600 in the loop took four seconds."""
    longest: dict[str, float] = {}
    run = asyncio.Handle._run
    doing = ""

    def timed(handle: asyncio.Handle) -> None:
        begun = time.thread_time()
        run(handle)
        longest[doing] = max(longest.get(doing, 0.0), time.thread_time() - begun)

    cup = make(head, 2)  # what is done for the first time takes longer
    monkeypatch.setattr(asyncio.Handle, "_run", timed)
    doing = "register"
    head.post(f"{PATH}/{cup}/entries", {"names": "\n".join(names(MOST_ENTRIES - 2, 10))})
    for number in (1, 2):
        doing = f"pair round {number}"
        head.post(f"{PATH}/{cup}/rounds", {})
        doing = f"show round {number}"
        told = group_of(head, cup, GROUP)
        assert len(told["members"]) == MOST_ENTRIES
        head.get(f"{PATH}/{cup}")
        doing = f"results of round {number}"
        for table in open_tables(told):
            head.post(f"{PATH}/{cup}/results", {**table, "winner": 1 + table["table"] % 2})
    doing = "undo"
    head.post(f"{PATH}/{cup}/undo", {"event": head.get(f"{PATH}/{cup}")["number"], "reason": "x"})
    doing = "files"
    for kind in ("csv", "xlsx", "json"):
        assert head.web.get(f"{PATH}/{cup}/file/{kind}").status_code == 200
    doing = "import"
    file = head.web.get(f"{PATH}/{cup}/file/campeonato").content
    head.post(f"{PATH}/import", {"file": sent(file)})
    doing = "cards"
    head.post(f"{PATH}/{cup}/cards", {})
    assert max(longest.values()) < 0.2, longest


def test_a_decision_is_taken_again_when_what_it_rests_on_has_changed(
    server: LocalServer, head: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = make(head)
    changes = [True]
    asked = 0
    run = Replicas.run

    async def meddled(self: Replicas, asker: Any, snapshot: Any, work: Any) -> Any:
        nonlocal asked
        found = await run(self, asker, snapshot, work)
        if type(work).__name__ == "PairRound":
            asked += 1
            if changes.pop() if len(changes) > 1 else changes[0]:
                absent = {"section": "rastros-all", "persons": [asked], "presence": "absent"}
                opened = server.hub.log.open[cup]
                await server.hub.log.act(opened, lambda stream: stream.decide("presence", absent, 0))
        return found

    monkeypatch.setattr(Replicas, "run", meddled)
    number = head.get(f"{PATH}/{cup}")["number"]
    answer = head.web.post(f"{PATH}/{cup}/rounds", json={"group": GROUP})
    assert refusal(answer)[:2] == (409, "stale"), "somebody changes it again and again"
    assert asked == 5 and head.get(f"{PATH}/{cup}")["number"] == number + 5
    assert group_of(head, cup, GROUP)["rounds"] == []
    changes[:] = [False, True, True]  # twice more, then not
    head.post(f"{PATH}/{cup}/rounds", {"group": GROUP})
    assert asked == 8
    paired = {each[side] for each in group_of(head, cup, GROUP)["rounds"][0]["pairings"] for side in ("one", "two")}
    assert not paired & {*range(1, 8)}, "who left meanwhile is not paired"


def test_what_happens_elsewhere_in_a_championship_does_not_disturb_a_decision(
    server: LocalServer, head: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = """
name = "x"
[[stages]]
name = "x"
format = "swiss"
rounds = 3
[[sections]]
game = "rastros"
cycles = ["a", "b"]
[cycles]
a = "a"
b = "b"
"""
    cup = head.post(PATH, {"edition": plan})["id"]
    for cycle, count in (("a", PLAYERS), ("b", 4)):
        entries = {"names": "\n".join(names(count, 5 * count)), "section": f"rastros-{cycle}"}
        head.post(f"{PATH}/{cup}/entries", entries)
    head.post(f"{PATH}/{cup}/draws", {})
    head.post(f"{PATH}/{cup}/rounds", {"group": "rastros-b/1/1"})
    table = open_tables(group_of(head, cup, "rastros-b/1/1"))[0]
    table |= {"result": {"how": "played", "winner": 1}}
    asked: list[str] = []
    run = Replicas.run

    async def meddled(self: Replicas, asker: Any, snapshot: Any, work: Any) -> Any:
        found = await run(self, asker, snapshot, work)
        if type(work).__name__ == "PairRound":
            asked.append(work.group)
            opened = server.hub.log.open[cup]
            await server.hub.log.act(opened, lambda stream: stream.decide("result", table, 0))
        return found

    monkeypatch.setattr(Replicas, "run", meddled)
    head.post(f"{PATH}/{cup}/rounds", {"group": "rastros-a/1/1"})
    assert asked == ["rastros-a/1/1"]


def test_a_worker_that_was_lost_is_sent_the_whole_championship_again(
    server: LocalServer, head: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replicas, "PORTION", 10)  # so that it comes in pieces
    cup = make(head)
    head.post(f"{PATH}/{cup}/rounds", {})
    tables = open_tables(group_of(head, cup, GROUP))
    for table in tables[:5]:
        head.post(f"{PATH}/{cup}/results", {**table, "winner": 1})
    for pid in server.app.state.jobs.pids:
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda pid=pid: not is_alive(pid))  # type: ignore[misc]
    head.post(f"{PATH}/{cup}/results", {**tables[5], "winner": 1})
    shown = group_of(head, cup, GROUP)
    assert sum(each["result"] is not None for each in shown["rounds"][0]["pairings"]) == 6
    figures = head.get(f"{PATH}/{cup}/figures")
    assert figures["sections"][0]["games"] == 6 and head.get(f"{PATH}/{cup}/figures") == figures


def test_undoing_replays_in_a_thread_and_tries_again_when_something_happened(
    server: LocalServer, head: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = make(head, 4)
    head.post(f"{PATH}/{cup}/rounds", {})
    table = open_tables(group_of(head, cup, GROUP))[0]
    head.post(f"{PATH}/{cup}/results", {**table, "winner": 1})
    number = head.get(f"{PATH}/{cup}")["number"]
    tried: list[str] = []
    original = Championship.try_undoing.__func__  # type: ignore[attr-defined]

    def meddled(kind: type[Championship], events: Any, data: Json) -> Any:
        tried.append(threading.current_thread().name)
        if len(tried) == 1:
            opened, published = server.hub.log.open[cup], {"published": True, "full_names": False}
            server.do(server.hub.log.act(opened, lambda stream: stream.decide("published", published, 0)))
        return original(kind, events, data)

    monkeypatch.setattr(Championship, "try_undoing", classmethod(meddled))
    head.post(f"{PATH}/{cup}/undo", {"event": number, "reason": "engano"})
    assert len(tried) == 2 and not any("MainThread" in name for name in tried)
    shown = group_of(head, cup, GROUP)
    assert shown["rounds"][0]["pairings"][0]["result"] is None and head.get(f"{PATH}/{cup}")["published"]
    replayed = Championship.replay(stream_of(server, cup).championship.events)
    assert replayed.state == stream_of(server, cup).championship.state


def test_a_stream_of_thousands_of_undoings_is_read_again_in_no_time(server: LocalServer, head: Person) -> None:
    cup = make(head, 2)
    stream = stream_of(server, cup)
    events = []
    for number in range(stream.number + 1, stream.number + 6_000, 2):
        published = {"published": True, "full_names": False}
        events.append((number, "published", {"who": 0, "what": published}, 1.0))
        events.append((number + 1, "undone", {"who": 0, "what": {"event": number, "reason": "x"}}, 1.0))
    fresh = ChampionshipStream.begin(cup, stream.settings_json(), 0.0)
    begun = time.process_time()
    fresh.apply_all([*map(as_stored, stream.championship.events), *(Event(*each) for each in events)])
    assert time.process_time() - begun < 10
    assert fresh.number == stream.number + 6_000 and not fresh.championship.state.published


# ------------------------------------------------------------------------------------------------- what strangers send


@pytest.fixture
def reads_nothing_itself(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The server's own process must not open what was sent."""
    monkeypatch.setattr(sheets, "_read_xlsx", not_here)
    monkeypatch.setattr(sheets, "_read_csv", not_here)
    monkeypatch.setattr(championship_files, "read_data", not_here)
    monkeypatch.setattr(championship_files, "_connect", not_here)
    yield


@pytest.mark.usefixtures("reads_nothing_itself")
def test_bombs_are_refused_with_a_sentence_wherever_a_sheet_is_read(server: LocalServer, head: Person) -> None:
    cup = make(head, 2)
    number = head.get(f"{PATH}/{cup}")["number"]
    large = sent(bomb(12 * MOST_UNPACKED_BYTES))
    small = sent(bomb(MOST_UNPACKED_BYTES * 6 // 5))
    maria = teacher(head, "Maria Lima")
    made = school_class(maria, ["Ana Silva"], "9.º A")["id"]
    posts = [
        (head, f"{PATH}/{cup}/entries", {"file": large}),
        (head, PATH, {"quick": {"game": "rastros"}, "entries": {"file": small}}),
        (maria, "/api/v1/classes", {"name": "8.º C", "file": small}),
        (maria, f"/api/v1/classes/{made}/pupils", {"file": small}),
    ]
    for by, path, body in posts:
        status, code, text = refusal(by.web.post(path, json=body))
        assert (status, code) == (413, "too_large") and "once unpacked" in text
    assert head.get(f"{PATH}/{cup}")["number"] == number
    assert [each["name"] for each in maria.get("/api/v1/classes")] == ["9.º A"]


@pytest.mark.usefixtures("reads_nothing_itself")
def test_45_000_rows_are_refused_early_with_a_sentence(head: Person) -> None:
    cup = make(head, 2)
    rows = [["Nome", "Escola", "Jogo"], *([f"Aluno {n}", "EB", "Rastros"] for n in range(45_000))]
    answer = head.web.post(f"{PATH}/{cup}/entries", json={"file": sent(write_csv(rows))})
    assert refusal(answer)[:2] == (413, "too_large") and "more than 10000 rows" in refusal(answer)[2]
    many = "\n".join(f"A{n}" for n in range(45_000))
    answer = head.web.post(f"{PATH}/{cup}/entries", json={"names": many})
    assert refusal(answer)[:2] == (413, "too_large") and "more than 10000 names" in refusal(answer)[2]
    assert len(head.get(f"{PATH}/{cup}/entries")["entries"]) == 2


def test_a_section_has_a_maximum_which_is_told_beforehand_and_in_the_refusal(head: Person) -> None:
    cup = make(head, 2)
    assert head.get(f"{PATH}/{cup}")["sections"][0]["most_entries"] == MOST_ENTRIES
    many = "\n".join(names(MOST_ENTRIES - 1, 100))
    answer = head.web.post(f"{PATH}/{cup}/entries", json={"names": many})
    assert refusal(answer)[:2] == (400, "full")
    assert f"at most {MOST_ENTRIES} entries, and would have {MOST_ENTRIES + 1}" in refusal(answer)[2]
    assert len(head.get(f"{PATH}/{cup}/entries")["entries"]) == 2
    rehearsal = {"quick": {"game": "rastros"}, "rehearsal": {"pupils": MOST_ENTRIES + 1, "schools": 20}}
    assert refusal(head.web.post(PATH, json=rehearsal))[:2] == (400, "full")


@pytest.mark.usefixtures("reads_nothing_itself")
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_file_that_holds_a_program_is_not_imported(head: Person, tmp_path: Path, program: str) -> None:
    before = len(head.get(PATH))
    data = championship_file(tmp_path / "x", program)
    answer = head.web.post(f"{PATH}/import", json={"file": sent(data)})
    assert refusal(answer)[:2] == (400, "refused") and "holds more than a championship" in refusal(answer)[2]
    assert len(head.get(PATH)) == before


def test_a_file_that_takes_too_long_is_refused_and_the_next_one_is_read(
    server: LocalServer, head: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = make(head, 2)
    slow = workbook(strings=b"<si><t>a</t></si>" * (MOST_UNPACKED_BYTES // 17 - 1000))
    monkeypatch.setattr(work.ReadList, "cpu_s", 0.5)
    answer = head.web.post(f"{PATH}/{cup}/entries", json={"file": sent(slow)})
    assert refusal(answer)[:2] == (422, "too_long")
    monkeypatch.undo()
    rows = [["Nome", "Escola", "Jogo"], ["Eva Reis", "EB", "Rastros"]]
    head.post(f"{PATH}/{cup}/entries", {"file": sent(write_csv(rows))})
    assert len(head.get(f"{PATH}/{cup}/entries")["entries"]) == 3


def test_a_view_that_takes_too_long_is_refused_once_and_then_from_memory(
    head: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = make(head)
    head.post(f"{PATH}/{cup}/rounds", {})
    runs: list[Any] = []

    async def too_long(self: Replicas, asker: Any, snapshot: Any, wanted: Any) -> Any:
        runs.append(wanted)
        raise LimitError(*TOO_LONG)

    monkeypatch.setattr(Replicas, "run", too_long)
    for _ in range(3):
        answer = head.web.get(f"{PATH}/{cup}/groups/{GROUP}")
        assert refusal(answer)[:2] == (422, "too_long")
    assert len(runs) == 1
    monkeypatch.undo()
    table = {"group": GROUP, "round": 1, "table": 1, "game": 1}
    head.post(f"{PATH}/{cup}/results", {**table, "winner": 1})
    assert group_of(head, cup, GROUP)["rounds"][0]["pairings"][0]["result"] == "1-0"


def test_cards_are_drawn_apart_or_here_where_nobody_else_can(head: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = make(head, 3)
    with monkeypatch.context() as patched:
        patched.setattr(files, "qr_picture", not_here)
        cards = head.post(f"{PATH}/{cup}/cards", {})["cards"]
    assert all(card["qr"] == files.qr_picture(card["link"]) for card in cards) and len(cards) == 3

    async def busy(*_: Any) -> Any:
        raise LimitError(*NO_WORKER)

    monkeypatch.setattr(Jobs, "run", busy)
    cards = head.post(f"{PATH}/{cup}/cards", {})["cards"]
    assert all(card["qr"] == files.qr_picture(card["link"]) for card in cards) and len(cards) == 3


# ------------------------------------------------------------------------------------------------ a server of its own


def children_of(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
        except OSError:
            continue
    return found


def memory_of(pid: int) -> int:
    """The most bytes that a process has had."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    raise AssertionError(pid)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_hostile_files_neither_hang_a_server_nor_fill_its_memory_and_it_ends_when_told(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as file, ProcessServer("--data", str(tmp_path), log=file) as running:
        head = first_organiser(tmp_path, running.address)
        cup = make(head, 2)
        pid = running.process.pid
        before = memory_of(pid)
        endless = sent(championship_file(tmp_path / "x", PROGRAMS["an endless view"]))
        slow = sent(workbook(b"<row>" + CELL * (MOST_UNPACKED_BYTES // len(CELL) - 100) + b"</row>"))
        attacks: list[Any] = []

        def attack(path: str, body: Json) -> None:
            with Person(running.address).web as web:
                web.cookies = head.web.cookies
                try:
                    attacks.append(web.post(path, json=body).status_code)
                except httpx.TransportError as error:
                    attacks.append(error)

        threads = [
            threading.Thread(target=attack, args=(f"{PATH}/import", {"file": endless})),
            threading.Thread(target=attack, args=(f"{PATH}/{cup}/entries", {"file": slow})),
        ]
        for thread in threads:
            thread.start()
        # Meanwhile somebody signs in, which writes to the database.
        assert Person(running.address).get("/api/v1/me") is not None
        assert first_organiser(tmp_path, running.address).get(PATH) is not None
        threads[0].join(60)
        assert attacks == [400] or attacks[0] == 400
        wait_for(lambda: len(children_of(pid)) >= 2)
        workers = children_of(pid)
        assert memory_of(pid) - before < 60 << 20, "the server itself read nothing"
        running.process.terminate()
        running.process.communicate(timeout=30)
        threads[1].join(30)
        wait_for(lambda: not any(is_alive(worker) for worker in workers))
