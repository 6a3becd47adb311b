"""The opening explorer: what was played here and by engines, and who may not ask."""

import time
from collections.abc import Iterator

import pytest

from server.people import Json, LocalServer, Person
from tabuleiro.games import GAMES
from tabuleiro.openings import engine_games, engine_openings
from tabuleiro.server.openings.played import FEWEST, FRESH
from tabuleiro.server.settings import Settings, sqlite_url

START = {"game": "semaforo", "moves": []}


class Watch:
    """A time that tests can push on."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


@pytest.fixture(scope="module")
def watch() -> Watch:
    return Watch()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, watch: Watch) -> Iterator[LocalServer]:
    with LocalServer(Settings(sqlite_url(tmp_path_factory.mktemp("data"))), now=watch) as running:
        yield running


def play(person: Person, moves: str, **more: object) -> None:
    session = person.create("semaforo", {"kind": "local"}, **more)
    with person.watch(session) as table:
        for move in moves.split():
            table.move(move)
        if table.session["status"] != "over":
            person.post(f"/api/v1/sessions/{session}/actions", {"action": "resign"})


def played(person: Person, *moves: str) -> Json:
    told: Json = person.post("/api/v1/openings", {**START, "moves": list(moves)})["played"]
    return told


def test_finished_games_count_from_the_third_on_and_erased_ones_no_more(server: LocalServer, watch: Watch) -> None:
    ana, rui = Person(server.address), Person(server.address)
    for moves in ("a1 b1", "b1 a1"):
        play(ana, moves)
    play(ana, "a1", position="GRGY/R2R/R2Y 1")  # this one does not begin at the start
    ana.create("semaforo", {"kind": "local"})  # and this one goes on
    assert played(ana)["results"]["games"] == 0, f"fewer than {FEWEST} are nobody's business"
    play(rui, "a1 b1")
    assert played(ana)["results"]["games"] == 0, "nobody looks twice in a minute"
    watch.ahead += FRESH
    assert played(ana)["results"] == {"games": 3, "one": 0, "two": 3, "draws": 0, "unfinished": 0}
    assert [(each["move"], each["results"]["games"]) for each in played(ana)["moves"]] == [("a1", 2), ("b1", 1)]
    assert played(ana, "a1") == {"results": {**played(ana)["results"], "games": 0, "two": 0}, "moves": []}
    assert played(ana, "b1", "a1")["results"]["games"] == 3, "whatever the order"
    assert ana.web.delete("/api/v1/me").status_code == 200
    watch.ahead += FRESH
    assert played(rui)["results"]["games"] == 0


def test_take_backs_are_taken_back(server: LocalServer, watch: Watch) -> None:
    ana = Person(server.address)
    for _ in range(3):
        session = ana.create("semaforo", {"kind": "local"})
        with ana.watch(session) as table:
            table.move("c3")
            ana.post(f"/api/v1/sessions/{session}/actions", {"action": "ask_takeback"})
            table.until_session(lambda told: not told["history"])
            table.move("b2")
        ana.post(f"/api/v1/sessions/{session}/actions", {"action": "resign"})
    watch.ahead += FRESH
    assert [each["move"] for each in played(ana)["moves"] if each["results"]["games"] >= 3] == ["b2"]


@pytest.mark.parametrize("game", ["avanco", "rastros"])
def test_engine_games_are_told_under_the_usual_rules(server: LocalServer, game: str) -> None:
    ana = Person(server.address)
    told = ana.post("/api/v1/openings", {"game": game})["engines"]
    assert told["results"]["games"] == len(engine_games(game)) > 20
    assert sum(each["results"]["games"] for each in told["moves"]) == told["results"]["games"]
    other = ana.post("/api/v1/openings", {"game": game, "options": {"size": "5"}})
    assert other["engines"]["results"]["games"] == 0
    assert len(engine_openings(game)) > 20


def test_what_is_proven_is_told(server: LocalServer) -> None:
    ana = Person(server.address)
    told = ana.post("/api/v1/openings/known", {"game": "semaforo", "position": "GRGY/R2R/R2Y 1"})
    worth = {each["move"]: each["score"]["worth"] for each in told["moves"]}
    assert told["score"]["worth"] == "win"
    assert worth["c3"] == "win" and worth["b1"] == "loss"
    ended = {"game": "hex", "options": {"size": "3"}, "moves": ["a1", "a2", "b1", "b2", "c1"]}
    over = ana.post("/api/v1/openings/known", ended)
    assert over == {"score": None, "moves": []}


def test_what_the_rules_do_not_know_is_refused(server: LocalServer) -> None:
    ana = Person(server.address)
    for path in ("/api/v1/openings", "/api/v1/openings/known"):
        answer = ana.web.post(path, json={"game": "hex", "moves": ["z99"]})
        assert answer.status_code == 400 and answer.json()["error"]["text"]["pt"]


def test_every_game_has_engine_games_of_its_own() -> None:
    for game in GAMES:
        rows = engine_games(game)
        assert rows and all(row.game == game and not row.options and row.start is None for row in rows), game
