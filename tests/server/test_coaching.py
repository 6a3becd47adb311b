"""A game with a coach: doubts before a move is made, help in steps, nothing that counts."""

from server.people import LocalServer, Person
from tabuleiro.server.people.ratings import rated_game

#: One move wins, c3; after c1 the opponent wins at once.
TRICKY = "GRGY/R2R/R2Y 1"


def coached(person: Person, **more: object) -> str:
    return person.create("semaforo", {"kind": "engine", "level": 3}, position=TRICKY, coach=True, **more)


def test_the_coach_asks_before_a_win_is_thrown_away(ana: Person) -> None:
    with ana.watch(coached(ana)) as table:
        assert table.session["coach"]
        doubt = table.ask("move", ply=0, move="c1")
        assert doubt["type"] == "coach" and doubt["about"] == "doubt" and doubt["move"] == "c1"
        assert doubt["text"]["pt"] == "Tens a certeza? Aqui podes ganhar; depois de c1 ganha o adversário."
        why = table.ask("coach", move="c1")
        assert why["about"] == "why" and "b2" in why["text"]["pt"]
        assert table.session["history"] == [], "nothing was played"
        steps = [table.ask("coach", step=step) for step in (1, 2, 3)]
        assert [step["step"] for step in steps] == [1, 2, 3] and steps[2]["move"] == "c3"
        assert "c3" not in steps[0]["text"]["pt"] and steps[0]["cells"] == [] and len(steps[1]["cells"]) == 3
        assert (
            table.ask("coach")["code"] == "invalid_request" and table.ask("coach", step=4)["code"] == "invalid_request"
        )
        assert table.ask("move", ply=0, move="c1", sure=True)["type"] == "ack"
        table.until_session(lambda session: session["history"][0]["text"] == "c1")
        assert table.ask("ask_takeback")["type"] == "ack"
        assert table.ask("move", ply=0, move="c3")["type"] == "ack", "a good move is made at once"


def test_a_stale_or_illegal_move_is_refused_before_anybody_thinks(ana: Person) -> None:
    with ana.watch(coached(ana)) as table:
        assert table.ask("move", ply=3, move="c1")["code"] == "stale"
        assert table.ask("move", ply=0, move="a1")["code"] == "illegal_move"


def test_a_coached_game_counts_for_nobody(server: LocalServer, ana: Person) -> None:
    session_id = ana.create("semaforo", {"kind": "engine", "level": 1}, coach=True)
    with ana.watch(session_id) as table:
        table.ask("move", ply=0, move=table.moves()[0], sure=True)
        table.until_session(lambda session: len(session["history"]) == 2)
        table.ask("resign")
    session = server.do(server.hub.get(session_id)).stream
    assert session.outcome is not None and rated_game(session, 0.0) is None
    session.was_helped = False
    assert rated_game(session, 0.0) is not None, "nothing else keeps it from counting"


def test_there_is_a_coach_only_where_help_is_given(ana: Person) -> None:
    def refused(**body: object) -> str:
        answer = ana.web.post("/api/v1/sessions", json={"game": "hex", "coach": True, **body})
        assert answer.status_code == 409
        code: str = answer.json()["error"]["code"]
        return code

    assert refused(opponent={"kind": "friend"}) == "no_coach"
    assert refused(opponent={"kind": "local"}) == "no_coach"
    assert refused(opponent={"kind": "engine", "level": 2}, moves_stand=True) == "no_coach"
    plain = ana.create("semaforo", {"kind": "engine", "level": 1})
    with ana.watch(plain) as table:
        assert table.ask("coach", step=1)["code"] == "no_coach"
