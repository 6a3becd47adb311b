"""Every page: both languages, accessible, nothing wider than the screen; and a ninth game without a line of client."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree.ElementTree import fromstring

import pytest
from playwright.sync_api import Route, expect

from browser.places import PLACES, SHORT_GAME
from browser.several import some_games
from browser.site import AXE, ROOT, Site, Visitor, choose
from browser.test_layout import CUT_OFF, NARROWEST, SIDEWAYS, resize
from browser.test_words import untranslated
from tabuleiro import svg
from tabuleiro.games import GAMES

PHONE, DESK = (360, 740), (1440, 900)
Look = tuple[str, tuple[int, int], bool]
#: What axe looks at: everything on a phone in the dark and at a desk in the light; in the long run, the colours in the
#: other light too.
LOOKS = (("dark", PHONE, False), ("light", DESK, False))
OTHER_LIGHT = (("light", PHONE, True), ("dark", DESK, True))


def violations(visitor: Visitor, *, colours_only: bool = False) -> list[str]:
    page = visitor.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    rules = {"runOnly": ["color-contrast"]} if colours_only else {}
    found = page.evaluate("(more) => axe.run(document, {resultTypes: ['violations'], ...more})", rules)["violations"]
    return [f"{rule['id']}: {node['html'][:150]} {node['failureSummary']}" for rule in found for node in rule["nodes"]]


def assert_good(visitor: Visitor, name: str, looks: tuple[Look, ...] = LOOKS) -> None:
    """What is shown now is accessible and fits, on phone and desk, light and dark."""
    for theme, (width, height), colours_only in looks:
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        expect(visitor.page.locator("html")).to_have_attribute("data-theme", theme)
        assert violations(visitor, colours_only=colours_only) == [], (name, theme, width)
        assert visitor.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (name, width)


def assert_narrow(visitor: Visitor, name: str, sizes: Sequence[tuple[int, int]]) -> None:
    """Nothing is wider than the screen, in both languages, nor any word wider than what it stands in."""
    language = visitor.page.get_by_role("button", name=re.compile("^(English|Português)"))
    for size in sizes:
        resize(visitor, size)
        for _ in range(2):
            assert visitor.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (name, size)
            assert visitor.page.evaluate(CUT_OFF) == [], (name, size)
            if language.count():
                language.click()


@pytest.mark.parametrize(
    ("looks", "sizes"), [(LOOKS, [NARROWEST]), pytest.param(OTHER_LIGHT, SIDEWAYS, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("part", [0, 1])
def test_every_page_is_accessible_fits_and_is_portuguese(
    visit: Callable[..., Visitor], part: int, looks: tuple[Look, ...], sizes: Sequence[tuple[int, int]]
) -> None:
    """Also with everything open that can be opened. Each page is opened once, which takes longest of all."""
    pupil = visit()
    pupil.forgiven.append("404")
    ids = {"finished": pupil.finish("rastros", SHORT_GAME.split()), "game": pupil.begin("ouri", {"kind": "local"})}
    for name, path in list(PLACES.items())[part::2]:
        pupil.arrive(path.format(**ids))
        assert_good(pupil, name, looks)
        pupil.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        assert_narrow(pupil, name, sizes)
        for button in ("Menu", "Definições"):
            if pupil.page.get_by_role("button", name=button, exact=True).count():
                pupil.page.get_by_role("button", name=button, exact=True).click()
        assert untranslated(pupil) == [], name


def test_beside_a_board_on_a_phone_held_sideways_nothing_is_too_wide(visit: Callable[..., Visitor]) -> None:
    """The pages with the most beside their boards, in the narrowest room for it; all pages in the long run."""
    pupil = visit(size=SIDEWAYS[0])
    for path in ("/analysis#game=rastros&moves=f4+g5&at=2", PLACES["openings-game"]):
        pupil.arrive(path)
        assert_narrow(pupil, path, SIDEWAYS[:1])


def test_all_that_a_game_shows_is_accessible_and_fits(ana: Visitor) -> None:
    for game in ("hex", "ouri", "abalone"):
        ana.begin(game, {"kind": "engine", "level": 1})
        ana.page.get_by_text("Mais", exact=True).click()
        assert_good(ana, game)
    ana.page.get_by_role("button", name="Desistir").click()
    assert_good(ana, "asking whether to resign")
    ana.page.get_by_role("button", name="Sim, desisto").click()
    expect(ana.page.locator(".end")).to_be_visible()
    assert_good(ana, "the end of a game")
    ana.begin("guerreiros", {"kind": "friend"})
    assert_good(ana, "an invitation")
    ana.page.get_by_role("button", name="Definições").click()
    assert_good(ana, "settings")


@pytest.mark.parametrize("game", some_games("rastros", "abalone"))
def test_rules_can_be_tried(visit: Callable[..., Visitor], game: str) -> None:
    locale = ("pt-PT", "en-US")[[*GAMES].index(game) % 2]
    reader = visit(locale=locale)
    reader.go(f"/rules/{game}")
    expect(reader.page.locator("h1")).to_have_text(getattr(GAMES[game].name, locale[:2]))
    word = "Experimenta" if locale == "pt-PT" else "Try it"
    figures = reader.page.locator("figure")
    said = figures.all_text_contents()
    figure = figures.nth(next(place for place, text in enumerate(said) if word in text))
    figure.scroll_into_view_if_needed()
    status = figure.get_by_role("status")
    before = status.text_content()
    reset = figure.get_by_role("button", name=re.compile("Repor|Reset"))
    target = figure.locator('[aria-label*="destino possível"], [aria-label*="possible target"]').locator(".reach")
    figure.locator(".cell.live .reach").first.click()
    # Cell by cell, until the move is complete.
    expect(target.or_(reset).first).to_be_visible()
    while not reset.count():
        picked = figure.locator('[aria-selected="true"]').count()
        target.first.click()
        expect(reset.or_(figure.locator('[aria-selected="true"]').nth(picked)).first).to_be_visible()
    expect(status).not_to_have_text(before or "")
    reset.click()
    expect(status).to_have_text(before or "")


def test_the_browser_chooses_the_language_and_the_switch_changes_it(visit: Callable[..., Visitor]) -> None:
    reader = visit(locale="en-GB")
    reader.go("/")
    expect(reader.page.locator("h1")).to_have_text("What shall we play?")
    reader.page.get_by_role("button", name="Português").click()
    expect(reader.page.locator("h1")).to_have_text("A que queres jogar?")
    expect(reader.page.locator("html")).to_have_attribute("lang", "pt-PT")
    reader.page.reload()
    expect(reader.page.locator("h1")).to_have_text("A que queres jogar?")
    french = visit(locale="fr-FR")
    french.go("/")
    expect(french.page.locator("h1")).to_have_text("What shall we play?")


def test_the_theme_is_kept(ana: Visitor) -> None:
    ana.go("/")
    ana.page.get_by_role("button", name="Definições").click()
    ana.page.get_by_label("Escuras").check()
    expect(ana.page.locator("html")).to_have_attribute("data-theme", "dark")
    ana.page.reload()
    expect(ana.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_choosing_everything_before_a_game(ana: Visitor) -> None:
    ana.go("/play/avanco")
    page = ana.page
    page.get_by_label("Nível").fill("1")
    page.get_by_label("O adversário").check()
    page.get_by_label("Por partida").check()
    page.get_by_label("Minutos para cada um").fill("3")
    page.get_by_text("Opções das regras").click()
    page.locator("#option-size").select_option("5")
    page.get_by_role("button", name="Começar a jogar").click()
    expect(ana.board).to_be_visible()
    state = ana.wait_for_turn()
    assert state["options"]["size"] == "5"
    assert state["your_seats"] == [2] and state["seats"]["1"]["level"] == 1
    assert state["clock"]["initial"] == 180
    expect(page.get_by_role("gridcell")).to_have_count(25)


def test_the_first_page_is_light(ana: Visitor) -> None:
    sizes: dict[str, int] = {}
    ana.page.on("response", lambda answer: sizes.update({answer.url: int(answer.headers.get("content-length", 0))}))
    ana.go("/")
    expect(ana.page.get_by_role("button", name="Jogar já Abalone")).to_be_visible()
    ana.page.wait_for_load_state("networkidle")
    assert 0 < sum(sizes.values()) <= 150_000, sizes


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)])
@pytest.mark.parametrize("slow", [False, True])
def test_nothing_moves_on_the_way_into_a_game(visit: Callable[..., Visitor], size: tuple[int, int], slow: bool) -> None:
    """Also where everything takes long, and for somebody who has a game to go on with."""
    ana = visit(size=size)
    ana.begin("hex", {"kind": "local"})
    if slow:
        ana.slow_down(processor=6, latency=0.3)
    ana.watch_shifts()
    ana.go("/")
    expect(ana.page.get_by_text("Tens uma partida a decorrer")).to_be_visible()
    ana.assert_still()
    ana.page.get_by_role("button", name="Jogar já Konane").click()
    expect(ana.board).to_be_visible()
    for number in range(2):
        ana.play(choose(ana.wait_for_turn(), number))
    ana.wait_for_turn()
    ana.assert_still()


@pytest.mark.parametrize("game", some_games("hex", "ouri", "guerreiros"))
def test_pages_and_pictures_draw_the_same_board(visit: Callable[..., Visitor], game: str) -> None:
    """One theme: the frame, its corners, the labels and every colour, light and dark."""
    position = GAMES[game].start()
    for theme in svg.THEMES:
        visitor = visit(theme=theme)
        visitor.begin(game, {"kind": "local"})
        picture = fromstring(svg.draw(position, theme=theme))
        drawn = visitor.page.evaluate(
            """() => {
                const [board] = document.querySelectorAll("svg.board");
                return {
                    box: board.getAttribute("viewBox").split(" ").map(Number),
                    frame: board.querySelector("clipPath path").getAttribute("d"),
                    labels: [...board.querySelectorAll("text.label")].map((label) => [
                        label.textContent, ...["x", "y", "font-size"].map((name) => +label.getAttribute(name)),
                    ]),
                };
            }"""
        )
        frame = picture.find(".//{*}clipPath/{*}path")
        assert frame is not None and drawn["frame"] == frame.get("d")
        assert drawn["box"][:3] == pytest.approx(
            [float(part) for part in picture.get("viewBox", "").split()[:3]], abs=0.1
        )
        labels = [
            [label.text, *(float(label.get(name, "")) for name in ("x", "y", "font-size"))]
            for label in picture.findall("{*}text")
        ]
        assert [label[0] for label in drawn["labels"]] == [label[0] for label in labels]
        for shown, pictured in zip(drawn["labels"], labels, strict=True):
            assert shown[1:] == pytest.approx(pictured[1:], abs=0.1)
        properties: dict[str, str] = visitor.page.evaluate(
            """(names) => {
                const style = getComputedStyle(document.documentElement);
                const value = (name) => style.getPropertyValue(`--${name.replaceAll("_", "-")}`).trim();
                return Object.fromEntries(names.map((name) => [name, value(name)]));
            }""",
            list(svg.THEMES[theme]),
        )
        short = {"#000": "#000000", "#fff": "#ffffff"}
        assert {name: short.get(colour, colour) for name, colour in properties.items()} == svg.THEMES[theme]


TOY = """<script lang="ts">
  import { say } from "../lib/settings.svelte";
  let { kind }: { kind: string | null } = $props();
