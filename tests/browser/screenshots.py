"""Writes a picture of every page and every board at five sizes, light and dark, and a contact sheet of them all:

python tests/browser/screenshots.py FOLDER

`FOLDER/contact.html` shows them side by side; `contact-SIZE-THEME.png` is the same as pictures.
"""

import html
import random
import sys
import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.places import CUP_PLACES, PLACES, SHORT_GAME
from browser.site import Site, Visitor, open_browser
from browser.test_championship import rehearsed
from browser.test_classes import NAMES, first_link
from browser.test_games import QUICK
from browser.test_ways import ending
from tabuleiro.games import GAMES

#: Two phones, one of them held sideways, a laptop, a projector; by their widths.
SIZES = {"360": (360, 740), "390": (390, 844), "844": (844, 390), "1366": (1366, 768), "1920": (1920, 1080)}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
#: Games between people who make mistakes.
FINISHED = {
    "rastros": SHORT_GAME,
    "avanco": "d2-c3 d6-e5 e2-d3 e5-f4 b2-b3 a6-a5 b3-a4 e6-e5 a2-b3 g6-f5 c3-c4 a5-b4 g2-f3 e5-d4 d3-e4 g7-g6 a4-b5 "
    "b4-a3 c1-d2 d7-e6 d2-d3 d4-c3 b3-a4 c3-b2 a1xb2 a3xb2 g1-g2 b2-c1",
    "hex": "d1 e6 f3 c10 h2 g3 c11 g2 f4 h4 b10 d8 b11 e10 g1 d10 g5 g4 f5 e3 e4 d4 d11 e11 d5 h5 h1 h6 i1 j2 e2 i2 h3 "
    "f2 g7 f1 h8 g6 j7 g8 e8 f7 h7 f8 f9 e9",
}


class Photographer:
    """Takes what a visitor sees in every size, one after the other."""

    def __init__(self, browser: Browser, site: Site, theme: Literal["light", "dark"], folder: Path) -> None:
        self.visitor = Visitor(browser, site, theme=theme)
        self.theme, self.folder = theme, folder

    def shoot(self, name: str) -> None:
        for size, (width, height) in SIZES.items():
            self.visitor.page.set_viewport_size({"width": width, "height": height})
            self.visitor.page.wait_for_timeout(100)
            path = self.folder / f"{name}-{size}-{self.theme}.png"
            # What fits the screen is all there is to see of a board; long texts are shown by their beginning.
            self.visitor.page.screenshot(path=path, full_page=not name.startswith(("game", "rules", "embed")))

    def take_all(self) -> None:
        visitor = self.visitor
        for game in GAMES:
            visitor.begin(game, {"kind": "engine", "level": 3})
            some_moves(visitor)
            self.shoot(f"game-{game}")
        self.ends()
        self.analyses()
        visitor.begin("hex", {"kind": "friend"}, clock={"kind": "fischer", "minutes": 5, "increment": 3})
        self.shoot("game-invitation")
        ids = {
            "finished": visitor.finish("rastros", SHORT_GAME.split()),
            "game": visitor.begin("ouri", {"kind": "local"}),
        }
        for name, path in PLACES.items():
            visitor.arrive(path.format(**ids))
            self.shoot(name)
        visitor.context.close()

    def ends(self) -> None:
        """What decided each game, and what is said of it."""
        visitor = self.visitor
        for game in GAMES:
            position, line = ending(game, 1)
            visitor.begin(game, {"kind": "local"}, QUICK.get(game, {}), position=position)
            visitor.play(next(move for move in visitor.state()["view"]["moves"] if move["text"] == line[0]))
            expect(visitor.page.locator(".end")).to_be_visible()
            self.shoot(f"game-end-{game}")

    def analyses(self) -> None:
        """Finished games looked into, and positions being set up."""
        visitor = self.visitor
        for game, moves in FINISHED.items():
            visitor.go(f"/analysis/{visitor.finish(game, moves.split())}")
            expect(visitor.page.get_by_role("heading", name="Momentos importantes")).to_be_visible()
            expect(visitor.page.locator(".verdict")).not_to_have_text("a pensar…")
            self.shoot(f"analysis-{game}")
        for game in ("guerreiros", "ouri", "abalone"):
            visitor.go(f"/analysis#game={game}")
            visitor.page.get_by_role("button", name="Montar posição").click()
            expect(visitor.page.get_by_text("A posição é possível.", exact=True)).to_be_visible()
            self.shoot(f"set-up-{game}")


