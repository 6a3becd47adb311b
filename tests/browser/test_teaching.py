"""What a teacher does in the classroom: worksheets that are printed, a position that the class votes on."""

import io
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from browser.site import Site, Visitor
from browser.test_classes import NAMES, first_link, make_class, read_codes
from browser.test_pages import violations
from browser.test_paper import assert_paper
from tabuleiro.games import GAMES
from tabuleiro.learn import lessons_of
from tabuleiro.learn.words import choice_name
from tabuleiro.server.learning.puzzles import number_of, some


@pytest.fixture
def school(tmp_path: Path) -> Iterator[Site]:
    running = Site(tmp_path / "school")
    yield running
    running.stop()


def printed(visitor: Visitor) -> bytes:
    pdf: bytes = visitor.page.pdf(prefer_css_page_size=True)
    return pdf


def _plain(text: str) -> str:
    """In one line, and ligatures as letters: fonts print fi as one sign."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def assert_worksheet(
    visitor: Visitor, count: int, per_page: int, words: tuple[str, str], where: str = "/aprender/"
) -> None:
    """So many tasks, so many on a sheet, none of them cut in two, and the solutions on one last sheet; a phone reads
    where the same is done on the board."""
    answer, solutions = words
    asked = [_plain(text) for text in visitor.page.locator("figcaption").all_inner_texts()]
    assert [int(text.partition(".")[0]) for text in asked] == [*range(1, count + 1)]
    pdf = printed(visitor)
    sheets = PdfReader(io.BytesIO(pdf))
    *leaves, last = (_plain(sheet.extract_text()) for sheet in sheets.pages)
    assert len(leaves) == -(-count // per_page)
    for page, text in enumerate(leaves):
        here = asked[page * per_page : (page + 1) * per_page]
        # A line may end after the hyphen of a word.
        printed_here = text.replace("- ", "-")
        assert all(task.replace("- ", "-") in printed_here for task in here), text
        assert text.count(answer) == len(here), text
        assert solutions not in text
    assert solutions in last and answer not in last
    assert_paper(sheets, solutions)
    pages, codes = read_codes(pdf)
    assert pages == len(leaves) + 1 and all(where in code for code in codes) and codes


def test_a_worksheet_is_printed_with_its_solutions_on_the_last_sheet(visit: Callable[..., Visitor]) -> None:
    teacher = visit()
    teacher.go("/fichas")
    teacher.page.get_by_role("link", name="Rastros").click()
    expect(teacher.page.locator("figure")).to_have_count(6)
    assert_worksheet(teacher, 6, 6, ("Resposta", "Soluções"))
    teacher.page.get_by_label("Dominós").check()
    expect(teacher.page.locator("figure")).to_have_count(3)
    teacher.page.get_by_label("Inglês").check()
    assert_worksheet(teacher, 3, 6, ("Answer", "Solutions"))
    teacher.page.get_by_label("Problemas").check()
    teacher.page.get_by_label("Tema").select_option("tempo")
    teacher.page.get_by_label("até").select_option("1300")
    expect(teacher.page.get_by_text(f"Há {len(some('rastros', 'tempo', 0, 1300))} assim.")).to_be_visible()
    expect(teacher.page.locator("figure")).to_have_count(6)
    assert_worksheet(teacher, 6, 6, ("Answer", "Solutions"), "/problemas/rastros")
    assert violations(teacher) == []


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_worksheets_of_every_game_in_every_size(visit: Callable[..., Visitor], game: str) -> None:
    teacher = visit(theme="dark")
    teacher.go(f"/fichas/{game}")
    for count, per_page in ((4, 2), (9, 9), (12, 12), (12, 4)):
        teacher.page.get_by_label("Quantas tarefas").select_option(str(count))
        teacher.page.get_by_label(str(per_page), exact=True).check()
        expect(teacher.page.locator("figure")).to_have_count(count)
        for language, words in (("Inglês", ("Answer", "Solutions")), ("Português", ("Resposta", "Soluções"))):
            teacher.page.get_by_label(language).check()
            assert_worksheet(teacher, count, per_page, words)


def test_a_class_votes_with_its_phones(school: Site, visit: Callable[..., Visitor]) -> None:
    teacher = visit(to=school, size=(1920, 1080))
    teacher.page.goto(first_link(school))
    expect(teacher.page.get_by_role("heading", name="Turmas")).to_be_visible()
    links = make_class(teacher, "7.º B", NAMES[:2])
    teacher.page.get_by_role("button", name="Já imprimi").click()
    teacher.page.get_by_role("button", name="Votação ao vivo").click()
    wall = teacher.page
    expect(wall.get_by_role("img", name="Código QR da votação")).to_be_visible()
    code = wall.locator(".join strong").inner_text()
    by_card, by_code = visit(to=school, size=(390, 844), touch=True), visit(to=school, size=(390, 844), locale="en-GB")
    by_card.page.goto(sorted(links)[0])
    expect(by_card.page.get_by_role("heading", name=re.compile("Olá, "))).to_be_visible()
    by_card.go(f"/votar/{code}")
    expect(by_card.page.get_by_text("Espera pela primeira posição")).to_be_visible()
    by_code.go("/votar")
    by_code.page.get_by_label("Code of the vote").fill(code.lower())
    by_code.page.keyboard.press("Enter")
    expect(by_code.page.get_by_text("Wait for the first position")).to_be_visible()

    wall.get_by_label("Jogo").select_option("semaforo")
    wall.get_by_label("Escrita por mim").check()
    wall.get_by_label("Posição").fill("GRGY/R2R/R2Y 1")
    wall.get_by_role("button", name="Abrir a votação").click()
    expect(by_card.page.get_by_role("heading", name="Que jogada fazias?")).to_be_visible()
    cell = {name: number for number, name in enumerate(GAMES["semaforo"].start().geometry.names)}
    by_card.cell(cell["c3"]).tap()
    expect(by_card.page.get_by_text("O teu voto: c3.")).to_be_visible()
    by_code.cell(cell["b1"]).focus()
    by_code.page.locator(f'[data-cell="{cell["b1"]}"]').focus()
    by_code.page.keyboard.press("Enter")
    expect(by_code.page.get_by_text("Your vote: b1.")).to_be_visible()
    expect(wall.get_by_text("2 votos")).to_be_visible()
    expect(wall.get_by_role("list", name="Votos").get_by_role("listitem")).to_have_count(2)
    expect(by_card.page.get_by_role("list", name="Votos")).to_have_count(0)
    assert violations(teacher) == [] and violations(by_card) == []

    wall.get_by_role("button", name="Fechar a votação").click()
    wall.get_by_role("button", name="Mostrar a verdade").click()
    expect(wall.get_by_text("Quem joga ganha com c3.")).to_be_visible()
    expect(by_code.page.get_by_text("The player to move wins with c3.")).to_be_visible()
    expect(by_code.page.get_by_text("✗ loses")).to_be_visible()
    expect(by_card.page.get_by_text("✓ ganha")).to_be_visible()
    wall.get_by_role("button", name="Outra posição").click()
    wall.get_by_role("button", name="Abrir a votação").click()
    expect(by_card.page.get_by_text("0 votos")).to_be_visible()
    wall.get_by_role("button", name="Acabar a votação").click()
    expect(by_card.page.get_by_text("Esta votação acabou.")).to_be_visible()
    teacher.go("/registo")
    expect(teacher.page.get_by_role("cell", name="criou a turma")).to_be_visible()
    expect(teacher.page.get_by_role("cell", name="7.º B · 2 alunos")).to_be_visible()
    assert violations(teacher) == []


OWN = """game: rastros
language: pt
title: Chega a casa

