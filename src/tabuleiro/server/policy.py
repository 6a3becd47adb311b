"""What other packages decide about game sessions; `app.py` says which object does.

Game sessions know neither classes nor championships. They ask these.
"""

from typing import Protocol

from tabuleiro.record import Line
from tabuleiro.server.identity import Who
from tabuleiro.server.sessions import GameSession, House


class AccessPolicy(Protocol):
    """Who may watch, join and begin which games (`people.doorkeeper`)."""

    async def watch(self, who: Who, session: GameSession) -> None:
        """Raise `RefusedError` if they may not see the session."""

    async def join(self, who: Who, session: GameSession) -> None:
        """Raise `RefusedError` if they may not play in the session."""

    async def begin(self, who: Who, game: str, level: int | None) -> House | None:
        """Return the rules for a session that they begin, or raise `RefusedError`."""


class AdvicePolicy(Protocol):
    """Which positions are analysed, and in which sessions there is help (`championships.embargo`)."""

    async def require_free(self, line: Line) -> None:
        """Raise `RefusedError` if nobody may be told what a position is worth."""

    async def require_no_help(self, session: GameSession) -> None:
        """Raise `RefusedError` if a session has no help."""
