"""A game with a coach, begun from a diagram: doubts, reasons, help in steps."""

from collections.abc import Callable

from playwright.sync_api import expect

from browser.site import Visitor

#: One move wins, c3; after c1 the opponent wins at once.
FROM_HERE = "/play/semaforo#game=semaforo&start=GRGY%2FR2R%2FR2Y+1"


def test_the_coach_asks_explains_and_helps(visit: Callable[..., Visitor]) -> None:
    pupil = visit(size=(360, 640))
    pupil.go(FROM_HERE)
    expect(pupil.page.get_by_text("A partida começa nesta posição")).to_be_visible()
    pupil.page.get_by_label("Com treinador").check()
    pupil.page.get_by_role("button", name="Começar a jogar").click()
    coach = pupil.page.get_by_role("region", name="Treinador")
    expect(coach).to_contain_text("Joga à vontade")
    moves = {move["text"]: move for move in pupil.state()["view"]["moves"]}
    pupil.cell(moves["c1"]["clicks"][0]).click()
    expect(coach).to_contain_text("Tens a certeza? Aqui podes ganhar; depois de c1 ganha o adversário.")
    expect(coach.get_by_role("button", name="Porquê?")).to_be_in_viewport(ratio=1)
    coach.get_by_role("button", name="Porquê?").click()
    expect(coach).to_contain_text("completa três em linha em b2")
    coach.get_by_role("button", name="Vou pensar melhor").click()
    coach.get_by_role("button", name="Ajuda-me").click()
    expect(coach).to_contain_text("há uma jogada que ganha")
    coach.get_by_role("button", name="Mais ajuda").click()
    expect(coach).to_contain_text("numa destas casas")
    coach.get_by_role("button", name="Mais ajuda").click()
    expect(coach).to_contain_text("Joga c3")
    assert pupil.state()["history"] == [], "nothing was played so far"
    pupil.play(moves["c3"])
