"""Positions in which there may be a puzzle: from games between levels, and clean set-ups of few pieces."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

from tabuleiro.core import EMPTY, Player, Position, TabuleiroError
from tabuleiro.games import get
from tabuleiro.games.guerreiros import Guerreiros
from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.games.konane import Konane
from tabuleiro.games.ouri import SEEDS, Ouri
from tabuleiro.learn import truth
from tabuleiro.players import level_engine
from tabuleiro.record import Game, Node
from tabuleiro.search.base import Engine, Limit

Source = Callable[[random.Random], Iterator[Position]]

#: Levels that play the games, from the first to the last of them: stronger ones make too few mistakes.
PLAYING = (2, 6)
#: Plies of a game made at random, so that no two games are the same.
OPENING = 4


def candidates(game: str, chance: random.Random) -> Iterator[Position]:
    """Positions without end, from all sources of a game in turn."""
    sources = SOURCES[game]
    while True:
        for source in sources:
            yield from (position for position in source(chance) if position.outcome() is None)


# ----------------------------------------------------------------------------------------------------------- from games


@cache
def _level(game: str, level: int) -> Engine:
    return level_engine(game, level, 0)


def played(game: str, worth_a_look: Callable[[Position], bool], options: str = "") -> Source:
    """The positions of one game between two levels that are worth a look."""

    def positions(chance: random.Random) -> Iterator[Position]:
        kind = get(game)
        pairs = dict(pair.split("=") for pair in options.split())
        node = Game(kind.start(kind.options_type.parse(pairs))).root
        levels = [_level(game, chance.randint(*PLAYING)) for _ in Player]
        while node.outcome is None and node.ply < 400:
            if node.ply < OPENING:
                move = chance.choice(node.position.legal_moves())
            else:
                level = levels[node.position.turn - 1]
                level.begin(chance.getrandbits(32))
                move = level.play(Node(node.position), Limit())
            node = node.play(move)
            if node.outcome is None and worth_a_look(node.position):
                yield node.position

    return positions


def _stones(position: Position) -> int:
    return len(position.pieces())


def _late_ouri(position: Position) -> bool:
    assert isinstance(position, Ouri)
    return sum(position.houses) <= 14


def _hex_played(size: int, empty: int) -> Source:
    """Games of Hex without a swap, which would only confuse, then seen as under the usual rules."""
    source = played("hex", lambda position: len(position.legal_moves()) <= empty, f"size={size} swap=off")

    def positions(chance: random.Random) -> Iterator[Position]:
        for position in source(chance):
            assert isinstance(position, Hex)
            yield replace(position, options=HexOptions(size=size))

    return positions


# --------------------------------------------------------------------------------------------------------- from set-ups


def _several(make: Callable[[random.Random], Position | None], count: int = 20) -> Source:
    """So many set-ups; what is no position is left out."""

    def attempts(chance: random.Random) -> Iterator[Position]:
        while True:
            try:
                position = make(chance)
            except TabuleiroError:
                continue
            if position is not None:
                yield position

    return lambda chance: islice(attempts(chance), count)


def _konane(chance: random.Random) -> Position:
    """A block of few cells, each with the colour that may ever stand there or with nothing."""
    start = Konane.start()
    size, full = start.options.size, start.board
    width, height = chance.randint(3, 5), chance.randint(2, 5)
    left, low = chance.randint(0, size - width), chance.randint(0, size - height)
    cells = [EMPTY] * len(full)
    for row in range(low, low + height):
        for column in range(left, left + width):
            cell = row * size + column
            if chance.random() < 0.55:
                cells[cell] = "wb"[(row + column) % 2 == _parity_of_black(full, size)]
    return Konane.from_setup(cells, [chance.choice("wb")])


def _parity_of_black(full: str, size: int) -> int:
    """On cells of which parity black stones stand."""
    cell = full.index("b")
    return (cell // size + cell % size) % 2


def _ouri(chance: random.Random) -> Position | None:
    """Few seeds, and stores such that one house decides: it wins where all others do not, or draws where they lose."""
    houses = [0] * 12
    for _ in range(chance.randint(5, 12)):
        houses[chance.randrange(12)] += 1
    rest = SEEDS - sum(houses)
    turn = chance.choice("SN")

    def with_lead(lead: int) -> Ouri:
        mine, theirs = (rest + lead) // 2, (rest - lead) // 2
        stores = (mine, theirs) if turn == "S" else (theirs, mine)
        rows = ",".join(map(str, houses[:6])), ",".join(map(str, houses[6:]))
        return Ouri.from_str(f"{rows[0]}/{rows[1]} {stores[0]}-{stores[1]} {turn}")

    level = with_lead(rest % 2)
    if level.outcome() is not None:
        return None
    gains = sorted((gain for gain in truth.gains(Node(level)).values() if gain is not None), reverse=True)
    if len(gains) < 3 or gains[0] - gains[1] < 2:
        return None
    return with_lead(chance.choice((2, 2, 0)) - gains[0])


def _avanco(chance: random.Random) -> Position:
    """Two to five men a side, none about to arrive."""
    kind = get("avanco")
    size = 7
    cells = [EMPTY] * size**2
    for man, rows in (("w", range(size - 2)), ("b", range(2, size))):
        for _ in range(chance.randint(2, 5)):
            cells[chance.choice(rows) * size + chance.randrange(size)] = man
    return kind.from_setup(cells, [chance.choice("wb")])


def _hex_edge(size: int) -> Callable[[random.Random], Position]:
    """A chain that comes from one edge and must reach the other, through a gap with a few stones in it."""

    def make(chance: random.Random) -> Position:
        gap = chance.randint(2, min(4, size - 2))
        column = chance.randrange(1, size - 1)
        ranks = [["b" if at == column else "w" for at in range(size)] for _ in range(size - gap)]
        ranks += [[EMPTY] * size for _ in range(gap)]
        for _ in range(chance.randint(1, size // 2 + 1)):
            rank = chance.randrange(size - gap, size)
            ranks[rank][chance.randrange(size)] = chance.choice("wwwb")
        position = Hex.from_setup(_as_cells(size, ranks), ["b", "-"], HexOptions(size=size))
        turns = [None, *position.symmetries()]
        turn = chance.choice(turns)
        return position if turn is None else position.transform(turn)

    return make


def _as_cells(size: int, ranks: list[list[str]]) -> list[str]:
    """Symbols by cells, from ranks as they are written, the first on top."""
    geometry = Hex.start(HexOptions(size=size)).geometry
    cells = [EMPTY] * len(geometry)
    for rank, symbols in zip(geometry.ranks, ranks, strict=True):
        for cell, symbol in zip(rank, symbols, strict=True):
            cells[cell] = symbol
    return cells


def _guerreiros(chance: random.Random) -> Position:
    """Kings that have moved, and one to three warriors a side."""
    cells = [EMPTY] * 90
    men = ["K", "k", *"W" * chance.randint(1, 3), *"w" * chance.randint(1, 3)]
    for man, cell in zip(men, chance.sample(range(90), len(men)), strict=True):
        cells[cell] = man
    return Guerreiros.from_setup(cells, [chance.choice("SN"), "-", "-"])


SOURCES: dict[str, tuple[Source, ...]] = {
    "semaforo": (played("semaforo", lambda _: True),),
    "rastros": (played("rastros", lambda position: _stones(position) >= 5),),
    "konane": (played("konane", lambda position: _stones(position) <= 28), _several(_konane, 40)),
    "ouri": (played("ouri", _late_ouri), _several(_ouri)),
    "avanco": (_several(_avanco, 150), played("avanco", lambda position: _stones(position) <= 18)),
    "hex": (
        _hex_played(5, 20),
        _hex_played(6, 22),
        _hex_played(7, 26),
        _several(_hex_edge(6), 6),
        _several(_hex_edge(7), 6),
        _several(_hex_edge(9), 4),
        _several(_hex_edge(11), 4),
    ),
    "guerreiros": (_several(_guerreiros, 150), played("guerreiros", lambda position: _stones(position) <= 12)),
    "abalone": (played("abalone", lambda position: _stones(position) <= 28),),
}
