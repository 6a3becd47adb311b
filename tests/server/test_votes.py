"""A class votes on a position: what is counted, who is told what and when, and that nothing of it is lost."""

import json
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from server.people import PATIENCE, Json, LocalServer, Person, end_of, wait_for
from server.school import organiser, pupil, school_class, teacher
from tabuleiro.language import Text
from tabuleiro.record import Line
from tabuleiro.server.errors import RefusedError
from tabuleiro.server.log import Decision, Event
from tabuleiro.server.teaching.vote import FORGOTTEN, Question, Vote, VoteSettings

TEACHER, ONE, TWO = 1, 11, 12
#: Only c3 wins, and what each other move is worth is proven too.
POSITION = {"game": "semaforo", "position": "GRGY/R2R/R2Y 1"}


# ---- without a server


def vote() -> Vote:
    return Vote("v" * 12, VoteSettings("k" * 12, TEACHER, "BCDFG"), 0.0)


def happen(stream: Vote, decision: Decision | None, at: float = 1.0) -> None:
    assert decision is not None
    stream.apply(stream.event(decision._replace(also=None), at, ()))


def asked(stream: Vote, asks: Any = "move") -> Question:
    question = Question(Line.from_texts("semaforo", start=POSITION["position"]), asks, Text("Que jogas?", "Your move?"))
    happen(stream, stream.decide_ask(question))
    return stream.questions[-1]


def test_everybody_has_one_vote_and_may_change_it_until_the_end() -> None:
    stream = vote()
    with pytest.raises(RefusedError, match="nothing to vote on"):
        stream.decide_vote(ONE, 1, "c3")
    question = asked(stream)
    happen(stream, stream.decide_vote(ONE, 1, "b1"))
    happen(stream, stream.decide_vote(TWO, 1, "C3"))
    happen(stream, stream.decide_vote(ONE, 1, "c3"))
    assert stream.decide_vote(ONE, 1, "c3") is None, "nothing to store"
    assert question.tally() == [("c3", 2)]
    with pytest.raises(ValueError, match="z9"):
        stream.decide_vote(ONE, 1, "z9")
    happen(stream, stream.decide_close())
    with pytest.raises(RefusedError, match="no longer"):
        stream.decide_vote(ONE, 1, "b1")
    assert stream.members() == {1: TEACHER, 2: ONE, 3: TWO}
    asked(stream)
    with pytest.raises(RefusedError, match="no longer"):
        stream.decide_vote(ONE, 1, "b1")  # the phone still shows the question before


def test_who_wins_is_said_by_what_can_be_said() -> None:
    stream = vote()
    question = asked(stream, "winner")
    happen(stream, stream.decide_vote(ONE, 1, "mover"))
    assert question.tally() == [("mover", 1), ("other", 0)]
    with pytest.raises(RefusedError, match="cannot be chosen"):
        stream.decide_vote(TWO, 1, "draw")  # there are no draws in this game


def test_a_vote_that_was_left_open_ends_by_itself() -> None:
    stream = vote()
    asked(stream)
    due = stream.due(0.0, ())
    assert due == 1.0 + FORGOTTEN and stream.decide_due(due - 1, ()) is None
    happen(stream, stream.decide_due(due, ()), due)
    assert stream.ended and stream.due(due, ()) is None
    with pytest.raises(RefusedError, match="over"):
        stream.decide_ask(Question(Line.from_texts("hex"), "move", None))


def test_events_tell_the_same_again() -> None:
    stream = vote()
    asked(stream)
    happen(stream, stream.decide_vote(ONE, 1, "b1"))
    again = Vote.begin(stream.id, json.loads(json.dumps(stream.settings_json())), stream.created)
    for event in (
        Event(1, "ask", json.loads(json.dumps(stream.questions[0].as_json())), 1.0),
        Event(2, "vote", {"guest": ONE, "choice": "b1"}, 1.0),
    ):
        again.apply(event)
    assert again.questions == stream.questions and again.summary() == stream.summary()


# ---- in a class


def follow(person: Person, vote_id: str) -> ClientConnection:
    cookies = "; ".join(f"{name}={value}" for name, value in person.web.cookies.items())
    address = f"{person.address.replace('http', 'ws', 1)}/ws/v1/votes/{vote_id}"
    return connect(address, additional_headers={"Cookie": cookies} if cookies else {}, open_timeout=PATIENCE)


def until(socket: ClientConnection, wanted: Any) -> Json:
    while True:
        told: Json = json.loads(socket.recv(PATIENCE))
        if wanted(told):
            return told


def refused(person: Person, path: str, body: Json) -> str:
    answer = person.web.post(path, json=body)
    assert answer.status_code >= 400
    code: str = answer.json()["error"]["code"]
    return code


