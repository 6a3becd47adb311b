"""Who gets the next turn: shares by address, then guest, then session; without server or engines."""

import asyncio
from collections import Counter
from collections.abc import Hashable
from types import SimpleNamespace
from typing import Any

import pytest

from tabuleiro.server import fairness
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.fairness import FairQueue, Level


class Clock:
    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("tabuleiro.server.fairness.time", SimpleNamespace(monotonic=clock))
    return clock


def order(queue: FairQueue, clock: Clock, wanted: list[tuple[tuple[Hashable, ...], dict[str, Any]]]) -> list[int]:
    """Everybody asks while the one turn there is is taken; in which order they get theirs, a second each."""
    got: list[int] = []

    async def work(number: int, path: tuple[Hashable, ...], how: dict[str, Any]) -> None:
        async with queue.turn(*path, **how):
            got.append(number)
            await asyncio.sleep(0)
            clock.at += 1

    async def all_of_them() -> None:
        async with queue.turn(*("nobody" for _ in wanted[0][0])):
            tasks = [asyncio.create_task(work(number, *one)) for number, one in enumerate(wanted)]
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)

    asyncio.run(all_of_them())
    return got


def test_one_who_asks_again_and_again_gets_no_more_than_the_others(clock: Clock) -> None:
    """One guest goes away after every turn and comes back; the other stays."""
    had = Counter({"restless": 0, "patient": 0})

    async def think(queue: FairQueue, name: str) -> None:
        while had.total() < 100:
            async with queue.turn(name):
                await asyncio.sleep(0)
                clock.at += 1
                had[name] += 1
            if name == "restless":
                await asyncio.sleep(0)

    async def both() -> None:
        queue = FairQueue([Level()], slots=lambda: 1)
        await asyncio.gather(*(think(queue, name) for name in had))

    asyncio.run(both())
    assert abs(had["restless"] - had["patient"]) <= 2


def test_those_who_went_away_are_forgotten(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fairness, "MAX_IDLE", 10)

    async def many() -> FairQueue:
        queue = FairQueue([Level(), Level()], slots=lambda: 1)
        for number in range(100):
            async with queue.turn(number, "guest"):
                clock.at += 1
        return queue

    assert asyncio.run(many()).remembered <= 11


def test_an_address_with_many_guests_has_one_share(clock: Clock) -> None:
    crowd: list[tuple[tuple[Hashable, ...], dict[str, Any]]] = [(("school", f"guest {n}"), {}) for n in range(6)]
    lonely: list[tuple[tuple[Hashable, ...], dict[str, Any]]] = [(("home", "ana"), {}), (("home", "ana"), {})]
    got = order(FairQueue([Level(), Level()], slots=lambda: 1), clock, crowd + lonely)
    assert got.index(6) <= 1 and got.index(7) <= 3


def test_short_work_comes_first_within_a_share_and_what_nobody_watches_last(clock: Clock) -> None:
    mine: list[tuple[tuple[Hashable, ...], dict[str, Any]]] = [
        (("home",), {"cost": 5}),
        (("home",), {"cost": 1}),
        (("home",), {"cost": 0.1, "yields": lambda: True}),
        (("home",), {"cost": 2}),
    ]
    assert order(FairQueue([Level()], slots=lambda: 1), clock, mine) == [1, 3, 0, 2]


def test_a_turn_that_is_given_up_goes_to_the_next(clock: Clock) -> None:
    async def work() -> None:
        queue = FairQueue([Level()], slots=lambda: 1)

        async def hold() -> None:
            async with queue.turn("ana"):
                await asyncio.Event().wait()

        holding, waiting = asyncio.create_task(hold()), asyncio.create_task(hold())
        await asyncio.sleep(0)
        waiting.cancel()  # while it waits
        await asyncio.sleep(0)
        holding.cancel()  # while it has its turn
        await asyncio.gather(holding, waiting, return_exceptions=True)
        async with asyncio.timeout(5), queue.turn("rui"):
            assert queue.asked == 1
        # Cancelled in the very moment in which it gets its turn.
        async with queue.turn("rui"):
            unlucky = asyncio.create_task(hold())
            await asyncio.sleep(0)
        unlucky.cancel()
        await asyncio.gather(unlucky, return_exceptions=True)
        async with asyncio.timeout(5), queue.turn("rui"):
            pass

    asyncio.run(work())


