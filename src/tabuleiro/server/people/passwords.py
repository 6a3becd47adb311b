"""Passwords of adults: argon2id, in a thread, and the same work whether or not the name exists."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tabuleiro.language import Text
from tabuleiro.server.errors import RefusedError

#: Characters.
MIN_PASSWORD, MAX_PASSWORD = 10, 200
#: 19 MiB and two passes: some hundredths of a second.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
#: What a password is held against where nobody has that name.
_NOBODYS = _HASHER.hash("nobody")
#: Passwords worked on at the same time: each takes a core and memory.
_AT_ONCE = 2


class Passwords:
    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def hash(self, password: str) -> str:
        if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
            raise RefusedError(
                "password",
                Text(
                    f"a palavra-passe tem pelo menos {MIN_PASSWORD} caracteres",
                    f"a password has at least {MIN_PASSWORD} characters",
                ),
            )
        async with self._turns:
            return await asyncio.to_thread(_HASHER.hash, password)

    async def is_right(self, password: str, kept: str | None) -> bool:
        """Whether this is the password of which that hash is kept; without one it is not, after the same time."""
        async with self._turns:
            right = await asyncio.to_thread(_verify, kept or _NOBODYS, password[:MAX_PASSWORD])
        return right and kept is not None


def _verify(kept: str, password: str) -> bool:
    try:
        return _HASHER.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False
