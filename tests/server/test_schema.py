"""Every route that is described is tried with what its description allows, and with what it does not."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from pydantic import TypeAdapter, ValidationError
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
from tabuleiro.server.sessions import ACTIONS
from tabuleiro.server.settings import Settings, sqlite_url

CLIENT_MESSAGE: TypeAdapter[Any] = TypeAdapter(schemas.ClientMessage)
SERVER_MESSAGE: TypeAdapter[Any] = TypeAdapter(schemas.ServerMessage)
ANALYSIS_EVENT: TypeAdapter[Any] = TypeAdapter(schemas.AnalysisEvent)
REPORT_EVENT: TypeAdapter[Any] = TypeAdapter(schemas.ReportEvent)
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
        assert SERVER_MESSAGE.validate_python(table.first)
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


def test_every_message_of_the_socket_is_as_described(server: LocalServer) -> None:
    ana, rui = Person(server.address), Person(server.address)
    session_id = ana.create("rastros", {"kind": "friend"}, side="first")
    with ana.watch(session_id) as hers:
        rui.post(f"/api/v1/sessions/{session_id}/join")
        said: list[dict[str, Any]] = [
            {"type": "move", "ply": 0, "move": "d4", "ref": 1},
            {"type": "move", "ply": 0, "move": "d4", "ref": "late"},
            {"type": "hint", "ref": 3},
            {"type": "coach", "step": 1, "ref": 4},
            {"type": "ping"},
            *({"type": action} for action in ACTIONS),
        ]
        for message in said:
            CLIENT_MESSAGE.validate_python(message)
            hers.socket.send(json.dumps(message))
        hers.until(lambda message: message["type"] == "event" and message["kind"] == "rematch")
        ana.web.put("/api/v1/me", json={"nickname": "Ana"})
        hers.until_event("rename")
        for person in (ana, rui):  # it is gone when nobody keeps it
            person.web.delete(f"/api/v1/sessions/{session_id}")
        assert hers.is_closed()
    alone = ana.create("rastros", {"kind": "local"})
    with ana.watch(alone) as table:
        table.ask("hint")
        heard = [*hers.heard, *table.heard]
    coached = ana.create("rastros", {"kind": "engine", "level": 1}, coach=True)
    with ana.watch(coached) as table:
        table.ask("coach", step=1)
        heard += table.heard
    for message in heard:
        SERVER_MESSAGE.validate_python(message)
    assert {message["type"] for message in heard} == {
        "session",
        "event",
        "ack",
        "error",
        "hint",
        "coach",
        "pong",
        "erased",
    }
    stale = next(place for place, message in enumerate(heard) if message.get("code") == "stale")
    assert heard[stale + 1]["type"] == "session", "after `stale` comes how things stand"


@pytest.mark.parametrize("wrong", [{"type": "fly"}, {"type": "move", "move": "d4"}, {"type": "ping", "more": 1}, {}])
def test_what_is_no_message_is_described_as_none(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        CLIENT_MESSAGE.validate_python(wrong)


def test_the_description_is_printed_without_a_server() -> None:
    printed = subprocess.run([sys.executable, "-m", "tabuleiro.server.openapi"], capture_output=True, check=True)
    description = json.loads(printed.stdout)
    components = description["components"]["schemas"]
    assert components["Action"]["enum"] == [*ACTIONS]
    assert components["Player"]["enum"] == [1, 2]
    assert set(components["Seat"]["properties"]) == {"kind", "name", "erased", "level", "connected"}
    assert {"ClientMessage", "ServerMessage", "AnalysisEvent", "ReportEvent"} <= components.keys()
    assert not [path for path in description["paths"] if "/plays" in path]
    used = set(re.findall(r'"#/components/schemas/([^"]+)"', printed.stdout.decode()))
    assert used <= components.keys()


def test_every_event_of_an_analysis_and_a_report_is_as_described(server: LocalServer) -> None:
    ana = Person(server.address)
    for path, described in (("analyses", ANALYSIS_EVENT), ("reports", REPORT_EVENT)):
        body: dict[str, Any] = {"game": "rastros", "moves": ["d4", "d5"]}
        body |= {"seconds": 0.2} if path == "analyses" else {"winner": 1}
        answer = ana.web.post(f"/api/v1/{path}", json=body, timeout=120)
        told = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]
        assert told
        for one in told:
            described.validate_python(one)
