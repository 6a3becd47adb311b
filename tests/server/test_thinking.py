"""For whom computer players think next: nobody who asks for much keeps the others waiting."""

import asyncio
import math
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from server.people import LocalServer, Person, wait_for
from tabuleiro.record import Line
from tabuleiro.server.engines import THINKING
from tabuleiro.server.settings import Settings, sqlite_url
from tabuleiro.server.thinking import ROUND

ATTACKER = {"X-Forwarded-For": "10.9.9.9"}


def test_one_address_does_not_stop_the_computer_players_of_the_others(tmp_path: Path) -> None:
    """Sixty games that level 10 begins, from one address; somebody at another plays against level 3."""

    with LocalServer(Settings(sqlite_url(tmp_path), engine_workers=2)) as running:

        def flood(_: int) -> None:
            wish = {"game": "hex", "opponent": {"kind": "engine", "level": 10}, "side": "second"}
            httpx.post(f"{running.address}/api/v1/sessions", json=wish, headers=ATTACKER).raise_for_status()

        ana = Person(running.address)
        with ana.watch(ana.create("rastros", {"kind": "engine", "level": 3})) as table:
            table.move(table.moves()[0])
            table.until_plies(2)
            with ThreadPoolExecutor(8) as crowd:
                list(crowd.map(flood, range(60)))
            seconds = []
            for _ in range(3):
                plies, asked = len(table.session["history"]), time.monotonic()
                table.move(table.moves()[0])
                table.until_plies(plies + 2)
                seconds.append(time.monotonic() - asked)
            assert len(running.hub.thinking) > 30, "the others still wait"
    assert statistics.median(seconds) <= 2


class HeldEngines:
    """Computer players who answer when they are told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        #: What each of them may take.
        self.seconds: list[float] = []
        self._answers = asyncio.Semaphore(0)

    async def choose(self, line: Line, level: int, seconds: float, place: str, asker: str) -> str:
        self.asked.append(line.game)
        self.seconds.append(seconds)
        await self._answers.acquire()
        return next(iter(line.replay().position.move_texts()))

    async def answer(self, times: int = 1) -> None:
        for _ in range(times):
            self._answers.release()


@pytest.fixture
def held() -> HeldEngines:
    return HeldEngines()


@pytest.fixture
def server(tmp_path: Path, held: HeldEngines, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServer]:
    """One worker; one address may ask three questions at a time."""
    monkeypatch.setattr("tabuleiro.server.thinking.MAX_ASKED", 3)
    with LocalServer(Settings(sqlite_url(tmp_path))) as server:
        monkeypatch.setattr(server.hub.thinking.engines, "choose", held.choose)
        yield server


def begin(server: LocalServer, game: str) -> tuple[Person, str]:
    """A game of somebody new in which the computer has the first move, and which nobody watches."""
    person = Person(server.address)
    return person, person.create(game, {"kind": "engine", "level": 5}, side="second")


def test_games_that_nobody_follows_wait_for_the_others(server: LocalServer, held: HeldEngines) -> None:
    begin(server, "hex")
    wait_for(lambda: held.asked == ["hex"])
    begin(server, "ouri")
    polling, polled = begin(server, "avanco")
    polling.get(f"/api/v1/sessions/{polled}")
    server.do(held.answer())
    wait_for(lambda: held.asked == ["hex", "avanco"])
    watching, watched = begin(server, "rastros")
    with watching.watch(watched):
        server.do(held.answer())
        wait_for(lambda: held.asked == ["hex", "avanco", "rastros"])
        server.do(held.answer())
        wait_for(lambda: held.asked == ["hex", "avanco", "rastros", "ouri"])


def test_an_address_that_asks_too_much_is_asked_about_later(server: LocalServer, held: HeldEngines) -> None:
    sessions = [begin(server, game) for game in ("hex", "ouri", "avanco", "abalone", "rastros")]
    wait_for(lambda: len(server.hub.thinking) == 3)
    home = Person(server.address)
    home.web.headers.update(ATTACKER)
    home.create("guerreiros", {"kind": "engine", "level": 5}, side="second")
    wait_for(lambda: len(server.hub.thinking) == 4)
    person, last = sessions[-1]
    with person.watch(last) as table:  # one that nobody watches makes room
        wait_for(lambda: len(server.hub.thinking) == 4)
        server.do(held.answer(10))
        table.until_plies(1)
    wait_for(lambda: len(server.hub.thinking) == 0)
    assert sorted(held.asked) == ["guerreiros", "hex", "ouri", "rastros"]
    server.do(server.hub.sweep(-math.inf))
    wait_for(lambda: all(len(person.get(f"/api/v1/sessions/{game}")["history"]) == 1 for person, game in sessions))


def test_a_new_guest_earns_a_share_by_moving(server: LocalServer, held: HeldEngines) -> None:
    """Behind one address, who has moved comes before all the games that somebody has only begun."""
    crowd = []
    ana = Person(server.address)
    with ana.watch(ana.create("rastros", {"kind": "engine", "level": 5})) as table:
        for game in ("hex", "ouri"):
            person, session_id = begin(server, game)
            crowd.append(person.watch(session_id))
        wait_for(lambda: held.asked == ["hex"])
        server.do(held.answer())
        wait_for(lambda: held.asked == ["hex", "ouri"])
        person, session_id = begin(server, "avanco")
        crowd.append(person.watch(session_id))
        table.say("move", ply=0, move="d4")
        wait_for(lambda: len(server.hub.thinking) == 3)
        server.do(held.answer())
        wait_for(lambda: held.asked == ["hex", "ouri", "rastros"])
        server.do(held.answer(5))
        table.until_plies(2)
    for each in crowd:
        each.socket.close()


def test_the_more_ask_the_less_time_each_has(
    tmp_path: Path, held: HeldEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried: list[str] = []
    with LocalServer(Settings(sqlite_url(tmp_path))) as server:
        monkeypatch.setattr(server.hub.thinking.engines, "choose", held.choose)
        monkeypatch.setattr(server.hub.thinking.engines, "hurry", hurried.append)
        people = [begin(server, "ouri") for _ in range(10)]
        wait_for(lambda: len(held.asked) == 1)
        assert held.seconds == [THINKING], "nobody follows the others: they take no time of this one"
        assert not hurried
        for person, session_id in people:
            person.get(f"/api/v1/sessions/{session_id}")  # they are followed now
        begin(server, "rastros")  # a question comes, and who thinks has less time from now on
        wait_for(lambda: hurried != [])
        server.do(held.answer())
        wait_for(lambda: len(held.asked) == 2)
        assert held.seconds[1] == pytest.approx(ROUND / 9, rel=0.03), "nine wait who are followed"
        # Somebody at another address has half of the time, however many ask here.
        home = Person(server.address)
        home.web.headers.update(ATTACKER)
        session_id = home.create("hex", {"kind": "engine", "level": 10}, side="second")
        home.get(f"/api/v1/sessions/{session_id}")
        wait_for(lambda: len(server.hub.thinking) == 11)
        server.do(held.answer())
        wait_for(lambda: "hex" in held.asked)
        assert held.seconds[held.asked.index("hex")] == pytest.approx(min(THINKING, ROUND / 2), rel=0.05)
        server.do(held.answer(20))
        wait_for(lambda: len(server.hub.thinking) == 0)


def test_time_that_is_not_needed_goes_to_the_others(
    server: LocalServer, held: HeldEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The more moves are found at once, the longer the next ones may take."""
    monkeypatch.setattr("tabuleiro.server.thinking.ROUND", 0.4)
    monkeypatch.setattr("tabuleiro.server.thinking.REMEMBERED_THOUGHTS", 2)
    ana = Person(server.address)
    with ana.watch(ana.create("avanco", {"kind": "engine", "level": 5})) as table:
        for plies in (2, 4, 6, 8):
            server.do(held.answer())
            table.move(table.moves()[0])
            table.until_plies(plies)
    assert held.seconds == sorted(held.seconds) and held.seconds[-1] > 1.3 * held.seconds[0]