def test_a_class_votes_by_card_and_by_code(server: LocalServer) -> None:
    mine = teacher(organiser(server))
    made = school_class(mine, [f"Aluno {number}" for number in range(1, 24)])
    begun = mine.post(f"/api/v1/classes/{made['id']}/votes")
    path = f"/api/v1/votes/{begun['id']}"
    phones = [pupil(server.address, card) for card in made["cards"]] + [Person(server.address) for _ in range(2)]
    for phone in phones:
        seen = phone.post("/api/v1/votes/join", {"code": begun["code"].lower()})
        assert seen["id"] == begun["id"] and not seen["runs"] and seen["class_id"] is None and seen["question"] is None
    assert refused(phones[0], "/api/v1/votes/join", {"code": "BBBBB"}) == "no_such_vote"
    assert refused(phones[0], f"{path}/votes", {"number": 1, "choice": "c3"}) == "nothing_asked"
    with follow(mine, begun["id"]) as wall, follow(phones[0], begun["id"]) as hand:
        mine.post(f"{path}/questions", POSITION)
        assert until(hand, lambda told: told.get("question"))["question"]["view"]["position"] == POSITION["position"]
        choices = ["c3"] * 12 + ["b1"] * 9 + ["b2"] * 4
        for phone, choice in zip(phones, choices, strict=True):
            phone.post(f"{path}/votes", {"number": 1, "choice": choice})
        tally = until(wall, lambda told: (told.get("tally") or {}).get("voters") == 25)["tally"]
        assert [(bar["choice"], bar["votes"], bar["right"]) for bar in tally["bars"]] == [
            ("c3", 12, None),
            ("b1", 9, None),
            ("b2", 4, None),
        ]
        tally = until(hand, lambda told: (told.get("tally") or {}).get("voters") == 25)["tally"]
        assert tally["bars"] is None and tally["truth"] is None, "nobody follows the crowd"
        assert phones[0].get(path)["mine"] == "c3" and phones[24].get(path)["mine"] == "b2"

        server.hub.log.open.pop(begun["id"])  # as after a crash: all of it is read again
        assert [bar["votes"] for bar in mine.get(path)["tally"]["bars"]] == [12, 9, 4]
    with follow(phones[0], begun["id"]) as hand:
        mine.post(f"{path}/close")
        assert refused(phones[0], f"{path}/votes", {"number": 1, "choice": "b1"}) == "not_open"
        mine.post(f"{path}/reveal")
        tally = until(hand, lambda told: (told.get("tally") or {}).get("truth"))["tally"]
    assert [(bar["choice"], bar["right"], bar["worth"]) for bar in tally["bars"]] == [
        ("c3", True, "win"),
        ("b1", False, "loss"),
        ("b2", False, "loss"),
    ]
    kept = mine.get(f"/api/v1/people/{made['cards'][0]['guest']}/export")["votes"]
    assert [each["choice"] for each in kept] == ["c3"], "what is kept about somebody can be taken along"
    assert tally["truth"]["winner"] == "mover" and [best["text"] for best in tally["truth"]["best"]] == ["c3"]


def test_a_phone_in_a_vote_is_signed_out_by_a_new_card(server: LocalServer) -> None:
    mine = teacher(organiser(server), "Rui Mota")
    made = school_class(mine)
    begun = mine.post(f"/api/v1/classes/{made['id']}/votes")
    card = made["cards"][0]
    with follow(pupil(server.address, card), begun["id"]) as hand, follow(mine, begun["id"]) as wall:
        until(hand, lambda told: told["type"] == "vote")
        mine.post(f"/api/v1/classes/{made['id']}/cards", {"pupils": [card["guest"]]})
        assert end_of(hand.recv) == (4401, "sign_in")
        wall.send("{}")
        until(wall, lambda told: told["type"] == "pong")


def test_what_is_not_proven_is_not_told(server: LocalServer) -> None:
    mine = teacher(organiser(server), "Rita Alves")
    made = school_class(mine)
    begun = mine.post(f"/api/v1/classes/{made['id']}/votes")
    path = f"/api/v1/votes/{begun['id']}"
    mine.post(f"{path}/questions", {"game": "abalone", "asks": "winner"})
    mine.post(f"{path}/votes", {"number": 1, "choice": "mover"})
    told = mine.post(f"{path}/reveal")["tally"]
    assert told["truth"] == {"winner": None, "plies": None, "best": []}
    first = told["bars"][0]
    assert (first["choice"], first["votes"], first["right"]) == ("mover", 1, None)
    assert refused(mine, f"{path}/questions", {"game": "semaforo", "position": "GGG1/4/4 2"}) == "game_over"


def test_a_new_vote_ends_the_one_before_and_its_code(server: LocalServer) -> None:
    mine = teacher(organiser(server), "Eva Reis")
    made = school_class(mine)
    first, second = (mine.post(f"/api/v1/classes/{made['id']}/votes") for _ in range(2))
    assert mine.get(f"/api/v1/votes/{first['id']}")["ended"]
    assert refused(Person(server.address), "/api/v1/votes/join", {"code": first["code"]}) == "no_such_vote"
    Person(server.address).post("/api/v1/votes/join", {"code": second["code"]})


def test_votes_are_forgotten_after_a_week(server: LocalServer) -> None:
    mine = teacher(organiser(server), "Ana Luz")
    made = school_class(mine)
    begun = mine.post(f"/api/v1/classes/{made['id']}/votes")
    late = server.hub.now() + 8 * 24 * 3600
    server.hub.log.open.pop(begun["id"])
    now, server.hub.now = server.hub.now, lambda: late
    try:
        server.do(server.hub.keep_house())
    finally:
        server.hub.now = now
    wait_for(lambda: mine.web.get(f"/api/v1/votes/{begun['id']}").status_code == 404)
    mine.get(f"/api/v1/classes/{made['id']}")
