"""Computer players: legal moves in time, whatever happens to the processes that think."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable

import pytest

from tabuleiro import GAMES, Game
from tabuleiro.record import Line, random_game
from tabuleiro.server.engines import Engines, WorkerLostError, move_for
from tabuleiro.server.errors import RefusedError


def with_engines(work: Callable[[Engines], Awaitable[None]]) -> None:
    async def run() -> None:
        engines = Engines(1)
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
        assert worker.process.pid is not None
        os.kill(worker.process.pid, signal.SIGKILL)
        with pytest.raises(WorkerLostError):
            await engines.choose(Line("hex"), 1)
        assert await engines.choose(Line("hex"), 1)

    with_engines(work)


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
        while not engines._idle.empty():  # until a worker has the question
            await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert await asyncio.wait_for(engines.choose(Line("hex"), 1), 60)

    with_engines(work)


def test_a_question_that_makes_no_sense_is_refused_and_the_worker_stays() -> None:
    async def work(engines: Engines) -> None:
        with pytest.raises(RefusedError):
            await engines.choose(Line("xadrez"), 1)
        assert await engines.choose(Line("hex"), 1)

    with_engines(work)
