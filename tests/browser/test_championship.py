"""Championships in real browsers: a knock-out from the home page, phones that follow, tables, paper."""

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TooSlow

from browser.places import CUP_PLACES
from browser.site import Json, Site, Visitor, choose
from browser.test_classes import first_link, read_codes
from browser.test_layout import CUT_OFF
from browser.test_pages import assert_good, violations
from browser.test_words import untranslated

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


def told(visitor: Visitor, method: str, path: str, body: Json | None = None) -> Json:
    """Ask the server as the page would."""
    address = f"/api/v1/championships{path}"
    answer = visitor.context.request.fetch(address, method=method, data=body, headers={"Origin": visitor.site.address})
    assert answer.ok, answer.text()
    found: Json = answer.json()
    return found


def rehearsed(teacher: Visitor, steps: int = 1000) -> str:
    """A school day with invented pupils, so many steps on; its id."""
    body = {"template": "school-day", "rehearsal": {"pupils": 50, "schools": 6}}
    made: str = told(teacher, "POST", "", body)["id"]
    for _ in range(steps):
        if told(teacher, "POST", f"/{made}/rehearsal")["over"]:
            break
    return made


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
    phone.page.wait_for_url("**/campeonatos", timeout=PATIENCE)
    phone.go(f"/campeonatos/{cup}/grupo/rastros-all/1/1")
    teacher.go(f"/campeonatos/{cup}/projetor/mesas")
    expect(page.get_by_text("1-0")).to_have_count(0)
    counted = Counted(phone.page)
    open_tables = phone.page.get_by_role("group", name="Resultado")
    expect(open_tables).to_have_count(4, timeout=PATIENCE)
    assert violations(phone) == []
    counted.click(phone.page.get_by_role("button", name=re.compile("^Ganha ")).first)
    expect(page.get_by_text("1-0")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("link", name="Contagem").click()
    page.get_by_role("button", name="Começar").click()
    page.get_by_role("link", name="Por mesa").click()
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^(20:00|19:\d\d)$"))
    phone.page.get_by_role("button", name="Corrigir a mesa").click()
    phone.page.get_by_label("Motivo", exact=True).first.fill("trocado")
    first = phone.page.get_by_role("article").first
    first.get_by_role("button", name=re.compile("^Ganha ")).nth(1).click()
    expect(page.get_by_text("0-1")).to_be_visible(timeout=PATIENCE)
    phone.page.get_by_role("row", name=re.compile(r"^1\.º Explicar .* 1$")).get_by_role("button").click()
    expect(phone.page.get_by_text(re.compile(r"Pontos: 1 = 1"))).to_be_visible()


def test_paper_for_every_step(hall: Site, visit: Callable[..., Visitor]) -> None:
    teacher = organised(hall, visit)
    begin_knockout(teacher)
    cup = re.findall(r"campeonatos/([^/]+)", teacher.page.url)[0]
    page = teacher.page
    teacher.go(f"/campeonatos/{cup}/papel")
    expect(page.get_by_text("Ana Silva")).to_be_visible(timeout=PATIENCE)
    seen = {}
    once = ("Presenças", "Grupos", "Talões", "Quadros", "Classificações", "Regulamento")
    for sheet in (*once, "Mesas", "Diplomas"):
        page.get_by_role("radio", name=sheet, exact=True).check(force=True)
        page.wait_for_load_state("networkidle")
        seen[sheet] = read_codes(page.pdf(format="A4"))
        assert violations(teacher) == [], sheet
    assert seen["Grupos"][1] == {f"{hall.address}/campeonatos/{cup}/grupo/rastros-all/1/1"}
    assert seen["Diplomas"][0] == len(EIGHT), "one on each page"
    assert all(seen[sheet][0] == 1 for sheet in once)
    page.get_by_role("radio", name="Diplomas dos vencedores").check(force=True)
    expect(page.get_by_text("Ainda não há pódios.")).to_be_visible()
    page.get_by_role("link", name="Tabuleiro: Rastros").click()
    expect(page.get_by_role("heading", name="Rastros, para imprimir")).to_be_visible()


def test_every_sheet_of_a_rehearsal_says_that_it_is_one(hall: Site, visit: Callable[..., Visitor]) -> None:
    teacher = organised(hall, visit)
    cup = rehearsed(teacher)
    page = teacher.page
    teacher.go(f"/campeonatos/{cup}/papel")
    page.get_by_label("Também as fases anteriores").check()
    for sheet in page.get_by_role("radio").all():
        sheet.check(force=True)
        page.wait_for_load_state("networkidle")
        for text in names_on(page.pdf(format="A4", prefer_css_page_size=True)):
            assert "ENSAIO" in text, sheet.get_attribute("value")


def test_every_page_of_a_championship_is_accessible_fits_and_is_portuguese(
    hall: Site, visit: Callable[..., Visitor]
) -> None:
    teacher = organised(hall, visit)
    ids = {"cup": rehearsed(teacher, 4), "over": rehearsed(teacher)}
    for name, path in CUP_PLACES.items():
        teacher.arrive(path.format(**ids))
        assert_good(teacher, name)
        teacher.page.evaluate("document.querySelectorAll('main details').forEach((one) => (one.open = true))")
        assert untranslated(teacher) == [], name
        teacher.page.set_viewport_size({"width": 320, "height": 640})
        assert teacher.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
        assert teacher.page.evaluate(CUT_OFF) == [], name


def test_rules_are_changed_from_the_page(hall: Site, visit: Callable[..., Visitor]) -> None:
    teacher = organised(hall, visit)
    page = teacher.page
    teacher.go("/campeonatos")
    page.get_by_role("radio", name="Sistema suíço").check()
    page.get_by_label("Jornadas (se quiseres)").fill("3")
    page.get_by_text("Mais definições").click()
    page.get_by_label("Relógio: minutos para cada um").fill("10")
    page.get_by_label("Nomes, um por linha").fill("\n".join(EIGHT[:4]))
    page.get_by_role("button", name="Criar e sortear").click()
    page.get_by_role("navigation", name="Campeonatos").get_by_role("link", name="Regras").click()
    # Fewer rounds: the stage is under way, and that is said.
    page.get_by_label("Jornadas", exact=True).fill("2")
    page.get_by_role("button", name="Tirar Buchholz", exact=True).click()
    expect(page.get_by_text("a mudança fica assinalada")).to_be_visible()
    page.get_by_role("button", name="Guardar as regras").click()
    expect(page.get_by_text("Regras guardadas.")).to_be_visible()
    expect(page.get_by_label("Jornadas", exact=True)).to_have_value("2")
    expect(page.get_by_role("button", name="Juntar Buchholz", exact=True)).to_be_visible()
    assert violations(teacher) == []
    page.get_by_role("link", name="Rastros").click()
    expect(page.get_by_text("as regras mudaram depois de haver jornadas")).to_be_visible()


def test_pairings_by_hand_a_playoff_and_a_rehearsal_from_the_pages(hall: Site, visit: Callable[..., Visitor]) -> None:
    teacher = organised(hall, visit)
    page = teacher.page
    body = {"quick": {"game": "rastros", "format": "swiss", "rounds": 2}, "begin": True}
    cup = told(teacher, "POST", "", {**body, "entries": {"names": "\n".join(EIGHT[:4])}})["id"]
    teacher.go(f"/campeonatos/{cup}/grupo/rastros-all/1/1")
    enter_round(Counted(page), 2)
    group = told(teacher, "GET", f"/{cup}/groups/rastros-all/1/1")
    first = group["groups"][0]["rounds"][0]["pairings"][0]
    names = [group["people"][str(first[side])]["name"] for side in ("one", "two")]
    page.get_by_text("Emparelhar à mão").click()
    page.get_by_label("Começa", exact=True).select_option(names[1])
    page.get_by_label("Segundo", exact=True).select_option(names[0])
    page.get_by_role("button", name="Juntar este par").click()
    expect(page.get_by_text(f"{names[1]} – {names[0]}: contra «ninguém repete adversário»")).to_be_visible()
    assert violations(teacher) == []
    page.get_by_role("button", name="Emparelhar assim").click()
    expect(page.get_by_role("button", name="Jornada 2")).to_have_attribute("aria-pressed", "true")
    # The same two win again: a correction makes a tie, which is played off.
    enter_round(Counted(page), 2)
    for tie in page.get_by_role("group", name="Falta desempatar").all():
        for player in tie.get_by_role("button").all()[:-2]:
            player.click()
        tie.get_by_role("button", name="Registar o desempate").click()
        break
    expect(page.get_by_role("region", name="Classificação").get_by_text("1.º")).to_have_count(1)
    teacher.go("/campeonatos")
    page.get_by_text("Mais definições").click()
    page.get_by_label("É um ensaio").check()
    page.get_by_role("spinbutton", name="Alunos inventados").fill("6")
    page.get_by_role("button", name="Criar e sortear").click()
    expect(page.get_by_text("ENSAIO: pessoas e resultados inventados")).to_be_visible()
    page.get_by_role("button", name="Ensaiar até ao fim").click()
    expect(page.get_by_text("O ensaio chegou ao fim.")).to_be_visible()
    page.get_by_role("link", name="Arquivo").click()
    expect(page.get_by_role("heading", name="Provas")).to_be_visible()


@pytest.mark.long
def test_a_game_of_a_series_is_corrected_while_it_goes_on(hall: Site, visit: Callable[..., Visitor]) -> None:
    teacher = organised(hall, visit)
    page = teacher.page
    quick = {"game": "rastros", "format": "match", "best_of": 3}
    body = {"quick": quick, "entries": {"names": "\n".join(EIGHT[:2])}, "begin": True}
    cup = told(teacher, "POST", "", body)["id"]
    group = "rastros-all/1/1"
    teacher.go(f"/campeonatos/{cup}/grupo/{group}")
    table = page.get_by_role("article")
    for number in (2, 3):
        table.get_by_role("button", name=re.compile("^Ganha ")).nth(number - 2).click()
        expect(table.get_by_text(f"partida {number}")).to_be_visible()
    table.get_by_role("button", name="Corrigir a mesa").click()
    table.get_by_label("Que partida?").select_option("1")
    table.get_by_label("Motivo", exact=True).first.fill("trocado")
    table.get_by_role("button", name=re.compile("^Ganha ")).nth(1).click()
    expect(table.get_by_role("group", name="Resultado")).to_have_count(0)
    (pairing,) = told(teacher, "GET", f"/{cup}/groups/{group}")["groups"][0]["rounds"][0]["pairings"]
    assert [game["winner"] for game in pairing["games"]] == [2, 2] and pairing["winner"] == 2
    assert violations(teacher) == []


def names_on(pdf: bytes) -> list[str]:
    """What is written on each page of a print."""
    document = pypdfium2.PdfDocument(pdf)
    return [document[number].get_textpage().get_text_range() for number in range(len(document))]


def sit_down(pupil: Visitor) -> None:
    """The game opens when one of two who are there sits down; then the other finds it open."""
    seat = pupil.page.get_by_role("button", name="Jogar aqui")
    expect(seat.or_(pupil.board)).to_be_visible(timeout=PATIENCE)
    with contextlib.suppress(TooSlow):
        seat.click(timeout=1000)
    expect(pupil.board).to_be_visible(timeout=PATIENCE)


@pytest.mark.long
def test_a_class_tournament_of_twelve_played_on_the_site(hall: Site, visit: Callable[..., Visitor]) -> None:
    """Twelve pupils sign in by card and play four rounds by touching; who has won what is what the standings say, and
    the diplomas say it too."""
    teacher = organised(hall, visit)
    page = teacher.page
    names = [f"{first} {last}" for first in ("Ana", "Rui", "Eva", "Zé") for last in ("Silva", "Costa", "Dias")]
    teacher.go("/campeonatos")
    page.get_by_role("radio", name="Sistema suíço").check()
    page.get_by_label("Jogo", exact=True).select_option("semaforo")
    page.get_by_label("Jornadas (se quiseres)").fill("4")
    page.get_by_label("Nomes, um por linha").fill("\n".join(names))
    page.get_by_role("button", name="Criar e sortear").click()
    page.wait_for_url(re.compile(r"/campeonatos/\w+$"), timeout=PATIENCE)
    cup = page.url.rsplit("/", 1)[1]
    teacher.go(f"/campeonatos/{cup}/inscritos")
    page.get_by_role("button", name="Imprimir cartões novos para todos").click()
    expect(page.get_by_role("button", name="Imprimir os cartões")).to_be_visible(timeout=PATIENCE)
    _, links = read_codes(page.pdf(format="A4"))
    assert len(links) == len(names)
    pupils = [visit(to=hall, size=(390, 800), touch=True) for _ in links]
    for pupil, link in zip(pupils, links, strict=True):
        pupil.page.goto(link)
        pupil.page.get_by_role("link", name="Semáforo").click(timeout=PATIENCE)
    points = dict.fromkeys(range(len(pupils)), 0)
    for number in range(1, 5):
        if number > 1:
            teacher.go(f"/campeonatos/{cup}")
            page.get_by_role("button", name="Emparelhar a jornada seguinte").click(timeout=PATIENCE)
        for pupil in pupils:
            sit_down(pupil)
        going = {*range(len(pupils))}
        while going:
            for place in sorted(going):
                state = pupils[place].state()
                if state["status"] == "over":
                    points[place] += state["view"]["outcome"]["winner"] in state["your_seats"]
                    going.discard(place)
                elif state["view"]["turn"] in state["your_seats"]:
                    pupils[place].play(choose(state, number))
        for pupil in pupils:
            pupil.go(f"/campeonatos/{cup}")
    teacher.go(f"/campeonatos/{cup}/grupo/semaforo-all/1/1")
    rows = page.get_by_role("region", name="Classificação").locator("tbody tr")
    expect(rows).to_have_count(len(names), timeout=PATIENCE)
    expect(rows.first.locator(".points")).to_have_text(str(max(points.values())), timeout=PATIENCE)
    shown = sorted(int(each.locator(".points").inner_text()) for each in rows.all())
    assert shown == sorted(points.values()) and sum(shown) == 24
    if page.get_by_role("button", name="Tirar à sorte").count():
        page.get_by_role("button", name="Tirar à sorte").first.click()
    expect(page.get_by_role("button", name="Tirar à sorte")).to_have_count(0, timeout=PATIENCE)
    first = rows.first.get_by_role("button").inner_text()
    teacher.go(f"/campeonatos/{cup}/papel")
    page.get_by_role("radio", name="Diplomas", exact=True).check(force=True, timeout=PATIENCE)
    printed = names_on(page.pdf(format="A4"))
    assert len(printed) == len(names) and first in printed[0] and "1.º lugar" in printed[0]
    assert {name for name in names if any(name in text for text in printed)} == {*names}
