"""How games began that were played here: finished ones, the newest, without anybody's name.

What is remembered of a game is its first moves and its result, for as long as the game is stored: erased games are
forgotten at the next look. Where only a few games came through a position nothing is told of it, so that nobody follows
the game of somebody they know.
"""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sa

from tabuleiro import games
from tabuleiro.collection import OpeningTree, Row, replayed
from tabuleiro.openings import DEPTH
from tabuleiro.server.sessions import GameSession
from tabuleiro.server.store import MAX_ROWS, Store
from tabuleiro.server.tables import events, streams

#: Games of one kind that are looked at: the newest.
NEWEST = 2000
#: Seconds for which nobody looks whether there are new ones.
FRESH = 60.0
#: A position through which fewer games came is not told of.
FEWEST = 3

Options = tuple[tuple[str, str], ...]


class _Known(NamedTuple):
    """What is remembered of the games of one kind, by their ids, and when that was looked up."""

    rows: dict[str, Row]
    trees: dict[Options, OpeningTree]
    looked: float


class PlayedOpenings:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, _Known] = {}
        self._looking = asyncio.Lock()

    async def tree(self, game: str, options: Options, now: float) -> OpeningTree:
        """How games of one kind began, under the options that differ from the defaults."""
        async with self._looking:
            known = self._known.get(game) or _Known({}, {}, -FRESH)
            if now - known.looked >= FRESH:
                rows = await self._store.read(lambda connection: _finished(connection, game, known.rows))
                trees = known.trees if rows.keys() == known.rows.keys() else {}
                known = self._known[game] = _Known(rows, trees, now)
            if options not in known.trees:
                known.trees[options] = await asyncio.to_thread(_tree, [*known.rows.values()], options)
            return known.trees[options]


def _tree(rows: list[Row], options: Options) -> OpeningTree:
    tree = OpeningTree(DEPTH)
    # One stored under rules that were read otherwise then is no reason to say nothing of the others.
    for played in replayed((row for row in rows if row.options == options), DEPTH, skip_wrong=True):
        tree.add(played)
    return tree


def _finished(connection: sa.Connection, game: str, known: dict[str, Row]) -> dict[str, Row]:
    """The newest finished games of a kind that began at its standard start; of those that are known nothing is read
    again."""
    query = (
        sa.select(streams.c.id)
        .where(streams.c.kind == GameSession.kind, streams.c.summary["status"].as_string() == "over")
        .where(streams.c.summary["game"].as_string() == game)
        .order_by(streams.c.updated.desc())
        .limit(NEWEST)
    )
    there = [*connection.scalars(query)]
    new = [stream for stream in there if stream not in known]
    found = dict(known)
    for begin in range(0, len(new), MAX_ROWS):
        found.update(_rows(connection, new[begin : begin + MAX_ROWS]))
    return {stream: found[stream] for stream in there if stream in found}


def _rows(connection: sa.Connection, ids: list[str]) -> Iterable[tuple[str, Row]]:
    told = sa.select(events.c.stream, events.c.kind, events.c.data).where(
        events.c.stream.in_(ids), events.c.kind.in_(("move", "takeback"))
    )
    moves: dict[str, list[str]] = {stream: [] for stream in ids}
    for event in connection.execute(told.order_by(events.c.stream, events.c.number)):
        if event.kind == "move":
            moves[event.stream].append(event.data["move"])
        else:
            del moves[event.stream][event.data["ply"] :]
    heads = sa.select(streams.c.id, streams.c.settings, streams.c.summary).where(streams.c.id.in_(ids))
    for head in connection.execute(heads):
        row = _row(head.settings, head.summary, moves[head.id])
        if row is not None:
            yield head.id, row


def _row(settings: dict[str, object], summary: dict[str, object], moves: list[str]) -> Row | None:
    """The beginning of a game and its result; None for one that did not begin at the standard start."""
    outcome, options = summary["outcome"], settings["options"]
    assert isinstance(outcome, dict) and isinstance(options, dict)
    kind = games.get(str(settings["game"]))
    chosen = kind.options_type.parse(options)
    # A session that was given up after thousands of moves is a draw even where the rules know none.
    if settings["position"] is not None or (outcome["winner"] is None and not kind.start(chosen).can_draw):
        return None
    result = {None: "1/2-1/2", 1: "1-0", 2: "0-1"}[outcome["winner"]]
    # The rest of a longer game is not looked at: nothing is said of how it ended but the result.
    begun = moves[: DEPTH + 1]
    return Row(kind.id, tuple(sorted(chosen.changed().items())), None, " ".join(begun), result, None, {})
