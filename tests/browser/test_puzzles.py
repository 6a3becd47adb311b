"""Puzzles in the browser: today's, training, and a streak that another device goes on with."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.site import Json, Visitor
from browser.test_lessons import PHONE, Pupil
from tabuleiro.learn.puzzles import Puzzle
from tabuleiro.server.learning.puzzles import number_of


def act(pupil: Pupil, puzzle: Puzzle, move: str) -> Json:
    """Make a move in the puzzle on the page; what came of it. By then a run may show the next one."""
    acts = len(pupil.task["acts"])
    pupil.make(move)
    for _ in range(600):
        if len((came := pupil.told[puzzle.ref])["acts"]) > acts:
            return came
        pupil.page.wait_for_timeout(100)
    raise AssertionError(f"nothing came of {move}")


def on_the_page(pupil: Pupil) -> Puzzle:
    puzzle = number_of(pupil.task["ref"])
    assert puzzle is not None
    return puzzle


def solve_at_once(pupil: Pupil) -> None:
    """The puzzle on the page, played on where it asks for that; without help, as with it a try is not rated."""
    pupil.knows = True
    puzzle = on_the_page(pupil)
    if not act(pupil, puzzle, puzzle.answer.split()[0])["solved"]:
        pupil.solve()


def wrong_move(pupil: Pupil) -> None:
    puzzle = on_the_page(pupil)
    right = puzzle.answer.split()
    act(pupil, puzzle, next(move["text"] for move in pupil.task["view"]["moves"] if move["text"] not in right))


def test_a_puzzle_is_solved_and_the_next_one_comes(visit: Callable[..., Visitor]) -> None:
    pupil = Pupil(visit(**PHONE), "taps")
    page = pupil.page
    pupil.visitor.arrive("/problemas")
    expect(page.get_by_role("heading", name="Problema do dia")).to_be_visible()
    expect(page.get_by_text("Força ainda por medir").first).to_be_visible()
    page.get_by_role("link", name="Semáforo Força ainda por medir").tap()
    pupil.wait_for_acts(0)
    first = pupil.task["ref"]
    wrong_move(pupil)
    expect(
        page.get_by_text("Não é essa.", exact=False).or_(page.get_by_text("demora mais", exact=False))
    ).to_be_visible()
    pupil.press("Tenta outra vez")
    solve_at_once(pupil)
    expect(page.get_by_text("Dificuldade", exact=False).last).to_be_visible()
    expect(page.get_by_text("A tua força:", exact=False).first).to_be_visible()
    pupil.task = {}
    pupil.press("Problema seguinte")
    pupil.wait_for_acts(0)
    assert pupil.task["ref"] != first
    # One by its number, as somebody types it.
    pupil.task = {}
    pupil.visitor.arrive("/problemas/semaforo/7")
    pupil.wait_for_acts(0)
    assert pupil.task["ref"] == "puzzle/semaforo/0007"


@pytest.mark.parametrize("way", ["taps", pytest.param("keys", marks=pytest.mark.long)])
def test_help_in_a_streak_is_given_only_to_who_wants_to_end_it(visit: Callable[..., Visitor], way: str) -> None:
    pupil = Pupil(visit(**PHONE), way)
    page = pupil.page
    pupil.visitor.arrive("/problemas/serie")
    expect(page.get_by_text("à primeira ajuda", exact=False)).to_be_visible()
    page.get_by_label("Jogo").select_option("semaforo")
    pupil.press("Começar uma série")
    pupil.wait_for_acts(0)
    first = pupil.task["ref"]
    solve_at_once(pupil)
    pupil.wait_for_task(after=first)
    expect(page.get_by_text("Resolvidos: 1")).to_be_visible()
    question = page.get_by_role("alertdialog")
    pupil.press("Ajuda")
    expect(question).to_contain_text("A ajuda acaba a série. Já resolveste 1.")
    pupil.press("Não, continuo")
    expect(question).to_have_count(0)
    assert pupil.task["acts"] == []
    # Nothing has happened: on another page the streak goes on, and beginning anew is asked about, too.
    pupil.task = {}
    pupil.visitor.arrive("/problemas/serie")
    pupil.press("Começar uma série")
    expect(question).to_contain_text("Começar outra deixa essa para trás.")
    pupil.press("Não, continuo")
    pupil.press("Continuar a série")
    pupil.wait_for_acts(0)
    expect(page.get_by_text("Resolvidos: 1")).to_be_visible()
    pupil.press("Ajuda")
    pupil.press("Sim, acabar a série")
    expect(page.get_by_text("A série acabou. Resolveste 1 seguidos.")).to_be_visible()
    # The puzzle is still to be had, with help.
    pupil.press("Ver o último problema, com ajuda")
    pupil.wait_for_acts(0)
    pupil.press("Ajuda")
    pupil.wait_for_acts(1)
    assert pupil.task["hint"]


def test_help_in_a_storm_is_asked_about_first(visit: Callable[..., Visitor]) -> None:
    pupil = Pupil(visit(**PHONE), "taps")
    page = pupil.page
    pupil.visitor.arrive("/problemas/relogio")
    page.get_by_label("Jogo").select_option("semaforo")
    pupil.press("Começar: 3 minutos")
    pupil.wait_for_acts(0)
    first = pupil.task["ref"]
    pupil.press("Ajuda")
    expect(page.get_by_role("alertdialog")).to_contain_text("Com ajuda este problema não conta")
    pupil.press("Não, continuo")
    assert (pupil.task["ref"], pupil.task["acts"]) == (first, [])
    pupil.press("Ajuda")
    pupil.press("Sim, passar ao seguinte")
    pupil.wait_for_task(after=first)
    expect(page.get_by_text("Resolvidos: 0")).to_be_visible()


@pytest.mark.long
def test_a_streak_by_keys_ends_with_a_mistake(visit: Callable[..., Visitor]) -> None:
    pupil = Pupil(visit(), "keys")
    page = pupil.page
    pupil.visitor.arrive("/problemas/serie")
    page.get_by_label("Jogo").select_option("semaforo")
    pupil.press("Começar uma série")
    pupil.wait_for_acts(0)
    first = pupil.task["ref"]
    solve_at_once(pupil)
    expect(page.get_by_text("Resolvidos: 1")).to_be_visible()
    # Another page of the same person goes on.
    pupil.task = {}
    pupil.visitor.arrive("/problemas/serie")
    pupil.press("Continuar a série")
    pupil.wait_for_acts(0)
    assert pupil.task["ref"] != first
    wrong_move(pupil)
    expect(page.get_by_text("A série acabou.", exact=False)).to_be_visible()
    expect(page.get_by_text("O teu recorde: 1")).to_be_visible()


@pytest.mark.long
def test_a_storm_counts_and_its_clock_runs(visit: Callable[..., Visitor]) -> None:
    pupil = Pupil(visit(**PHONE), "taps")
    page = pupil.page
    pupil.visitor.arrive("/problemas/relogio")
    page.get_by_label("Jogo").select_option("semaforo")
    pupil.press("Começar: 3 minutos")
    pupil.wait_for_acts(0)
    expect(page.get_by_text("Tempo: 2:5", exact=False)).to_be_visible()
    first = pupil.task["ref"]
    wrong_move(pupil)
    for _ in range(600):
        if pupil.task["ref"] != first:
            break
        page.wait_for_timeout(100)
    assert pupil.task["ref"] != first
    expect(page.get_by_text("✗ Não era essa.")).to_be_visible()
    solve_at_once(pupil)
    expect(page.get_by_text("Resolvidos: 1")).to_be_visible()
    expect(page.get_by_text("✓ Certo!")).to_be_visible()
