"""Says on the local network that `tabuleiro.local` is this machine (mDNS), so that nobody has to type its address. It
waits for nothing and is missed by nobody: where there is no network, or the name is taken, the address still works."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

from zeroconf import ServiceInfo, Zeroconf

from tabuleiro.server.loglines import log_failure

NAME = "tabuleiro.local"
SERVICE = "_http._tcp.local."


def service_at(address: str) -> ServiceInfo:
    """What is announced for a server at an address, as `http://192.168.1.5:8000`."""
    parts = urlsplit(address)
    return ServiceInfo(
        SERVICE,
        f"Tabuleiro.{SERVICE}",
        port=parts.port,
        server=f"{NAME}.",
        addresses=[socket.inet_aton(parts.hostname or "")],
    )


@contextlib.contextmanager
def announced(address: str | None) -> Iterator[None]:
    """As long as the server at this address runs, the name leads to it. Without an address nothing is said."""
    ended = threading.Event()

    def announce() -> None:
        assert address is not None
        try:
            service = service_at(address)
            with contextlib.closing(Zeroconf(interfaces=service.parsed_addresses())) as network:
                network.register_service(service, allow_name_change=True)
                ended.wait()
                network.unregister_service(service)
        except Exception as error:
            log_failure("not_announced", error)

    # Of its own: the network may take its time, and the server does not wait for it, not even to end.
    speaker = threading.Thread(target=announce, name="announce", daemon=True)
    if address is not None:
        speaker.start()
    try:
        yield
    finally:
        ended.set()
        if speaker.is_alive():
            speaker.join(2)
