"""Signing in: by card, by the code of a class and one's own, by name and password, by a link that works once."""

import asyncio
import unicodedata
from dataclasses import dataclass

import sqlalchemy as sa

from tabuleiro.language import Text
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.log import Guest
from tabuleiro.server.people import codes, store
from tabuleiro.server.people.passwords import Passwords
from tabuleiro.server.people.throttle import Throttle
from tabuleiro.server.store import Store

#: Seconds for which a link may be used.
LINK_AGE = 7 * 24 * 3600.0

WRONG_CARD = Refusal(
    "wrong_card", Text("este cartão já não vale; pede outro", "this card is no longer valid; ask for another"), 403
)
WRONG_CODE = Refusal("wrong_code", Text("o código não está certo", "the code is not right"), 403)
WRONG_PASSWORD = Refusal(
    "wrong_password", Text("o nome ou a palavra-passe não estão certos", "the name or the password is not right"), 403
)
WRONG_LINK = Refusal(
    "wrong_link", Text("esta ligação já foi usada ou passou do prazo", "this link was used already or is too old"), 403
)


@dataclass(frozen=True)
class Browser:
    """Where an attempt comes from."""

    address: str
    #: The hash of its cookie; None for who has sent none.
    cookie: str | None


class Doors:
    """The ways in. Each says who comes in, or refuses."""

    def __init__(self, kept: Store, database: str) -> None:
        self._store = kept
        self._database = database
        self._secret: bytes | None = None
        self.passwords = Passwords()
        self.throttle = Throttle()

    async def secret(self) -> bytes:
        if self._secret is None:
            self._secret = await asyncio.to_thread(codes.load_secret, self._database)
        return self._secret

    async def by_card(self, token: str) -> Guest:
        found = await self._store.read(lambda connection: store.card_owner(connection, codes.token_hash(token)))
        if found is None:
            raise RefusedError(*WRONG_CARD)
        return found[0]

    async def by_code(self, class_code: str, code: str, browser: Browser) -> Guest:
        class_code, code = codes.read_code(class_code), codes.read_code(code)
        self.throttle.attempt(class_code, browser.address, browser.cookie)
        secret = await self.secret()

        def find(connection: sa.Connection) -> Guest | None:
            stream = store.class_with_code(connection, class_code)
            hashed = codes.code_hash(secret, stream or "", code)
            return store.code_owner(connection, stream or "", hashed)

        guest = await self._store.read(find)
        if guest is None:
            raise RefusedError(*WRONG_CODE)
        self.throttle.right(class_code, browser.address, browser.cookie)
        return guest

    async def by_password(self, login: str, password: str, browser: Browser) -> Guest:
        name = read_login(login)
        self.throttle.attempt(name, browser.address, browser.cookie)
        known = await self._store.read(lambda connection: store.password_of(connection, login=name))
        right = await self.passwords.is_right(password, None if known is None else known.password_hash)
        if known is None or not right:
            raise RefusedError(*WRONG_PASSWORD)
        self.throttle.right(name, browser.address, browser.cookie)
        return known.guest

    async def by_link(self, token: str, now: float) -> Guest:
        guest = await self._store.write(lambda connection: store.use_link(connection, codes.token_hash(token), now))
        if guest is None:
            raise RefusedError(*WRONG_LINK)
        return guest


def read_login(text: str) -> str:
    """A name to sign in with, as it is compared: capitals and spaces around do not matter."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())
