"""The names this server answers to.

A page of another site can reach us under a name of its own that it makes point to our address (DNS rebinding). To the
browser that page and we are then one site; the name in `Host` is what tells them apart. Addresses, names of the local
network (`localhost`, others without a dot, `*.local`) and the machine's own name cannot be had by another site; other
names are ours where the settings say so.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable
from functools import lru_cache

_PORT = re.compile(r":\d{0,5}$")


class HostNames:
    def __init__(self, named: Iterable[str] = ()) -> None:
        self._named = {name.lower().rstrip(".") for name in (*named, socket.gethostname()) if name}
        #: Whether a `Host` header is one of ours. Nearly all are the same.
        self.has = lru_cache(1000)(self._has)

    def _has(self, host: str) -> bool:
        """Browsers always send a `Host`; who sends none is no browser."""
        name = _PORT.sub("", host).lower().rstrip(".")
        if name in self._named or name.endswith((".localhost", ".local")):
            return True
        try:
            ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return "." not in name
        return True
