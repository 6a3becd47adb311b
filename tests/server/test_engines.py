"""Computer players: legal moves in time, whatever happens to the processes that think."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.people import LocalServer, Person, wait_for
from tabuleiro import GAMES, Game
from tabuleiro.record import Line, random_game
from tabuleiro.server.engines import KEPT, Engines, WorkerLostError, _Players, move_for
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.settings import Settings, sqlite_url


def with_engines(work: Callable[[Engines], Awaitable[None]], workers: int = 1) -> None:
    async def run() -> None:
        engines = Engines(workers)
        try:
            await work(engines)
        finally:
            await engines.close()

    asyncio.run(run())


def test_every_level_plays_legal_moves_in_every_game() -> None:
    async def work(engines: Engines) -> None:
        for game in GAMES.values():
            line = random_game(game.start(), seed=3, max_plies=4)
            moves = tuple(node.move_text for node in line.root.line() if node.parent is not None)
            for level in (1, 5, 10):
                line.position.parse_move(await engines.choose(Line.from_texts(game.id, moves=moves), level))
            line.position.parse_move(await engines.hint(Line.from_texts(game.id, moves=moves)))

    with_engines(work)


def test_the_highest_level_takes_a_win_and_avoids_a_loss() -> None:
    winning = Game.new("avanco", start="7/3w3/7/1b5/7/7/7 w")
    for _ in range(5):
        move = move_for("level:10", winning, 0.1, lambda: False)
        assert winning.position.play(move).outcome() is not None
    # Black goes to row 1 with its next move unless White takes the runner now.
    losing = Game.new("avanco", start="7/7/7/7/7/2b4/1w1w1w1 w")
    moves = {losing.position.move_str(move_for("level:10", losing, 0.1, lambda: False)) for _ in range(5)}
    assert moves <= {"b1xc2", "d1xc2"}


def test_a_move_nobody_wants_any_more_comes_at_once() -> None:
    begun = time.monotonic()
    move_for("level:10", Game.new("abalone"), 60.0, lambda: True)
    assert time.monotonic() - begun < 10


def test_a_worker_that_dies_is_replaced() -> None:
    async def work(engines: Engines) -> None:
        await engines.choose(Line("hex"), 1)
        (worker,) = engines._all
        asking = asyncio.create_task(engines.choose(Line("abalone"), 10))
        while not worker._has_question:
            await asyncio.sleep(0.01)
        worker.process.kill()
        with pytest.raises(WorkerLostError):
            await asking
        assert await engines.choose(Line("hex"), 1)

    with_engines(work)


def test_workers_that_die_while_nobody_asks_are_replaced() -> None:
    async def work(engines: Engines) -> None:
        async def all_die() -> None:
            while len(engines._idle) < 2:
                await asyncio.sleep(0.01)
            for worker in [*engines._idle]:
                worker.process.kill()
                worker.process.join()
            assert engines.alive == 0

        await all_die()
        await engines.replace_dead()
        assert engines.alive == 2
        await all_die()
        assert await engines.choose(Line("hex"), 1)  # nobody has looked meanwhile

    with_engines(work, 2)


def test_a_worker_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(engines: Engines) -> None:
        await engines.choose(Line("hex"), 1)
        monkeypatch.setattr("tabuleiro.server.engines.GRACE", 0.2)
        (worker,) = engines._all
        assert worker.process.pid is not None
        os.kill(worker.process.pid, signal.SIGSTOP)
        with pytest.raises(WorkerLostError):
            await asyncio.wait_for(engines.choose(Line("hex"), 1, seconds=0.1), 30)
        monkeypatch.undo()
        assert await engines.choose(Line("hex"), 1)

    with_engines(work)


def test_an_answer_nobody_waits_for_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabuleiro.server.engines.THINKING", 600.0)

    async def work(engines: Engines) -> None:
        await engines.choose(Line("guerreiros"), 1)
        asking = asyncio.create_task(engines.choose(Line("abalone"), 10, seconds=600))
        while engines._idle:  # until a worker has the question
            await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert await asyncio.wait_for(engines.choose(Line("hex"), 1), 60)

    with_engines(work)


def test_who_is_hurried_answers_at_once_with_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabuleiro.server.engines.THINKING", 600.0)

    async def work(engines: Engines) -> None:
        await engines.choose(Line("abalone"), 1, place="game")
        asking = asyncio.create_task(engines.choose(Line("abalone"), 10, 600, "game"))
        while engines._idle:
            await asyncio.sleep(0)
        engines.hurry("another game")
        engines.hurry("game")
        Game.new("abalone").position.parse_move(await asyncio.wait_for(asking, 60))
        engines.hurry("game")  # too late: the next question is not about this
        assert await engines.choose(Line("hex"), 1)

    with_engines(work)


def test_a_game_goes_to_the_worker_that_keeps_its_engine() -> None:
    async def work(engines: Engines) -> None:
        await engines.choose(Line("rastros"), 10, 0.05, "one")
        keeper = engines._places["one"]
        while len(engines._idle) < 2:
            await asyncio.sleep(0.01)
        for _ in range(3):
            assert engines.is_placed_well("one")
            await engines.choose(Line("rastros"), 10, 0.05, "one")
            assert engines._places["one"] is keeper
        # While its worker is busy another one takes it over, and keeps it.
        busy = asyncio.create_task(engines.choose(Line("abalone"), 10, 0.5, "one"))
        while len(engines._idle) == 2:
            await asyncio.sleep(0)
        assert not engines.is_placed_well("one") and engines.is_placed_well("two")
        await engines.choose(Line("rastros"), 10, 0.05, "one")
        assert engines._places["one"] is not keeper
        await busy

    with_engines(work, 2)


def test_a_player_is_kept_from_move_to_move() -> None:
    players = _Players()
    first = players.take("game", "level:10", Line("rastros", moves=("d4",)))
    later = players.take("game", "level:10", Line("rastros", moves=("d4", "d5", "d6")))
    assert later.engine is first.engine and later.game is first.game and len(later.game.moves) == 3
    taken_back = players.take("game", "level:10", Line("rastros", moves=("d4", "e4")))
    assert taken_back.engine is first.engine and [*taken_back.line.moves] == ["d4", "e4"]
    assert taken_back.game.last.move_text == "e4"
    other_level = players.take("game", "level:3", Line("rastros", moves=("d4", "e4")))
    assert other_level.engine is not first.engine
    for number in range(KEPT):
        players.take(str(number), "level:1", Line("semaforo"))
    assert players.take("game", "level:3", Line("rastros")).engine is not other_level.engine


def test_a_question_that_makes_no_sense_is_refused_and_the_worker_stays() -> None:
    async def work(engines: Engines) -> None:
        with pytest.raises(RefusedError):
            await engines.choose(Line("xadrez"), 1)
        assert await engines.choose(Line("hex"), 1)

    with_engines(work)


def test_a_game_against_a_net_goes_on_when_its_process_dies(tmp_path: Path) -> None:
    with LocalServer(Settings(sqlite_url(tmp_path), engine_workers=1)) as running:
        ana = Person(running.address)
        with ana.watch(ana.create("hex", {"kind": "engine", "level": 10})) as table:
            table.move(table.moves()[0])
            table.until_plies(2)
            for plies in (4, 6):  # while it thinks, and while it does not
                if plies == 4:
                    table.move(table.moves()[0])
                    wait_for(lambda: len(running.hub.thinking) == 1)
                (worker,) = running.hub.thinking.engines._all
                assert worker.process.pid is not None
                os.kill(worker.process.pid, signal.SIGKILL)
                if plies == 6:
                    table.move(table.moves()[0])
                table.until_plies(plies)
