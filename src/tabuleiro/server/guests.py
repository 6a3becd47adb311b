"""Guests: who holds which token. Only the hash of a token is kept, and a nickname if one was given.

A token counts when we gave it out: one that a browser brings along from elsewhere is as good as none. It is given out
when somebody first does something that is kept, and renewed once a week; the old one is good until the new one is used,
so that an answer that got lost costs nobody their games.
"""

import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import NamedTuple

import sqlalchemy as sa

from tabuleiro.language import Text
from tabuleiro.server.errors import UNKNOWN_TOKEN, RefusedError
from tabuleiro.server.guard import BOT_HASH, PLAIN_HASH, hash_of, new_token
from tabuleiro.server.identity import Who
from tabuleiro.server.log import Guest
from tabuleiro.server.loglines import log_failure
from tabuleiro.server.store import KnownGuest, Store
from tabuleiro.server.tables import adults, people, sign_ins

MAX_NICKNAME = 20
MAX_REMEMBERED = 50_000
DAY = 24 * 3600.0
#: The age at which a token is renewed, and the seconds for which the old one stays good after the new one was used.
RENEWED, UNDER_WAY = 7 * DAY, 60.0
#: Seconds after which the database is asked again who holds a token.
ASK_AGAIN = 60.0


class _Known(NamedTuple):
    guest: Guest
    #: When the database said so, by `time.monotonic`.
    asked: float


class Guests:
    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store = store
        self._now = now
        self._known: OrderedDict[str, _Known] = OrderedDict()

    async def who(self, token_hash: str | None) -> Who:
        """For whom the holder of a token that we gave out acts: a person who signed in, or a guest who did something
        before; nobody for who holds none, or made one up. Bots are made beforehand, and may be unmade at any time."""
        if token_hash is None:
            return Who(None)
        is_bot = token_hash.startswith(BOT_HASH)
        known = self._known.get(token_hash)
        if known is not None and not is_bot and time.monotonic() - known.asked < ASK_AGAIN:
            return Who(known.guest)
        # Sign-ins may end at any time and are looked up.
        signed_in = await self._store.read(lambda connection: who_signed_in(connection, token_hash))
        if signed_in is not None:
            return signed_in
        found = await self._store.guest(token_hash.removeprefix(PLAIN_HASH), self._now())
        if token_hash.startswith(PLAIN_HASH) and found is not None and found.token_made is not None:
            found = None  # since its name says that no other site can have set it, only that one counts
        if found is None:
            if is_bot:
                raise RefusedError(*UNKNOWN_TOKEN)
            self._known.pop(token_hash, None)
            return Who(None)
        await self._note(found, token_hash)
        self._known[token_hash] = _Known(found.id, time.monotonic())
        if len(self._known) > MAX_REMEMBERED:
            self._known.popitem(last=False)
        return Who(found.id)

    async def find(self, token_hash: str | None) -> Guest | None:
        return (await self.who(token_hash)).guest

    async def _note(self, found: KnownGuest, token_hash: str) -> None:
        """Write down that they were here, and that they use their new token. If that fails, it does so the next time
        too, and they are who they are all the same."""
        now = self._now()
        try:
            if found.is_next:
                await self._store.take_token(token_hash, now, now + UNDER_WAY)
            if found.seen is None or now - found.seen > DAY:
                await self._store.saw(found.id, now)
        except Exception as error:
            log_failure("guest_not_noted", error)

    async def make(self) -> tuple[Guest, str]:
        """A new guest, and the token by which they will be known."""
        token = new_token()
        return await self._store.make_guest(hash_of(token), self._now()), token

    def forget(self, token_hash: str | None) -> None:
        """A cookie was exchanged for another."""
        if token_hash is not None:
            self._known.pop(token_hash, None)

    async def renewed(self, token_hash: str) -> str | None:
        """A token to follow one that has been used for long, or that did not come from us. Who signs in gets a new one
        then."""
        if (await self.who(token_hash)).sign_in is not None or token_hash.startswith(BOT_HASH):
            return None
        found = await self._store.guest(token_hash.removeprefix(PLAIN_HASH), self._now())
        if found is None or (found.token_made is not None and self._now() - found.token_made < RENEWED):
            return None
        token = new_token()
        await self._store.offer_token(found.id, hash_of(token))
        return token

    async def nickname(self, guest: Guest | None) -> str | None:
        return None if guest is None else (await self._store.nicknames({guest})).get(guest)

    def forget_guest(self, guest: Guest) -> None:
        """They are erased."""
        self._known = OrderedDict((token, known) for token, known in self._known.items() if known.guest != guest)


def read_nickname(text: str) -> str:
    nickname = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(nickname) <= MAX_NICKNAME or not nickname.isprintable():
        raise RefusedError(
            "nickname",
            Text(
                f"o nome tem de 1 a {MAX_NICKNAME} letras, algarismos ou sinais",
                f"a name has 1 to {MAX_NICKNAME} letters, digits or signs",
            ),
        )
    return nickname


#: Asked of everybody who comes, so it is put together once.
_SIGNED_IN = (
    sa.select(sign_ins.c.id, sign_ins.c.guest, sign_ins.c.kind, adults.c.role)
    .join(people, people.c.guest == sign_ins.c.guest)
    .outerjoin(adults, adults.c.guest == sign_ins.c.guest)
    .where(sign_ins.c.token_hash == sa.bindparam("token", type_=sa.String), people.c.removed.is_(None))
)


def who_signed_in(connection: sa.Connection, hashed: str) -> Who | None:
    """The person who signed in with a cookie, by its hash, if one did."""
    row = connection.execute(_SIGNED_IN, {"token": hashed}).one_or_none()
    return None if row is None else Who(row.guest, row.role or "pupil", row.id, row.kind)


def living_sign_ins(connection: sa.Connection, numbers: Collection[int]) -> set[int]:
    """Those of these sign-ins that have not been ended."""
    return set(connection.scalars(sa.select(sign_ins.c.id).where(sign_ins.c.id.in_([*numbers]))))
