"""Guests: who holds which token. Only the hash of a token is kept, and a nickname if one was given."""

import unicodedata
from collections import OrderedDict

from tabuleiro.language import Text
from tabuleiro.server.errors import UNKNOWN_TOKEN, RefusedError
from tabuleiro.server.guard import BOT_HASH
from tabuleiro.server.log import Guest
from tabuleiro.server.people.permissions import Who
from tabuleiro.server.people.store import who_has
from tabuleiro.server.store import Store

MAX_NICKNAME = 20
MAX_REMEMBERED = 50_000


class Guests:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._numbers: OrderedDict[str, Guest] = OrderedDict()

    async def who(self, token_hash: str) -> Who:
        """For whom the holder of a token acts: a person who signed in, or a guest who did something before. Bots are
        made beforehand, and may be unmade at any time."""
        if token_hash.startswith(BOT_HASH):
            bot = await self._store.guest(token_hash)
            if bot is None:
                raise RefusedError(*UNKNOWN_TOKEN)
            return Who(bot[0])
        if (number := self._numbers.get(token_hash)) is not None:
            return Who(number)
        found = await self._store.read(lambda connection: who_has(connection, token_hash))
        if found is None:
            return Who(None)
        if found.sign_in is None and found.guest is not None:
            # A cookie that signs in is exchanged for another, so what this one stands for does not change. Sign-ins
            # may end at any time and are looked up.
            self._remember(token_hash, found.guest)
        return found

    async def find(self, token_hash: str) -> Guest | None:
        return (await self.who(token_hash)).guest

    async def admit(self, token_hash: str) -> Guest:
        """The number of a guest, old or new."""
        number = await self.find(token_hash)
        if number is None:
            number = await self._store.make_guest(token_hash)
            self._remember(token_hash, number)
        return number

    async def nickname(self, token_hash: str) -> str | None:
        guest = await self.find(token_hash)
        return None if guest is None else (await self._store.nicknames({guest}))[guest]

    def forget(self, token_hash: str) -> None:
        """A cookie was exchanged for another."""
        self._numbers.pop(token_hash, None)

    def _remember(self, token_hash: str, number: Guest) -> None:
        self._numbers[token_hash] = number
        if len(self._numbers) > MAX_REMEMBERED:
            self._numbers.popitem(last=False)


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
