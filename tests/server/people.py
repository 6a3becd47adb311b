"""People for the tests of the server: browsers without a screen, and servers to go to."""

import asyncio
import faulthandler
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeVar

import httpx
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tabuleiro.cli.serve import listen
from tabuleiro.server.app import create_app
from tabuleiro.server.connections import HttpConnection, WebSocketConnection
from tabuleiro.server.hub import Hub
from tabuleiro.server.pages import STATIC
from tabuleiro.server.settings import Settings

T = TypeVar("T")
Json = dict[str, Any]
PATIENCE = 30.0


class LocalServer:
    """The server in a thread, where tests can reach into it."""

    def __init__(
        self, settings: Settings, now: Callable[[], float] | None = None, static: Path = STATIC, port: int = 0
    ) -> None:
        self.app = create_app(settings, now=now, static=static)
        self._socket = listen("127.0.0.1", port)
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(
            self.app,
            http=HttpConnection,
            ws=WebSocketConnection,
            log_level="warning",
            ws_per_message_deflate=False,
            ws_max_size=4096,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            await self._server.serve(sockets=[self._socket])

        asyncio.run(serve())

    def __enter__(self) -> Self:
        self._thread.start()
        wait_for(lambda: self._server.started or not self._thread.is_alive())
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(60)
        if self._thread.is_alive():
            for task in asyncio.all_tasks(self._loop):
                waits: Any = task.get_coro()
                while waits is not None:  # a task tells of its outermost wait alone
                    print(waits, file=sys.stderr)
                    waits = getattr(waits, "cr_await", None)
            faulthandler.dump_traceback()
            raise AssertionError("the server does not end")

    @property
    def hub(self) -> Hub:
        hub: Hub = self.app.state.hub
        return hub

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Let the server's own loop do something."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)


class ProcessServer:
    """The server as people start it, to be stopped gently or killed."""

    def __init__(self, *arguments: str, port: int | None = None, log: IO[bytes] | None = None) -> None:
        """`log`: a file that its log is added to; else the log waits in `process.stderr`, where little of it fits."""
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "tabuleiro", "serve", "--port", str(self.port), *arguments]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log or subprocess.PIPE, env={**os.environ, "PYTHONUTF8": "1"}
        )

    def __enter__(self) -> Self:
        def up() -> bool:
            try:
                return httpx.get(f"{self.address}/healthz").status_code == 200
            except httpx.TransportError:
                assert self.process.poll() is None, self.process.communicate()[1]
                return False

        try:
            wait_for(up, 120)
        except AssertionError:
            self.process.kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


class Person:
    """A browser, which gets its cookie when it first does something that is kept."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.web = httpx.Client(base_url=address, timeout=PATIENCE)

    def get(self, path: str) -> Any:
        answer = self.web.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any = None) -> Any:
        answer = self.web.post(path, json=body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def create(self, game: str, opponent: Json, **more: Any) -> str:
        session_id: str = self.post("/api/v1/sessions", {"game": game, "opponent": opponent, **more})["id"]
        return session_id

    def watch(self, session_id: str, since: int | None = None, *, changes: bool = False) -> "Table":
        return Table(self.address, session_id, dict(self.web.cookies), since, changes=changes)


class Table:
    """A connection to a session."""

    def __init__(
        self,
        address: str,
        session_id: str,
        cookies: dict[str, str],
        since: int | None = None,
        headers: dict[str, str] | None = None,
        *,
        changes: bool = False,
    ) -> None:
        query = f"?since={'' if since is None else since}{'&changes=1' if changes else ''}"
        cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self._opened = connect(
            f"{address.replace('http', 'ws', 1)}/ws/v1/sessions/{session_id}{query}",
            additional_headers={**({"Cookie": cookie} if cookie else {}), **(headers or {})},
            open_timeout=PATIENCE,
        )
        self.socket: ClientConnection = self._opened.__enter__()
        self._refs = 0
        self.heard: list[Json] = []
        self.first = self.next()
        self.session: Json = self.first.get("session", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def next(self) -> Json:
        message: Json = json.loads(self.socket.recv(PATIENCE))
        self.heard.append(message)
        if "session" in message:
            self.session = message["session"]
        return message

    def until(self, wanted: Callable[[Json], bool]) -> Json:
        while not wanted(message := self.next()):
            pass
        return message

    def until_event(self, kind: str) -> Json:
        return self.until(lambda message: message.get("kind") == kind)

    def until_session(self, wanted: Callable[[Json], bool]) -> Json:
        """Wait for the session to be as wanted; it may be so already."""
        while not wanted(self.session):
            self.next()
        return self.session

    def say(self, kind: str, **more: Any) -> int:
        self._refs += 1
        self.socket.send(json.dumps({"type": kind, "ref": self._refs, **more}))
        return self._refs

    def ask(self, kind: str, **more: Any) -> Json:
        """Say something and wait for the answer to it."""
        return self.answer(self.say(kind, **more))

    def answer(self, ref: int) -> Json:
        return self.until(lambda message: message.get("ref") == ref)

    def until_plies(self, count: int) -> None:
        self.until_session(lambda session: len(session["history"]) == count)

    def move(self, text: str) -> Json:
        """Make a move, see it acknowledged and shown."""
        ply = len(self.session["history"])
        answer = self.ask("move", ply=ply, move=text)
        if answer["type"] == "ack":
            self.until_session(lambda session: session["number"] >= answer["number"])
        return answer

    def moves(self) -> list[str]:
        return [move["text"] for move in self.session["view"]["moves"]]

    def is_closed(self) -> bool:
        return self.end() is not None

    def end(self) -> tuple[int, str]:
        """Hear everything until the server ends the connection: its code and reason."""
        return end_of(self.next)


def end_of(hear: Callable[[], object]) -> tuple[int, str]:
    """Hear everything until the server ends a connection: its code and reason."""
    try:
        while True:
            hear()
    except ConnectionClosed as closed:
        return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")


def wait_for(ready: Callable[[], bool], patience: float = PATIENCE) -> None:
    until = time.monotonic() + patience
    while not ready():
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.02)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
