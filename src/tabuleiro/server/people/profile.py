"""What somebody has played: games, results, opponents, ratings, as they, their teacher and the organiser see it."""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa

from tabuleiro.championship.words import plain
from tabuleiro.server.log import Guest, Json
from tabuleiro.server.people import results, store
from tabuleiro.server.people.ratings import FEWEST_PLIES
from tabuleiro.server.store import ERASED
from tabuleiro.server.tables import guests, members, streams

#: Games of one page.
PAGE = 50

Outcome = Literal["won", "lost", "drawn", "open"]


class Played(NamedTuple):
    """A game of somebody against one other."""

    id: str
    game: str
    at: float
    guest: Guest | None
    level: int | None
    #: Of the opponent, as others see it; None for the computer and for who was erased.
    name: str | None
    result: Outcome
    plies: int


def games_of(connection: sa.Connection, guest: Guest) -> list[Played]:
    """The newest first. What one played at one screen, or nobody joined, is against nobody."""
    query = (
        sa.select(streams.c.id, streams.c.updated, streams.c.summary)
        .join(members, members.c.stream == streams.c.id)
        .where(members.c.guest == guest, ~members.c.hidden, streams.c.kind == "session")
        .order_by(streams.c.updated.desc())
    )
    rows = connection.execute(query).all()
    names = _names(connection, {seat["guest"] for row in rows for seat in row.summary["seats"]} - {None})
    return [*_played(rows, guest, names)]


def _played(rows: Any, guest: Guest, names: dict[Guest, str | None]) -> Iterator[Played]:
    for row in rows:
        seats = row.summary["seats"]
        mine = [place for place, seat in enumerate(seats, 1) if seat["guest"] == guest]
        if len(mine) != 1 or row.summary["status"] == "waiting":
            continue
        other, outcome = seats[2 - mine[0]], row.summary["outcome"]
        result: Outcome = "open"
        if outcome is not None:
            result = "drawn" if outcome["winner"] is None else "won" if outcome["winner"] == mine[0] else "lost"
        name = names.get(other["guest"])
        yield Played(
            row.id, row.summary["game"], row.updated, other["guest"], other["level"], name, result, row.summary["plies"]
        )


def _names(connection: sa.Connection, numbers: set[Guest]) -> dict[Guest, str | None]:
    query = sa.select(guests.c.id, guests.c.nickname, guests.c.erased).where(guests.c.id.in_(numbers))
    return {row.id: None if row.erased or row.nickname == ERASED else row.nickname for row in connection.execute(query)}


def profile(connection: sa.Connection, guest: Guest, *, with_ratings: bool) -> Json | None:
    person = store.find_people(connection, [guest]).get(guest)
    if person is None:
        return None
    played = games_of(connection, guest)
    over = [each for each in played if each.result != "open" and each.plies >= FEWEST_PLIES]
    by_game: dict[str, list[Played]] = {}
    by_opponent: dict[tuple[Guest | None, int | None], list[Played]] = {}
    for each in over:
        by_game.setdefault(each.game, []).append(each)
        by_opponent.setdefault((each.guest, each.level), []).append(each)
    opponents = [
        {"guest": number, "level": level, "name": games[0].name, **_count(games)}
        for (number, level), games in by_opponent.items()
    ]
    classes = store.classes_of(connection, [guest]).get(guest, {})
    return {
        "guest": guest,
        "name": person.name,
        "shown": person.shown,
        "role": person.role,
        "school": person.school,
        "classes": [{"id": number, "name": summary["name"]} for number, summary in classes.items()],
        "ratings": _ratings(connection, guest) if with_ratings else None,
        "games": [{"game": game, **_count(games)} for game, games in sorted(by_game.items())],
        "opponents": sorted(opponents, key=lambda line: -int(line["played"])),
        "streak": _streak(over),
    }


def _count(games: list[Played]) -> Json:
    results_of = [each.result for each in games]
    return {"played": len(games), "won": results_of.count("won"), "drawn": results_of.count("drawn")}


def _ratings(connection: sa.Connection, guest: Guest) -> list[Json]:
    points: dict[str, list[Json]] = {}
    for each in results.history(connection, guest):
        told = {"at": each.ended, "rating": each.rating.shown, "give_or_take": each.rating.give_or_take}
        points.setdefault(each.game, []).append(told)
    return [
        {"game": game, "rating": line[-1]["rating"], "give_or_take": line[-1]["give_or_take"], "points": line}
        for game, line in sorted(points.items())
    ]


def _streak(over: list[Played]) -> Json:
    """Games won one after the other, up to now and at best; `over`: the newest first."""
    best = run = 0
    for each in reversed(over):
        run = run + 1 if each.result == "won" else 0
        best = max(best, run)
    return {"now": run, "best": best}


def find_games(played: list[Played], game: str | None, search: str, skip: int) -> Json:
    """A page of games: of one game, with a name in them, if that is asked for."""
    wanted = plain(search)
    found = [each for each in played if game in (None, each.game) and wanted in plain(each.name or "")]
    return {"games": [each._asdict() for each in found[skip : skip + PAGE]], "more": len(found) > skip + PAGE}
