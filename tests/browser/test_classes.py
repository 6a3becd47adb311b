"""A class in real browsers: from an empty server to printed cards, a round played, results on the teacher's page."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
import zxingcpp
from playwright.sync_api import expect

from browser.site import Site, Visitor, choose
from browser.test_pages import violations

FIRST, LAST = ("Ana", "Rui", "Eva", "Zé", "Inês"), ("Silva", "Costa", "Dias", "Pires", "Reis")
NAMES = [f"{first} {last}" for first in FIRST for last in LAST]


@pytest.fixture
def empty_site(tmp_path: Path) -> Iterator[Site]:
    running = Site(tmp_path / "school")
    yield running
    running.stop()


def first_link(site: Site) -> str:
    """What the terminal showed."""
    found = re.search(r"http\S+/entrar#l\.\S+", site.log)
    assert found is not None
    return found[0]


def read_codes(pdf: bytes) -> tuple[int, set[str]]:
    """The pages of a print, and every QR code on them, as a camera reads them."""
    document = pypdfium2.PdfDocument(pdf)
    pages = [np.asarray(document[number].render(scale=3).to_numpy()) for number in range(len(document))]
    return len(pages), {found.text for page in pages for found in zxingcpp.read_barcodes(page)}


def make_class(teacher: Visitor, name: str, names: list[str]) -> set[str]:
    """From the home page to printed cards; what their QR codes say."""
    page = teacher.page
    teacher.go("/")
    page.get_by_role("link", name="Turmas").first.click()  # 1
    page.get_by_label("Nome da turma").fill(name)  # 2
    page.get_by_label("Nomes dos alunos").fill("\n".join(names))  # 3
    page.get_by_role("button", name="Criar turma e cartões").click()  # 4
    expect(page.get_by_role("button", name="Imprimir os cartões")).to_be_visible()  # 5: print
    count, links = read_codes(page.pdf(format="A4"))
    assert count == -(-len(names) // 10) and len(links) == len(names)
    return links


def test_from_an_empty_server_to_a_round_played(empty_site: Site, visit: Callable[..., Visitor]) -> None:
    teacher = visit(to=empty_site)
    teacher.page.goto(first_link(empty_site))
    expect(teacher.page.get_by_role("heading", name="Turmas")).to_be_visible()
    assert "#" not in teacher.page.url, "the token is gone from the address"
    links = make_class(teacher, "7.º B", NAMES[:5])
    assert all(link.startswith(f"{empty_site.address}/entrar#c.") for link in links)
    teacher.page.get_by_role("button", name="Já imprimi").click()
    expect(teacher.page.get_by_text("0 de 5 estão aqui")).to_be_visible()
    pupils = [visit(to=empty_site, size=(390, 800)) for _ in links]
    for pupil, link in zip(pupils, links, strict=True):
        pupil.page.goto(link)
        expect(pupil.page.get_by_role("heading", name=re.compile("Olá, "))).to_be_visible()
    expect(teacher.page.get_by_text("5 de 5 estão aqui")).to_be_visible()
    teacher.page.get_by_label("Jogos", exact=True).first.select_option("rastros")
    teacher.page.get_by_role("button", name="Todos jogam agora").click()
    for pupil in pupils:
        expect(pupil.board).to_be_visible()
    expect(teacher.page.get_by_text("0 de 3 acabadas")).to_be_visible()
    seats = [{seat["kind"] for seat in pupil.state()["seats"].values()} for pupil in pupils]
    assert seats.count({"guest"}) == 4 and seats.count({"guest", "engine"}) == 1
    first = [pupil for pupil in pupils if pupil.state()["your_seats"] == [1]]
    second = [pupil for pupil in pupils if pupil not in first]
    for pupil in (*first, *second):
        pupil.play(choose(pupil.wait_for_turn(), 3))
    for pupil in second:
        pupil.context.request.post(
            f"/api/v1/sessions/{pupil.page.url.rsplit('/', 1)[1]}/actions",
            data={"action": "resign"},
            headers={"Origin": empty_site.address},
        )
    expect(teacher.page.get_by_text("2 de 3 acabadas")).to_be_visible()
    expect(teacher.page.get_by_text("1 / 1")).to_have_count(2)
    assert violations(teacher) == []


def test_a_card_is_typed_and_the_phone_passed_on(empty_site: Site, visit: Callable[..., Visitor]) -> None:
    teacher, phone = visit(to=empty_site), visit(to=empty_site, size=(360, 740), touch=True)
    teacher.page.goto(first_link(empty_site))
    expect(teacher.page.get_by_role("heading", name="Turmas")).to_be_visible()
    make_class(teacher, "8.º A", NAMES[:3])
    cards = teacher.page.locator("li", has=teacher.page.locator("dl"))
    codes = [cards.nth(number).locator("dd").all_text_contents() for number in range(2)]
    for class_code, own in codes:
        phone.go("/entrar")
        assert violations(phone) == []
        phone.page.get_by_label("Código da turma").fill(class_code)
        phone.page.get_by_label("O teu código").fill(own.lower())
        phone.page.get_by_role("button", name="Entrar").first.click()
        expect(phone.page.get_by_role("heading", name=re.compile("Olá, "))).to_be_visible()
        phone.page.get_by_role("link", name="A minha conta").click()
        expect(phone.page.get_by_text("este aparelho")).to_be_visible()
        phone.settle()
        phone.page.get_by_role("button", name="Sair").click()
        expect(phone.page.get_by_role("link", name="Entrar")).to_be_visible()
    wrong = ["Ana", "?", "ana"]
    teacher.go("/classes")
    teacher.page.get_by_label("Nome da turma").fill("9.º C")
    teacher.page.get_by_label("Nomes dos alunos").fill("\n".join(wrong))
    teacher.page.get_by_role("button", name="Criar turma e cartões").click()
    expect(teacher.page.get_by_role("alert")).to_contain_text(
        "Linha 2: «?» não é um nome; linha 3: «ana» repetido (linha 1)"
    )
    teacher.forgiven.append("400")
    file = {"name": "turma.csv", "mimeType": "text/csv", "buffer": b"Nome\nMaria\n"}
    teacher.page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    teacher.page.get_by_role("button", name="Criar turma e cartões").click()
    expect(teacher.page.get_by_text("Maria")).to_be_visible()
