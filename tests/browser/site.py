"""A running site for the browser tests, and people who use it."""

import contextlib
import os
import random
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, WebSocketRoute, expect
from playwright.sync_api import TimeoutError as TooSlow

from tabuleiro.games import GAMES
from tabuleiro.record import Game

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "tabuleiro" / "server" / "static" / "index.html"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
CHROMIUM = Path("/usr/bin/chromium")
#: Chromium must not look for anything outside the machine.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Json = dict[str, Any]

#: Milliseconds for what is waited for. It takes moments; on a machine with much else to do, many of them.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)

#: Adds up every move of what is on the page, whoever caused it: a browser forgives what moves within half a second
#: after a touch, but on a slow machine the same comes later.
WATCH_SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => list.getEntries().forEach(({ value, sources }) => window.shifts.push(
    [value, sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? "").slice(0, 100))]
))).observe({ type: "layout-shift", buffered: true });"""


def open_browser(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


class Site:
    """A server process of its own, which can be stopped, killed and started again at the same address."""

    def __init__(self, data: Path, *, path: Path | None = None) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "tabuleiro", "serve", "--port", str(self.port), "--data", str(data)]
        paths = [str(folder) for folder in (path, ROOT / "src") if folder]
        self._environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        self._log = data / "server.log"
        data.mkdir(parents=True, exist_ok=True)
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, env=self._environment)
        deadline = time.monotonic() + 2 * PATIENCE / 1000
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.address}/healthz", timeout=1):
                return
            assert self._process.poll() is None, self._log.read_text()
            time.sleep(0.1)
        raise AssertionError(self._log.read_text())

    @property
    def log(self) -> str:
        """What the terminal shows."""
        return self._log.read_text("utf-8")

    def kill(self) -> None:
        """No farewell, as when the power fails."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE / 1000)


