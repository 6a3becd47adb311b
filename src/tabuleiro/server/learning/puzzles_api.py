"""The routes of puzzles: what there is, what comes next, and runs. Puzzles themselves are tasks like any other."""

import asyncio
import datetime
import random
from collections.abc import Container
from functools import cache
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from tabuleiro.learn.puzzles import THEMES, Puzzle, puzzles_of
from tabuleiro.server.api import GameId, admitted_guest
from tabuleiro.server.errors import NOT_FOUND, RefusedError
from tabuleiro.server.identity import Who
from tabuleiro.server.learning import puzzle_ratings, puzzle_schemas, puzzles, runs, tries
from tabuleiro.server.learning.tasks_api import RESPONSES
from tabuleiro.server.log import Guest
from tabuleiro.server.people.api import answer, now_of, store_of, who_asks
from tabuleiro.server.people.ratings import Rating
from tabuleiro.server.people.store import find_people

router = APIRouter(tags=["learning"], responses=RESPONSES)

#: How much easier or harder than somebody's own strength puzzles are that they want so, in points.
APART = {"easier": -250.0, "mine": 0.0, "harder": 250.0}
RunName = Annotated[str, Path(max_length=16, pattern=r"^[0-9a-z]+$")]

Json = dict[str, Any]


def _shown(rating: Rating | None) -> tuple[int, int] | None:
    return None if rating is None else (rating.shown, rating.give_or_take)


@router.get("/api/v1/puzzles", response_model=puzzle_schemas.PuzzlesOverview)
async def overview(request: Request) -> Response:
    """The puzzles of every game, today's for each school cycle, and how far you have come."""
    who, now = await who_asks(request), now_of(request)
    await asyncio.to_thread(_games)  # reading them for the first time takes a moment
    return answer(await store_of(request).read(lambda connection: _overview(connection, who.guest, now)))


@router.get("/api/v1/puzzles/day/{cycle}", response_model=puzzle_schemas.DayPuzzle)
async def of_the_day(request: Request, cycle: Annotated[str, Path(max_length=3)]) -> Response:
    """Today's puzzle of a school cycle."""
    who, day = await who_asks(request), datetime.date.fromtimestamp(now_of(request))
    if cycle not in puzzles.CYCLES or (puzzle := await asyncio.to_thread(puzzles.of_the_day, day, cycle)) is None:
        raise RefusedError(*NOT_FOUND)
    solved = await store_of(request).read(lambda connection: tries.solved_by(connection, who.guest, "puzzle"))
    return answer(_day(cycle, puzzle, solved))


def _day(cycle: str, puzzle: Puzzle, solved: Container[str]) -> Json:
    return {"cycle": cycle, "ref": puzzle.ref, "game": puzzle.game, "solved": puzzle.ref in solved}


def _games() -> list[Json]:
    return [{"game": game, **counted(game)} for game in puzzles.games_with_puzzles()]


@cache
def counted(game: str) -> Json:
    """How many puzzles a game has, by theme."""
    all_of_them = puzzles_of(game)
    themes = {name: sum(name in puzzle.themes for puzzle in all_of_them) for name in THEMES}
    return {
        "count": len(all_of_them),
        "status": sum(puzzle.goal == puzzles.STATUS for puzzle in all_of_them),
        "themes": [{**theme_json(name), "count": count} for name, count in themes.items() if count],
    }


def theme_json(name: str) -> Json:
    theme = THEMES[name]
    return {"name": name, "title": theme.name._asdict(), "meaning": theme.meaning._asdict()}


def _overview(connection: sa.Connection, guest: Guest | None, now: float) -> Json:
    solved = tries.solved_by(connection, guest, "puzzle")
    ratings = puzzle_ratings.of_solvers(connection, guest)
    person = None if guest is None else find_people(connection, [guest]).get(guest)
    day = datetime.date.fromtimestamp(now)
    today = {cycle: puzzles.of_the_day(day, cycle) for cycle in puzzles.CYCLES}
    streaks = runs.solved_in_runs(connection, guest, "streak")
    return {
        "games": [
            {
                **each,
                "solved": sum(ref.startswith(f"puzzle/{each['game']}/") for ref in solved),
                "rating": _shown(ratings.get(each["game"])),
            }
            for each in _games()
        ],
        "day": [_day(cycle, puzzle, solved) for cycle, puzzle in today.items() if puzzle is not None],
        "cycle": "" if person is None else person.cycle,
        "best_streak": max(streaks.values(), default=0),
        "best_storm": max(runs.solved_in_runs(connection, guest, "storm").values(), default=0),
        "streak": runs.going_on(connection, guest, streaks, now),
    }