def test_an_address_may_have_no_more_waiting_than_allowed() -> None:
    async def work() -> None:
        queue = FairQueue([Level(asked=3), Level()], slots=lambda: 1)
        ended = asyncio.Event()

        async def ask(guest: int) -> None:
            async with queue.turn("school", guest):
                await ended.wait()

        asked = [asyncio.create_task(ask(guest)) for guest in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(RefusedError):
            await ask(3)
        ended.set()
        await asyncio.gather(*asked)
        await ask(3)

    asyncio.run(work())


def test_where_no_more_may_wait_one_that_yields_makes_room() -> None:
    got: list[str] = []

    async def work() -> None:
        queue = FairQueue([Level(asked=3)], slots=lambda: 1)
        ended = asyncio.Event()

        async def ask(name: str) -> None:
            async with queue.turn("school", yields=lambda: name != "seen"):
                got.append(name)
                await ended.wait()

        asked = []
        for name in ("runs", "first", "second", "one too many", "seen"):
            asked.append(asyncio.create_task(ask(name)))
            await asyncio.sleep(0)
        ended.set()
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        assert [isinstance(outcome, RefusedError) for outcome in outcomes] == [False, False, True, True, False]
        assert queue.asked == 0

    asyncio.run(work())
    assert got == ["runs", "seen", "first"]


@pytest.mark.parametrize(
    ("charge", "wanted"),
    [(1.0, "ana rui eva ana rui eva"), (None, "ana rui eva rui eva ana")],
    ids=["turns", "seconds"],
)
def test_a_turn_that_counts_as_much_as_any_other_costs_nobody_the_next(
    clock: Clock, charge: float | None, wanted: str
) -> None:
    """Ana's first turn takes ten seconds, all others one."""
    got: list[str] = []

    async def work() -> None:
        queue = FairQueue([Level()], slots=lambda: 1)

        async def play(name: str, first: float) -> None:
            for seconds in (first, 1.0):
                async with queue.turn(name, charge=charge):
                    got.append(name)
                    await asyncio.sleep(0)
                    clock.at += seconds

        await asyncio.gather(play("ana", 10.0), play("rui", 1.0), play("eva", 1.0))

    asyncio.run(work())
    assert got == wanted.split()


def test_where_turns_count_the_same_who_came_first_comes_first_and_a_second_question_later(clock: Clock) -> None:
    """Whatever each has had before; Ana's second question comes as if everybody had asked once more."""
    got: list[str] = []

    async def work() -> None:
        queue = FairQueue([Level(), Level()], slots=lambda: 1)

        async def turn(name: str) -> None:
            async with queue.turn("school", name, charge=1.0):
                got.append(name)
                await asyncio.sleep(0)

        for _ in range(5):
            await turn("ana")
        got.clear()
        async with queue.turn("school", "nobody", charge=1.0):
            waiting = [asyncio.create_task(turn(name)) for name in ("ana", "rui", "eva", "ana", "ivo")]
            await asyncio.sleep(0)
        await asyncio.gather(*waiting)

    asyncio.run(work())
    assert got == ["ana", "rui", "eva", "ivo", "ana"]


def test_what_is_free_goes_to_those_it_suits_and_else_to_the_others(clock: Clock) -> None:
    wanted: list[tuple[tuple[Hashable, ...], dict[str, Any]]] = [
        (("first",), {}),
        (("unfit",), {"fits": lambda: False}),
        (("fit",), {"fits": lambda: True}),
    ]
    assert order(FairQueue([Level()], slots=lambda: 1), clock, wanted) == [0, 2, 1]
