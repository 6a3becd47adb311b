"""The page of analyses: finished games, variations, positions set up by hand, records, addresses; both languages."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Route, expect

from browser.site import Site, Visitor
from browser.test_pages import violations
from tabuleiro.games import GAMES
from tabuleiro.record import Game, random_game, read_games, write_game

#: Player 1 lets the marker be led into the corner of player 2.
RASTROS = "f4 g5 g4 g3 f2 g1 f1 g2 f3 e3 d4 d5 c6 c5 b4 b5 a6 b7 c7 d6 e7 d7 e6 f7 g6 g7"


def position(visitor: Visitor) -> str:
    """The position on the board, as the server knows it."""
    found: str = visitor.page.evaluate(
        """async () => {
            const values = new URLSearchParams(location.hash.slice(1));
            const body = { game: values.get("game"), options: {}, position: values.get("start") };
            return (await (await fetch("/api/v1/positions", { method: "POST",
                headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json()).view.position;
        }"""
    )
    return found


def test_a_finished_game_is_analysed_in_one_tap(visit: Callable[..., Visitor]) -> None:
    ana = visit(size=(360, 740))
    ana.finish("rastros", RASTROS.split())
    ana.page.get_by_role("link", name="Analisar").first.click()
    graph = ana.page.get_by_role("slider", name=re.compile("Hipóteses"))
    expect(graph).to_be_visible()
    expect(ana.page.get_by_text("A jogada que perdeu a partida", exact=True).first).to_be_visible()
    expect(ana.page.locator(".verdict")).to_contain_text("Ganhou o jogador 2")
    # The graph is walked with the keyboard and says what it shows.
    graph.focus()
    ana.page.keyboard.press("Home")
    expect(graph).to_have_attribute("aria-valuetext", re.compile("^Início"))
    ana.page.keyboard.press("ArrowRight")
    expect(graph).to_have_attribute("aria-valuetext", re.compile(r"^1\. f4"))
    expect(ana.page.locator("[data-node][aria-current]")).to_contain_text("f4")
    # A fault shows the position before it; the better move is asked for as a task, and shown to who wants to see it.
    ana.page.locator(".faults .loses .quiet").click()
    expect(ana.page.locator(".said")).not_to_contain_text("Melhor:")
    expect(ana.page.locator(".board .highlight")).to_have_count(0)
    ana.page.locator(".said").get_by_role("button", name="Mostrar a melhor jogada").click()
    expect(ana.page.locator(".said")).to_contain_text("Melhor:")
    expect(ana.page.locator(".board .highlight")).to_have_count(1)
    assert violations(ana) == []
    assert ana.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_proven_verdicts_are_said_to_be(visit: Callable[..., Visitor]) -> None:
    reader = visit(locale="en-GB")
    reader.go("/analysis#game=avanco&start=7%2F3w3%2F7%2F1b5%2F7%2F7%2F7+w")
    verdict = reader.page.locator(".verdict")
    expect(verdict).to_have_text("With perfect play, White wins in 1 move proven")
    expect(reader.page.get_by_role("status").filter(has_text="With perfect play, White wins in 1 move")).to_have_count(
        1
    )
    expect(reader.page.locator(".board .arrow")).to_have_count(1)
    reader.page.get_by_role("button", name="Português").click()
    expect(verdict).to_have_text("Com jogo perfeito, ganha: Brancas, em 1 jogada provado")


def test_an_own_game_names_the_players_and_no_loss_wears_a_tick(ana: Visitor) -> None:
    """Two against one: White to move, lost whatever is played; the computer plays Black."""
    identity = ana.begin("avanco", {"kind": "engine", "level": 1}, position="7/7/7/7/3w3/1b5/7 w")
    ana.play(ana.state()["view"]["moves"][0])
    ana.wait_for_turn()
    ana.go(f"/analysis/{identity}")
    expect(ana.page.locator(".players")).to_have_text("Tu (Brancas) contra Semente (Negras)")
    ana.page.get_by_role("button", name="Para o início").click()
    verdict = ana.page.locator(".verdict")
    expect(verdict).to_contain_text("Com jogo perfeito, perdes em 2 jogadas")
    expect(verdict).to_contain_text("provado")
    expect(ana.page.get_by_label("Melhores jogadas").get_by_role("button").first).to_contain_text("perde em 2 jogadas")
    expect(ana.page.locator("main")).not_to_contain_text("✓")
    assert verdict.evaluate("(one) => getComputedStyle(one).color === getComputedStyle(document.body).color")


def test_variations_grow_are_promoted_and_deleted(ana: Visitor) -> None:
    ana.go("/analysis#game=hex&moves=a1+b2+c3&at=3")
    moves = ana.page.locator(".list [data-node]:not(.start)")
    expect(moves).to_have_text(["a1", "b2", "c3"])
    expect(ana.page.locator(".lines, ol button").first).to_be_visible()
    ana.page.keyboard.press("ArrowLeft")
    expect(ana.page.locator("[data-node][aria-current]")).to_have_text("b2")
    ana.cell(GAMES["hex"].start().geometry.index["d4"]).click()
    expect(moves).to_have_text(["a1", "b2", "c3", "d4"])
    assert "moves=a1+b2+c3+%28d4%29" in ana.page.url
    ana.page.get_by_role("button", name="Passar a linha principal").click()
    expect(moves).to_have_text(["a1", "b2", "d4", "c3"])
    moves.filter(has_text="c3").click()
    ana.page.get_by_role("button", name="Apagar daqui em diante").click()
    expect(moves).to_have_text(["a1", "b2", "d4"])
    # Whoever has the address has everything.
    ana.page.reload()
    expect(moves).to_have_text(["a1", "b2", "d4"])
    expect(ana.page.locator("[data-node][aria-current]")).to_have_text("b2")


@pytest.mark.parametrize(
    ("game", "start", "line", "said"),
    [
        ("abalone", None, "C3D3 G7F7 D3C3 F7G7 C3D3 G7F7 D3C3 F7G7", "a mesma posição repetiu-se"),
        ("ouri", "1,0,0,0,0,0/1,0,0,0,0,0 24-22 S", " ".join("aAbBcCdDeEfF" * 2), "a posição repetiu-se ciclicamente"),
    ],
)
def test_a_game_that_repeats_itself_is_over_on_the_page(
    ana: Visitor, game: str, start: str | None, line: str, said: str
) -> None:
    """Rules that look back are applied to the whole line, however one comes to its end."""
    moves = line.split()
    address = urlencode({"game": game, **({"start": start} if start else {}), "moves": " ".join(moves[:-1])})
    ana.go(f"/analysis#{address}&at={len(moves) - 1}")
    verdict, live = ana.page.locator(".verdict"), ana.page.locator(".cell.live")
    expect(ana.page.locator("[data-node][aria-current]")).to_have_text(moves[-2])
    expect(ana.board).to_have_attribute("aria-readonly", "false")
    # The last move is made by hand, after a position that the page has seen.
    before = Game.new(game, None, start)
    for text in moves[:-1]:
        before.play(text)
    for cell in before.position.clicks(before.position.parse_move(moves[-1])):
        ana.cell(cell).click()
    expect(verdict).to_contain_text(said)
    expect(live).to_have_count(0)
    expect(ana.board).to_have_attribute("aria-readonly", "true")
    expect(ana.page.get_by_role("list", name="Melhores jogadas").get_by_role("button")).to_have_count(0)
    expect(ana.page.get_by_role("alert")).to_have_count(0)
    # One step back the game goes on; at its end, walked to, it is over again.
    ana.page.get_by_role("button", name="Jogada anterior").click()
    expect(ana.board).to_have_attribute("aria-readonly", "false")
    expect(verdict).not_to_contain_text(said)
    ana.page.get_by_role("button", name="Jogada seguinte").click()
    expect(verdict).to_contain_text(said)
    expect(live).to_have_count(0)


def test_a_line_of_the_engine_is_played_by_touching_it(ana: Visitor) -> None:
    ana.go("/analysis#game=avanco")
    best = ana.page.get_by_role("list", name="Melhores jogadas").get_by_role("button").first
    best.click()
    expect(ana.page.locator(".list [data-node]:not(.start)")).to_have_count(1)


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_set_up(ana: Visitor, game: str) -> None:
    ana.forgiven.append("400")
    ana.go(f"/analysis#game={game}")
    page = ana.page
    page.get_by_role("button", name="Montar posição").click()
    fine = page.get_by_text("A posição é possível.", exact=True)
    expect(fine).to_be_visible()
    page.get_by_role("button", name="Tabuleiro vazio").click()
    if game in ("rastros", "ouri", "guerreiros"):
        expect(page.locator(".said.problem")).to_be_visible()
        expect(page.get_by_role("button", name="Analisar esta posição")).to_be_disabled()
    page.get_by_role("button", name="Posição inicial").click()
    expect(fine).to_be_visible()
    line = random_game(GAMES[game].setup_start(), seed=6, max_plies=6)
    page.get_by_label("Posição em texto").fill(str(line.position))
    page.get_by_role("button", name="Usar").click()
    expect(fine).to_be_visible()
    if game == "guerreiros":
        assert violations(ana) == []
    page.get_by_role("button", name="Analisar esta posição").click()
    expect(page.get_by_role("button", name="Montar posição")).to_be_visible()
    assert position(ana) == str(line.position)


def test_a_set_up_position_counts_only_once_the_server_has_seen_it(ana: Visitor) -> None:
    ana.go("/analysis#game=abalone")
    page = ana.page
    page.get_by_role("button", name="Montar posição").click()
    fine = page.get_by_text("A posição é possível.", exact=True)
    analyse = page.get_by_role("button", name="Analisar esta posição")
    text = page.get_by_label("Posição em texto")
    expect(fine).to_be_visible()
    waiting: list[Route] = []
    page.route("**/api/v1/editor", lambda route: waiting.append(route))
    with page.expect_request("**/api/v1/editor"):
        page.get_by_role("button", name="Posição inicial").click()
    expect(fine).to_be_hidden()
    expect(analyse).to_be_disabled()
    # What is asked later wins, whatever is answered first.
    page.get_by_role("button", name="Tabuleiro vazio").click()
    expect(fine).to_be_visible()
    with page.expect_response("**/api/v1/editor"):
        waiting[0].continue_()
    expect(text).to_have_value("5/6/7/8/9/8/7/6/5 b 0-0")


def test_pieces_are_put_and_taken_by_touch(ana: Visitor) -> None:
    ana.go("/analysis#game=abalone")
    page = ana.page
    page.get_by_role("button", name="Montar posição").click()
    index = GAMES["abalone"].start().geometry.index
    page.get_by_role("button", name="Tabuleiro vazio").click()
    page.get_by_label("berlinde branco", exact=True).first.check()
    ana.cell(index["E5"]).click()
    page.get_by_label("berlinde negro", exact=True).first.check()
    ana.cell(index["D4"]).click()
    ana.cell(index["D5"]).click()
    page.get_by_label("Apagar").check()
    ana.cell(index["D5"]).click()
    page.get_by_label("Negras").last.fill("3")
    page.get_by_label("Quem joga").select_option(label="Brancas")
    expect(page.get_by_label("Posição em texto")).to_have_value("5/6/7/8/4w4/3b4/7/6/5 w 3-0")


def test_records_are_read_and_saved(ana: Visitor, tmp_path: Path) -> None:
    made = random_game("konane", seed=3, max_plies=6)
    made.root.play(next(move for move in made.start.legal_moves() if move != made.root.children[0].move))
    ana.forgiven.append("400")
    ana.go("/analise")
    page = ana.page
    page.get_by_label("Registo").fill("isto não é nada")
    page.get_by_role("button", name="Abrir", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Linha 1")
    page.get_by_label("Registo").fill(write_game(made))
    page.get_by_role("button", name="Abrir", exact=True).click()
    expect(page.get_by_role("heading", name="Análise de Konane")).to_be_visible()
    page.get_by_text("Guardar e partilhar").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Registo").click()
    path = tmp_path / "konane.tab"
    saved.value.save_as(path)
    assert list(read_games(path)) == [made]
    for ending, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as saved:
            page.get_by_role("button", name=f"Imagem {ending}").click()
        saved.value.save_as(path)
        assert path.read_bytes().startswith(begins)


def test_hex_games_come_from_other_houses_as_a_file(visit: Callable[..., Visitor], tmp_path: Path) -> None:
    reader = visit(locale="en-GB", theme="dark")
    reader.go("/analysis")
    file = tmp_path / "two.sgf"
    file.write_text("(;GM[11]SZ[5];B[c3];W[d2])(;GM[11]SZ[5];B[a1])", "utf-8")
    reader.page.locator("input[type=file]").set_input_files(file)
    reader.page.get_by_role("button", name="Game 1").click()
    expect(reader.page.locator(".list [data-node]:not(.start)")).to_have_text(["c3", "d2"])
    expect(reader.page.get_by_role("gridcell")).to_have_count(25)
    reader.page.get_by_text("Save and share").click()
    with reader.page.expect_download() as saved:
        reader.page.get_by_role("button", name="HexWorld").click()
    saved.value.save_as(file)
    assert file.read_text("utf-8").startswith("https://hexworld.org/board/#5")
    assert violations(reader) == []


def test_an_address_that_holds_nothing_offers_the_games(ana: Visitor) -> None:
    ana.forgiven.append("400")
    for fragment in ("#game=xadrez", "#game=hex&moves=z99", "#game=hex&moves=((", "#nonsense"):
        ana.go(f"/analysis{fragment}")
        expect(ana.page.get_by_role("alert")).to_contain_text("Não foi possível ler a análise")
    ana.page.get_by_role("button", name="Ouri").click()
    expect(ana.board).to_be_visible()
    assert ana.page.url.endswith("/analysis#game=ouri")


@pytest.mark.parametrize("slow", [False, True])
def test_nothing_moves_while_lines_come(ana: Visitor, slow: bool) -> None:
    if slow:
        ana.slow_down(processor=6, latency=0.3)
    ana.watch_shifts()
    ana.go("/analysis#game=abalone&moves=A1B2&at=1")
    expect(ana.page.get_by_role("list", name="Melhores jogadas").get_by_role("button")).to_have_count(3)
    # Deeper and deeper: the lines have changed some times, or no more will come.
    ana.page.wait_for_function(
        """() => {
            window.seen ??= new Set();
            window.seen.add(document.querySelector("ol[aria-label='Melhores jogadas']").textContent);
            return window.seen.size > 3 || !document.querySelector(".lamp.busy");
        }"""
    )
    ana.assert_still()


def test_whoever_leaves_the_page_ends_the_thinking(visit: Callable[..., Visitor], site: Site) -> None:
    ana = visit()
    ana.go("/analysis#game=abalone")
    expect(ana.page.get_by_role("list", name="Melhores jogadas").get_by_role("button").first).to_be_visible()
    with ana.page.expect_event("requestfailed", lambda request: "/api/v1/analyses" in request.url):
        ana.page.get_by_role("button", name="Computador").click()
    expect(ana.page.locator(".lamp.busy")).to_have_count(0)