```task
position: 7/7/7/7/7/1O5/7 1
goal: win in 1
answer: a1
ask: Ganha já!
```
"""


def test_a_set_goes_to_the_class_and_comes_back_as_results(school: Site, visit: Callable[..., Visitor]) -> None:
    teacher = visit(to=school)
    teacher.page.goto(first_link(school))
    expect(teacher.page.get_by_role("heading", name="Turmas")).to_be_visible()
    (link, *_) = sorted(make_class(teacher, "7.º B", NAMES[:2]))
    teacher.page.get_by_role("button", name="Já imprimi").click()
    expect(teacher.page.get_by_role("heading", name="7.º B")).to_be_visible()
    home = teacher.page.url

    teacher.go("/tarefas")
    page = teacher.page
    page.get_by_label("Nome do conjunto").fill("Semana 1")
    page.get_by_label("Jogo").select_option("semaforo")
    page.locator("summary", has_text="Escolher tarefas de «Três em linha»").click()
    page.get_by_label(re.compile("^1. ")).first.check()
    page.locator("summary", has_text="Problemas").click()
    page.get_by_label("Tema").select_option("who wins")
    expect(page.get_by_text(f"Há {len(some('semaforo', 'who wins', 0, 9999))} assim.")).to_be_visible()
    picked = page.get_by_label(re.compile("Problema .* dificuldade ")).first
    picked.check()
    puzzle = number_of(str(picked.get_attribute("value")))
    assert puzzle is not None
    page.locator("summary", has_text="Tarefas escolhidas: 2").click()
    expect(page.get_by_role("listitem").filter(has_text="Semáforo: problema")).to_be_visible()
    page.get_by_text("Uma lição tua", exact=True).click()
    page.get_by_label("Texto da lição").fill(OWN.replace("answer: a1", "answer: a2"))
    teacher.forgiven.append("400")
    page.get_by_role("button", name="Criar conjunto").click()
    expect(page.get_by_role("alert")).to_contain_text("licao.md: linha 8: resposta errada")
    assert violations(teacher) == []
    page.get_by_label("Texto da lição").fill(OWN)
    page.get_by_role("button", name="Criar conjunto").click()
    expect(page.get_by_text("O conjunto «Semana 1» está feito.")).to_be_visible()
    page.goto(home)
    page.get_by_label("Conjunto").select_option(label="Semana 1")
    page.get_by_role("button", name="Dar à turma").click()
    expect(page.get_by_text("3 tarefas · 0 % feito")).to_be_visible()

    pupil = visit(to=school, size=(390, 844), touch=True)
    pupil.page.goto(link)
    expect(pupil.page.get_by_role("heading", name=re.compile("Olá, "))).to_be_visible()
    # What the teacher gave is on the first page that a card opens, and on one's own.
    expect(pupil.page.get_by_role("link", name="Semana 1")).to_be_visible()
    pupil.go("/me")
    pupil.page.get_by_role("link", name="Semana 1").click()
    task = lessons_of(GAMES["semaforo"])[0].tasks[0]
    position = task.node().position
    wrong = next(move for move in position.legal_moves() if move not in task.answer)
    for move in (wrong, min(task.answer)):
        for cell in position.clicks(move):
            pupil.cell(cell).tap()
        if move is wrong:
            pupil.page.get_by_role("button", name="Tenta outra vez").click()
    pupil.page.get_by_role("button", name="Próxima tarefa").click()
    pupil.page.get_by_role("button", name=choice_name(puzzle.position(), puzzle.answer, False).pt).tap()
    pupil.page.get_by_role("button", name="Próxima tarefa").click()
    pupil.cell(GAMES["rastros"].start().geometry.names.index("a1")).tap()
    expect(pupil.page.get_by_text("Está tudo feito.")).to_be_visible()
    assert violations(pupil) == []

    page.goto(home)
    page.get_by_role("link", name="Resultados de Semana 1").click()
    expect(page.get_by_role("cell", name=f"resolvida, errou: {position.move_str(wrong)}")).to_be_visible()
    expect(page.get_by_role("cell", name="3/3")).to_be_visible()
    assert violations(teacher) == []
