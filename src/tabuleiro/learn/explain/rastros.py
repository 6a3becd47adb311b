"""Rastros: whose way home is closed; where both are, who runs out of moves (dominoes)."""

from tabuleiro.core import Position
from tabuleiro.games.rastros import Rastros, RastrosOptions
from tabuleiro.geometry import Cell
from tabuleiro.language import Text
from tabuleiro.learn.explain.case import Case
from tabuleiro.learn.live import marker_of, within_reach
from tabuleiro.solve.matching import most_pairs


def facts(case: Case) -> list[Text]:
    before, after = case.before, case.after
    assert isinstance(after, Rastros)
    # What is told holds under the usual rules: who cannot move loses, and the marker may be cut off.
    if case.ends_at_once or after.options != RastrosOptions(size=after.options.size):
        return []
    reach = within_reach(after)
    mine, theirs = (_goal(after, player) for player in (before.turn, before.turn.other))
    if mine not in reach and theirs not in reach:
        return _nobody_arrives(case, reach)
    if mine not in reach:
        closes = Text(
            f"Com {case.name} o caminho para a tua casa fica fechado; o do adversário continua aberto.",
            f"{case.name} closes the way to your goal; your opponent's stays open.",
        )
        was = Text(
            "O caminho para a tua casa está fechado; o do adversário continua aberto.",
            "The way to your goal is closed; your opponent's is still open.",
        )
        return [closes if mine in within_reach(before) else was]
    if theirs not in reach:
        return [
            Text(
                "A casa do adversário está fechada, mas ainda te pode deixar sem jogadas.",
                "Your opponent's goal is closed, but you can still be left without a move.",
            )
        ]
    return []


def _nobody_arrives(case: Case, reach: list[Cell]) -> list[Text]:
    """Whoever follows dominoes always has a move, if they cover the marker and every domino stays whole."""
    position = case.after
    free = len(reach) - 1
    said = [
        Text(
            f"Já ninguém chega a casa: perde quem ficar sem jogada. Ao alcance da peça {_cells_pt(free)}.",
            f"Nobody reaches a goal any more: whoever runs out of moves loses. {_cells_en(free)} within reach.",
        )
    ]
    near = {cell: [to for to in position.geometry.neighbours[cell] if to in reach] for cell in reach}
    if marker_of(position) in most_pairs(near, last=marker_of(position)):
        said.append(
            Text(
                "O adversário pode seguir sempre um dominó de casas vizinhas, e tu ficas sem jogada primeiro.",
                "Your opponent can always follow a domino of neighbouring cells, and you run out of moves first.",
            )
        )
    return said


def _goal(position: Position, player: int) -> Cell:
    return next(cell for cell, mark in position.marks().items() if mark == str(int(player)))


def _cells_pt(count: int) -> str:
    return "resta 1 casa livre" if count == 1 else f"restam {count} casas livres"


def _cells_en(count: int) -> str:
    return "1 free cell is" if count == 1 else f"{count} free cells are"