</script>

<h1>{say({ pt: "Um brinquedo", en: "A toy" })}</h1>
<p>{kind ?? "-"}</p>
"""


def test_a_page_is_one_file_and_one_line(visit: Callable[..., Visitor], tmp_path: Path) -> None:
    """The client is built with one page more, which is opened by its address and by a link."""
    web = tmp_path / "web"
    shutil.copytree(ROOT / "web", web, ignore=shutil.ignore_patterns("node_modules", "tests"))
    (web / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    (tmp_path / "src" / "tabuleiro").mkdir(parents=True)
    shutil.copy(ROOT / "src" / "tabuleiro" / "theme.json", tmp_path / "src" / "tabuleiro")
    (web / "src" / "pages" / "Toy.svelte").write_text(TOY, "utf-8")
    registry = web / "src" / "pages" / "index.ts"
    line = '  { path: "/toy/:kind?", title: { pt: "Brinquedo", en: "Toy" }, load: () => import("./Toy.svelte") },\n'
    known = registry.read_text("utf-8")
    registry.write_text(known.replace("PAGES: Page[] = [\n", f"PAGES: Page[] = [\n{line}"), "utf-8")
    assert registry.read_text("utf-8") != known
    path = f"{ROOT / '.venv' / 'node'}{os.pathsep}{os.environ['PATH']}"
    vite = web / "node_modules" / "vite" / "bin" / "vite.js"
    subprocess.run(
        ["node", vite, "build", "--outDir", tmp_path / "built", "--logLevel", "error"],
        cwd=web,
        env={**os.environ, "PATH": path},
        check=True,
    )
    assert "toy" in json.loads((tmp_path / "built" / "pages.json").read_text("utf-8"))

    def serve(route: Route) -> None:
        asked = tmp_path / "built" / urlsplit(route.request.url).path.lstrip("/")
        route.fulfill(path=asked if asked.is_file() else tmp_path / "built" / "index.html")

    ana = visit()
    ana.page.route(re.compile(r"^http://[^/]+/(?!api/)"), serve)
    ana.go("/toy/comboio")
    expect(ana.page.locator("h1")).to_have_text("Um brinquedo")
    expect(ana.page.locator("main")).to_contain_text("comboio")
    expect(ana.page).to_have_title("Brinquedo · Tabuleiro")
    ana.page.get_by_role("button", name="English").click()
    expect(ana.page).to_have_title("Toy · Tabuleiro")
    ana.page.get_by_role("link", name="Rules").click()
    expect(ana.page.get_by_role("heading", level=1)).not_to_have_text("A toy")
    ana.page.go_back()
    expect(ana.page.locator("h1")).to_have_text("A toy")


@pytest.fixture
def site_with_ninth_game(tmp_path: Path) -> Iterator[Site]:
    """The recipe of CONTRIBUTING, done: one file and one line."""
    recipe = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Adding a game")[1]
    code = re.findall(r"```(?:python)?\n(.*?)```", recipe, re.DOTALL)[0]
    (tmp_path / "tictactoe.py").write_text(code, "utf-8")
    (tmp_path / "sitecustomize.py").write_text(
        "import tabuleiro.games, tictactoe\ntabuleiro.games.GAMES['tictactoe'] = tictactoe.Tictactoe\n", "utf-8"
    )
    running = Site(tmp_path / "data", path=tmp_path)
    yield running
    running.stop()


def test_a_ninth_game_is_played_like_the_others(visit: Callable[..., Visitor], site_with_ninth_game: Site) -> None:
    ana = visit(to=site_with_ninth_game, locale="en-GB")
    ana.go("/")
    ana.page.get_by_role("button", name="Play now Tic-tac-toe").click()
    expect(ana.board).to_be_visible()
    for number in range(9):
        state = ana.wait_for_turn()
        if state["status"] == "over":
            break
        ana.play(choose(state, number))
    expect(ana.page.locator(".end")).to_be_visible()
    ana.go("/rules/tictactoe")
    expect(ana.page.locator("h1")).to_have_text("Tic-tac-toe")
    # One in the middle of a line of two: whoever begins wins.
    ana.go("/analysis#game=tictactoe&moves=b2+a1+b1+a3")
    ana.page.get_by_role("button", name="To the end").click()
    expect(ana.page.locator(".verdict")).to_contain_text("With perfect play, Player 1 wins in 1 move")