def school(browser: Browser, site: Site, folder: Path) -> None:
    """What a teacher sees: a class, its cards, an account, championships. The link of an empty server lets one person
    in."""
    photographer = Photographer(browser, site, "light", folder)
    teacher = photographer.visitor

    def shoot(name: str) -> None:
        for theme in THEMES:
            teacher.page.emulate_media(color_scheme=theme)
            photographer.theme = theme
            photographer.shoot(name)

    teacher.page.goto(first_link(site))
    expect(teacher.page.get_by_role("heading", name="Turmas")).to_be_visible()
    shoot("school-classes")
    teacher.page.get_by_label("Nome da turma").fill("7.º B")
    teacher.page.get_by_label("Nomes dos alunos").fill("\n".join(NAMES[:12]))
    teacher.page.get_by_role("button", name="Criar turma e cartões").click()
    expect(teacher.page.get_by_role("button", name="Imprimir os cartões")).to_be_visible()
    shoot("school-cards")
    teacher.page.get_by_role("button", name="Já imprimi").click()
    expect(teacher.page.get_by_text("0 de 12 estão aqui")).to_be_visible()
    shoot("school-class")
    teacher.arrive("/me")
    shoot("school-me")
    ids = {"cup": rehearsed(teacher, 4), "over": rehearsed(teacher)}
    for name, path in CUP_PLACES.items():
        teacher.arrive(path.format(**ids))
        shoot(name)
    teacher.context.close()


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


def contact_sheet(browser: Browser, folder: Path) -> None:
    """All pictures of a size and a theme beside each other, long ones shown by their upper part."""
    sections = []
    for size in SIZES:
        for theme in THEMES:
            found = sorted(folder.glob(f"*-{size}-{theme}.png"))
            found = [path for path in found if not path.name.startswith("contact")]
            figures = "".join(
                f'<figure><p><img src="{path.name}"></p><figcaption>{html.escape(path.stem)}</figcaption></figure>'
                for path in found
            )
            wide = "wide" if SIZES[size][0] > SIZES[size][1] else ""
            sections.append(
                f'<section class="{wide}" id="s{size}-{theme}"><h2>{size} {theme}</h2><div>{figures}</div></section>'
            )
    style = (
        "body{margin:16px;font:14px sans-serif;background:#888}div{display:flex;flex-wrap:wrap;gap:12px}"
        "figure{margin:0;width:230px}.wide figure{width:470px}p{margin:0;max-height:600px;overflow:hidden}"
        "img{width:100%}"
    )
    sheet = folder / "contact.html"
    sheet.write_text(f'<!doctype html><meta charset="utf-8"><style>{style}</style>{"".join(sections)}', "utf-8")
    page = browser.new_page(viewport={"width": 1500, "height": 900})
    page.goto(sheet.resolve().as_uri())
    for size in SIZES:
        for theme in THEMES:
            page.locator(f"#s{size}-{theme}").screenshot(path=folder / f"contact-{size}-{theme}.png")
    page.close()


def main() -> None:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        site = Site(Path(data))
        browser = open_browser(playwright)
        try:
            for theme in THEMES:
                Photographer(browser, site, theme, folder).take_all()
            school(browser, site, folder)
            contact_sheet(browser, folder)
        finally:
            site.stop()


if __name__ == "__main__":
    main()
