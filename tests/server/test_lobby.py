"""The lobby: who meets whom, challenges, quick pairing, series; and the ratings that come of games."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from server.people import Json, LocalServer, Person, wait_for
from server.school import NAMES, organiser, pupil, school_class, teacher
from server.test_api import refused
from server.test_people import Line, line
from tabuleiro.core import Player
from tabuleiro.games import GAMES
from tabuleiro.players.ladder import ladder_of
from tabuleiro.server.people import results
from tabuleiro.server.people.challenges import nearest
from tabuleiro.server.people.lobby import Lobby
from tabuleiro.server.people.ratings import BEGINNER, Rating, rate, rate_against_level
from tabuleiro.server.sessions import Series

LOBBY, CHALLENGES = "/api/v1/lobby", "/api/v1/challenges"


class School:
    """Two classes on one server, the pupils of both signed in and connected."""

    def __init__(self, server: LocalServer) -> None:
        self.server = server
        self.head = organiser(server)
        self.teacher = teacher(self.head)
        self.mine = school_class(self.teacher)
        self.other = school_class(teacher(self.head, "Outra"), ["Outro Aluno"])
        cards = [*self.mine["cards"], *self.other["cards"]]
        self.guests = [int(card["guest"]) for card in cards]
        self.pupils = [pupil(server.address, card) for card in cards]
        self.lines = [line(browser) for browser in self.pupils]
        wait_for(lambda: {*self.guests} <= server.hub.extension(Lobby).guests())

    def settle(self, **settings: object) -> None:
        usual = {"open_lobby": False, "short_names": True, "keep_months": 13}
        assert self.head.web.put("/api/v1/settings", json={**usual, **settings}).status_code == 200


@pytest.fixture
def school(server: LocalServer) -> Iterator[School]:
    school = School(server)
    yield school
    school.settle()
    for each in school.lines:
        each.socket.close()


def states(lobby: Json) -> dict[str, str]:
    return {each["name"]: each["state"] for each in lobby["people"]}


def finish(winner: Person, loser: Person, session: str, plies: int = 2) -> None:
    """A few moves, then one resigns."""
    for ply in range(plies):
        view = winner.get(f"/api/v1/sessions/{session}")
        mover = winner if view["view"]["turn"] in view["your_seats"] else loser
        move = mover.get(f"/api/v1/sessions/{session}")["view"]["moves"][0]["text"]
        mover.post(f"/api/v1/sessions/{session}/moves", {"ply": ply, "move": move})
    loser.post(f"/api/v1/sessions/{session}/actions", {"action": "resign"})


def play(school: School, winner: int, loser: int, game: str = "rastros", **more: object) -> str:
    one, two = school.pupils[winner], school.pupils[loser]
    asked = one.post(CHALLENGES, {"to": school.guests[loser], "game": game, **more})
    session: str = two.post(f"{CHALLENGES}/{asked['challenge']}/accept")["session"]
    finish(one, two, session)
    return session


# ---- who meets whom


def test_a_class_meets_itself_and_an_open_lobby_everybody_who_is_signed_in(school: School) -> None:
    ana, outro = school.pupils[0], school.pupils[5]
    assert states(ana.get(LOBBY)) == {
        "Rui C.": "free",
        "Eva D.": "free",
        "Zé P.": "free",
        "Inês R.": "free",
        "Maria L.": "offline",
    }
    refused(outro.web.post(CHALLENGES, json={"to": school.guests[0], "game": "hex"}), 403)
    game = ana.create("rastros", {"kind": "engine", "level": 1})
    refused(outro.web.get(f"/api/v1/sessions/{game}"), 403)
    school.settle(open_lobby=True)
    assert states(outro.get(LOBBY))["Ana S."] == "playing"
    outro.get(f"/api/v1/sessions/{game}")
    assert outro.post(CHALLENGES, {"to": school.guests[0], "game": "hex"})["challenge"]
    visitor = Person(school.server.address)
    visitor.web.put("/api/v1/me", json={"nickname": "Visita"})
    refused(visitor.web.get(LOBBY), 401)
    refused(visitor.web.get(f"/api/v1/sessions/{game}"), 403)
    refused(visitor.web.post(CHALLENGES, json={"to": school.guests[0], "game": "hex"}), 401)


def test_who_comes_goes_turns_away_and_plays_is_told(school: School) -> None:
    ana, eva = school.lines[0], school.lines[2]
    ana.say({"type": "lobby"})
    assert len(ana.until("lobby")["people"]) == 5

    def told(state: str) -> Json:
        while True:
            for each in ana.until("lobby_people")["people"]:
                if each["guest"] == school.guests[2] and each["state"] == state:
                    assert isinstance(each, dict)
                    return each

    eva.say({"type": "away", "away": True})
    told("away")
    eva.say({"type": "away", "away": False})
    told("free")
    session = school.pupils[2].create("rastros", {"kind": "engine", "level": 1})
    assert told("playing")["playing"] == {"session": session, "game": "rastros"}
    school.pupils[2].post(f"/api/v1/sessions/{session}/actions", {"action": "resign"})
    told("free")
    eva.socket.close()
    told("offline")
    school.teacher.post(f"/api/v1/classes/{school.mine['id']}/pupils", {"names": "Novo Colega"})
    ana.until("lobby_anew")
    ana.say({"type": "lobby"})
    assert len(ana.until("lobby")["people"]) == 6


def test_what_changes_is_told_to_all_who_meet_but_nobody_is_told_of_themselves(school: School) -> None:
    ana, rui, eva = school.lines[:3]
    for each in (ana, rui, eva):
        each.say({"type": "lobby"})
        each.until("lobby")
    rui.say({"type": "away", "away": True})
    eva.say({"type": "away", "away": True})

    def told(line: Line, wanted: set[int]) -> None:
        heard: set[int] = set()
        while not wanted <= heard:
            heard |= {each["guest"] for each in line.until("lobby_people")["people"]}
        assert heard == wanted

    told(ana, {school.guests[1], school.guests[2]})
    told(rui, {school.guests[2]})
    told(eva, {school.guests[1]})


# ---- challenges


def test_a_challenge_is_accepted_declined_withdrawn(school: School) -> None:
    ana, rui = school.pupils[0], school.pupils[1]
    asked = ana.post(CHALLENGES, {"to": school.guests[1], "game": "hex", "best_of": 3})
    heard = school.lines[1].until("challenge")["challenge"]
    assert (heard["id"], heard["name"], heard["game"], heard["best_of"]) == (asked["challenge"], "Ana S.", "hex", 3)
    assert [each["id"] for each in rui.get(LOBBY)["challenges"]] == [asked["challenge"]]
    rui.post(f"{CHALLENGES}/{asked['challenge']}/decline")
    assert school.lines[0].until("declined")["name"] == "Rui C."
    refused(rui.web.post(f"{CHALLENGES}/{asked['challenge']}/accept"), 409)
    asked = ana.post(CHALLENGES, {"to": school.guests[1], "game": "hex"})
    refused(school.pupils[2].web.post(f"{CHALLENGES}/{asked['challenge']}/accept"), 409)
    ana.web.delete(f"{CHALLENGES}/{asked['challenge']}")
    school.lines[1].until("withdrawn")
    asked = ana.post(CHALLENGES, {"to": school.guests[1], "game": "hex"})
    session = rui.post(f"{CHALLENGES}/{asked['challenge']}/accept")["session"]
    for each in school.lines[:2]:
        assert each.until("game")["session"] == session
    seats = [ana.get(f"/api/v1/sessions/{session}")["your_seats"], rui.get(f"/api/v1/sessions/{session}")["your_seats"]]
    assert sorted(seats) == [[1], [2]]
    refused(rui.web.post(f"{CHALLENGES}/{asked['challenge']}/accept"), 409)
    refused(ana.web.post(CHALLENGES, json={"to": school.guests[0], "game": "hex"}), 409)


def test_house_rules_hold_for_challenges_and_who_is_away_is_not_asked(school: School) -> None:
    assert school.pupils[0].get(LOBBY)["games"] == [*GAMES]
    ana = school.pupils[0]
    rules = {"takebacks": False, "hints": True, "highest_level": 3, "games": ["hex"]}
    school.teacher.web.put(f"/api/v1/classes/{school.mine['id']}/rules", json=rules)
    assert refused(ana.web.post(CHALLENGES, json={"to": school.guests[1], "game": "ouri"}), 403) == "house_rules"
    assert refused(ana.web.post(CHALLENGES, json={"game": "ouri"}), 403) == "house_rules"
    assert ana.get(LOBBY)["games"] == ["hex"] and school.teacher.get(LOBBY)["games"] == [*GAMES]
    gone = school.lines.pop(1)
    gone.socket.close()
    wait_for(lambda: school.guests[1] not in school.server.hub.extension(Lobby).guests())
    assert refused(ana.web.post(CHALLENGES, json={"to": school.guests[1], "game": "hex"}), 409) == "offline"


def test_who_comes_later_hears_what_they_were_asked(school: School) -> None:
    school.pupils[0].post(CHALLENGES, {"to": school.guests[1], "game": "hex"})
    with Line(school.pupils[1]) as another:
        assert another.until("challenge")["challenge"]["game"] == "hex"


def test_quick_pairing_finds_who_waits_for_the_same(school: School) -> None:
    ana, rui, eva, outro = (school.pupils[number] for number in (0, 1, 2, 5))
    assert ana.post(CHALLENGES, {"game": "hex"})["session"] is None
    assert outro.post(CHALLENGES, {"game": "hex"})["session"] is None, "of another class"
    assert rui.post(CHALLENGES, {"game": "ouri"})["session"] is None, "another game"
    seeks = {each["name"]: each["seeks"] and each["seeks"]["game"] for each in eva.get(LOBBY)["people"]}
    assert seeks == {"Ana S.": "hex", "Rui C.": "ouri", "Zé P.": None, "Inês R.": None, "Maria L.": None}
    waits = school.pupils[3].post(CHALLENGES, {"game": "hex", "best_of": 3})
    assert waits["session"] is None and 0 < waits["seconds"] <= 120, "one game and three are not the same"
    assert school.pupils[3].web.delete(f"{CHALLENGES}/{waits['challenge']}").status_code == 200, "second thoughts"
    session = eva.post(CHALLENGES, {"game": "hex"})["session"]
    assert session is not None and school.lines[0].until("game")["session"] == session
    assert school.pupils[3].post(CHALLENGES, {"game": "hex"})["session"] is None, "both play already"
    waits = next(each for each in school.pupils[4].get(LOBBY)["people"] if each["name"] == "Rui C.")
    assert school.pupils[4].post(f"{CHALLENGES}/{waits['seeks']['challenge']}/accept")["session"], "with one tap"


def test_the_nearest_in_strength_is_chosen_and_of_equals_who_waited_longest() -> None:
    waiting = {"far": (Rating(1500), 1.0), "near": (Rating(1090), 3.0), "as_near": (Rating(1110), 2.0)}
    assert nearest(Rating(1100), waiting) == "as_near"
    assert nearest(Rating(1100), {}) is None


# ---- several games


def test_best_of_three_goes_on_by_rematches_until_it_is_decided(school: School) -> None:
    ana, rui = school.pupils[0], school.pupils[1]
    asked = ana.post(CHALLENGES, {"to": school.guests[1], "game": "rastros", "best_of": 3})
    session = rui.post(f"{CHALLENGES}/{asked['challenge']}/accept")["session"]
    for winner, loser, points, decided in (
        (ana, rui, [0, 1], False),
        (rui, ana, [1, 1], False),
        (ana, rui, [1, 2], True),
    ):
        begins = ana.get(f"/api/v1/sessions/{session}")["your_seats"]
        finish(winner, loser, session)
        view = ana.get(f"/api/v1/sessions/{session}")
        mine, other = (1, 0) if begins == [2] else (0, 1)
        assert [view["series"]["points"][other], view["series"]["points"][mine]] == points
        assert view["series"]["decided"] == decided
        ana.post(f"/api/v1/sessions/{session}/actions", {"action": "rematch"})
        session = ana.get(f"/api/v1/sessions/{session}")["rematch"]
        assert ana.get(f"/api/v1/sessions/{session}")["your_seats"] != begins
    assert ana.get(f"/api/v1/sessions/{session}")["series"]["points"] == [0, 0], "then another begins"


def test_a_series_counts_draws_as_halves() -> None:
    begun = Series(3).after(None).next().after(Player.ONE)
    assert begun == Series(3, 2, (1.5, 0.5)) and not begun.is_decided
    assert begun.next().after(None) == Series(3, 3, (1.0, 2.0)) and begun.next().after(None).is_decided
    assert Series(3, 2, (2.0, 0.0)).next() == Series(3)


# ---- ratings


def ratings(school: School, guest: int) -> dict[str, Rating]:
    return school.server.do(school.server.hub.store.read(lambda connection: results.current(connection, [guest]))).get(
        guest, {}
    )


def test_games_between_people_and_against_levels_are_rated(school: School) -> None:
    session = play(school, 0, 1)
    ana, rui = (ratings(school, school.guests[number])["rastros"] for number in (0, 1))
    assert ana.mu > BEGINNER > rui.mu and ana.sigma == rui.sigma
    play(school, 0, 1, "hex")
    assert ratings(school, school.guests[0])["hex"] == ana, "one for each game"
    alone = school.pupils[0].create("rastros", {"kind": "engine", "level": 9})
    lose(school.pupils[0], alone)
    after = ratings(school, school.guests[0])["rastros"]
    assert after.mu < ana.mu and after.sigma < ana.sigma
    stored = [row for row in rows(school, "session, level, ladder") if row[1] is not None]
    ladder = ladder_of("rastros")
    assert ladder is not None and stored == [(alone, 9, ladder.version)]
    assert len([row for row in rows(school, "session, guest") if row[0] == session]) == 2


def lose(browser: Person, session: str) -> None:
    with browser.watch(session) as table:
        table.move(table.moves()[0])
        table.until_plies(2)
        table.ask("resign")


def rows(school: School, columns: str = "*", table: str = "results", by: str = "guest") -> list[tuple[object, ...]]:
    """What is stored about the pupils of a school."""
    query = f"SELECT {columns} FROM {table} WHERE {by} IN ({', '.join(map(str, school.guests))}) ORDER BY 1, 2"
    store = school.server.hub.store
    return school.server.do(store.read(lambda connection: [tuple(row) for row in connection.execute(sa.text(query))]))


def test_what_does_not_count(school: School) -> None:
    ana, rui = school.pupils[0], school.pupils[1]
    asked = ana.post(CHALLENGES, {"to": school.guests[1], "game": "rastros"})
    finish(ana, rui, rui.post(f"{CHALLENGES}/{asked['challenge']}/accept")["session"], plies=1)
    lose(ana, ana.create("rastros", {"kind": "engine", "level": 10}))
    lose(ana, ana.create("rastros", {"kind": "engine", "level": 1}, options={"stalemate": "draw"}))
    helped = ana.create("rastros", {"kind": "engine", "level": 1})
    with ana.watch(helped) as table:
        assert table.ask("hint")["type"] == "hint"
        table.move(table.moves()[0])
        table.until_plies(2)
        table.ask("resign")
    at_one_screen = ana.create("rastros", {"kind": "local"})
    with ana.watch(at_one_screen) as table:
        for _ in range(2):
            table.move(table.moves()[0])
        table.ask("resign")
    with_a_guest = school.head.create("rastros", {"kind": "friend"})
    guest = Person(school.server.address)
    guest.post(f"/api/v1/sessions/{with_a_guest}/join")
    finish(school.head, guest, with_a_guest)
    assert rows(school) == []


def test_the_events_tell_the_same_ratings(school: School) -> None:
    for winner, loser in ((0, 1), (1, 2), (2, 0), (0, 2), (3, 0)):
        play(school, winner, loser)
    lose(school.pupils[0], school.pupils[0].create("rastros", {"kind": "engine", "level": 2}))
    before = rows(school)
    assert len(before) == 11
    school.server.do(school.server.hub.store.write(lambda connection: results.rebuild(connection, "rastros")))
    assert rows(school) == before


def test_who_is_erased_leaves_no_rating_and_no_challenge(school: School) -> None:
    play(school, 0, 1)
    school.pupils[0].post(CHALLENGES, {"to": school.guests[1], "game": "hex"})
    assert school.pupils[0].web.delete("/api/v1/me").status_code == 200
    assert rows(school, "guest, game") == [(school.guests[1], "rastros")]
    assert rows(school, table="challenges", by='"by"') == []
    play(school, 2, 1)
    school.server.do(school.server.hub.store.write(lambda connection: results.rebuild(connection, "rastros")))
    assert {row[0] for row in rows(school, "guest, game")} == {*school.guests[1:3]}


def test_hidden_ratings_are_not_told_to_the_class(school: School) -> None:
    play(school, 0, 1)

    def told() -> Json:
        found: Json = next(each for each in school.pupils[2].get(LOBBY)["people"] if each["name"] == "Ana S.")
        return found

    shown, give_or_take = told()["ratings"]["rastros"]
    assert shown > BEGINNER and give_or_take > 100
    rules = {"takebacks": True, "hints": True, "highest_level": 10, "games": None, "ratings": False}
    school.teacher.web.put(f"/api/v1/classes/{school.mine['id']}/rules", json=rules)
    assert told()["ratings"] == {}


def test_the_library_finds_the_strength_of_somebody_who_plays_the_ladder() -> None:
    """Wins against the levels below, losses against those above: between them."""
    ladder = ladder_of("rastros")
    assert ladder is not None
    person = Rating()
    for _ in range(15):
        for level, score in ((4, 1.0), (5, 0.5), (6, 0.0)):
            person = rate_against_level(person, "rastros", level, score)
    assert abs(person.mu - BEGINNER - ladder.elo[4]) < 2 * person.sigma < 250
    one, two = rate(Rating(), Rating(), 0.5)
    assert one == two and one.mu == BEGINNER and one.sigma < Rating().sigma


def test_every_ladder_goes_up() -> None:
    """Where one is missing, games against levels do not count: `python training/ladder.py GAME --write` measures it."""
    ladders = [ladder for ladder in map(ladder_of, GAMES) if ladder is not None]
    assert len(ladders) >= 6
    for ladder in ladders:
        assert len(ladder.elo) == 9 and ladder.elo[0] == 0
        assert [*ladder.elo] == sorted(ladder.elo)


# ---- names


def test_names_are_shown_in_short_or_in_full_as_the_organiser_wants(school: School) -> None:
    school.teacher.web.put(f"/api/v1/classes/{school.mine['id']}/nicknames", json={"locked": False})
    school.pupils[1].web.put("/api/v1/me", json={"nickname": "Zorro"})
    school.settle(short_names=False)
    assert {*states(school.pupils[4].get(LOBBY))} == {"Ana Silva", "Zorro", "Eva Dias", "Zé Pires", "Maria Lopes"}
    school.settle()
    assert {*states(school.pupils[4].get(LOBBY))} == {"Ana S.", "Zorro", "Eva D.", "Zé P.", "Maria L."}
    assert NAMES[0] == "Ana Silva"


# ---- profiles, ladders, doubles


def test_a_profile_tells_what_was_played(school: School) -> None:
    ana = school.guests[0]
    for winner, loser, game in ((0, 1, "rastros"), (0, 2, "rastros"), (1, 0, "hex")):
        play(school, winner, loser, game)
    lose(school.pupils[0], school.pupils[0].create("rastros", {"kind": "engine", "level": 2}))
    path = f"/api/v1/people/{ana}"
    for sees in (school.pupils[0], school.teacher, school.head):
        told = sees.get(path)
        assert told["name"] == NAMES[0] and told["streak"] == {"now": 0, "best": 2}
        assert told["games"] == [
            {"game": "hex", "played": 1, "won": 0, "drawn": 0},
            {"game": "rastros", "played": 3, "won": 2, "drawn": 0},
        ]
        assert {(each["name"], each["level"], each["played"], each["won"]) for each in told["opponents"]} == {
            ("Rui C.", None, 2, 1),
            ("Eva D.", None, 1, 1),
            (None, 2, 1, 0),
        }
        (hex_rating, rastros) = told["ratings"]
        assert [len(hex_rating["points"]), len(rastros["points"])] == [1, 3]
        assert rastros["rating"] == rastros["points"][-1]["rating"]
    assert [each["result"] for each in school.teacher.get(f"{path}/games")["games"]] == ["lost", "lost", "won", "won"]
    assert len(school.teacher.get(f"{path}/games?game=rastros&search=EVA")["games"]) == 1
    everything = school.pupils[0].web.get(f"{path}/export")
    assert "attachment" in everything.headers["Content-Disposition"]
    assert len(everything.json()["games"]) == 4 and len(everything.json()["results"]) == 4
    for stranger in (school.pupils[1], school.pupils[5], Person(school.server.address)):
        assert stranger.web.get(path).status_code in (401, 403)
    rules = {"takebacks": True, "hints": True, "highest_level": 10, "games": None, "ratings": False}
    school.teacher.web.put(f"/api/v1/classes/{school.mine['id']}/rules", json=rules)
    assert school.pupils[0].get(path)["ratings"] is None and school.teacher.get(path)["ratings"]


def test_a_ladder_is_climbed_by_winning(school: School) -> None:
    path = f"/api/v1/classes/{school.mine['id']}"
    begun = school.teacher.web.put(f"{path}/ladder", json={"game": "rastros"}).json()["ladder"]
    assert [rung["guest"] for rung in begun["rungs"]] == school.guests[:5]
    play(school, 3, 0)
    play(school, 4, 0, "hex")
    (ladder,) = school.pupils[0].get(LOBBY)["ladders"]
    ana, rui, eva, ze, ines = school.guests[:5]
    assert [rung["guest"] for rung in ladder["rungs"]] == [ze, ana, rui, eva, ines]
    assert school.teacher.web.put(f"{path}/ladder", json={"game": None}).json()["ladder"] is None


def test_somebody_entered_twice_is_one_person(school: School) -> None:
    path = f"/api/v1/classes/{school.mine['id']}"
    ana, rui, eva = school.guests[:3]
    play(school, 0, 1)
    play(school, 2, 3)
    merge = f"{path}/pupils/{ana}/merge"
    assert refused(school.teacher.web.post(merge, json={"into": rui}), 409) == "played_each_other"
    view = school.teacher.post(merge, {"into": eva})
    assert {line["guest"]: line["won"] for line in view["pupils"]} == {
        rui: 0,
        eva: 2,
        school.guests[3]: 0,
        school.guests[4]: 0,
    }
    assert view["removed"] == [] and school.pupils[0].get("/api/v1/person")["person"] is None
    told = school.teacher.get(f"/api/v1/people/{eva}")
    assert [len(line["points"]) for line in told["ratings"]] == [2], "the games of both are rated as one's"
