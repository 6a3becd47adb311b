"""The lobby in real browsers: a challenge arrives wherever somebody is, and one tap answers it."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from browser.site import Site, Visitor, choose
from browser.test_classes import empty_site, first_link, make_class
from browser.test_pages import violations

__all__ = ["empty_site"]

OTHER_PUPIL = re.compile("Desafiar (?!Organizador).* para Rastros")


def test_a_challenge_from_the_lobby_to_a_rated_game(empty_site: Site, visit: Callable[..., Visitor]) -> None:
    teacher = visit(to=empty_site)
    teacher.page.goto(first_link(empty_site))
    expect(teacher.page.get_by_role("heading", name="Turmas")).to_be_visible()
    links = sorted(make_class(teacher, "7.º B", ["Ana Silva", "Rui Costa", "Eva Dias"]))
    pupils = [visit(to=empty_site, size=(390, 800), touch=True) for _ in links[:2]]
    for pupil, link in zip(pupils, links, strict=False):
        pupil.page.goto(link)
        expect(pupil.page.get_by_role("heading", name=re.compile("Olá, "))).to_be_visible()
    one, two = pupils
    two.go("/people")
    expect(two.page.get_by_role("heading", name="O meu percurso")).to_be_visible()
    expect(two.page.get_by_role("table")).to_have_count(0)  # nothing was played yet
    two.go("/rules/rastros")
    one.go("/")
    one.page.get_by_role("link", name="Quem quer jogar?").click()
    expect(one.page.get_by_text("pode jogar")).to_have_count(2)  # and the teacher
    assert violations(one) == []
    one.page.get_by_label("Jogo", exact=True).select_option("rastros")
    one.page.get_by_label("À melhor de três").check()
    one.page.get_by_role("button", name=OTHER_PUPIL).click()
    expect(one.page.get_by_text("à espera da resposta")).to_be_visible()
    expect(two.page.get_by_text("desafia-te para Rastros")).to_be_visible()
    assert violations(two) == []
    two.page.get_by_role("button", name="Agora não").click()
    expect(one.page.get_by_text("agora não pode jogar")).to_be_visible()
    one.page.get_by_role("button", name="Fechar").click()
    one.page.get_by_role("button", name=OTHER_PUPIL).click()
    two.page.get_by_role("button", name="Aceitar").click()
    for pupil in pupils:
        expect(pupil.board).to_be_visible(timeout=20_000)
    for ply in range(2):
        mover = next(pupil for pupil in pupils if pupil.state()["view"]["turn"] in pupil.state()["your_seats"])
        mover.play(choose(mover.wait_for_turn(), 3))
        for pupil in pupils:
            pupil.wait_for_moves(ply + 1)
    two.page.get_by_role("button", name="Desistir").click()
    two.page.get_by_role("button", name=re.compile("Desistir|Sim")).last.click()
    expect(one.page.get_by_text("À melhor de 3: 1–0").first).to_be_visible()
    expect(two.page.get_by_text("À melhor de 3: 0–1").first).to_be_visible()
    expect(one.page.get_by_role("button", name="Próximo jogo").first).to_be_visible()
    one.go("/people")
    expect(one.page.get_by_role("img", name=re.compile("Força em Rastros"))).to_be_visible()
    expect(one.page.get_by_text("Rastros contra").first).to_be_visible()
    assert violations(one) == []
    teacher.page.get_by_role("button", name="Já imprimi").click()
    teacher.page.get_by_text("1 / 1").wait_for()
    assert violations(teacher) == []
    two.go("/people")
    two.page.get_by_role("button", name="Apagar tudo o que há sobre mim").click()
    two.page.get_by_role("button", name="Sim, apagar tudo").click()
    expect(two.page.get_by_role("link", name="Entrar", exact=True)).to_be_visible()
    expect(teacher.page.get_by_text("de 2 estão aqui")).to_be_visible()
    one.go("/people")
    expect(one.page.get_by_text("Rastros contra jogador apagado")).to_be_visible()
