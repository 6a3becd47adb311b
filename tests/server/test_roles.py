"""Who may do what over the network: every route and every stream, for everybody who could ask."""

import base64
import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from server.people import PATIENCE, Json, LocalServer, Person
from server.school import NAMES, come_by, organiser, pupil, school_class, teacher
from tabuleiro.server.app import create_app
from tabuleiro.server.settings import Settings
from tabuleiro.server.websocket import PATH

#: n nobody, g guest, p pupil of this class, q pupil of another, a arbiter, r arbiter of the championship that this
#: class plays, u other teacher, t teacher, o organiser.
ROLES = "ngpqaruto"
EVERYBODY, SIGNED_IN, CLASS, TEACHERS = ROLES, "pqaruto", "pto", "to"
ADULTS = "aruto"
#: Who may look at a championship that is not published, and who enters results.
IN_THE_HALL, REFEREES = "prto", "rto"
#: What tells somebody that they may not; what is answered to who may, also where it was done already.
REFUSED, HEARD = (401, 403), (200, 201, 404, 409)
POSITION = {"game": "rastros"}
RECORD = '[Game "rastros"]\n\n1. f4 *\n'
CUP, SECTION = "/api/v1/championships/{championship_id}", "rastros-all"
RESULT = {"group": f"{SECTION}/1/1", "round": 1, "table": 1, "winner": 1}
ROUND = {"game": "rastros", "pupils": []}


@dataclass(frozen=True)
class Row:
    """Who may; what is sent; what others are told, where it is not that they may not; and what those who may."""

    who: str
    body: Any = None
    refused: tuple[int, ...] = REFUSED
    heard: tuple[int, ...] = HEARD
    #: What else is answered to who may: there was nothing to do.
    done: tuple[int, ...] = ()


