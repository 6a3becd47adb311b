"""The addresses of before version 1 answer as they did; programs that people have written go on working until 1.0."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.old_addresses import converse
from server.people import LocalServer, Person
from tabuleiro.server import limits

RECORDED = Path(__file__).parent / "data" / "old_addresses.json"


def test_every_old_address_answers_as_it_did(server: LocalServer) -> None:
    recorded, told = json.loads(RECORDED.read_text("utf-8")), converse(server.address)
    assert len(recorded) > 100
    for before, now in zip(recorded, told, strict=True):
        before.pop("cookie", None)  # today one is given when somebody does something that is kept
        assert missing(before, now) == [], before


def missing(before: Any, now: Any, where: str = "") -> list[str]:
    """What an answer had and has no more. Sentences for people may be said better, and answers may tell more."""
    if isinstance(before, dict) and isinstance(now, dict):
        return [
            fault
            for name, value in before.items()
            for fault in (
                ([] if isinstance(now.get(name), str) and now[name] else [f"{where}.{name}: no sentence"])
                if name in ("pt", "en")
                else missing(value, now[name], f"{where}.{name}")
                if name in now
                else [f"{where}.{name} is gone"]
            )
        ]
    if isinstance(before, list) and isinstance(now, list):
        # Of lists the different kinds of entries are recorded: each must still be there. But rule texts are content:
        # the arrows of a diagram may have become numbers.
        if where.endswith(".arrows") and not now:
            return []
        gone = [entry for entry in before if all(missing(entry, other) for other in now)]
        return [f"{where}: nothing is like {entry!r}" for entry in gone]
    if isinstance(before, str) and isinstance(now, str) and before.startswith("{") and now.startswith("{"):
        return missing(json.loads(before), json.loads(now), where)  # what came in a stream of events
    return [] if before == now else [f"{where}: {before!r} is now {now!r}"]


def test_the_description_is_of_version_one_alone(server: LocalServer) -> None:
    new, old = (httpx.get(f"{server.address}{path}").json() for path in ("/api/v1/openapi.json", "/api/openapi.json"))
    assert new == old
    assert {path for path in new["paths"] if not path.startswith("/api/v1/")} == {"/healthz", "/metrics"}


def test_both_families_of_addresses_spend_one_allowance(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    ana = Person(server.address)
    rates = [
        (method, path, limits.Rate(4, 0) if path == "/api/v1/positions" else rate)
        for method, path, rate in limits.RATES
    ]
    monkeypatch.setattr(limits, "RATES", tuple(rates))
    asked = [("/api/positions", "play"), ("/api/v1/positions", "moves")] * 3
    statuses = [ana.web.post(path, json={"game": "rastros", line: []}).status_code for path, line in asked]
    assert statuses[-2:] == [429, 429] and 200 in statuses and sorted(statuses) == statuses


def test_a_list_that_has_become_empty_is_noticed() -> None:
    assert missing({"moves": ["str"]}, {"moves": []})
    assert missing({"moves": [{"text": "str"}]}, {"moves": [{"text": 1}]})
    assert not missing({"moves": []}, {"moves": [1]})
    assert missing(['{"names":["done"]}'], ['{"names":["words"]}'])
    assert not missing(['{"names":["done"]}'], ['{"names":["done","words"]}'])
    assert not missing({"arrows": [["int"]]}, {"arrows": []})
