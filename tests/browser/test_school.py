"""A school in real browsers, by what one sees and touches alone: from an empty server to a class that has played."""

import re
from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from browser.site import Site, Visitor, choose
from browser.test_classes import NAMES, empty_site, first_link, read_codes

__all__ = ["empty_site"]

#: A page of A4 holds ten cards.
PAGES = 3


class Actions:
    """What somebody does on a page, counted: to touch something is one, and so is to type or paste into a field."""

    def __init__(self) -> None:
        self.count = 0

    def touch(self, what: Locator) -> None:
        self.count += 1
        what.click()

    def fill(self, what: Locator, text: str) -> None:
        self.count += 1
        what.fill(text)


def invite_teacher(organiser: Visitor, name: str) -> str:
    """The link by which a teacher comes in first."""
    organiser.page.get_by_role("link", name="Professores e organizadores").click()
    organiser.page.get_by_label("Nome", exact=True).fill(name)
    organiser.page.get_by_role("button", name="Convidar").click()
    return organiser.page.get_by_role("status").locator("code").inner_text()


def come_as_teacher(empty_site: Site, visit: Callable[..., Visitor], **how: object) -> Visitor:
    organiser, teacher = visit(to=empty_site), visit(to=empty_site, **how)
    organiser.page.goto(first_link(empty_site))
    expect(organiser.page.get_by_role("heading", name="Turmas")).to_be_visible()
    teacher.page.goto(invite_teacher(organiser, "Maria Lopes"))
    expect(teacher.page.get_by_role("heading", name="Turmas")).to_be_visible()
    return teacher


def print_cards(teacher: Visitor, name: str, names: list[str]) -> tuple[Actions, set[str]]:
    """From the home page to a print of all cards: what was done for it, and what the QR codes on it say."""
    page, done = teacher.page, Actions()
    page.add_init_script("window.prints = 0; window.print = () => { window.prints += 1; };")
    teacher.go("/")
    done.touch(page.get_by_role("main").get_by_role("link", name="Turmas"))
    done.fill(page.get_by_label("Nome da turma"), name)
    done.fill(page.get_by_label("Nomes dos alunos"), "\n".join(names))
    done.touch(page.get_by_role("button", name="Criar turma e cartões"))
    done.touch(page.get_by_role("button", name="Imprimir os cartões"))
    assert page.evaluate("window.prints") == 1
    # The browser asks how and where to print: that is one more.
    done.count += 1
    count, links = read_codes(page.pdf(format="A4"))
    assert count == -(-len(names) // 10)
    return done, links


def test_a_first_time_teacher_prints_the_cards_of_a_class_in_six_actions(
    empty_site: Site, visit: Callable[..., Visitor]
) -> None:
    teacher = come_as_teacher(empty_site, visit)
    done, links = print_cards(teacher, "7.º B", NAMES)
    assert done.count <= 6
    assert len(links) == len(NAMES) == 25
    assert all(link.startswith(f"{empty_site.address}/entrar#c.") for link in links)


@pytest.mark.long
def test_a_class_of_twenty_five_from_an_empty_server(empty_site: Site, visit: Callable[..., Visitor]) -> None:
    teacher = come_as_teacher(empty_site, visit)
    _, links = print_cards(teacher, "7.º B", NAMES)
    assert len(links) == 25
    teacher.page.get_by_role("button", name="Já imprimi").click()
    pupils = [sign_in(visit(to=empty_site, size=(390, 800), touch=True), link) for link in sorted(links)]
    expect(teacher.page.get_by_text("25 de 25 estão aqui")).to_be_visible()
    teacher.page.get_by_label("Jogos", exact=True).first.select_option("rastros")
    teacher.page.get_by_role("button", name="Todos jogam agora").click()
    for pupil in pupils:
        expect(pupil.board).to_be_visible()
    expect(teacher.page.get_by_text("0 de 13 acabadas")).to_be_visible()
    games = {pupil.page.url: pupil.state() for pupil in pupils}
    kinds = Counter(tuple(sorted(seat["kind"] for seat in game["seats"].values())) for game in games.values())
    assert kinds == {("guest", "guest"): 12, ("engine", "guest"): 1}
    assert {game["status"] for game in games.values()} == {"playing"}
    assert all(game["seats"][seat]["connected"] for game in games.values() for seat in ("1", "2"))
    play_and_resign(pupils)
    expect(teacher.page.get_by_text("13 de 13 acabadas")).to_be_visible()
    shown = teacher.page.locator("table tbody tr")
    expect(shown).to_have_count(25)
    # Of each pair one has won, and who played the computer has not.
    expect(shown.get_by_text("1 / 1")).to_have_count(12)
    expect(shown.get_by_text("0 / 1")).to_have_count(13)
    results = teacher.page.locator("details li")
    expect(results).to_have_count(13)
    expect(results.get_by_text(re.compile("^ganhou o computador"))).to_have_count(1)
    told = {row.locator("th a").inner_text(): row.inner_text() for row in shown.all()}
    assert sorted(told) == sorted(NAMES)
    for result in results.get_by_text(re.compile("^ganhou (?!o computador)")).all_inner_texts():
        assert "1 / 1" in told[result.removeprefix("ganhou ")]


def sign_in(pupil: Visitor, link: str) -> Visitor:
    pupil.page.goto(link)
    expect(pupil.page.get_by_role("heading", name=re.compile("Olá, "))).to_be_visible()
    return pupil


def play_and_resign(pupils: list[Visitor]) -> None:
    """In each game both make a move by touching the board; then who moved second, or plays the computer, gives up."""
    first = [pupil for pupil in pupils if pupil.state()["your_seats"] == [1]]
    second = [pupil for pupil in pupils if pupil not in first]
    for pupil in (*first, *second):
        pupil.play(choose(pupil.wait_for_turn(), 3), tap=True)
    alone = [pupil for pupil in pupils if "engine" in {seat["kind"] for seat in pupil.state()["seats"].values()}]
    for pupil in {*second, *alone}:
        pupil.wait_for_moves(2 if pupil in second and pupil not in alone else len(pupil.wait_for_turn()["history"]))
        pupil.page.get_by_role("button", name="Desistir").click()
        pupil.page.get_by_role("alertdialog").get_by_role("button", name="Sim, desisto").click()
        expect(pupil.page.locator(".end h2")).to_be_visible()