#: The table. In bodies and paths `{name}` is somebody or something of the world below.
TABLE: dict[str, Row] = {
    "GET /healthz": Row(EVERYBODY),
    "GET /metrics": Row(EVERYBODY),
    "GET /api/v1/me": Row(EVERYBODY),
    "PUT /api/v1/me": Row("ngaruto", {"nickname": "Zita"}),
    "DELETE /api/v1/me": Row(EVERYBODY),
    "POST /api/v1/bots": Row(EVERYBODY, {"name": "Robô"}),
    "GET /api/v1/bots": Row(EVERYBODY),
    "DELETE /api/v1/bots/{bot}": Row("p", refused=(404,)),
    "GET /api/v1/games": Row(EVERYBODY),
    "GET /api/v1/games/{game}/rules/{language}": Row(EVERYBODY),
    "GET /api/v1/games/{game}/mathematics/{language}": Row(EVERYBODY),
    "GET /api/v1/mistakes": Row(EVERYBODY),
    "POST /api/v1/mistakes": Row(EVERYBODY, {**POSITION, "move": "d4"}),
    "POST /api/v1/mistakes/search": Row(EVERYBODY),
    "POST /api/v1/mistakes/{number}/answers": Row(EVERYBODY, {"mistakes": 0}),
    "GET /api/v1/mistakes/{number}/siblings": Row(EVERYBODY),
    "DELETE /api/v1/mistakes/{number}": Row(EVERYBODY),
    "POST /api/v1/positions": Row(EVERYBODY, POSITION),
    "POST /api/v1/positions/why": Row(EVERYBODY, POSITION),
    "GET /api/v1/tasks/{ref:path}": Row(EVERYBODY),
    "POST /api/v1/tasks/{ref:path}/attempts": Row(EVERYBODY, {"acts": ["hint"]}),
    "POST /api/v1/live": Row(EVERYBODY, {**POSITION, "live": ["region"]}),
    "POST /api/v1/openings": Row(EVERYBODY, POSITION),
    "GET /api/v1/lessons": Row(EVERYBODY),
    "GET /api/v1/puzzles": Row(EVERYBODY),
    "GET /api/v1/puzzles/day/{cycle}": Row(EVERYBODY),
    "GET /api/v1/puzzles/{game}/next": Row(EVERYBODY),
    "GET /api/v1/puzzles/{game}/{puzzle}": Row(EVERYBODY),
    "POST /api/v1/runs": Row(EVERYBODY, {"mode": "streak"}),
    "GET /api/v1/runs/{run}": Row(EVERYBODY),
    "GET /api/v1/lessons/{game}/{lesson}/{language}": Row(EVERYBODY),
    "POST /api/v1/sessions": Row(EVERYBODY, {"game": "rastros", "opponent": {"kind": "local"}}),
    "GET /api/v1/sessions": Row(EVERYBODY),
    "GET /api/v1/sessions/{session_id}": Row(CLASS),
    "DELETE /api/v1/sessions/{session_id}": Row(""),
    "POST /api/v1/sessions/{session_id}/moves": Row("", {"ply": 0, "move": "f4"}),
    "POST /api/v1/sessions/{session_id}/actions": Row("", {"action": "resign"}),
    "POST /api/v1/sessions/{session_id}/join": Row(CLASS),
    "GET /api/v1/sessions/{session_id}/at/{ply}": Row(CLASS),
    "GET /api/v1/sessions/{session_id}/dangers": Row(""),
    "GET /api/v1/sessions/{session_id}/record": Row(CLASS),
    "GET /api/v1/sessions/{session_id}/qr.svg": Row(EVERYBODY),
    "GET /api/v1/site": Row(EVERYBODY),
    "GET /api/v1/site/qr.svg": Row(EVERYBODY),
    # A move that the rules refuse, so that nobody has to think.
    "POST /api/v1/openings/known": Row(EVERYBODY, {**POSITION, "moves": ["a1"]}, heard=(400,)),
    "POST /api/v1/analyses": Row(EVERYBODY, {**POSITION, "moves": ["a1"]}, heard=(400,)),
    "POST /api/v1/reports": Row(EVERYBODY, {**POSITION, "moves": ["a1"]}, heard=(400,)),
    "POST /api/v1/editor": Row(EVERYBODY, {"game": "rastros"}),
    "POST /api/v1/editor/position": Row(EVERYBODY, {"game": "semaforo", "cells": ["."] * 12, "values": ["1"]}),
    "POST /api/v1/records/read": Row(EVERYBODY, {"text": RECORD}),
    "POST /api/v1/records/check": Row(EVERYBODY, POSITION),
    "POST /api/v1/records/write": Row(EVERYBODY, POSITION),
    "POST /api/v1/pictures": Row(EVERYBODY, POSITION),
    "GET /api/v1/person": Row(EVERYBODY),
    "POST /api/v1/person/sign-in": Row(EVERYBODY, {"door": {"by": "card", "token": "{card}"}}),
    "DELETE /api/v1/person/sign-in": Row(SIGNED_IN),
    "GET /api/v1/person/sign-ins": Row(SIGNED_IN),
    "DELETE /api/v1/person/sign-ins/{number}": Row(SIGNED_IN),
    "PUT /api/v1/person/password": Row(ADULTS, {"login": "a name for {role}", "password": "a long password"}),
    "POST /api/v1/person/keep": Row("pq"),
    "GET /api/v1/adults": Row("o"),
    "POST /api/v1/adults": Row("o", {"name": "Nova", "role": "teacher"}),
    "POST /api/v1/adults/{guest}/link": Row("o"),
    "DELETE /api/v1/adults/{guest}": Row("o"),
    "GET /api/v1/audit": Row("o"),
    "GET /api/v1/classes": Row(SIGNED_IN),
    "POST /api/v1/classes": Row("uto", {"name": "9.º C", "names": "Ana"}),
    "GET /api/v1/classes/{class_id}": Row(TEACHERS),
    "POST /api/v1/classes/{class_id}/pupils": Row(TEACHERS, {"names": "Novo {role}"}),
    "POST /api/v1/classes/{class_id}/cards": Row(TEACHERS, {"pupils": []}),
    "DELETE /api/v1/classes/{class_id}/pupils/{guest}": Row(TEACHERS),
    "POST /api/v1/classes/{class_id}/pupils/{guest}/back": Row(TEACHERS),
    "PUT /api/v1/classes/{class_id}/rules": Row(
        TEACHERS, {"takebacks": True, "hints": True, "highest_level": 10, "games": None}
    ),
    "PUT /api/v1/classes/{class_id}/nicknames": Row(TEACHERS, {"locked": True}),
    "POST /api/v1/classes/{class_id}/years": Row(TEACHERS, {"name": "8.º B"}),
    "POST /api/v1/classes/{class_id}/rounds": Row(TEACHERS, ROUND),
    "GET /api/v1/classes/{class_id}/export/{kind}": Row(TEACHERS),
    "PUT /api/v1/classes/{class_id}/ladder": Row(TEACHERS, {"game": "rastros"}),
    "POST /api/v1/classes/{class_id}/pupils/{guest}/merge": Row(TEACHERS, {"into": "{pupil}"}),
    "GET /api/v1/people/{guest}": Row(TEACHERS),
    "GET /api/v1/people/{guest}/games": Row(TEACHERS),
    "GET /api/v1/people/{guest}/export": Row(TEACHERS),
    "GET /api/v1/lobby": Row(SIGNED_IN),
    # Whom somebody may meet; nobody of them is here, which is told to those alone.
    "POST /api/v1/challenges": Row(CLASS, {"to": "{pupil}", "game": "rastros"}),
    "POST /api/v1/challenges/{challenge_id}/accept": Row(SIGNED_IN),
    "POST /api/v1/challenges/{challenge_id}/decline": Row(SIGNED_IN),
    "DELETE /api/v1/challenges/{challenge_id}": Row(SIGNED_IN),
    "GET /api/v1/settings": Row("o"),
    "PUT /api/v1/settings": Row("o", {"open_lobby": False, "short_names": True, "keep_months": 13}),
    "GET /api/v1/championships": Row(EVERYBODY),
    "GET /api/v1/championships/templates": Row(EVERYBODY),
    "GET /api/v1/championships/check-in/{guest}": Row(ADULTS),
    "POST /api/v1/championships": Row("uto", {"quick": {"game": "rastros"}}),
    "POST /api/v1/championships/import": Row("uto", {"file": "{cup_file}"}),
    f"GET {CUP}": Row(IN_THE_HALL),
    f"DELETE {CUP}": Row(TEACHERS),
    f"GET {CUP}/groups": Row(IN_THE_HALL),
    f"GET {CUP}/groups/{{section}}/{{stage}}/{{number}}": Row(IN_THE_HALL),
    f"GET {CUP}/entries": Row(REFEREES),
    f"GET {CUP}/log": Row(TEACHERS),
    f"GET {CUP}/settings": Row(IN_THE_HALL),
    f"GET {CUP}/figures": Row(IN_THE_HALL),
    f"GET {CUP}/games": Row(IN_THE_HALL),
    f"GET {CUP}/records": Row(REFEREES),
    f"POST {CUP}/rehearsal": Row(TEACHERS, {}, done=(409,)),
    f"GET {CUP}/file/{{kind}}": Row(TEACHERS),
    f"GET {CUP}/qr.svg": Row(EVERYBODY),
    f"POST {CUP}/entries": Row(TEACHERS, {"names": "Mais {role}"}),
    f"POST {CUP}/presence": Row(REFEREES, {"section": SECTION, "persons": [1], "presence": "present"}),
    f"POST {CUP}/swaps": Row(TEACHERS, {"section": SECTION, "out": 999, "name": "Zita"}, done=(400,)),
    f"POST {CUP}/draws": Row(TEACHERS, {}),
    f"POST {CUP}/rounds": Row(TEACHERS, {}),
    f"POST {CUP}/lots": Row(TEACHERS, {}),
    f"POST {CUP}/playoffs": Row(REFEREES, {"group": f"{SECTION}/1/1", "order": [1, 2]}),
    f"PUT {CUP}/settings": Row(TEACHERS, {"section": SECTION, "stage": 1, "settings": {"rounds": 4}}),
    f"PUT {CUP}/publication": Row(TEACHERS, {"published": False}),
    f"POST {CUP}/results": Row(REFEREES, RESULT, done=(400,)),
    f"POST {CUP}/corrections": Row(REFEREES, {**RESULT, "reason": "engano"}),
    f"POST {CUP}/undo": Row(TEACHERS, {"event": 999, "reason": "engano"}, done=(400,)),
    f"POST {CUP}/table": Row("p"),
    f"POST {CUP}/calls": Row("p"),
    f"DELETE {CUP}/calls/{{number}}": Row(REFEREES, done=(400,)),
    f"GET {CUP}/arbiters": Row(TEACHERS),
    f"POST {CUP}/arbiters": Row(TEACHERS, {"name": "Árbitro"}),
    f"DELETE {CUP}/arbiters/{{guest}}": Row(TEACHERS),
    f"POST {CUP}/cards": Row(TEACHERS, {}),
    "GET /api/v1/worksheets/{game}": Row(EVERYBODY),
    "POST /api/v1/classes/{class_id}/votes": Row(TEACHERS),
    "GET /api/v1/sets": Row(SIGNED_IN),
    "GET /api/v1/sets/choices/{game}": Row(EVERYBODY),
    "POST /api/v1/sets": Row("uto", {"name": "Semana 1", "tasks": ["lesson/rastros/01-chega-a-casa/1"]}),
    # Who made it, organisers, and those whom it was given to.
    "GET /api/v1/sets/{set_id}": Row(CLASS),
    "GET /api/v1/classes/{class_id}/sets": Row(TEACHERS),
    "PUT /api/v1/classes/{class_id}/sets/{set_id}": Row(TEACHERS, {"until": None}),
    "GET /api/v1/classes/{class_id}/sets/{set_id}": Row(TEACHERS),
    "GET /api/v1/classes/{class_id}/sets/{set_id}/export/{kind}": Row(TEACHERS),
    "GET /api/v1/classes/{class_id}/learning": Row(TEACHERS),
    "DELETE /api/v1/classes/{class_id}/sets/{set_id}": Row(TEACHERS),
    "DELETE /api/v1/sets/{set_id}": Row(TEACHERS),
    "POST /api/v1/votes/join": Row(EVERYBODY, {"code": "{vote_code}"}),
    "GET /api/v1/votes/{vote_id}": Row(EVERYBODY),
    "GET /api/v1/votes/{vote_id}/qr.svg": Row(EVERYBODY),
    "POST /api/v1/votes/{vote_id}/questions": Row(TEACHERS, POSITION),
    "POST /api/v1/votes/{vote_id}/votes": Row(EVERYBODY, {"number": 1, "choice": "f4"}),
    "POST /api/v1/votes/{vote_id}/{act}": Row(TEACHERS),
    "WS /ws/v1/votes/{vote_id}": Row(EVERYBODY),
    "WS /ws/v1/championships/{championship_id}": Row(IN_THE_HALL),
    "WS /ws/v1/sessions/{session_id}": Row(CLASS),
    "WS /ws/v1/me": Row(SIGNED_IN),
    "WS /ws/v1/me follow": Row(TEACHERS, {"type": "follow", "class": "{class_id}"}),
}
#: After these somebody is no longer who they were: the next to try needs people of their own.
CHANGES_WHO = {f"DELETE {CUP}", "DELETE /api/v1/me", "POST /api/v1/person/sign-in", "DELETE /api/v1/person/sign-in"}


