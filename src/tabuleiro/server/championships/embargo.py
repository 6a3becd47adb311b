"""Nobody on this server is told what to think of a position of a championship game that is being played: no analysis,
no report, no hint. The first moves, which are everybody's, are free."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field

from tabuleiro.core import Position
from tabuleiro.language import Text
from tabuleiro.record import Line
from tabuleiro.server.championships.store import summaries
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.hub import Hub
from tabuleiro.server.sessions import GameSession

#: The plies of a game that anybody may ask about.
FREE_PLIES = 6

EMBARGO = Refusal(
    "embargo",
    Text(
        "esta posição está a ser jogada num campeonato: só se analisa depois",
        "this position is being played in a championship: it can be analysed afterwards",
    ),
    403,
)


@dataclass
class _Known:
    """The positions of a game, as far as they have been looked at."""

    plies: int = FREE_PLIES
    keys: set[str] = field(default_factory=set)
    #: Of the positions that may come next: who asks about all of them asks about this one.
    next: set[str] = field(default_factory=set)


class Embargo:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._known: dict[str, _Known] = {}

    async def require_free(self, line: Line) -> None:
        """Refuse a line that passes through a position of a game of a championship that goes on, or through one of its
        symmetries."""
        running = await self._running(line.game)
        self._known = {session: known for session, known in self._known.items() if session in running}
        if not running:
            return
        asked = await asyncio.to_thread(lambda: {*_keys(node.position for node in line.replay().root.line())})
        for session_id in running:
            opened = await self._hub.log.get(session_id)
            if opened is None:
                continue
            async with opened.held() as session:
                known = self._look(session)
            if session.settings.game == line.game and session.outcome is None and asked & (known.keys | known.next):
                raise RefusedError(*EMBARGO)

    async def _running(self, game: str) -> list[str]:
        """The championship games that may be going on in sections of this game."""
        found = await self._hub.store.read(summaries)
        rows = [row for summary in found.values() for row in summary["playing"]]
        return [session for session, group, *_ in rows if group.startswith(f"{game}-")]

    def _look(self, session: GameSession) -> _Known:
        known = self._known.setdefault(session.id, _Known())
        if known.plies < len(session.history):
            path = [*session.last.path()]
            known.keys.update(_keys(node.position for node in path[known.plies + 1 :]))
            known.plies = len(session.history)
            position = session.last.position
            known.next = {*_keys(position.play(move) for move in position.legal_moves())}
        return known


def _keys(positions: Iterator[Position]) -> Iterator[str]:
    """Positions, each by one name for all its symmetries."""
    for position in positions:
        turned = (position.transform(symmetry) for symmetry in position.symmetries())
        yield min(str(position), *(str(other) for other in turned), str(position))
