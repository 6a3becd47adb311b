"""What is drawn on the board of a lesson anew after each move: `live: region dominoes`."""

from collections.abc import Callable, Iterable, Sequence

from tabuleiro.core import EMPTY, BoardPosition, Position, shorten
from tabuleiro.diagrams import Diagram, Field, Overlay, Region, RulebookError
from tabuleiro.geometry import Cell
from tabuleiro.language import Text
from tabuleiro.learn import truth
from tabuleiro.record import Node
from tabuleiro.search.base import Worth
from tabuleiro.solve.matching import most_pairs

#: How the worth of a move is written on its cell.
SIGNS = {Worth.WIN: "+", Worth.DRAW: "=", Worth.LOSS: "\N{MINUS SIGN}"}


def live_overlay(node: Node, diagram: Diagram) -> Overlay:
    """What is drawn over a point of a game: what the diagram says, and what it wants drawn anew."""
    made, said = drawn(node, diagram.live), diagram.overlay
    return Overlay(said.dominoes + made.dominoes, said.regions + made.regions, said.values + made.values)


def drawn(node: Node, names: Sequence[str]) -> Overlay:
    """What these names draw over a point of a game; nothing where it is over."""
    made = [LIVE[name][1](node) for name in names] if node.outcome is None else []
    return Overlay(
        tuple(domino for each in made for domino in each.dominoes),
        tuple(region for each in made for region in each.regions),
        tuple(value for each in made for value in each.values),
    )


def _values(node: Node) -> Overlay:
    """What each move is worth, where that is proven, on the cell where it ends; the best of several that end there."""
    position, best = node.position, dict[Cell, Worth]()
    for move, score in truth.values(node).moves.items():
        clicks = position.clicks(move)
        if clicks and score is not None and score.worth is not None:
            best[clicks[-1]] = max(score.worth, best.get(clicks[-1], Worth.LOSS))
    return Overlay(values=tuple((cell, SIGNS[worth]) for cell, worth in sorted(best.items())))


def _safe(node: Node) -> Overlay:
    """The moves after which the opponent cannot win at once, and how many there are."""
    position = node.position
    safe = [move for move in position.legal_moves() if truth.is_safe(position, move)]
    cells = sorted({position.clicks(move)[-1] for move in safe if position.clicks(move)})
    return Overlay(regions=(Region(tuple(cells), str(len(safe))),))


def _region(node: Node) -> Overlay:
    """The cells that the marker can still reach, and how many there are."""
    cells = tuple(cell for cell in within_reach(node.position) if cell != marker_of(node.position))
    return Overlay(regions=(Region(cells, str(len(cells))),))


def _dominoes(node: Node) -> Overlay:
    """As many dominoes as fit on the cells that the marker can reach and its own, which stays free if it can: then, if
    no goal is in reach, the player to move loses."""
    position = node.position
    reach = within_reach(position)
    near = {cell: [other for other in position.geometry.neighbours[cell] if other in reach] for cell in reach}
    mate = most_pairs(near, last=marker_of(position))
    return Overlay(dominoes=tuple(sorted((cell, other) for cell, other in mate.items() if cell < other)))


def marker_of(position: Position) -> Cell:
    return next(cell for cell, piece in position.pieces().items() if piece.kind == "marker")


def within_reach(position: Position) -> list[Cell]:
    """The marker's cell and those it can reach over empty cells, ascending."""
    assert isinstance(position, BoardPosition)
    found, waiting = {marker_of(position)}, [marker_of(position)]
    while waiting:
        for cell in position.geometry.neighbours[waiting.pop()]:
            if position.board[cell] == EMPTY and cell not in found:
                found.add(cell)
                waiting.append(cell)
    return sorted(found)


#: What can be drawn: the only game that has it, None where all have, and how it is made.
LIVE: dict[str, tuple[str | None, Callable[[Node], Overlay]]] = {
    "values": (None, _values),
    "safe": (None, _safe),
    "region": ("rastros", _region),
    "dominoes": ("rastros", _dominoes),
}


def read_live(game: type[Position], field: Field | None) -> tuple[str, ...]:
    """The names that a lesson wants drawn."""
    if field is None:
        return ()
    with field.naming():
        return check_live(game, field.value.split())


def check_live(game: type[Position], names: Iterable[str]) -> tuple[str, ...]:
    """The same names, or what is wrong with them."""
    known = [name for name, (only, _) in LIVE.items() if only in (None, game.id)]
    for name in (checked := tuple(names)):
        if name not in known:
            listed = ", ".join(known)
            raise RulebookError(
                Text(f"«{shorten(name)}» não é nenhum destes: {listed}", f"“{shorten(name)}” is not one of {listed}")
            )
    return checked
