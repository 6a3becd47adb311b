"""How often one address may ask for what, and how many connections it may hold.

A school sits behind one address, so a limit is what a hundred children in a hurry do not reach, and a program that
floods does. What makes engines think is counted for each guest too, and first: a guest who asks for too much spoils
nothing for the others behind the same address. Each process counts by itself. What is counted is what a request costs:
a long body is as much as many short ones.

Who stands behind a web server (a proxy) is known by what it says (`X-Forwarded-For`), if it is one of ours.
"""

import ipaddress
from collections import Counter
from functools import cache, lru_cache

from starlette.types import Scope

from tabuleiro.server.errors import TOO_MANY_REQUESTS, RefusedError
from tabuleiro.server.fairness import Level
from tabuleiro.server.token_bucket import Rate, Recent, TokenBucket

#: Connections to sessions from one address.
MAX_CONNECTIONS = 4000
#: Positions, pictures and records, which the rules work out in threads: 2 at the same time for all who share an
#: address, 1 for one guest. More gain nothing, since one thread at a time runs Python, and keep waiting the one that
#: answers everybody. And how many may have been asked for.
RULES_LEVELS = (Level(at_once=2, asked=1000), Level(at_once=1, asked=200))
#: Addresses and guests are remembered for as long as there is room; those not heard of for longest go first.
MAX_REMEMBERED = 10_000


#: The bytes of a body that cost as much as a request without one.
BODY_UNIT = 16 * 1024


#: By what is asked for: the first that fits counts. A method `*` is any, a path ending in `/` is all below it.
RATES = (
    ("POST", "/api/v1/bots", Rate(30, 0.1)),
    ("POST", "/api/v1/sessions", Rate(1500, 10)),
    ("POST", "/api/v1/positions", Rate(300, 50)),
    ("POST", "/api/v1/positions/why", Rate(300, 50)),
    ("POST", "/api/v1/analyses", Rate(2000, 60)),
    ("POST", "/api/v1/reports", Rate(400, 10)),
    ("POST", "/api/v1/openings", Rate(1000, 50)),
    ("POST", "/api/v1/openings/known", Rate(1000, 30)),
    ("POST", "/api/v1/tasks/", Rate(2000, 60)),
    ("POST", "/api/v1/live", Rate(2000, 60)),
    ("GET", "/ws/", Rate(4000, 60)),
    ("GET", "/api/", Rate(4000, 200)),
    ("GET", "/", Rate(4000, 300)),
    ("*", "/", Rate(3000, 60)),
)
#: The same for each guest; those who send no token are one guest.
GUEST_RATES = (
    ("POST", "/api/v1/analyses", Rate(100, 4)),
    ("POST", "/api/v1/reports", Rate(20, 0.5)),
    ("POST", "/api/v1/openings/known", Rate(100, 4)),
    ("POST", "/api/v1/tasks/", Rate(150, 5)),
    ("POST", "/api/v1/live", Rate(150, 5)),
)


_Rates = tuple[tuple[str, str, Rate], ...]


class _Buckets:
    """The token buckets of each client, one for every line of a table of rates."""

    def __init__(self, rates: _Rates) -> None:
        self._rates = rates
        self._buckets: Recent[tuple[str, int], TokenBucket] = Recent(
            lambda key: TokenBucket(rates[key[1]][2]), MAX_REMEMBERED
        )

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, client: str, scope: Scope, cost: float) -> None:
        """Count a request, or refuse it."""
        method = scope.get("method", "GET")
        for number, (wanted, path, _) in enumerate(self._rates):
            inside = scope["path"].startswith(path) if path.endswith("/") else scope["path"] == path
            if inside and wanted in (method, "*"):
                if not self._buckets[client, number].take(cost):
                    raise RefusedError(*TOO_MANY_REQUESTS)
                return


class Limits:
    def __init__(self) -> None:
        # Apart, so that nobody who makes up guests makes us forget addresses.
        self._addresses, self._guests = _Buckets(RATES), _Buckets(GUEST_RATES)
        self.connections: Counter[str] = Counter()

    def admit(self, scope: Scope, guest: str | None = None, body: int = 0) -> None:
        """Count a request with a body of so many bytes, or refuse it. A guest is known by what only they can send."""
        address, cost = client_of(scope), 1 + body // BODY_UNIT
        self._guests.take(guest or address, scope, cost)
        self._addresses.take(address, scope, cost)

    def connect(self, scope: Scope) -> str:
        """Count a connection that begins, or refuse it. What is returned must be given to `disconnect`."""
        self.admit(scope)
        client = client_of(scope)
        if self.connections[client] >= MAX_CONNECTIONS:
            raise RefusedError(*TOO_MANY_REQUESTS)
        self.connections[client] += 1
        return client

    def disconnect(self, client: str) -> None:
        self.connections[client] -= 1
        if not self.connections[client]:
            del self.connections[client]


def client_of(scope: Scope) -> str:
    """The address of the one who asks."""
    return house_of(str((scope.get("client") or ("", 0))[0]))


@lru_cache(10_000)
def house_of(host: str) -> str:
    """What an address is counted as. With IPv6 one house has a whole network of addresses; an address of before it
    (`::ffff:192.0.2.1`) is that one alone."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


class Proxies:
    """The web servers that are believed when they say for whom they ask: addresses and ranges of addresses."""

    def __init__(self, ranges: str) -> None:
        """`ranges`: as `127.0.0.1,10.0.0.0/8`; raises `ValueError` for what is none."""
        named = [each.strip() for each in ranges.split(",") if each.strip()]
        self._networks = [ipaddress.ip_network(each) for each in named]
        self._knows = lru_cache(10_000)(self._has)

    def __contains__(self, host: str) -> bool:
        return self._knows(host)

    def _has(self, host: str) -> bool:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        if address.version == 6 and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        return any(address in network for network in self._networks if network.version == address.version)

    def visitor(self, peer: str, forwarded: str) -> str:
        """Who asks, where `peer` asks and says for whom: each proxy adds the one that asked it, so the last one that
        is no proxy of ours. What stands before is what that one claims."""
        if peer not in self:
            return peer
        named = [each.strip() for each in forwarded.split(",") if each.strip()]
        return next((each for each in reversed(named) if each not in self), named[0] if named else peer)


proxies_of = cache(Proxies)
