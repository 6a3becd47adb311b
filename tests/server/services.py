"""What a server stands on, started here so that it can be killed, stopped and started again: PostgreSQL, Redis, nginx,
and the server itself."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx

from server.neighbours import postgres_tool
from server.people import free_port

#: libfaketime, where Debian puts it.
FAKETIME = next(iter(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), None)


class Service:
    """A program with all its processes. What is killed is started again by `start`, as an init system would."""

    def __init__(self, name: str, command: list[str], folder: Path, environment: dict[str, str] | None = None) -> None:
        self.name = name
        self._command = command
        self._folder = folder
        self._environment = {**os.environ, **(environment or {})}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self._folder / f"{self.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                self._command,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env=self._environment,
                start_new_session=True,  # a group of its own, which is killed as one
            )

    def signal(self, number: signal.Signals) -> None:
        """To all its processes."""
        assert self.process is not None
        os.killpg(self.process.pid, number)

    def kill(self) -> None:
        """As a power cut would: all of it, at once."""
        self.signal(signal.SIGKILL)
        self.wait()

    def wait(self) -> None:
        assert self.process is not None
        self.process.wait(30)

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()

    def children(self) -> list[int]:
        """The processes that its first process started."""
        assert self.process is not None
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        try:
            return [int(pid) for pid in found.read_text().split()]
        except OSError:
            return []


class Postgresql(Service):
    def __init__(self, folder: Path) -> None:
        initdb, postgres = postgres_tool("initdb"), postgres_tool("postgres")
        if initdb is None or postgres is None:
            raise FileNotFoundError("PostgreSQL is not installed")
        own, port = folder / "postgresql", free_port()
        own.mkdir()
        as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if as_user:
            folder.chmod(0o755)
            os.chown(own, pwd.getpwnam("postgres").pw_uid, -1)
        data = str(own / "data")
        subprocess.run(
            [*as_user, initdb, "-D", data, "-U", "tabuleiro", "-A", "trust", "-E", "UTF8", "--no-sync"],
            check=True,
            capture_output=True,
            cwd=own,
        )
        where = ["-c", "listen_addresses=127.0.0.1", "-p", str(port), "-k", str(own)]
        super().__init__("postgresql", [*as_user, postgres, "-D", data, *where], folder)
        self.url = f"postgresql://tabuleiro@127.0.0.1:{port}/postgres"
        self._locks = own / "data" / "postmaster.pid", own / f".s.PGSQL.{port}.lock"

    def start(self) -> None:
        for lock in self._locks:
            # Of one that was killed. Its number may still be taken, by a process that nobody has asked after yet.
            lock.unlink(missing_ok=True)
        super().start()


class Redis(Service):
    def __init__(self, folder: Path) -> None:
        program = shutil.which("redis-server")
        if program is None:
            raise FileNotFoundError("Redis is not installed")
        port = free_port()
        super().__init__("redis", [program, "--bind", "127.0.0.1", "--port", str(port), "--save", ""], folder)
        self.url = f"redis://127.0.0.1:{port}"


NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx-error.log; worker_processes 1;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{behind}; proxy_http_version 1.1; proxy_buffering off;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $http_x_forwarded_for;
            proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
        }}
    }}
    map $http_upgrade $connection_upgrade {{ default upgrade; "" close; }}
}}
"""


class Nginx(Service):
    def __init__(self, folder: Path, behind: int) -> None:
        program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
        if program is None:
            raise FileNotFoundError("nginx is not installed")
        self.port = free_port()
        settings = folder / "nginx.conf"
        settings.write_text(NGINX.format(folder=folder, port=self.port, behind=behind))
        super().__init__("nginx", [program, "-p", str(folder), "-c", str(settings)], folder)


class Server(Service):
    """`tabuleiro serve`, whose clock on the wall can be set wrong where libfaketime is installed."""

    def __init__(self, folder: Path, arguments: list[str]) -> None:
        self.port = free_port()
        self._wall = folder / "wall"
        self._wall.write_text("+0")
        fake = {
            "LD_PRELOAD": str(FAKETIME or ""),
            "FAKETIME_TIMESTAMP_FILE": str(self._wall),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        command = [sys.executable, "-m", "tabuleiro", "serve", "--port", str(self.port), *arguments]
        super().__init__("server", command, folder, fake if self.can_step else None)

    @property
    def can_step(self) -> bool:
        return FAKETIME is not None

    def step(self, days: int) -> None:
        """Set its clock on the wall ahead or back."""
        self._wall.write_text(f"{days:+d}d" if days else "+0")

    def is_up(self) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/healthz", timeout=10).status_code == 200
        except httpx.TransportError:
            return False

    def wait_until_up(self, patience: float = 120) -> None:
        until = time.monotonic() + patience
        while not self.is_up():
            assert self.process is not None
            if self.process.poll() is not None:
                self.start()  # what it stands on was away; an init system tries again, too
                time.sleep(1)
            assert time.monotonic() < until, "the server does not come up"
            time.sleep(0.2)
