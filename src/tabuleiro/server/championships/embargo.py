"""Nobody on this server is told what to think of a position of a championship game that is being played: no analysis,
no report, no hint, no word on what is attacked, no move of a computer player. The first moves, which are everybody's,
are free."""

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tabuleiro.core import Position
from tabuleiro.geometry import Cell
from tabuleiro.language import Text
from tabuleiro.record import Line
from tabuleiro.server.championships.store import summaries
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.hub import Hub
from tabuleiro.server.sessions import GameSession

#: The plies of a game that anybody may ask about.
FREE_PLIES = 6
#: Seconds for which it is remembered which games are being played: of those that begin elsewhere nobody plays the free
#: plies in less.
REMEMBERED = 1.0

EMBARGO = Refusal(
    "embargo",
    Text(
        "esta posição está a ser jogada num campeonato: só se analisa depois",
        "this position is being played in a championship: it can be analysed afterwards",
    ),
    403,
)
SILENT = Refusal(
    "embargo",
    Text(
        "esta posição está a ser jogada num campeonato: o computador responde depois",
        "this position is being played in a championship: the computer answers afterwards",
    ),
    403,
)
NO_HELP = Refusal("embargo", Text("num campeonato não há ajudas", "there is no help in a championship"), 403)


#: What lies on the cells of a position. Whose turn it is, what was counted before and under which options is left out:
#: who asks about the same board in other words asks about the same thing.
_Board = frozenset[tuple[Cell, str]]


@dataclass
class _Known:
    """The positions of a game, as far as they have been looked at."""

    plies: int = FREE_PLIES
    boards: set[_Board] = field(default_factory=set)
    #: Of the positions that may come next: who asks about all of them asks about this one.
    next: set[_Board] = field(default_factory=set)


class Embargo:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._known: dict[str, _Known] = {}
        #: The championship games that may be going on, each with its game, and when that was looked up.
        self._running: list[tuple[str, str]] = []
        self._looked = -math.inf

    def look_again(self) -> None:
        """A game has begun here."""
        self._looked = -math.inf

    async def require_free(self, line: Line) -> None:
        """Refuse a line that passes through a position of a game of a championship that goes on, or through one of its
        symmetries."""
        if not await self._is_free(line.game, lambda: (node.position for node in line.replay().root.line())):
            raise RefusedError(*EMBARGO)

    async def require_no_help(self, session: GameSession) -> None:
        """Refuse to say anything about the position of a session: it is of a championship, or of one of its games."""
        if session.settings.championship is not None and session.outcome is None:
            raise RefusedError(*NO_HELP)
        if not await self.may_answer(session):
            raise RefusedError(*EMBARGO)

    async def may_answer(self, session: GameSession) -> bool:
        """Whether a computer player may say what it would do where a session stands."""
        position = session.last.position
        return await self._is_free(session.settings.game, lambda: iter([position]))

    async def _is_free(self, game: str, positions: Callable[[], Iterator[Position]]) -> bool:
        """Whether none of these positions is of a championship game that goes on."""
        running = [session for session, of_game in await self._games() if of_game == game]
        if not running:
            return True
        asked = await asyncio.to_thread(
            lambda: {board for position in positions() for board in _seen_all_ways(position)}
        )
        for session_id in running:
            opened = await self._hub.log.get(session_id)
            if opened is None:
                continue
            async with opened.held() as session:
                known = self._look(session)
            if session.outcome is None and (asked & known.boards or asked & known.next):
                return False
        return True

    async def _games(self) -> list[tuple[str, str]]:
        if time.monotonic() - self._looked > REMEMBERED:
            found = await self._hub.store.read(summaries)
            rows = [row for summary in found.values() for row in summary["playing"]]
            self._running = [(session, group.partition("-")[0]) for session, group, *_ in rows]
            self._looked = time.monotonic()
            here = {session for session, _ in self._running}
            self._known = {session: known for session, known in self._known.items() if session in here}
        return self._running

    def _look(self, session: GameSession) -> _Known:
        known = self._known.setdefault(session.id, _Known())
        if known.plies < len(session.history):
            path = [*session.last.path()]
            known.boards.update(_board(node.position) for node in path[known.plies + 1 :])
            known.plies = len(session.history)
            position = session.last.position
            known.next = {_board(position.play(move)) for move in position.legal_moves()}
        return known


def _board(position: Position) -> _Board:
    return frozenset((cell, piece.symbol) for cell, piece in position.pieces().items())


def _seen_all_ways(position: Position) -> Iterator[_Board]:
    """The board of a position, and those of its symmetries."""
    yield _board(position)
    for symmetry in position.symmetries():
        yield _board(position.transform(symmetry))