@dataclass
class World:
    """A school: somebody of each role, and what they might want to see or do."""

    server: LocalServer
    people: dict[str, Person] = field(default_factory=dict)
    names: Json = field(default_factory=dict)

    def __post_init__(self) -> None:
        address = self.server.address
        head = organiser(self.server)
        mine, other, referee = teacher(head), teacher(head, "Outra Professora"), Person(address)
        come_by(referee, head.post("/api/v1/adults", {"name": "Árbitro", "role": "arbiter"})["link"])
        spare = head.post("/api/v1/adults", {"name": "A Mais", "role": "teacher"})["guest"]
        here, there = school_class(mine), school_class(other, ["Outro Aluno"])
        ana, eva, rui = (pupil(address, card) for card in here["cards"][:3])
        guest = Person(address)
        guest.web.put("/api/v1/me", json={"nickname": "Visita"})
        cup, in_the_hall = self._championship(mine, here["id"]), Person(address)
        come_by(in_the_hall, mine.post(f"/api/v1/championships/{cup}/arbiters", {"name": "Árbitro da Sala"})["link"])
        of_there = pupil(address, there["cards"][0])
        everybody = (Person(address), guest, eva, of_there, referee, in_the_hall, other, mine, head)
        self.people = dict(zip(ROLES, everybody, strict=True))
        task_set = mine.post("/api/v1/sets", {"name": "TPC", "tasks": ["lesson/rastros/01-chega-a-casa/1"]})
        mine.web.put(f"/api/v1/classes/{here['id']}/sets/{task_set['id']}", json={})
        vote = mine.post(f"/api/v1/classes/{here['id']}/votes")
        game = ana.create("rastros", {"kind": "friend"})
        rui.post(f"/api/v1/sessions/{game}/join")
        self.names = {
            "session_id": game,
            "free": ana.create("rastros", {"kind": "friend"}),
            "class_id": here["id"],
            "bot": eva.post("/api/v1/bots", {"name": "Robô"})["id"],
            "adult": spare,
            "pupil": here["cards"][4]["guest"],
            "card": here["cards"][3]["link"].partition("#c.")[2],
            "game": "rastros",
            "lesson": "01-chega-a-casa",
            "ref:path": "lesson/rastros/01-chega-a-casa/1",
            "puzzle": "0001",
            "cycle": "2",
            "run": "streakz0000001aa",
            "language": "pt",
            "ply": 0,
            "kind": "csv",
            "number": 2**31 - 1,
            "challenge_id": "a" * 12,
            "championship_id": cup,
            "set_id": task_set["id"],
            "vote_id": vote["id"],
            "vote_code": vote["code"],
            "act": "close",
            "section": SECTION,
            "stage": 1,
            "cup_file": base64.b64encode(mine.web.get(f"/api/v1/championships/{cup}/file/campeonato").content).decode(),
        }

    @staticmethod
    def _championship(teacher: Person, class_id: str) -> str:
        """One that a class plays; its first round is paired, and nobody else may look at it."""
        body = {"quick": {"game": "rastros", "format": "swiss"}, "entries": {"class_id": class_id}, "begin": True}
        made: str = teacher.post("/api/v1/championships", body)["id"]
        return made

    def fill(self, route: str, text: str, role: str) -> str:
        names = {**self.names, "role": role}
        names["guest"] = names["adult"] if "/adults/" in route else names["pupil"]
        if "/groups/" in route:
            names["number"] = 1
        if route.endswith("/join"):
            names["session_id"] = names["free"]
        for name, value in names.items():
            if isinstance(value, int):
                text = text.replace(f'"{{{name}}}"', str(value))
            text = text.replace(f"{{{name}}}", str(value))
        return text

    def ask(self, route: str, row: Row, role: str) -> int:
        """The status of the answer."""
        method, _, path = route.partition(" ")
        path, body = self.fill(route, path, role), None
        if row.body is not None:
            body = json.loads(self.fill(route, json.dumps(row.body), role))
        browser = self.people[role]
        if method == "WS":
            return self._listen(browser, path.partition(" ")[0], body)
        with browser.web.stream(method, path, json=body) as answer:
            return answer.status_code

    def _listen(self, browser: Person, path: str, say: Any) -> int:
        """The status that a stream gives: 200 for one that goes on."""
        cookies = "; ".join(f"{name}={value}" for name, value in browser.web.cookies.items())
        headers = {"Cookie": cookies} if cookies else {}
        try:
            with connect(f"{self.server.address.replace('http', 'ws', 1)}{path}", additional_headers=headers) as socket:
                socket.send(json.dumps(say or {"type": "ping"}))
                while True:
                    told = json.loads(socket.recv(PATIENCE))
                    if told["type"] == "error" and say is not None:
                        return {"sign_in": 401, "not_allowed": 403}[told["code"]]
                    if told["type"] in ("pong", "class", "changed", "vote"):
                        return 200
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            return closed.rcvd.code - 4000


