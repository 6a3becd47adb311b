"""Who is new: a gentle computer, what a game is about, numbers that say what they count; and who wants it strict."""

from collections.abc import Callable

from playwright.sync_api import expect

from browser.site import Visitor
from tabuleiro.games import GAMES


def test_who_is_new_meets_the_gentlest_computer_and_goes_on_after_two_wins(ana: Visitor) -> None:
    ana.go("/")
    ana.page.get_by_role("button", name="Jogar já Avanço").click()
    expect(ana.board).to_be_visible()
    assert ana.state()["seats"]["2"]["level"] == 1
    for _ in range(2):
        expect(ana.page.get_by_role("button", name="nível 2")).to_have_count(0)
        # White arrives with the first move.
        ana.begin("avanco", {"kind": "engine", "level": 1}, position="7/3w3/7/1b5/7/7/7 w")
        ana.play(next(move for move in ana.state()["view"]["moves"] if move["text"].startswith("d6-")))
    ana.page.get_by_role("button", name="Experimentar o nível 2 · Rebento").first.click()
    expect(ana.page.locator("[data-player='2']")).to_contain_text("nível 2")
    # From now on this is where the game begins.
    ana.go("/play/avanco")
    expect(ana.page.get_by_label("Nível")).to_have_value("2")
    ana.go("/play/hex")
    expect(ana.page.get_by_label("Nível")).to_have_value("1")


def test_the_page_of_a_game_says_what_it_is_about_and_what_its_numbers_count(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(390, 844))
    for game, rules in GAMES.items():
        pupil.begin(game, {"kind": "local"})
        expect(pupil.page.locator(".goal")).to_have_text(pupil.state()["goal"]["pt"])
        words = rules.start().score_text()
        shown = pupil.page.locator(".score-text")
        if words is None:
            expect(shown).to_have_count(0)
            expect(pupil.page.locator(".bar .score")).to_have_count(0)
        else:
            expect(shown).to_have_text(words.pt)


def test_on_a_phone_the_choices_come_before_what_a_game_is_made_of(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(360, 740))
    pupil.go("/play/guerreiros")
    tops = [pupil.page.locator(part).first.bounding_box()["y"] for part in ("h1", "fieldset", "dl")]  # type: ignore[index]
    assert tops == sorted(tops) and tops[1] < 300


def test_a_game_in_which_moves_stand(ana: Visitor) -> None:
    ana.go("/play/rastros")
    ana.page.get_by_label("Neste ecrã").check()
    ana.page.get_by_label("Uma jogada feita fica feita").check()
    ana.page.get_by_role("button", name="Começar a jogar").click()
    expect(ana.page.get_by_text("Nesta partida uma jogada feita fica feita")).to_be_visible()
    ana.play(ana.state()["view"]["moves"][0])
    for name in ("Voltar atrás", "Dica"):
        expect(ana.page.get_by_role("button", name=name)).to_have_count(0)
    # Who asks all the same is told why not.
    address = f"/api/v1/sessions/{ana.page.url.rsplit('/', 1)[1]}/actions"
    answer = ana.context.request.post(
        address, data={"action": "ask_takeback"}, headers={"Origin": ana.site.address}
    ).json()
    assert answer["error"]["code"] == "moves_stand" and "fica feita" in answer["error"]["text"]["pt"]


def test_my_games_are_filtered_and_searched(ana: Visitor) -> None:
    ana.begin("hex", {"kind": "engine", "level": 2})
    ana.begin("rastros", {"kind": "engine", "level": 1})
    ana.begin("semaforo", {"kind": "friend"})
    ana.go("/mine")
    games = ana.page.locator("main li")
    expect(games).to_have_count(3)
    ana.page.get_by_label("Procurar").fill("semaforo")
    expect(games).to_have_count(1)
    expect(games).to_contain_text("Semáforo")
    ana.page.get_by_label("Procurar").fill("contra rebento")
    expect(games).to_contain_text("Hex")
    expect(ana.page.get_by_text("1 partida", exact=True)).to_be_visible()
    ana.page.get_by_label("Jogo", exact=True).select_option("rastros")
    expect(ana.page.get_by_text("Nenhuma partida corresponde")).to_be_visible()
    ana.page.get_by_label("Procurar").fill("")
    ana.page.get_by_label("Jogo", exact=True).select_option("")
    ana.page.get_by_label("Estado").select_option("waiting")
    expect(games).to_have_count(1)
    expect(games).to_contain_text("À espera de adversário")
