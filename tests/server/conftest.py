"""Servers for the tests: one on SQLite for most of them; PostgreSQL and Redis of our own where they are installed."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from server.people import LocalServer, Person, free_port, wait_for
from tabuleiro.server.settings import Settings, sqlite_url


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


def postgres_tool(name: str) -> str | None:
    """A program of PostgreSQL, where Debian puts it or on the path."""
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(newest[-1]) if newest else shutil.which(name)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a PostgreSQL of our own on loopback."""
    initdb, postgres = postgres_tool("initdb"), postgres_tool("postgres")
    if initdb is None or postgres is None:
        pytest.skip("PostgreSQL is not installed")
    # It refuses to run as root, so then it runs as the user that Debian made for it.
    as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    folder = Path(tempfile.mkdtemp(prefix="tabuleiro-postgres-"))
    try:
        if as_user:
            os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
        data, port = folder / "data", free_port()
        subprocess.run(
            [*as_user, initdb, "-D", data, "-U", "tabuleiro", "-A", "trust", "-E", "UTF8", "--no-sync"],
            check=True,
            capture_output=True,
            cwd=folder,
        )
        listening = ["-c", "listen_addresses=127.0.0.1", "-p", str(port), "-k", str(folder)]
        process = subprocess.Popen(
            [*as_user, postgres, "-D", data, "-F", *listening], cwd=folder, stderr=subprocess.DEVNULL
        )
        try:
            wait_for((folder / f".s.PGSQL.{port}").exists, 30)
            yield f"postgresql://tabuleiro@127.0.0.1:{port}/postgres"
        finally:
            process.terminate()
            process.wait()
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a Redis of our own on loopback."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("Redis is not installed")
    with tempfile.TemporaryDirectory(prefix="tabuleiro-redis-") as folder:
        port = free_port()
        process = subprocess.Popen(
            [program, "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--dir", folder],
            stdout=subprocess.DEVNULL,
        )
        try:
            connection = redis.Redis(port=port)

            def up() -> bool:
                try:
                    return bool(connection.ping())
                except redis.ConnectionError:
                    return False

            wait_for(up, 30)
            yield f"redis://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()
