"""Championship games on the site: both pupils sit down, the game begins, its result flows in, nobody is helped."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from websockets.sync.client import connect

from server.cup import EIGHT, PATH, cards_of, group_of, knockout
from server.people import PATIENCE, Json, LocalServer, Person, wait_for
from server.school import come_by, organiser, pupil
from tabuleiro.championship.decisions import draw_stage, pair_round
from tabuleiro.core import Outcome, Player
from tabuleiro.record import Line
from tabuleiro.server.championships.lists import quick_edition
from tabuleiro.server.championships.schemas import QuickBody
from tabuleiro.server.championships.stream import ChampionshipSettings, ChampionshipStream, as_stored
from tabuleiro.server.sessions import Seat, SessionSettings

GROUP = "rastros-all/1/1"
#: Of Rastros; more than six plies.
OPENING = ["f4", "g5", "g4", "g3", "f2", "g1", "f1", "g2"]


@pytest.fixture(scope="module")
def head(server: LocalServer) -> Person:
    return organiser(server)


@contextmanager
def present(*people: Person) -> Iterator[None]:
    """As long as their pages are open."""
    with ExitStack() as stack:
        for person in people:
            cookie = "; ".join(f"{name}={value}" for name, value in person.web.cookies.items())
            address = f"{person.address.replace('http', 'ws', 1)}/ws/v1/me"
            stack.enter_context(connect(address, additional_headers={"Cookie": cookie}, open_timeout=PATIENCE))
        yield


def at_table(server: LocalServer, head: Person, cup: str, place: int = 0) -> tuple[Json, Person, Person]:
    """A table of the last round, who begins there, and the other one, signed in by their cards."""
    told, cards = group_of(head, cup, GROUP), cards_of(head, cup)
    pairing = told["rounds"][-1]["pairings"][place]
    names = [told["people"][str(pairing[side])]["name"] for side in ("one", "two")]
    one, two = (pupil(server.address, cards[name]) for name in names)
    return pairing, one, two


def sat_down(cup: str, one: Person, two: Person) -> str:
    sessions: list[str] = []

    def sits() -> bool:
        told = [each.post(f"{PATH}/{cup}/table")["session"] for each in (one, two)]
        sessions[:] = [session for session in told if session]
        return len(sessions) == 2

    wait_for(sits, 30)
    assert sessions[0] == sessions[1]
    return sessions[0]


def refused(by: Person, path: str, body: Json) -> tuple[int, str]:
    answer = by.web.post(path, json=body)
    return answer.status_code, answer.json()["error"]["code"]


def test_a_game_at_a_table(server: LocalServer, head: Person) -> None:
    cup = knockout(head, EIGHT[:4])
    _, one, two = at_table(server, head, cup)
    with present(one):
        assert one.post(f"{PATH}/{cup}/table") == {"session": None}, "alone nobody begins"
    with present(one, two):
        session = sat_down(cup, one, two)
    shown = one.get(f"/api/v1/sessions/{session}")
    assert shown["championship"] == cup and shown["your_seats"] == [1] and shown["moves_stand"]
    assert group_of(head, cup, GROUP)["rounds"][0]["pairings"][0]["session"] == session
    with one.watch(session) as table:
        assert table.move("f4")["type"] == "ack"
    with one.watch(session) as table:  # a phone that was dropped goes on where it was
        assert len(table.session["history"]) == 1
    moves = f"/api/v1/sessions/{session}"
    assert refused(one, f"{moves}/actions", {"action": "ask_takeback"}) == (409, "moves_stand")
    assert refused(two, f"{moves}/actions", {"action": "claim"}) == (409, "nothing_to_claim")
    guest = Person(server.address)
    assert guest.web.get(moves).status_code == 403
    assert head.get(moves)["your_seats"] == []
    two.post(f"{moves}/actions", {"action": "resign"})
    wait_for(lambda: group_of(head, cup, GROUP)["rounds"][0]["pairings"][0]["result"] == "1-0", 30)
    assert group_of(head, cup, GROUP)["rounds"][0]["pairings"][0]["winner"] == 1
    assert refused(one, f"{moves}/actions", {"action": "rematch"}) == (409, "championship")
    assert refused(one, f"{PATH}/{cup}/table", {}) == (409, "no_table")


def test_who_begins_in_a_series_takes_turns(server: LocalServer, head: Person) -> None:
    body = {
        "quick": {"game": "rastros", "format": "knockout", "best_of": 3},
        "entries": {"names": "Ana Silva\nRui Costa"},
        "begin": True,
    }
    cup = head.post(PATH, body)["id"]
    _, one, two = at_table(server, head, cup)
    with present(one, two):
        first = sat_down(cup, one, two)
        two.post(f"/api/v1/sessions/{first}/actions", {"action": "resign"})
        wait_for(lambda: bool(group_of(head, cup, GROUP)["rounds"][0]["pairings"][0]["games"]), 30)
        second = sat_down(cup, one, two)
        assert two.get(f"/api/v1/sessions/{second}")["your_seats"] == [1]
        two.post(f"/api/v1/sessions/{second}/actions", {"action": "resign"})
        wait_for(lambda: group_of(head, cup, GROUP)["complete"], 30)
    told = group_of(head, cup, GROUP)["rounds"][0]["pairings"][0]
    assert [game["winner"] for game in told["games"]] == [1, 1] and told["winner"] == 1


def test_a_result_is_there_also_if_the_server_stopped_before_writing_it(server: LocalServer, head: Person) -> None:
    cup = knockout(head, EIGHT[:4])
    _, one, two = at_table(server, head, cup)
    with present(one, two):
        session = sat_down(cup, one, two)
    tell = server.hub.when_over[:]
    server.hub.when_over.clear()
    one.post(f"/api/v1/sessions/{session}/actions", {"action": "resign"})
    server.hub.when_over[:] = tell
    server.do(server.app.state.tables.collect())
    assert group_of(head, cup, GROUP)["rounds"][0]["pairings"][0]["result"] == "0-1"


def test_the_arbiter_is_called_and_comes(server: LocalServer, head: Person) -> None:
    cup = knockout(head, EIGHT[:4])
    pairing, one, _ = at_table(server, head, cup)
    arbiter = Person(server.address)
    come_by(arbiter, head.post(f"{PATH}/{cup}/arbiters", {"name": "Maria"})["link"])
    one.post(f"{PATH}/{cup}/calls")
    one.post(f"{PATH}/{cup}/calls")  # once is enough
    (call,) = arbiter.get(f"{PATH}/{cup}")["calls"]
    assert call["table"] == pairing["table"] and one.get(f"{PATH}/{cup}")["mine"]["table"]["called"]
    assert one.get(f"{PATH}/{cup}")["calls"] == [], "who called is for those who look after it"
    assert one.web.delete(f"{PATH}/{cup}/calls/{call['call']}").status_code == 403
    assert arbiter.web.delete(f"{PATH}/{cup}/calls/{call['call']}").status_code == 200
    assert arbiter.get(f"{PATH}/{cup}")["calls"] == []


def play_opening(session: str, one: Person, two: Person) -> None:
    with one.watch(session) as first, two.watch(session) as second:
        for ply, move in enumerate(OPENING):
            table = (first, second)[ply % 2]
            table.until_plies(ply)
            assert table.move(move)["type"] == "ack"


def test_nobody_is_told_what_to_think_of_a_game_that_goes_on(server: LocalServer, head: Person) -> None:
    cup = knockout(head, EIGHT[:4])
    _, one, two = at_table(server, head, cup)
    with present(one, two):
        session = sat_down(cup, one, two)
    play_opening(session, one, two)
    guest = Person(server.address)
    game = Line.from_texts("rastros", {}, None, OPENING).replay()
    now = game.position
    turned = [now.transform(symmetry) for symmetry in now.symmetries()]
    assert turned, "Rastros has symmetries"
    before = game.last.path()[-2].position
    about: list[Json] = [{"game": "rastros", "moves": OPENING}]
    for position in (now, *turned, now.play(now.legal_moves()[0]), before):
        about.append({"game": "rastros", "position": str(position)})
    # The same board with the other one to move, under other rules: that is the same thing in other words.
    other = str(now).replace(f" {now.turn}", f" {now.turn.other}")
    about.append({"game": "rastros", "options": {"stalemate": "draw"}, "position": other})
    for asks in (guest, one, head):
        for body in about:
            assert refused(asks, "/api/v1/analyses", body) == (403, "embargo")
            assert refused(asks, "/api/v1/reports", body) == (403, "embargo")
            assert refused(asks, "/api/v1/live", {**body, "live": ["values"]}) == (403, "embargo")
            assert refused(asks, "/api/v1/openings", body) == (403, "embargo")
            assert refused(asks, "/api/v1/openings/known", body) == (403, "embargo")
    with guest.web.stream(
        "POST", "/api/v1/analyses", json={"game": "rastros", "moves": OPENING[:6]}, timeout=120
    ) as answer:
        assert answer.status_code == 200, "the first moves are everybody's"
    own = guest.create("rastros", {"kind": "local"})
    with guest.watch(own) as table:
        for move in OPENING:
            assert table.move(move)["type"] == "ack"
        assert table.ask("hint")["code"] == "embargo"
    guest_number = server.do(server.hub.get(own)).stream.seats[Player.ONE].guest
    # With a coach, and without a computer that gets in the way of the moves.
    settings = SessionSettings("rastros", {}, None, None, (Seat("guest", guest_number),) * 2, coach=True)
    coached = server.do(server.hub.create(settings, {}))
    with guest.watch(coached) as table:
        for ply, move in enumerate(OPENING):
            assert table.ask("move", ply=ply, move=move, sure=True)["type"] == "ack"
        assert table.ask("coach", step=3)["code"] == "embargo"
        assert table.ask("coach", move="f3")["code"] == "embargo"
        assert table.ask("move", ply=len(OPENING), move="f3")["type"] == "ack", "the coach is silent, and play goes on"
    two.post(f"/api/v1/sessions/{session}/actions", {"action": "resign"})
    wait_for(lambda: group_of(head, cup, GROUP)["rounds"][0]["pairings"][0]["result"] is not None, 30)
    with guest.web.stream(
        "POST", "/api/v1/analyses", json={"game": "rastros", "moves": OPENING}, timeout=120
    ) as answer:
        assert answer.status_code == 200, "afterwards it is free"


def test_no_computer_shows_what_it_would_play_where_a_championship_game_stands(
    server: LocalServer, head: Person
) -> None:
    cup = knockout(head, EIGHT[:4])
    _, one, two = at_table(server, head, cup)
    with present(one, two):
        session = sat_down(cup, one, two)
    play_opening(session, one, two)
    for player in (one, two):
        answer = player.web.get(f"/api/v1/sessions/{session}/dangers")
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "embargo"), "nobody is helped"
    guest = Person(server.address)
    game = Line.from_texts("rastros", {}, None, OPENING).replay()
    now, before = game.position, game.last.path()[-2].position
    turned = [now.transform(symmetry) for symmetry in now.symmetries()]
    for position in (now, *turned, before, now.play(now.legal_moves()[0])):
        setting_up = {"game": "rastros", "position": str(position), "opponent": {"kind": "engine", "level": 1}}
        assert refused(guest, "/api/v1/sessions", setting_up) == (403, "embargo")
    local = guest.create("rastros", {"kind": "local"}, position=str(now))
    assert guest.web.get(f"/api/v1/sessions/{local}/dangers").status_code == 403
    # Who comes there by moving hears why the computer is silent, until the game at the table is over.
    after_five, after_six = (str(game.last.path()[ply].position) for ply in (5, 6))
    early = guest.create("rastros", {"kind": "engine", "level": 1}, position=after_five, side="second")
    with guest.watch(early) as table:
        assert table.move(OPENING[5])["type"] == "ack"
        table.until_plies(2)  # six plies are everybody's: it answers
    late = guest.create("rastros", {"kind": "engine", "level": 1}, position=after_six)
    with guest.watch(late) as table:
        assert table.move(OPENING[6])["type"] == "ack"
        assert table.until(lambda message: message["type"] == "error")["code"] == "embargo"
        assert len(table.session["history"]) == 1
        two.post(f"/api/v1/sessions/{session}/actions", {"action": "resign"})
        table.until_plies(2)


def test_scores_and_sides_of_a_game_are_the_seats_of_the_pairing() -> None:
    """The second game of a series is begun by the second seat: its winner ONE is seat 2."""
    stream = ChampionshipStream("x" * 12, ChampionshipSettings(1, "BCDF"), 0.0)

    def happens(kind: str, what: Json) -> None:
        decision = stream.championship.decide(kind, what)
        stream.apply(as_stored(stream.championship.event(decision, 0, 0.0)))

    happens("created", {"edition": quick_edition(QuickBody(game="ouri", best_of=3)), "seed": 1})
    happens(
        "registered",
        {
            "schools": [{"id": 1, "name": "E", "region": ""}],
            "entries": [{"person": n, "section": "ouri-all", "school": 1} for n in (1, 2)],
        },
    )
    drawn = draw_stage(stream.championship, "ouri-all")
    happens(drawn.kind, drawn.data)
    paired = pair_round(stream.championship, "ouri-all/1/1")
    happens(paired.kind, paired.data)
    where = {"group": "ouri-all/1/1", "round": 1, "table": 1}
    happens("game_begun", {**where, "game": 1, "session": "a" * 12})
    first = stream.decide_outcome("a" * 12, Outcome(Player.TWO, "points", (18, 30)))
    assert first is not None and first.data["what"]["result"] == {"how": "played", "winner": 2, "score": [18, 30]}
    happens("result", first.data["what"])
    happens("game_begun", {**where, "game": 2, "session": "b" * 12})
    second = stream.decide_outcome("b" * 12, Outcome(Player.ONE, "points", (30, 18)))
    assert second is not None and second.data["what"]["result"] == {"how": "played", "winner": 2, "score": [18, 30]}
    assert stream.decide_outcome("a" * 12, Outcome(Player.ONE, "points")) is None, "known already"
