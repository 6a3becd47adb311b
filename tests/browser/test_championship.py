"""Championships in real browsers: a knock-out from the home page, phones that follow, tables, paper."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.site import Site, Visitor
from browser.test_classes import first_link, read_codes
from browser.test_pages import violations

EIGHT = ["Ana Silva", "Rui Costa", "Eva Dias", "Zé Pires", "Inês Reis", "Tó Melo", "Lia Nunes", "Gil Brito"]
#: A hall with other programs running is slow.
PATIENCE = 60_000


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Site]:
    running = Site(tmp_path / "hall")
    yield running
    running.stop()


class Counted:
    """Somebody who has never seen it: everything they do is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0

    def click(self, what: Locator) -> None:
        what.click()
        self.actions += 1

    def fill(self, what: Locator, text: str) -> None:
        what.fill(text)
        self.actions += 1


def begin_knockout(teacher: Visitor, names: list[str] | None = None) -> Counted:
    """From the home page to the first round of a knock-out."""
    page = teacher.page
    teacher.go("/")
    counted = Counted(page)
    if page.get_by_role("button", name="Menu").is_visible():
        counted.click(page.get_by_role("button", name="Menu"))
    counted.click(page.get_by_role("link", name="Campeonatos"))
    counted.fill(page.get_by_label("Nomes, um por linha"), "\n".join(names or EIGHT))
    counted.click(page.get_by_role("button", name="Criar e sortear"))
    counted.click(page.get_by_role("link", name="Torneio"))
    expect(page.get_by_role("article").first).to_be_visible(timeout=PATIENCE)
    return counted


def organised(hall: Site, visit: Callable[..., Visitor]) -> Visitor:
    teacher = visit(to=hall)
    teacher.page.goto(first_link(hall))
    expect(teacher.page.get_by_role("heading", name="Turmas")).to_be_visible()
    return teacher


def enter_round(counted: Counted, tables: int) -> None:
    """Who begins wins at every table of a round."""
    page = counted.page
    for done in range(tables):
        open_tables = page.get_by_role("article").filter(has=page.get_by_role("group", name="Resultado"))
        expect(open_tables).to_have_count(tables - done, timeout=PATIENCE)
        counted.click(open_tables.first.get_by_role("button", name=re.compile("^Ganha ")).first)
    expect(page.get_by_role("group", name="Resultado")).to_have_count(0, timeout=PATIENCE)


def test_a_knockout_for_eight_in_few_actions(hall: Site, visit: Callable[..., Visitor]) -> None:
    teacher = organised(hall, visit)
    counted = begin_knockout(teacher)
    assert counted.actions == 4, "the first round is drawn"
    page = teacher.page
    for tables in (4, 2, 2):
        enter_round(counted, tables)
        if tables == 4 or page.get_by_role("button", name="Emparelhar a jornada seguinte").is_visible():
            counted.click(page.get_by_role("button", name="Emparelhar a jornada seguinte"))
    teacher.go(page.url.split("/grupo/")[0].replace(hall.address, ""))
    podium = page.get_by_role("list", name="Pódio")
    expect(podium.get_by_role("listitem")).to_have_count(3, timeout=PATIENCE)
    assert counted.actions <= 16, "4 to begin, 8 results, 2 rounds"
    assert violations(teacher) == []


def test_an_arbiter_enters_results_and_the_projector_follows(hall: Site, visit: Callable[..., Visitor]) -> None:
    teacher = organised(hall, visit)
    begin_knockout(teacher)
    cup = re.findall(r"campeonatos/([^/]+)", teacher.page.url)[0]
    teacher.go(f"/campeonatos/{cup}/inscritos")
    page = teacher.page
    page.get_by_label("Nome do árbitro").fill("Maria Lopes")
    page.get_by_role("button", name="Nomear").click()
    link = page.locator("code", has_text="/entrar#l.").inner_text(timeout=PATIENCE)
    assert violations(teacher) == []
    phone = visit(to=hall, size=(390, 844), touch=True)
    phone.page.goto(link)
    phone.page.wait_for_url("**/classes", timeout=PATIENCE)
    phone.go(f"/campeonatos/{cup}/grupo/rastros-all/1/1")
    teacher.go(f"/campeonatos/{cup}/projetor/mesas")
    expect(page.get_by_text("1-0")).to_have_count(0)
    counted = Counted(phone.page)
    open_tables = phone.page.get_by_role("group", name="Resultado")
    expect(open_tables).to_have_count(4, timeout=PATIENCE)
    assert violations(phone) == []
    counted.click(phone.page.get_by_role("button", name=re.compile("^Ganha ")).first)
    expect(page.get_by_text("1-0")).to_be_visible(timeout=PATIENCE)
    phone.page.get_by_role("button", name="Corrigir a mesa").click()
    phone.page.get_by_label("Motivo", exact=True).first.fill("trocado")
    first = phone.page.get_by_role("article").first
    first.get_by_role("button", name=re.compile("^Ganha ")).nth(1).click()
    expect(page.get_by_text("0-1")).to_be_visible(timeout=PATIENCE)
    phone.page.get_by_role("button", name=re.compile("^Explicar ")).first.click()
    expect(phone.page.get_by_text(re.compile(r"Pontos: 1 = 1"))).to_be_visible()


def test_paper_for_every_step(hall: Site, visit: Callable[..., Visitor]) -> None:
    teacher = organised(hall, visit)
    begin_knockout(teacher)
    cup = re.findall(r"campeonatos/([^/]+)", teacher.page.url)[0]
    page = teacher.page
    teacher.go(f"/campeonatos/{cup}/papel")
    expect(page.get_by_text("Ana Silva")).to_be_visible(timeout=PATIENCE)
    seen = {}
    for sheet in ("Presenças", "Grupos", "Mesas", "Talões", "Quadros", "Classificações", "Diplomas"):
        page.get_by_role("radio", name=sheet).check(force=True)
        page.wait_for_load_state("networkidle")
        seen[sheet] = read_codes(page.pdf(format="A4"))
        assert violations(teacher) == [], sheet
    assert seen["Grupos"][1] == {f"{hall.address}/campeonatos/{cup}/grupo/rastros-all/1/1"}
    assert seen["Diplomas"][0] == len(EIGHT), "one on each page"
    assert all(seen[sheet][0] == 1 for sheet in ("Presenças", "Grupos", "Talões", "Quadros", "Classificações"))
