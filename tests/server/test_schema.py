"""Every route that is described is tried with what its description allows, and with what it does not."""

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from server.people import LocalServer, Person
from tabuleiro.games import GAMES
from tabuleiro.language import LANGUAGES
from tabuleiro.server import schemas
from tabuleiro.server.app import create_app
from tabuleiro.server.settings import Settings, sqlite_url

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
OPERATIONS = {
    operation.label: operation
    for found in schemathesis.openapi.from_dict(create_app(Settings(sqlite_url(Path()))).openapi()).get_all_operations()
    if isinstance(found, Ok)
    for operation in [found.ok()]
}


def test_there_is_something_to_try() -> None:
    assert {
        "POST /api/v1/sessions",
        "POST /api/v1/sessions/{session_id}/moves",
        "DELETE /api/v1/sessions/{session_id}",
    } <= OPERATIONS.keys()


@pytest.mark.parametrize(
    ("label", "mode"),
    [
        (label, mode)
        for label, operation in OPERATIONS.items()
        for mode in schemathesis.GenerationMode
        # What takes nothing cannot be asked wrongly.
        if mode.is_positive or operation.body or [*operation.iter_parameters()]
    ],
    ids=str,
)
def test_every_route_keeps_to_its_description(server: LocalServer, label: str, mode: Any) -> None:
    ana = Person(server.address)
    ana.create("hex", {"kind": "local"})

    @given(case=OPERATIONS[label].as_strategy(generation_mode=mode))
    @settings(max_examples=6, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def try_it(case: schemathesis.Case[Any]) -> None:
        if case.path == "/api/v1/analyses" and isinstance(case.body, dict):
            case.body = {**case.body, "seconds": 0.2}  # else it thinks as long as it is asked to
        # Analysts may only be starting, on a machine with much to do.
        answer = case.call(base_url=server.address, cookies=dict(ana.web.cookies), timeout=120)
        case.validate_response(answer, checks=CHECKS)

    try_it()


@pytest.mark.parametrize("game", GAMES)
def test_what_is_told_of_every_game_is_as_described(server: LocalServer, game: str) -> None:
    ana = Person(server.address)
    clock = {"kind": "move", "seconds": 30} if game == "hex" else {"kind": "fischer", "minutes": 5, "increment": 2}
    session = ana.create(game, {"kind": "local"}, clock=clock)
    with ana.watch(session) as table:
        schemas.GameSession.model_validate(table.session)
        for _ in range(3):
            table.move(table.moves()[0])
            schemas.GameSession.model_validate(table.session)
        table.ask("resign")
        schemas.GameSession.model_validate(ana.get(f"/api/v1/sessions/{session}"))
    schemas.View.model_validate(ana.get(f"/api/v1/sessions/{session}/at/3"))
    for listed in ana.get("/api/v1/sessions")["sessions"]:
        schemas.SessionSummary.model_validate(listed)
    for language in LANGUAGES:
        schemas.Rules.model_validate(ana.get(f"/api/v1/games/{game}/rules/{language}"))
    schemas.Editor.model_validate(ana.post("/api/v1/editor", {"game": game}))
    record = ana.web.get(f"/api/v1/sessions/{session}/record").text
    schemas.Records.model_validate(ana.post("/api/v1/records/read", {"text": record}))
