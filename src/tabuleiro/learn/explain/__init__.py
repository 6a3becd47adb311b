"""Why a move was a mistake, in words, from facts: what the rules count on the board, and what a solver has proven.

Each game has a module with what can be told of it; a game without one is explained by the answer alone.
"""

from collections.abc import Callable

from tabuleiro.language import Text
from tabuleiro.learn.explain import avanco, hex, konane, ouri, pieces, rastros, semaforo  # noqa: A004
from tabuleiro.learn.explain.case import Case

__all__ = ["QUESTIONS", "Case", "words"]

#: What can be told of a game beside the answer; where nothing is to be added, the case `is_told` by it.
_FACTS: dict[str, Callable[[Case], list[Text]]] = {
    "semaforo": semaforo.facts,
    "rastros": rastros.facts,
    "konane": konane.facts,
    "ouri": ouri.facts,
    "hex": hex.facts,
    "avanco": avanco.facts,
    "guerreiros": pieces.facts,
    "abalone": pieces.facts,
}

#: What somebody who is stuck should ask themselves.
QUESTIONS: dict[str, Text] = {
    "semaforo": Text(
        "Depois de que jogadas o adversário não pode completar três em linha?",
        "After which moves can your opponent not complete three in a row?",
    ),
    "rastros": Text(
        "O caminho para a tua casa está aberto? E quantas casas livres restam?",
        "Is the way to your goal open? And how many free cells are left?",
    ),
    "konane": Text(
        "Quantos saltos tens de reserva, que ninguém te pode tirar?",
        "How many jumps do you have in reserve, which nobody can take away?",
    ),
    "ouri": Text(
        "Que casas tuas pode o adversário capturar já? E quais podes capturar tu?",
        "Which of your houses can your opponent capture at once? And which can you?",
    ),
    "hex": Text(
        "Por onde passa o caminho mais curto do adversário? Onde o cortas e ligas ao mesmo tempo?",
        "Where does your opponent's shortest way run? Where do you cut it and connect at the same time?",
    ),
    "avanco": Text(
        "Conta os passos: quem chega primeiro? E quem pode ser capturado pelo caminho?",
        "Count the steps: who arrives first? And who can be captured on the way?",
    ),
    "guerreiros": Text(
        "O teu rei está seguro? Que peças podem ser capturadas já?",
        "Is your king safe? Which pieces can be captured at once?",
    ),
    "abalone": Text(
        "Que berlindes estão à beira? Quem empurra quem?",
        "Which marbles stand at the edge? Who pushes whom?",
    ),
}


def words(case: Case) -> Text:
    """Why a move was a mistake."""
    facts = _FACTS.get(case.before.id)
    said = [] if facts is None else facts(case)
    if not case.is_told:
        said.append(case.answer())
    return Text(" ".join(text.pt for text in said), " ".join(text.en for text in said))
