"""A class as its teacher sees it: who is here, who plays whom, how it stands."""

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa

from tabuleiro.server.log import Guest, Json
from tabuleiro.server.people import results, store
from tabuleiro.server.people.climbing import climb
from tabuleiro.server.people.ratings import Rating
from tabuleiro.server.people.school_class import SECOND_THOUGHTS, SchoolClass
from tabuleiro.server.store import MAX_ROWS
from tabuleiro.server.tables import members, streams

#: Rounds that are shown, the newest first.
MAX_ROUNDS = 20


def class_view(connection: sa.Connection, school_class: SchoolClass, here: Collection[Guest]) -> Json:
    known = store.find_people(connection, [*school_class.pupils, *school_class.removed])
    sessions = sessions_of(connection, school_class.pupils)
    ratings = results.current(connection, school_class.pupils)
    lines = []
    for pupil in school_class.pupils:
        if pupil in known:
            person = known[pupil]
            shown = {"guest": pupil, "name": person.name, "shown": person.shown, "here": pupil in here}
            shown["ratings"] = told_ratings(ratings.get(pupil, {}))
            lines.append(shown | _results(pupil, sessions.get(pupil, []), known))
    lines.sort(key=lambda line: str(line["name"]).casefold())
    first = max(0, len(school_class.rounds) - MAX_ROUNDS)
    rounds = [_round(connection, school_class, number) for number in range(len(school_class.rounds), first, -1)]
    return {
        "id": school_class.id,
        "number": school_class.number,
        "name": school_class.name,
        "school": school_class.settings.school,
        "code": school_class.settings.code,
        "rules": school_class.rules.as_json(),
        "nicknames_locked": school_class.nicknames_locked,
        "pupils": lines,
        "removed": [
            {"guest": pupil, "name": known[pupil].name, "until": when + SECOND_THOUGHTS}
            for pupil, when in school_class.removed.items()
            if pupil in known
        ],
        "rounds": rounds,
        "ladder": ladder_view(connection, school_class.summary()),
    }


def told_ratings(ratings: dict[str, Rating]) -> Json:
    """By game: the number, and how far it may be off."""
    return {game: [rating.shown, rating.give_or_take] for game, rating in ratings.items()}


def ladder_view(connection: sa.Connection, summary: Json) -> Json | None:
    """How the ladder of a class stands, from the line that lists tell of the class."""
    ladder = summary.get("ladder")  # classes stored before there were ladders do not say
    if ladder is None:
        return None
    pupils = summary["pupils"]
    known = store.find_people(connection, pupils)
    won = results.wins(connection, pupils, ladder["game"], ladder["at"])
    rungs = [guest for guest in climb(ladder["order"], pupils, won) if guest in known]
    return {"game": ladder["game"], "rungs": [{"guest": guest, "name": known[guest].shown} for guest in rungs]}


def sessions_of(connection: sa.Connection, pupils: Collection[Guest]) -> dict[Guest, list[tuple[str, Json]]]:
    """The games of each pupil, the newest first."""
    found: dict[Guest, list[tuple[str, Json]]] = {}
    numbers = [*pupils]
    for begin in range(0, len(numbers), MAX_ROWS):
        query = (
            sa.select(members.c.guest, streams.c.id, streams.c.summary)
            .join(streams, streams.c.id == members.c.stream)
            .where(members.c.guest.in_(numbers[begin : begin + MAX_ROWS]), streams.c.kind == "session")
            .order_by(streams.c.updated.desc())
        )
        for row in connection.execute(query):
            found.setdefault(row.guest, []).append((row.id, row.summary))
    return found


def _results(pupil: Guest, sessions: list[tuple[str, Json]], known: dict[Guest, store.Person]) -> Json:
    playing: Json | None = None
    played = won = drawn = 0
    for session, summary in sessions:
        mine = [place for place, seat in enumerate(summary["seats"], 1) if seat["guest"] == pupil]
        if len(mine) != 1:
            continue  # at one screen nobody wins against anybody
        other: Any = summary["seats"][2 - mine[0]]
        if summary["status"] == "over":
            outcome = summary["outcome"]
            if outcome is not None and summary["plies"] >= 2:
                played += 1
                won += outcome["winner"] == mine[0]
                drawn += outcome["winner"] is None
        elif playing is None:
            person = known.get(other["guest"] or 0)
            playing = {
                "session": session,
                "game": summary["game"],
                "status": summary["status"],
                "against": None if person is None else person.name,
                "level": other["level"],
            }
    return {"playing": playing, "played": played, "won": won, "drawn": drawn}


def _round(connection: sa.Connection, school_class: SchoolClass, number: int) -> Json:
    held = school_class.rounds[number - 1]
    ids = [pairing.session for pairing in held.pairings]
    rows = connection.execute(sa.select(streams.c.id, streams.c.summary).where(streams.c.id.in_(ids)))
    summaries = {row.id: row.summary for row in rows}
    games = []
    for pairing in held.pairings:
        # A game that a player erased is over, and nobody won it.
        summary: Any = summaries.get(pairing.session, {"status": "over", "outcome": None})
        winner = None if summary["outcome"] is None else summary["outcome"]["winner"]
        games.append(
            {
                "session": pairing.session,
                "one": pairing.one,
                "two": pairing.two,
                "level": pairing.level,
                "status": summary["status"],
                "winner": winner,
            }
        )
    return {"number": number, "game": held.game, "at": held.at, "games": games}


EXPORT_TITLES = ("nome", "nome visível", "partidas", "vitórias", "empates", "a jogar contra")


def export_rows(view: Json) -> list[list[object]]:
    """A class as a table."""
    rows: list[list[object]] = [[*EXPORT_TITLES]]
    for pupil in view["pupils"]:
        playing = pupil["playing"]
        against = "" if playing is None else playing["against"] or f"computador {playing['level']}"
        rows.append([pupil["name"], pupil["shown"] or "", pupil["played"], pupil["won"], pupil["drawn"], against])
    return rows