def all_routes() -> set[str]:
    """What the server answers, as it says itself."""
    found = {f"WS {PATH}"}  # ahead of the routes
    for included in create_app(Settings("sqlite://")).routes:
        router = getattr(included, "original_router", None)
        for route in () if router is None else router.routes:
            if isinstance(route, APIRoute):
                found |= {f"{method} {route.path}" for method in route.methods or ()}
            elif isinstance(route, APIWebSocketRoute):
                found.add(f"WS {route.path}")
    return found


@pytest.fixture(scope="module")
def world(server: LocalServer) -> World:
    return World(server)


def test_every_route_has_its_row() -> None:
    assert {route for route in TABLE if route.count(" ") == 1} == all_routes()


@pytest.mark.parametrize("route", TABLE)
def test_who_may_ask_for_what(server: LocalServer, world: World, route: str) -> None:
    row, asked = TABLE[route], World(server) if route in CHANGES_WHO else world
    answers = {role: asked.ask(route, row, role) for role in ROLES}
    heard = (*row.heard, *row.done)
    allowed = {role for role, status in answers.items() if status in heard and status not in row.refused}
    assert allowed == {*row.who}, answers
    assert all(answers[role] in row.refused for role in ROLES if role not in row.who), answers


def test_who_erases_themselves_is_gone(server: LocalServer) -> None:
    world = World(server)
    eva, teacher_of_a = world.people["p"], world.people["t"]
    with_rui = eva.create("rastros", {"kind": "friend"})
    rui = pupil(server.address, {"link": f"/entrar#c.{world.names['card']}"})
    rui.post(f"/api/v1/sessions/{with_rui}/join")
    alone = eva.create("rastros", {"kind": "engine", "level": 1})
    assert eva.web.delete("/api/v1/me").status_code == 200
    assert eva.get("/api/v1/person")["person"] is None
    view = rui.get(f"/api/v1/sessions/{with_rui}")
    assert view["status"] == "over", "a game that went on is resigned, and stays for the other"
    assert rui.web.get(f"/api/v1/sessions/{alone}").status_code == 404
    pupils = teacher_of_a.get(f"/api/v1/classes/{world.names['class_id']}")["pupils"]
    assert {*NAMES} - {line["name"] for line in pupils} == {NAMES[1]}
    assert "jogador apagado" in rui.web.get(f"/api/v1/sessions/{with_rui}/record").text
    last = world.people["o"].web.delete("/api/v1/me")
    assert last.status_code == 409 and last.json()["error"]["code"] == "last_organiser"