class Visitor:
    """A browser with a cookie of its own. At the end it must have seen no error and asked no other host."""

    def __init__(
        self,
        browser: Browser,
        site: Site,
        *,
        locale: str = "pt-PT",
        size: tuple[int, int] = (1280, 800),
        theme: Literal["light", "dark"] = "light",
        touch: bool = False,
        moving: bool = False,
        offline: bool = False,
    ) -> None:
        """`offline`: the service worker may come, which answers in place of the network and hides it from routes."""
        self.site = site
        self.complaints: list[str] = []
        #: What a test expects to go wrong, as a part of the complaint.
        self.forgiven: list[str] = []
        self.context: BrowserContext = browser.new_context(
            base_url=site.address,
            locale=locale,
            viewport={"width": size[0], "height": size[1]},
            color_scheme=theme,
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="no-preference" if moving else "reduce",
            service_workers="allow" if offline else "block",
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.on("request", self._check_host)
        #: What was asked of the server and is not answered yet.
        self._asked: set[Any] = set()
        self.context.on("request", lambda request: self._asked.add(request))
        self.context.on("requestfinished", lambda request: self._asked.discard(request))
        self.context.on("requestfailed", lambda request: self._asked.discard(request))
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda said: self._complain(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self._complain(str(error)))

    def _check_host(self, request: Any) -> None:
        if not request.url.startswith((self.site.address, "data:", "blob:")):
            self._complain(f"a request to {request.url}")

    def _complain(self, text: str) -> None:
        self.complaints.append(text)

    def leave(self) -> None:
        self.context.close()
        left = [text for text in self.complaints if not any(part in text for part in self.forgiven)]
        assert left == [], left

    def settle(self) -> None:
        """Waits until the page has all that it asked for. Who signs out before that leaves questions of somebody signed
        in behind, and the browser writes down that they were refused."""
        deadline = time.monotonic() + PATIENCE / 1000
        self.page.wait_for_timeout(100)
        while self._asked:
            assert time.monotonic() < deadline, [request.url for request in self._asked]
            self.page.wait_for_timeout(50)

    def slow_down(self, *, processor: float, latency: float) -> None:
        """A processor this many times slower, and a network that takes this many seconds to answer."""
        session = self.context.new_cdp_session(self.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": processor})
        speed = {"downloadThroughput": 200_000, "uploadThroughput": 100_000}
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {"offline": False, "latency": 1000 * latency, **speed})

        def late(route: WebSocketRoute) -> None:
            time.sleep(2 * latency)
            route.connect_to_server()

        self.page.route_web_socket("**/ws/**", late)

    def watch_shifts(self) -> None:
        self.page.add_init_script(WATCH_SHIFTS)

    def assert_still(self) -> None:
        """Nothing on the page has moved by itself since it was opened, or hardly."""
        # What is drawn is measured after the frame.
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
        shifts: list[tuple[float, list[str]]] = self.page.evaluate("window.shifts")
        assert sum(value for value, _ in shifts) < 0.02, shifts

    # -- doing ------------------------------------------------------------------------------------------------------

    def go(self, path: str) -> None:
        self.page.goto(path)

    def arrive(self, path: str) -> None:
        """Go to a page and wait until it has fetched what it shows. An analysis goes on listening: it shows enough."""
        self.go(path)
        expect(self.page.locator("h1").first).to_be_attached()
        with contextlib.suppress(TooSlow):
            self.page.wait_for_load_state("networkidle", timeout=3000)

    def begin(self, game: str, opponent: Json, options: dict[str, str] | None = None, **more: Any) -> str:
        """A new game, opened; its id."""
        wish = {"game": game, "options": options or {}, "opponent": opponent, "side": "first", "clock": None, **more}
        answer = self.context.request.post("/api/v1/sessions", data=wish, headers={"Origin": self.site.address})
        assert answer.status == 201, answer.text()
        identity: str = answer.json()["id"]
        self.go(f"/g/{identity}")
        expect(self.board).to_be_visible()
        return identity

    def finish(self, game: str, moves: list[str], options: dict[str, str] | None = None) -> str:
        """A game at one screen, played through these moves without the page; its id."""
        identity = self.begin(game, {"kind": "local"}, options)
        self.page.evaluate(
            """([identity, moves]) => new Promise((resolve, reject) => {
                const socket = new WebSocket(`ws://${location.host}/ws/v1/sessions/${identity}`);
                let ply = 0;
                const next = () => {
                    if (ply === moves.length) return resolve(socket.close());
                    socket.send(JSON.stringify({ type: "move", ref: 1, ply, move: moves[ply++] }));
                };
                socket.onopen = next;
                socket.onmessage = ({ data }) => {
                    const said = JSON.parse(data);
                    if (said.type === "error") reject(new Error(data));
                    // The server lets nobody send more than some messages a second.
                    if (said.type === "ack") setTimeout(next, 120);
                };
            })""",
            [identity, moves],
        )
        return identity

    def state(self) -> Json:
        """How the server sees the game on the page."""
        identity = self.page.url.rsplit("/", 1)[1]
        answer: Json = self.context.request.get(f"/api/v1/sessions/{identity}").json()
        return answer

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("grid")

    def cell(self, number: int) -> Locator:
        return self.page.locator(f'[data-cell="{number}"] .reach')

    @property
    def moves_shown(self) -> Locator:
        return self.page.locator("ol [data-ply]")

    def play(self, move: Json, *, tap: bool = False) -> None:
        """Make a move by touching its cells, or its button, and see it made."""
        before = self.moves_shown.count()
        if names_several(move):
            self.page.get_by_role("button", name=SIDEWAYS).click()
        for cell in touches(self.state()["view"]["moves"], move):
            if tap:
                self.cell(cell).tap()
            else:
                self.cell(cell).click()
        if not move["clicks"]:
            self.page.locator(".button-moves button").click()
        expect(self.moves_shown.nth(before)).to_be_attached()

    def wait_for_moves(self, count: int) -> None:
        expect(self.moves_shown).to_have_count(count)

    def wait_for_turn(self) -> Json:
        """Until it is this person's turn, or the game is over; how it stands then."""
        deadline = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < deadline:
            state = self.state()
            if state["status"] == "over" or state["view"]["turn"] in state["your_seats"]:
                expect(self.moves_shown).to_have_count(len(state["history"]))
                return state
            time.sleep(0.03)
        raise AssertionError("nobody moved")


#: The button with which several pieces are picked for one move, in both languages.
SIDEWAYS = re.compile(r"^(De lado|Sideways)\.")


def names_several(move: Json) -> bool:
    """Whether a move names several pieces: they are picked together, after a button is pressed."""
    return len(move["clicks"]) > 2


def touches(moves: list[Json], move: Json) -> list[int]:
    """The cells to touch for a move, the last one such that no other way of the same pieces is meant."""
    if len(move["clicks"]) < 3:
        return list(move["clicks"])
    *pieces, target = move["clicks"]
    others = {
        to
        for other in moves
        if other["clicks"][:-1] == pieces and other["text"] != move["text"]
        for _, to in other["motions"]
    }
    entered = [to for _, to in move["motions"] if to not in others]
    return [*pieces, target if target not in others or not entered else entered[0]]


def short_game(name: str, options: dict[str, str]) -> list[str]:
    """The moves of a whole game that does not take long: players who see a win in one, the shortest of some games."""
    rules = GAMES[name]
    games = []
    for seed in range(5):
        rng = random.Random(seed)
        game = Game(rules.start(rules.options_type.parse(options)))
        while game.outcome is None:
            position = game.position
            moves = position.legal_moves()
            wins = [move for move in moves if (end := position.play(move).outcome()) and end.winner == position.turn]
            game.play(rng.choice(wins or moves))
        games.append([node.move_text for node in game.root.line() if node.move is not None])
    return min(games, key=len)


def choose(state: Json, seed: int) -> Json:
    move: Json = random.Random(seed).choice(state["view"]["moves"])
    return move
