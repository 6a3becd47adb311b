"""PostgreSQL and Redis of our own on loopback, started for a test or a measurement and stopped after it."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from server.people import free_port, wait_for


def postgres_tool(name: str) -> str | None:
    """A program of PostgreSQL, where Debian puts it or on the path."""
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(newest[-1]) if newest else shutil.which(name)


@contextmanager
def running_postgresql(*, durable: bool = True) -> Iterator[str]:
    """The URL of a PostgreSQL; one that is not durable is quicker, and forgets when the machine stops."""
    initdb, postgres = postgres_tool("initdb"), postgres_tool("postgres")
    if initdb is None or postgres is None:
        raise FileNotFoundError("PostgreSQL is not installed")
    # It refuses to run as root, so then it runs as the user that Debian made for it.
    as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    folder = Path(tempfile.mkdtemp(prefix="tabuleiro-postgres-"))
    try:
        if as_user:
            os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
        data, port = folder / "data", free_port()
        subprocess.run(
            [*as_user, initdb, "-D", str(data), "-U", "tabuleiro", "-A", "trust", "-E", "UTF8", "--no-sync"],
            check=True,
            capture_output=True,
            cwd=folder,
        )
        where = ["-c", "listen_addresses=127.0.0.1", "-p", str(port), "-k", str(folder)]
        command = [*as_user, postgres, "-D", str(data), *where]
        process = subprocess.Popen(command if durable else [*command, "-F"], cwd=folder, stderr=subprocess.DEVNULL)
        try:
            wait_for((folder / f".s.PGSQL.{port}").exists, 30)
            yield f"postgresql://tabuleiro@127.0.0.1:{port}/postgres"
        finally:
            process.terminate()
            process.wait()
    finally:
        shutil.rmtree(folder)


@contextmanager
def running_redis() -> Iterator[str]:
    """The URL of a Redis."""
    program = shutil.which("redis-server")
    if program is None:
        raise FileNotFoundError("Redis is not installed")
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
