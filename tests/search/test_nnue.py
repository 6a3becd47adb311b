"""Nets that alpha-beta keeps up to date move by move: the same whole numbers by every way of reckoning them."""

import random
import struct
from dataclasses import dataclass
from pathlib import Path

import pytest

from tabuleiro import _native, get
from tabuleiro.core import Position
from tabuleiro.games.abalone import STEPS
from tabuleiro.native import kernel
from tabuleiro.record import random_game
from tabuleiro.search import AlphaBetaEngine, Limit, ProofEngine
from tabuleiro.search.base import Worth
from tabuleiro.search.native import WIN_SCORE, Weights
from tabuleiro.search.native import searcher as native_searcher
from tabuleiro.search.nnue import cards, net_for

NARROW = 16
NETS = sorted(cards())
#: The games whose weights count as much as their net.
BLENDED = {"guerreiros"}


def start_of(path: Path) -> Position:
    card = cards()[path]
    kind = get(card["game"])
    return kind.start(kind.options_type.parse(card["boards"][0]))


def positions(path: Path, count: int) -> list[Position]:
    start, chance = start_of(path), random.Random(path.name)
    found: list[Position] = []
    while len(found) < count:
        game = random_game(start, seed=chance.getrandbits(32), max_plies=chance.randrange(120))
        if game.outcome is None and isinstance(game.position, Position):
            found.append(game.position)
    return found


def searcher(path: Path, content: bytes, kind: str, full_width: bool = False) -> _native.Searcher:
    start = start_of(path)
    settings = _native.SearchSettings(
        options=start.options.encode(),
        **Weights.of(start.id).columns(),
        net=_native.NNUE[start.id](content),
        mebibytes=1,
        full_width=full_width,
    )
    return _native.SEARCHERS[start.id][kind](settings)


def by_weights(position: Position) -> int:
    return native_searcher(position.id, position.options, Weights.of(position.id), table=1).evaluate(position.encode())


# ------------------------------------------------------------------------------------------------------- the reference


def ring(cell: int) -> int:
    """The place of a cell of the hexagon in the native kernel."""
    lengths = [5, 6, 7, 8, 9, 8, 7, 6, 5]
    row = 0
    while cell >= lengths[row]:
        cell -= lengths[row]
        row += 1
    return (13 * row + cell + max(0, row - 4)) % 61


