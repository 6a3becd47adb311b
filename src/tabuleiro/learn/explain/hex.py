"""Hex: the opponent's chain of bridges from side to side."""

from itertools import combinations

from tabuleiro.core import EMPTY
from tabuleiro.games.hex import Hex
from tabuleiro.geometry import Cell
from tabuleiro.language import Text
from tabuleiro.learn.explain.case import Case

#: A link between two stones, or a stone and a side: the empty cells of which one is enough; none where they touch.
Link = frozenset[Cell]


def facts(case: Case) -> list[Text]:
    after = case.after
    assert isinstance(after, Hex)
    if case.ends_at_once:
        return []
    if chain_of_bridges(after, _symbol(after, after.turn)):
        # The chain stands already: any answer will do.
        case.is_told = True
        return [
            Text(
                f"Depois de {case.name} o adversário tem uma cadeia de pontes de margem a margem: "
                "se cortas por um lado, liga pelo outro.",
                f"After {case.name} your opponent has a chain of bridges from side to side: "
                "cut on one side, and they connect on the other.",
            )
        ]
    replied = case.replied
    if isinstance(replied, Hex) and chain_of_bridges(replied, _symbol(replied, after.turn)):
        case.is_told = True
        return [
            Text(
                f"O adversário responde {case.reply_name} e fica com uma cadeia de pontes de margem a margem: "
                "se cortas por um lado, liga pelo outro.",
                f"Your opponent answers {case.reply_name} and has a chain of bridges from side to side: "
                "cut on one side, and they connect on the other.",
            )
        ]
    return []


def _symbol(position: Hex, player: int) -> str:
    return "w" if position.colour(position.turn if player == position.turn else position.turn.other) == "white" else "b"


def chain_of_bridges(position: Hex, colour: str) -> bool:
    """Whether stones of a colour stand in a chain from side to side, each link of which is two that touch or a bridge,
    and no cell is needed by two bridges: then nobody can cut it."""
    board, near = position.board, position.geometry.neighbours
    size = position.options.size
    cells = range(size * size)
    row = {cell: divmod(cell, size)[0] if colour == "b" else divmod(cell, size)[1] for cell in cells}
    stones = [cell for cell in cells if board[cell] == colour]

    def to_side(stone: Cell, last: int) -> Link | None:
        if row[stone] == last:
            return frozenset()
        two = frozenset(cell for cell in near[stone] if row[cell] == last and board[cell] == EMPTY)
        return two if abs(row[stone] - last) == 1 and len(two) == 2 else None

    links: dict[Cell, list[tuple[Cell, Link]]] = {stone: [] for stone in stones}
    for one, other in combinations(stones, 2):
        if other in near[one]:
            link: Link | None = frozenset()
        else:
            two = frozenset(cell for cell in set(near[one]) & set(near[other]) if board[cell] == EMPTY)
            link = two if len(two) == 2 else None
        if link is not None:
            links[one].append((other, link))
            links[other].append((one, link))
    # By rows away from the side, without using a cell twice; chains are short, and most ends are dead at once.
    starts = [(stone, link) for stone in stones if (link := to_side(stone, 0)) is not None]
    seen: set[tuple[Cell, Link]] = set()
    waiting = [(stone, link, link) for stone, link in starts]
    while waiting:
        stone, link, used = waiting.pop()
        if (stone, used) in seen or len(seen) > _MOST:
            continue
        seen.add((stone, used))
        end = to_side(stone, size - 1)
        if end is not None and not end & used:
            return True
        waiting += [(other, more, used | more) for other, more in links[stone] if not more & used]
    return False


#: Chains are looked for no longer than that.
_MOST = 2000
