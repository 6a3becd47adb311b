"""How long a person waits, in a real browser: from the last click of a move to the computer's answer on the screen.

python bench/answers.py [LEVEL] [GAME …]
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser.site import Site, Visitor, choose, open_browser
from tabuleiro.games import GAMES

MOVES = 10


def waits(visitor: Visitor, game: str, level: int) -> list[float]:
    """The seconds of waiting for each answer of a game's first moves."""
    found: list[float] = []
    visitor.begin(game, {"kind": "engine", "level": level})
    for number in range(MOVES):
        state = visitor.wait_for_turn()
        if state["status"] == "over":
            break
        *first, last = choose(state, number)["clicks"]
        for cell in first:
            visitor.cell(cell).click()
        began = time.monotonic()
        visitor.cell(last).click()
        visitor.page.wait_for_function(
            "count => document.querySelectorAll('ol [data-ply]').length >= count || document.querySelector('.end')",
            arg=len(state["history"]) + 2,
        )
        found.append(time.monotonic() - began)
    return found


def main() -> None:
    level = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        site = Site(Path(data))
        try:
            visitor = Visitor(open_browser(playwright), site)
            for game in sys.argv[2:] or GAMES:
                times = waits(visitor, game, level)
                middle, worst = 1000 * statistics.median(times), 1000 * max(times)
                print(f"{game:12} median {middle:5.0f} ms, worst {worst:5.0f} ms of {len(times)}", flush=True)
        finally:
            site.stop()


if __name__ == "__main__":
    main()
