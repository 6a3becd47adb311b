"""The opening explorer and the documentation, in a real browser."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.site import Visitor
from browser.test_pages import violations


@pytest.mark.long
def test_an_opening_is_explored_by_the_list_the_board_and_the_keyboard(visit: Callable[..., Visitor]) -> None:
    ana = visit(size=(360, 740))
    ana.go("/rules/rastros")
    ana.page.get_by_role("article").get_by_role("link", name="Aberturas").click()
    expect(ana.page.get_by_role("heading", name="Aberturas de Rastros")).to_be_visible()
    listed = ana.page.get_by_role("region", name="Jogadas desta posição")
    first = listed.get_by_role("listitem").first
    expect(first).to_contain_text(re.compile(r"\d+\spartidas? · Jogador\s1:\s\d+\s% · Jogador\s2:\s\d+\s%"))
    expect(listed.get_by_text(re.compile("provado: (ganha|perde)")).first).to_be_visible()
    move = first.get_by_role("button").inner_text()
    first.get_by_role("button").focus()
    ana.page.keyboard.press("Enter")
    expect(ana.page.get_by_text(f"Até aqui: {move}", exact=True)).to_be_visible()
    assert ana.page.url.endswith(f"#{move}")
    assert violations(ana) == []
    assert ana.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    # The address is the line: it can be sent to somebody, and leads to the analysis of the same position.
    ana.page.reload()
    expect(ana.page.get_by_text(f"Até aqui: {move}", exact=True)).to_be_visible()
    ana.page.get_by_role("link", name="Analisar esta posição").click()
    expect(ana.page.get_by_role("heading", name=re.compile("Análise"))).to_be_visible()
    ana.page.locator(".title").get_by_role("link", name="Aberturas").click()
    expect(ana.page.get_by_text(f"Até aqui: {move}", exact=True)).to_be_visible()
    ana.page.keyboard.press("ArrowLeft")
    expect(ana.page.get_by_text("Até aqui")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("size", [(360, 740), (1440, 900)])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_documentation_is_read_and_searched(
    visit: Callable[..., Visitor], size: tuple[int, int], theme: str
) -> None:
    ana = visit(size=size, theme=theme)
    ana.go("/")
    ana.page.get_by_role("link", name="Documentação").click()
    expect(ana.page.get_by_role("heading", name="Documentação do Tabuleiro")).to_be_visible()
    assert violations(ana) == []
    ana.page.get_by_role("link", name="Dar uma aula").click()
    expect(ana.page.locator("#dar-uma-aula")).to_be_visible()
    assert violations(ana) == []
    ana.page.get_by_role("searchbox").fill("cartoes")
    expect(ana.page.get_by_role("status").get_by_role("link").first).to_be_visible()
    ana.page.get_by_role("searchbox").fill("zzzz")
    expect(ana.page.get_by_text("Nada encontrado.")).to_be_visible()
    ana.page.goto(f"{ana.site.address}/docs/reference/tabuleiro.core.html")
    expect(ana.page.get_by_role("heading", name="Position", exact=True)).to_be_visible()
    assert violations(ana) == []
    assert ana.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
