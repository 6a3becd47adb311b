"""The routes of the opening explorer."""

import asyncio
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from tabuleiro.collection import OpeningTree
from tabuleiro.core import Position
from tabuleiro.learn import truth
from tabuleiro.openings import engine_openings
from tabuleiro.record import Line
from tabuleiro.server.analyses import score_json
from tabuleiro.server.analysis_api import REFUSALS
from tabuleiro.server.api import PositionBody, rules_turn
from tabuleiro.server.learning.proven import Values, WhatIsProven
from tabuleiro.server.learning.room import Asker, TaskRoom
from tabuleiro.server.limits import client_of
from tabuleiro.server.openings import schemas
from tabuleiro.server.openings.played import FEWEST, PlayedOpenings
from tabuleiro.server.people.api import answer, now_of, who_asks
from tabuleiro.server.policy import AdvicePolicy

router = APIRouter(tags=["openings"], responses=REFUSALS)

#: Positions that are looked at to find out what is proven: a fifth of what a pupil waits for.
GLANCE = truth.QUICK // 5

Json = dict[str, Any]


async def _position(request: Request, body: PositionBody) -> tuple[Line, Position]:
    """The position that is asked about, if anybody may ask now."""
    line = Line.from_texts(body.game, body.options, body.position, body.moves)
    embargo: AdvicePolicy = request.app.state.embargo
    async with rules_turn(request):
        position = (await asyncio.to_thread(line.replay)).position
    await embargo.require_free(line)
    return line, position


@router.post("/api/v1/openings", response_model=schemas.Openings)
async def openings(request: Request, body: PositionBody) -> Response:
    """What was played in a position, and who won: in games played here, and in games between strong levels. Other ways
    to the same position count too."""
    _, position = await _position(request, body)
    trees: PlayedOpenings = request.app.state.played_openings
    options = tuple(sorted(position.options.changed().items()))
    played = await trees.tree(position.id, options, now_of(request))
    engines = None if options else await asyncio.to_thread(engine_openings, position.id)
    key = position.hash64()
    return answer({"played": _told(played, key, FEWEST), "engines": _told(engines, key, 1)})


def _told(tree: OpeningTree | None, key: int, fewest: int) -> Json:
    tree = OpeningTree(0) if tree is None or tree.results(key).games < fewest else tree
    return {
        "results": _results_json(tree.results(key)),
        "moves": [{"move": each.move, "results": _results_json(each.results)} for each in tree.at(key)],
    }


def _results_json(results: Any) -> Json:
    return {"games": results.games, **results._asdict()}


@router.post("/api/v1/openings/known", response_model=schemas.KnownValues)
async def known(request: Request, body: PositionBody) -> Response:
    """What a solver or a table knows of a position and of each of its moves, without thinking for long."""
    who = await who_asks(request)
    line, _ = await _position(request, body)
    room: TaskRoom = request.app.state.task_room
    values: Values = await room.ask(Asker(client_of(request.scope), who.guest), WhatIsProven(line, GLANCE))
    proven = [{"move": move, "score": score_json(each)} for move, each in values.moves.items() if each is not None]
    return answer({"score": None if values.score is None else score_json(values.score), "moves": proven})
