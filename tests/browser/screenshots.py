"""Writes a picture of every page and every board at two sizes, light and dark:

python tests/browser/screenshots.py FOLDER
"""

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.site import Site, Visitor, open_browser
from tabuleiro.games import GAMES

SIZES = {"phone": (360, 740), "desk": (1920, 1080)}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PAGES = {
    "home": "/",
    "new": "/play/guerreiros",
    "rules": "/rules/guerreiros",
    "all-rules": "/rules",
    "mine": "/mine",
    "bots": "/bots",
    "not-found": "/nowhere",
}
#: Games between people who make mistakes.
FINISHED = {
    "rastros": "f4 g5 g4 g3 f2 g1 f1 g2 f3 e3 d4 d5 c6 c5 b4 b5 a6 b7 c7 d6 e7 d7 e6 f7 g6 g7",
    "avanco": "d2-c3 d6-e5 e2-d3 e5-f4 b2-b3 a6-a5 b3-a4 e6-e5 a2-b3 g6-f5 c3-c4 a5-b4 g2-f3 e5-d4 d3-e4 g7-g6 a4-b5 "
    "b4-a3 c1-d2 d7-e6 d2-d3 d4-c3 b3-a4 c3-b2 a1xb2 a3xb2 g1-g2 b2-c1",
    "hex": "d1 e6 f3 c10 h2 g3 c11 g2 f4 h4 b10 d8 b11 e10 g1 d10 g5 g4 f5 e3 e4 d4 d11 e11 d5 h5 h1 h6 i1 j2 e2 i2 h3 "
    "f2 g7 f1 h8 g6 j7 g8 e8 f7 h7 f8 f9 e9",
}


def take_all(browser: Browser, site: Site, folder: Path) -> None:
    for size, pixels in SIZES.items():
        for theme in THEMES:
            visitor = Visitor(browser, site, size=pixels, theme=theme)

            def shoot(name: str, visitor: Visitor = visitor, label: str = f"{size}-{theme}") -> None:
                visitor.page.wait_for_load_state("networkidle", timeout=60_000)
                visitor.page.screenshot(path=folder / f"{name}-{label}.png", full_page=name != "rules")

            for game in GAMES:
                visitor.begin(game, {"kind": "engine", "level": 3})
                some_moves(visitor)
                shoot(f"game-{game}")
            visitor.page.get_by_role("button", name="Desistir").click()
            visitor.page.get_by_role("button", name="Sim, desisto").click()
            expect(visitor.page.locator(".end")).to_be_visible()
            shoot("end")
            analysis(visitor, shoot)
            visitor.begin("hex", {"kind": "friend"}, clock={"kind": "fischer", "minutes": 5, "increment": 3})
            shoot("invitation")
            for name, path in PAGES.items():
                visitor.go(path)
                expect(visitor.page.locator("h1")).to_be_visible()
                shoot(name)
            visitor.context.close()


def analysis(visitor: Visitor, shoot: Callable[[str], None]) -> None:
    """The page of analyses: a finished game, a position being set up, and nothing chosen yet."""
    for game, moves in FINISHED.items():
        visitor.go(f"/analysis/{visitor.finish(game, moves.split())}")
        expect(visitor.page.get_by_role("heading", name="Momentos importantes")).to_be_visible(timeout=30_000)
        visitor.page.locator(".faults .quiet").first.click()
        expect(visitor.page.locator(".verdict")).not_to_have_text("a pensar…")
        shoot(f"analysis-{game}")
    for game in ("guerreiros", "ouri", "abalone"):
        visitor.go(f"/analysis#game={game}")
        visitor.page.get_by_role("button", name="Montar posição").click()
        expect(visitor.page.get_by_text("A posição é possível.", exact=True)).to_be_visible()
        shoot(f"set-up-{game}")
    visitor.go("/analysis")
    expect(visitor.page.get_by_role("button", name="Hex")).to_be_visible()
    shoot("analysis-pick")


def some_moves(visitor: Visitor) -> None:
    """Some moves, and a piece picked so that its targets show."""
    for number in range(4):
        state = visitor.wait_for_turn()
        if state["status"] == "over":
            return
        moves = [move for move in state["view"]["moves"] if move["clicks"]]
        visitor.play(random.Random(number).choice(moves))
    state = visitor.wait_for_turn()
    for move in state["view"]["moves"]:
        if len(move["clicks"]) > 1:
            visitor.cell(move["clicks"][0]).click()
            return


def main() -> None:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        site = Site(Path(data))
        try:
            take_all(open_browser(playwright), site, folder)
        finally:
            site.stop()


if __name__ == "__main__":
    main()
