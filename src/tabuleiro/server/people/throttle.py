"""How often somebody may be wrong about a code or a password.

Only wrong answers count. They count for the browser first, then for the address, then for the account or class as a
whole; but the last not at addresses from which its people have signed in before. So who guesses is stopped, and nobody
who guesses from elsewhere can keep a class out, nor one pupil the others. QR codes cannot be guessed and are not held
up.
"""

import time
from collections import OrderedDict
from collections.abc import Callable

from tabuleiro.language import Text
from tabuleiro.server.errors import Refusal, RefusedError
from tabuleiro.server.token_bucket import Rate, Recent, TokenBucket

#: Wrong answers of one browser, of one address, and about one class or account from addresses not known for it.
BROWSER, ADDRESS, STRANGERS = Rate(10, 1 / 30), Rate(60, 1 / 15), Rate(100, 1 / 30)
MAX_REMEMBERED = 20_000

TOO_OFTEN = Refusal(
    "too_often",
    Text(
        "foram demasiadas tentativas; espera um pouco, ou usa o código QR",
        "too many attempts; wait a little, or use the QR code",
    ),
    429,
)


class Throttle:
    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._buckets: Recent[tuple[str, str, Rate], TokenBucket] = Recent(
            lambda key: TokenBucket(key[2], now), MAX_REMEMBERED
        )
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def attempt(self, about: str, address: str, browser: str | None) -> None:
        """Refuse who has been wrong too often. To be asked before anything is compared: an attempt counts as wrong
        until it proves right, or a thousand at once would all be let through."""
        buckets = self._buckets_of(about, address, browser)
        if any(bucket.left() < 1 for bucket in buckets):
            raise RefusedError(*TOO_OFTEN)
        for bucket in buckets:
            bucket.spend(1)

    def right(self, about: str, address: str, browser: str | None) -> None:
        """An attempt was right: it does not count, and its address is known for it."""
        for bucket in self._buckets_of(about, address, browser):
            bucket.spend(-1)
        self._known[about, address] = None
        self._known.move_to_end((about, address))
        if len(self._known) > MAX_REMEMBERED:
            self._known.popitem(last=False)

    def _buckets_of(self, about: str, address: str, browser: str | None) -> list[TokenBucket]:
        keys = [("address", address, ADDRESS)]
        if browser is not None:
            keys.insert(0, ("browser", browser, BROWSER))
        if (about, address) not in self._known:
            keys.append(("about", about, STRANGERS))
        return [self._buckets[key] for key in keys]
