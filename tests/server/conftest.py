"""Servers for the tests: one on SQLite for most of them; PostgreSQL and Redis of our own where they are installed."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack

import httpx
import pytest

from missing import leave_out
from server.neighbours import running_postgresql, running_redis
from server.people import PATIENCE, LocalServer, Person
from tabuleiro.server.settings import Settings, sqlite_url

# Whoever asks without saying how patient they are waits as long as a busy machine may need, not five seconds.
for kind in ("connect", "read", "write", "pool"):
    setattr(httpx._config.DEFAULT_TIMEOUT_CONFIG, kind, PATIENCE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with LocalServer(Settings(sqlite_url(tmp_path_factory.mktemp("data")))) as running:
        yield running


@pytest.fixture
def ana(server: LocalServer) -> Person:
    return Person(server.address)


@pytest.fixture
def rui(server: LocalServer) -> Person:
    return Person(server.address)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a PostgreSQL of our own on loopback."""
    yield from _or_skip(running_postgresql(durable=False))


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a Redis of our own on loopback."""
    yield from _or_skip(running_redis())


def _or_skip(service: AbstractContextManager[str]) -> Iterator[str]:
    with ExitStack() as stack:
        try:
            url = stack.enter_context(service)
        except FileNotFoundError as error:
            leave_out(str(error))
        yield url