def rows_of(position: Position) -> list[int]:
    """The rows of the first layer that a position has."""
    words = position.encode()
    rows: list[int] = []
    if position.id == "guerreiros":
        for side in (0, 1):
            warriors = words[2 * side] | words[2 * side + 1] << 64
            cells = [cell for cell in range(90) if warriors >> cell & 1]
            rows += [64 * (2 * side + cell // 45) + cell % 45 for cell in cells]
            if (king := words[4 + side]) < 90:
                rows.append(256 + 64 * (2 * side + king // 45) + king % 45)
            unmoved = (words[6] | words[7] << 64) >> 81 * side
            rows += [512 + 16 * side + column for column in range(9) if unmoved >> column & 1]
            rows += [544 + 4 * side + number for number in range(words[9 + side])]
        return rows
    if position.id == "ouri":
        for house, seeds in enumerate(words[:12]):
            if seeds:
                rows.append(64 * (house // 3) + 21 * (house % 3) + min(seeds, 21) - 1)
        return rows + [256 + 24 * side + number for side in (0, 1) for number in range(words[12 + side])]
    for owner in (0, 1):
        cells = [cell for cell in range(64) if words[owner] >> cell & 1]
        if position.id == "avanco":
            rows += [64 * owner + cell for cell in cells]
        else:
            rows += [64 * owner + ring(cell) for cell in cells]
            rows += [128 + 8 * owner + number for number in range(words[3 + owner])]
    return rows


@dataclass
class Reference:
    """The net of a file, reckoned one number at a time."""

    content: bytes

    def __post_init__(self) -> None:
        self.words, self.hidden = struct.unpack_from("<II", self.content, 4)
        self._at = 12
        self.first = self._read("h", 64 * self.words * 2 * self.hidden)
        self.bias = self._read("h", self.hidden)
        self.second = self._read("b", 2 * self.hidden * NARROW), self._read("i", NARROW)
        self.third = self._read("b", NARROW * NARROW), self._read("i", NARROW)
        self.last, (self.last_bias,) = self._read("h", NARROW), self._read("i", 1)
        assert self._at == len(self.content)

    def _read(self, kind: str, count: int) -> list[int]:
        numbers = struct.unpack_from(f"<{count}{kind}", self.content, self._at)
        self._at += struct.calcsize(f"<{count}{kind}")
        return list(numbers)

    def points(self, position: Position) -> int:
        size = self.hidden
        sums = [list(self.bias), list(self.bias)]
        for row in rows_of(position):
            for view in (0, 1):
                for i in range(size):
                    sums[view][i] += self.first[(2 * row + view) * size + i]
        mover = position.turn - 1
        seen = [min(max(number >> 3, 0), 127) for view in (mover, 1 - mover) for number in sums[view]]
        for weights, bias in (self.second, self.third):
            seen = [
                min(
                    max(
                        (
                            bias[n]
                            + sum(seen[i] * weights[4 * (NARROW * (i // 4) + n) + i % 4] for i in range(len(seen)))
                        )
                        >> 6,
                        0,
                    ),
                    127,
                )
                for n in range(NARROW)
            ]
        return (self.last_bias + sum(a * b for a, b in zip(seen, self.last, strict=True))) >> 7


# -------------------------------------------------------------------------------------------------------------- tests


def test_there_are_nets() -> None:
    assert {cards()[path]["game"] for path in NETS} <= set(_native.NNUE) and NETS


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.stem)
def test_every_way_of_reckoning_gives_the_same(path: Path) -> None:
    content = path.read_bytes()
    reference = Reference(content)
    searches = [searcher(path, content, kind) for kind in ("nnue", "nnue_plain")]
    for position in positions(path, 25):
        points = reference.points(position)
        if position.id in BLENDED:
            points = int((points + by_weights(position)) / 2)
        assert [search.evaluate(position.encode()) for search in searches] == [points, points], position


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.stem)
def test_the_state_of_a_line_is_that_of_its_last_position(path: Path) -> None:
    """A score is the estimate of the position where the line ends, which the search has from state to state."""
    content = path.read_bytes()
    native = kernel(start_of(path))
    assert native is not None
    lines_seen = 0
    for position in positions(path, 25):
        found = []
        for kind in ("nnue", "nnue_plain"):
            search = searcher(path, content, kind, full_width=True)
            request = _native.SearchRequest(start=position.encode(), depth=3)
            found.append(search.search(request, _native.StopFlag(), lambda _: None))
        (depth, nodes, _, _, lines, _), plain = found
        assert (depth, nodes, lines) == (plain[0], plain[1], plain[4])
        score, _, _, line = lines[0]
        last = position.encode()
        for move in line:
            last = native.play(last, move)
        if abs(score) < WIN_SCORE - 250 and native.outcome(last) == 0 and score != 0:
            estimate = search.evaluate(last) * (1 if native.turn(last) == position.turn else -1)
            assert score == (estimate or score), position
            lines_seen += 1
    assert lines_seen > 10


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.stem)
def test_a_damaged_file_is_refused(path: Path) -> None:
    content, made = path.read_bytes(), _native.NNUE[cards()[path]["game"]]
    for damaged in (b"", content[:-1], content + b"\0", b"TNN2" + content[4:], content[:4] + b"\1" + content[5:]):
        with pytest.raises(ValueError, match="net"):
            made(damaged)
    with pytest.raises(ValueError, match="out of range"):
        made(content[:-4] + b"\xff\xff\xff\x7f")


def test_a_net_serves_the_boards_of_its_card() -> None:
    for path in NETS:
        start = start_of(path)
        assert net_for(start) is net_for(start) is not None
    assert net_for(get("avanco").start(get("avanco").options_type.parse({"size": "6"}))) is None
    assert net_for(get("semaforo").start()) is None


def test_the_engine_judges_by_it_where_it_serves() -> None:
    for size, served in (("7", True), ("6", False)):
        start = get("avanco").start(get("avanco").options_type.parse({"size": size}))
        plain, net = (AlphaBetaEngine(table=1, nnue=nnue).analyse(start, Limit(depth=5)) for nnue in (False, True))
        assert (plain.nodes != net.nodes) == served


# ---------------------------------------------------------------------------------------------------- ends foreseen


def thinned(position: Position, chance: random.Random, pieces: int) -> Position | None:
    """A position of Avanço with so few pieces that runners are common; none if the game would be over."""
    first, second, _ = position.encode()
    cells = [(side, cell) for side, word in enumerate((first, second)) for cell in range(49) if word >> cell & 1]
    words = [0, 0]
    for side, cell in chance.sample(cells, min(pieces, len(cells))):
        words[side] |= 1 << cell
    made = type(position).decode((*words, chance.choice((1, 2))), position.options)
    return made if all(words) and made.outcome() is None else None


def test_races_that_the_search_foresees_are_proven_by_df_pn() -> None:
    path = next(each for each in NETS if cards()[each]["game"] == "avanco")
    chance = random.Random(3)
    glance, proof = AlphaBetaEngine(table=1, nnue=True), ProofEngine(table=16)
    foreseen = {Worth.WIN: 0, Worth.LOSS: 0}
    for start in positions(path, 150):
        position = thinned(start, chance, chance.randrange(3, 9))
        if position is None:
            continue
        found = glance.analyse(position, Limit(depth=1))
        if found.exact:
            worth = found.score.worth
            assert worth is not None
            assert proof.analyse(position, Limit(nodes=300_000)).score.worth is worth, str(position)
            foreseen[worth] += 1
    assert min(foreseen.values()) > 15


def test_a_search_that_leaves_moves_out_proves_nothing_that_is_not_so() -> None:
    path = next(each for each in NETS if cards()[each]["game"] == "avanco")
    chance = random.Random(4)
    search, proof = AlphaBetaEngine(table=4, nnue=True), ProofEngine(table=16)
    proven = 0
    for start in positions(path, 30):
        position = thinned(start, chance, 8)
        if position is None:
            continue
        search.forget()
        found = search.analyse(position, Limit(nodes=4_000))
        if found.exact:
            assert proof.analyse(position, Limit(nodes=1_000_000)).score.worth is found.score.worth, str(position)
            proven += 1
    assert proven > 10


def scattered(chance: random.Random) -> Position:
    """Marbles of Abalone anywhere, many of them at the rim, where whoever ejects the next one wins."""
    rim = [cell for cell in range(61) if None in (step[cell] for step in STEPS)]
    inside = [cell for cell in range(61) if cell not in rim]
    cells = [*chance.sample(rim, 8), *chance.sample(inside, 10)]
    words = [sum(1 << cell for cell in cells[side::2]) for side in range(2)]
    return get("abalone").decode((*words, chance.choice((1, 2)), 5, 5))


def test_a_search_of_abalone_that_leaves_moves_out_proves_nothing_that_is_not_so() -> None:
    """Df-pn takes long there, so that a search of all moves confirms it."""
    chance = random.Random(1)
    search, whole = AlphaBetaEngine(table=4, nnue=True), AlphaBetaEngine(table=16, full_width=True)
    proven = 0
    for _ in range(200):
        position = scattered(chance)
        search.forget()
        found = search.analyse(position, Limit(nodes=4_000))
        # What the next move wins needs no search.
        if found.exact and found.depth > 1:
            whole.forget()
            assert whole.analyse(position, Limit(nodes=1_000_000)).score.worth is found.score.worth, str(position)
            proven += 1
    assert proven > 8
