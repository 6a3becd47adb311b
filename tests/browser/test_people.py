"""People against each other, lost connections, and a server that falls."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import WebSocketRoute, expect

from browser.site import Site, Visitor, choose


@pytest.fixture
def frail_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    running = Site(tmp_path_factory.mktemp("frail"))
    yield running
    running.stop()


def invite(host: Visitor, game: str, name: str = "Ana") -> str:
    """Make an invitation through the page; the address to give to a friend."""
    host.go(f"/play/{game}")
    host.page.get_by_label("Amigo").check()
    host.page.get_by_label("O teu nome no jogo").fill(name)
    host.page.get_by_role("button", name="Guardar").click()
    expect(host.page.get_by_text("Nome guardado.")).to_be_visible()
    host.page.get_by_role("button", name="Criar convite").click()
    expect(host.page.get_by_role("img", name="Código QR do convite")).to_be_visible()
    return host.page.get_by_label("Endereço").input_value()


def sit_down(guest: Visitor, address: str) -> None:
    guest.page.goto(address)
    guest.page.get_by_role("button", name="Entrar na partida").click()
    expect(guest.page.get_by_role("button", name="Desistir")).to_be_visible()


def test_two_browsers_play_a_whole_game_and_a_rematch(visit: Callable[..., Visitor]) -> None:
    ana, rui, eva = visit(), visit(), visit(locale="en-GB")
    address = invite(ana, "semaforo")
    sit_down(rui, address)
    eva.page.goto(address)
    expect(eva.page.get_by_text("You are watching this game.")).to_be_visible()
    expect(ana.page.get_by_text("1 pessoa a ver")).to_be_visible()
    expect(rui.page.locator('[data-player="1"]')).to_contain_text("Ana")

    for number in range(60):
        state = ana.state()
        if state["status"] == "over":
            break
        mover = ana if state["view"]["turn"] in state["your_seats"] else rui
        mover.play(choose(state, number))
        for person in (ana, rui, eva):
            person.wait_for_moves(number + 1)
    winner = ana.state()["view"]["outcome"]["winner"]
    titles = ["Ganhaste!", "Desta vez não deu"]
    expect(ana.page.locator(".end h2")).to_have_text(titles[winner - 1])
    expect(rui.page.locator(".end h2")).to_have_text(titles[2 - winner])
    expect(eva.page.locator(".end")).to_contain_text("are in a line")
    assert eva.state()["your_seats"] == []

    ana.page.get_by_role("button", name="Jogar outra vez").click()
    rui.page.get_by_role("link", name="Ir para a desforra").first.click()
    expect(rui.page.get_by_text("É a tua vez").first).to_be_visible()
    assert (ana.state()["your_seats"], rui.state()["your_seats"]) == ([2], [1])


def test_asking_and_offering(visit: Callable[..., Visitor]) -> None:
    ana, rui = visit(), visit()
    sit_down(rui, invite(ana, "abalone"))
    ana.play(choose(ana.state(), 1))
    rui.wait_for_moves(1)
    ana.page.get_by_role("button", name="Voltar atrás").click()
    expect(rui.page.get_by_text("Ana pede para voltar atrás.")).to_be_visible()
    rui.page.get_by_role("button", name="Recusar").click()
    expect(ana.page.get_by_text("Pediste para voltar atrás")).to_have_count(0)
    ana.page.get_by_role("button", name="Voltar atrás").click()
    rui.page.get_by_role("button", name="Aceitar").click()
    ana.wait_for_moves(0)
    expect(ana.page.get_by_role("button", name="Dica")).to_have_count(0)
    rui.page.get_by_role("button", name="Propor empate").click()
    ana.page.get_by_role("button", name="Aceitar").click()
    expect(ana.page.locator(".end h2")).to_have_text("Empate")


def test_reloading_in_the_middle_of_a_game(ana: Visitor) -> None:
    ana.begin("avanco", {"kind": "engine", "level": 1})
    ana.play(choose(ana.wait_for_turn(), 1))
    before = ana.wait_for_turn()["history"]
    ana.page.reload()
    ana.wait_for_moves(len(before))
    ana.play(choose(ana.wait_for_turn(), 2))
    assert ana.wait_for_turn()["history"][: len(before)] == before


def test_the_server_falls_in_the_middle_of_a_game(visit: Callable[..., Visitor], frail_site: Site) -> None:
    ana, rui = visit(to=frail_site), visit(to=frail_site)
    for person in (ana, rui):
        person.forgiven += ["WebSocket", "ERR_CONNECTION_REFUSED", "Failed to load resource"]
    sit_down(rui, invite(ana, "rastros"))
    ana.play(choose(ana.state(), 1))
    rui.wait_for_moves(1)
    state = rui.state()
    frail_site.kill()
    expect(rui.page.get_by_text("Sem ligação ao servidor")).to_be_visible()
    # A move made while nobody hears it is shown, kept, and sent when the server is back.
    rui.cell(choose(state, 2)["clicks"][0]).click()
    frail_site.start()
    for person in (ana, rui):
        expect(person.page.get_by_text("Sem ligação ao servidor")).to_have_count(0)
        person.wait_for_moves(2)
    ana.play(choose(ana.state(), 3))
    rui.wait_for_moves(3)
    assert [move["player"] for move in rui.state()["history"]] == [1, 2, 1]


@pytest.fixture
def hasty_site(tmp_path: Path) -> Iterator[Site]:
    """Here the win may be claimed soon after the other player has left."""
    (tmp_path / "sitecustomize.py").write_text("import tabuleiro.server.sessions as s\ns.CLAIM_AFTER = 1.0\n", "utf-8")
    running = Site(tmp_path / "data", path=tmp_path)
    yield running
    running.stop()


def test_the_win_is_claimed_when_the_opponent_has_left(visit: Callable[..., Visitor], hasty_site: Site) -> None:
    ana, rui = visit(to=hasty_site, size=(360, 740), touch=True), visit(to=hasty_site)
    sit_down(rui, invite(ana, "rastros"))
    ana.play(choose(ana.state(), 1), tap=True)
    rui.wait_for_moves(1)
    claim = ana.page.get_by_role("button", name="Reclamar a vitória")
    expect(claim).to_have_count(0)
    rui.go("/rules")
    expect(claim).to_be_in_viewport()
    claim.tap()
    expect(ana.page.locator(".end h2")).to_have_text("Ganhaste!")
    assert ana.state()["view"]["outcome"]["winner"] == 1


def test_a_refused_move_is_taken_back(ana: Visitor) -> None:
    """The same person in two tabs: the one that was first is right, the other is put right."""
    identity = ana.begin("rastros", {"kind": "local"})
    late = ana.context.new_page()

    def hear_no_changes(client: WebSocketRoute) -> None:
        server = client.connect_to_server()
        told = re.compile('"type":"(change|event)"')
        server.on_message(lambda message: None if told.search(str(message)) else client.send(message))

    late.route_web_socket(re.compile("/ws/"), hear_no_changes)
    late.goto(f"/g/{identity}")
    expect(late.get_by_role("grid")).to_be_visible()
    one, two = ana.state()["view"]["moves"][:2]
    ana.play(one)
    expect(late.locator("ol [data-ply]")).to_have_count(0)
    late.locator(f'[data-cell="{two["clicks"][0]}"] .reach').click()
    expect(late.get_by_role("alert")).to_be_visible()
    expect(late.locator("ol [data-ply]")).to_have_text([one["text"]])
    assert [move["text"] for move in ana.state()["history"]] == [one["text"]]


def test_my_games(ana: Visitor) -> None:
    ana.begin("hex", {"kind": "engine", "level": 2})
    ana.go("/")
    expect(ana.page.get_by_text("Tens uma partida a decorrer")).to_be_visible()
    ana.page.get_by_role("link", name="Partidas").click()
    ana.page.get_by_role("link", name="Hex contra Rebento").click()
    expect(ana.board).to_be_visible()


def test_a_game_is_erased(ana: Visitor) -> None:
    identity = ana.begin("hex", {"kind": "local"})
    ana.go("/mine")
    ana.page.get_by_role("button", name="Apagar").click()
    ana.page.get_by_role("button", name="Não, guardar").click()
    ana.page.get_by_role("button", name="Apagar").click()
    ana.page.get_by_role("alertdialog").get_by_role("button", name="Apagar").click()
    expect(ana.page.get_by_text("Ainda não jogaste nenhuma partida")).to_be_visible()
    expect(ana.page.get_by_role("status").get_by_text("A partida foi apagada.")).to_be_visible()
    assert ana.context.request.get(f"/api/v1/sessions/{identity}").status == 404


@pytest.mark.parametrize(
    ("locale", "erase", "keep", "notice"),
    [
        ("pt-PT", "Apagar", "Não, guardar", "A partida foi apagada."),
        ("en-US", "Erase", "No, keep it", "The game is erased."),
    ],
)
def test_a_game_is_erased_on_its_own_page_with_the_keyboard(
    visit: Callable[..., Visitor], locale: str, erase: str, keep: str, notice: str
) -> None:
    owner = visit(locale=locale)
    identity = owner.begin("hex", {"kind": "engine", "level": 1})
    page, asked = owner.page, owner.page.get_by_role("alertdialog")
    page.get_by_role("button", name=erase).focus()
    page.keyboard.press("Enter")
    expect(asked.get_by_role("button", name=keep)).to_be_focused()
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    expect(page.get_by_role("button", name=erase)).to_be_focused()
    page.keyboard.press("Enter")
    expect(asked.get_by_role("button", name=keep)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{owner.site.address}/mine")
    expect(page.get_by_role("status").get_by_text(notice)).to_be_visible()
    assert owner.context.request.get(f"/api/v1/sessions/{identity}").status == 404
    page.get_by_role("link", name="Tabuleiro").click()
    expect(page.get_by_text(notice)).to_have_count(0)


def test_a_game_that_is_over_goes_when_both_players_erase_it(visit: Callable[..., Visitor]) -> None:
    ana, rui, eva = visit(), visit(), visit()
    address = invite(ana, "semaforo")
    sit_down(rui, address)
    eva.page.goto(address)
    expect(eva.board).to_be_visible()
    for visitor in (ana, rui, eva):
        expect(visitor.page.get_by_role("button", name="Apagar")).to_have_count(0)
    ana.page.get_by_role("button", name="Desistir").click()
    ana.page.get_by_role("alertdialog").get_by_role("button", name="Sim, desisto").click()
    expect(rui.page.get_by_role("button", name="Apagar")).to_be_visible()
    expect(eva.page.get_by_role("button", name="Apagar")).to_have_count(0)
    for player in (ana, rui):
        # Until the other one erases it too, it is there.
        expect(eva.board).to_be_visible()
        player.page.get_by_role("button", name="Apagar").click()
        player.page.get_by_role("alertdialog").get_by_role("button", name="Apagar").click()
        expect(player.page).to_have_url(f"{player.site.address}/mine")
    expect(eva.page.get_by_role("heading", name="Esta página não existe")).to_be_visible()


@pytest.mark.parametrize(("locale", "make", "revoke"), [("pt-PT", "Criar", "Anular"), ("en-US", "Make", "Revoke")])
def test_a_token_for_a_bot(visit: Callable[..., Visitor], locale: str, make: str, revoke: str) -> None:
    owner = visit(locale=locale)
    owner.go("/bots")
    owner.page.get_by_role("textbox").fill("Robô")
    owner.page.get_by_role("button", name=make).click()
    token = owner.page.locator("code").inner_text()
    bearer = {"Authorization": f"Bearer {token}"}
    assert owner.context.request.get("/api/v1/me", headers=bearer).json() == {"nickname": "Robô"}
    owner.page.get_by_role("button", name=revoke).click()
    expect(owner.page.get_by_role("button", name=revoke)).to_have_count(0)
    assert owner.context.request.get("/api/v1/me", headers=bearer).status == 401