def test_who_lets_the_computer_begin_does_not_wait_for_ever(
    server: LocalServer, held: HeldEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others behind the same address move all the time; a game in which only the computer has to, waits for a while."""
    monkeypatch.setattr("tabuleiro.server.thinking.PATIENCE", 0.5)
    ana = Person(server.address)
    with ana.watch(ana.create("rastros", {"kind": "engine", "level": 5})) as table:
        begin(server, "hex")
        wait_for(lambda: held.asked == ["hex"])
        person, session_id = begin(server, "ouri")
        with person.watch(session_id):
            time.sleep(0.6)
            table.say("move", ply=0, move="d4")
            wait_for(lambda: len(server.hub.thinking) == 3)
            server.do(held.answer())
            wait_for(lambda: held.asked == ["hex", "ouri"])
            server.do(held.answer(3))
            table.until_plies(2)


def test_who_has_waited_long_finds_another_worker(server: LocalServer, held: HeldEngines) -> None:
    """The worker that keeps the engine of one game is busy all the time: those of other games are quicker, for a while
    only."""
    unlucky: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tabuleiro.server.thinking.PATIENCE", 0.5)
        begin(server, "hex")
        wait_for(lambda: held.asked == ["hex"])
        patch.setattr(server.hub.thinking.engines, "is_placed_well", lambda place: place not in unlucky)
        unlucky.append(begin(server, "ouri")[1])
        wait_for(lambda: len(server.hub.thinking) == 2)
        begin(server, "avanco")
        wait_for(lambda: len(server.hub.thinking) == 3)
        server.do(held.answer())
        wait_for(lambda: held.asked == ["hex", "avanco"])
        time.sleep(0.6)
        begin(server, "rastros")
        wait_for(lambda: len(server.hub.thinking) == 3)
        server.do(held.answer())
        wait_for(lambda: held.asked == ["hex", "avanco", "ouri"])
        server.do(held.answer(5))
        wait_for(lambda: len(server.hub.thinking) == 0)
