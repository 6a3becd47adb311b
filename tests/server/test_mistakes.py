"""One's own mistakes: found in finished games, kept as cards, asked again in time, gone with the person."""

import pytest

from server.people import Json, LocalServer, Person
from tabuleiro.server.learning import cards

TRICKY = "GRGY/R2R/R2Y 1"
MINUTE, DAY = 60.0, 86400.0


def lost_game(person: Person) -> str:
    """A game at one screen in which the first move throws a win away, and the second takes it."""
    session: str = person.create("semaforo", {"kind": "local"}, position=TRICKY)
    with person.watch(session) as table:
        table.move("c1")
        table.move("b2")
        assert table.session["status"] == "over"
    return session


def cards_of(person: Person) -> Json:
    found: Json = person.get("/api/v1/mistakes")
    return found


def test_a_mistake_becomes_a_card_and_comes_back(server: LocalServer) -> None:
    ana = Person(server.address)
    assert cards_of(ana) == {"due": [], "all": 0, "waiting": 0, "next": None, "games": 0}
    lost_game(ana)
    assert cards_of(ana)["games"] == 1
    assert ana.post("/api/v1/mistakes/search") == {"found": 1, "games": 0}
    assert ana.post("/api/v1/mistakes/search") == {"found": 0, "games": 0}
    (card,) = cards_of(ana)["due"]
    assert (card["game"], card["played"], card["thrown"]) == ("semaforo", "c1", "win")
    task = ana.get(f"/api/v1/tasks/{card['ref']}")
    assert task["view"]["position"] == TRICKY and task["ask"]["pt"]
    said = ana.post(f"/api/v1/tasks/{card['ref']}/attempts", {"acts": ["move c3"], "seed": 0, "keep": False})
    assert said["solved"]
    due = ana.post(f"/api/v1/mistakes/{card['id']}/answers", {"mistakes": 0})["due"]
    after = cards_of(ana)
    assert after["due"] == [] and after["all"] == 1 and after["next"] == due
    like = ana.get(f"/api/v1/mistakes/{card['id']}/siblings")
    assert len(like["refs"]) == 3 and like["themes"]
    assert all(ref.startswith("puzzle/semaforo/") for ref in like["refs"])
    rui = Person(server.address)
    rui.create("hex", {"kind": "local"})
    assert rui.web.get(f"/api/v1/tasks/{card['ref']}").status_code == 404, "a card is its owner's"
    assert rui.web.post(f"/api/v1/mistakes/{card['id']}/answers", json={"mistakes": 0}).status_code == 404
    assert rui.web.get(f"/api/v1/mistakes/{card['id']}/siblings").status_code == 404
    ana.web.delete("/api/v1/me")
    from tabuleiro.server.tables import mistakes, searched

    left = server.do(
        server.hub.store.read(
            lambda connection: [connection.execute(table.select()).all() for table in (mistakes, searched)]
        )
    )
    assert left == [[], []], "everything goes with the person"


def test_the_turning_point_of_any_game_can_be_kept(server: LocalServer) -> None:
    ana = Person(server.address)
    point = {"game": "semaforo", "position": TRICKY, "moves": [], "move": "b1"}
    kept = ana.post("/api/v1/mistakes", point)
    assert ana.post("/api/v1/mistakes", point) == kept, "once is enough"
    assert ana.web.post("/api/v1/mistakes", json={**point, "move": "c3"}).json()["error"]["code"] == "not_proven"
    ana.web.delete(f"/api/v1/mistakes/{kept['id']}")
    assert cards_of(ana)["all"] == 0


def test_a_failed_card_returns_after_ten_minutes_and_a_good_one_after_ever_more_days() -> None:
    card, due = cards.answered(cards.new_card(0.0), failed=True, now=0.0)
    assert due == 10 * MINUTE
    waits = []
    for _ in range(5):
        now = due
        card, due = cards.answered(card, failed=False, now=now)
        waits.append((due - now) / DAY)
    assert waits == sorted(waits) and waits[0] >= 1 and waits[-1] > 7
    _, again = cards.answered(card, failed=True, now=due)
    assert again - due == pytest.approx(10 * MINUTE)