# ------------------------------------------------------------------------------------------------------------ training


@router.get("/api/v1/puzzles/{game}/next", response_model=puzzle_schemas.NextPuzzle)
async def next_puzzle(
    request: Request,
    game: GameId,
    theme: Annotated[str | None, Query(max_length=20)] = None,
    strength: Annotated[str, Query(pattern="^(easier|mine|harder)$")] = "mine",
    status: bool = False,
) -> Response:
    """A puzzle of a game for you: of a theme, about as hard as you are strong, or one that asks who wins."""
    who = await who_asks(request)
    await asyncio.to_thread(puzzles_of, game)
    wanted = APART[strength]
    found = await store_of(request).write(lambda connection: _next(connection, who, game, theme, wanted, status))
    return answer({"ref": None if found is None else found.ref})


def _next(
    connection: sa.Connection, who: Who, game: str, theme: str | None, apart: float, status: bool
) -> Puzzle | None:
    known: set[str] = set()
    if who.guest is not None:
        puzzle_ratings.settle(connection, who.guest)
        known = {each.task for each in tries.tries_of(connection, who.guest, f"puzzle/{game}")}
    strength = puzzle_ratings.of_solver(connection, who.guest, game).mu + apart
    return puzzles.for_training(game, strength, theme, status, known, random.Random())


@router.get("/api/v1/puzzles/{game}/{puzzle}", response_model=puzzle_schemas.PuzzleFacts)
async def facts(request: Request, game: GameId, puzzle: Annotated[str, Path(pattern="^[0-9]{4}$")]) -> Response:
    """What a puzzle is about and how hard it is: for who has solved it."""
    who = await who_asks(request)
    found = await asyncio.to_thread(puzzles.number_of, f"puzzle/{game}/{puzzle}")
    if found is None:
        raise RefusedError(*NOT_FOUND)

    def read(connection: sa.Connection) -> tuple[Rating, Rating | None]:
        mine = puzzle_ratings.of_solvers(connection, who.guest).get(game)
        return puzzle_ratings.of_puzzle(connection, found), mine

    hardness, mine = await store_of(request).read(read)
    themes = [theme_json(name) for name in found.themes]
    return answer({"ref": found.ref, "rating": hardness.shown, "themes": themes, "mine": _shown(mine)})


# ---------------------------------------------------------------------------------------------------------------- runs


def _told(connection: sa.Connection, guest: Guest | None, run: puzzles.Run, now: float) -> Json:
    how = puzzles.stands(run, {}, now) if guest is None else runs.how_it_stands(connection, guest, run, now)
    best = max(runs.solved_in_runs(connection, guest, run.mode).values(), default=0)
    return {
        "run": run.name,
        "mode": run.mode,
        "game": run.game,
        "solved": how.solved,
        "failed": how.failed,
        "ref": None if how.puzzle is None else how.puzzle.ref,
        "left": None if run.ends is None else max(run.ends - now, 0.0),
        "best": max(best, how.solved),
    }


@router.post("/api/v1/runs", response_model=puzzle_schemas.RunStands)
async def begin_run(request: Request, body: puzzle_schemas.RunBody) -> Response:
    """Begin a run: a streak, which ends with the first mistake, or a storm, which ends with its time."""
    guest, now = await admitted_guest(request), now_of(request)
    run = puzzles.new_run(body.mode, body.game, now, random.Random())
    if body.game is not None and not await asyncio.to_thread(puzzles_of, body.game):
        raise RefusedError(*NOT_FOUND)
    return answer(await store_of(request).read(lambda connection: _told(connection, guest, run, now)))


@router.get("/api/v1/runs/{run}", response_model=puzzle_schemas.RunStands)
async def show_run(request: Request, run: RunName) -> Response:
    """How a run of yours stands, and the puzzle that comes now."""
    who, now = await who_asks(request), now_of(request)
    found = await asyncio.to_thread(puzzles.read_run, run, now)
    if found is None:
        raise RefusedError(*NOT_FOUND)
    return answer(await store_of(request).read(lambda connection: _told(connection, who.guest, found, now)))
