"""Writes a picture of every page and every board at two sizes, light and dark:

python tests/browser/screenshots.py FOLDER
"""

import random
import sys
import tempfile
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


def take_all(browser: Browser, site: Site, folder: Path) -> None:
    for size, pixels in SIZES.items():
        for theme in THEMES:
            visitor = Visitor(browser, site, size=pixels, theme=theme)

            def shoot(name: str, visitor: Visitor = visitor, label: str = f"{size}-{theme}") -> None:
                visitor.page.wait_for_load_state("networkidle")
                visitor.page.screenshot(path=folder / f"{name}-{label}.png", full_page=name != "rules")

            for game in GAMES:
                visitor.begin(game, {"kind": "engine", "level": 3})
                some_moves(visitor)
                shoot(f"game-{game}")
            visitor.page.get_by_role("button", name="Desistir").click()
            visitor.page.get_by_role("button", name="Sim, desisto").click()
            expect(visitor.page.locator(".end")).to_be_visible()
            shoot("end")
            visitor.begin("hex", {"kind": "friend"}, clock={"kind": "fischer", "minutes": 5, "increment": 3})
            shoot("invitation")
            for name, path in PAGES.items():
                visitor.go(path)
                expect(visitor.page.locator("h1")).to_be_visible()
                shoot(name)
            visitor.context.close()


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
    if len(sys.argv) != 2:
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
