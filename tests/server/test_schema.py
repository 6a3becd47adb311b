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
from tabuleiro.server import described
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
    assert {"POST /api/plays", "POST /api/plays/{play_id}/moves", "DELETE /api/plays/{play_id}"} <= OPERATIONS.keys()


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
        if case.path == "/api/analyses" and isinstance(case.body, dict):
            case.body = {**case.body, "seconds": 0.2}  # else it thinks as long as it is asked to
        # Analysts may only be starting, on a machine with much to do.
        answer = case.call(base_url=server.address, cookies=dict(ana.web.cookies), timeout=120)
        case.validate_response(answer, checks=CHECKS)

    try_it()


@pytest.mark.parametrize("game", GAMES)
def test_what_is_told_of_every_game_is_as_described(server: LocalServer, game: str) -> None:
    ana = Person(server.address)
    clock = {"kind": "move", "seconds": 30} if game == "hex" else {"kind": "fischer", "minutes": 5, "increment": 2}
    play = ana.create(game, {"kind": "local"}, clock=clock)
    with ana.watch(play) as table:
        described.Play.model_validate(table.play)
        for _ in range(3):
            table.move(table.moves()[0])
            described.Play.model_validate(table.play)
        table.ask("resign")
        described.Play.model_validate(ana.get(f"/api/plays/{play}"))
    described.View.model_validate(ana.get(f"/api/plays/{play}/at/3"))
    for listed in ana.get("/api/plays"):
        described.ListedPlay.model_validate(listed)
    for language in LANGUAGES:
        described.Rules.model_validate(ana.get(f"/api/games/{game}/rules/{language}"))
    described.SetupAnswer.model_validate(ana.post("/api/setups", {"game": game}))
    record = ana.web.get(f"/api/plays/{play}/record").text
    described.Records.model_validate(ana.post("/api/records/read", {"text": record}))
