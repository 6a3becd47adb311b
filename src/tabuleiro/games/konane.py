"""Konane (Hawaiian checkers): jump over enemy stones in a straight line; the player who cannot jump loses.

Move: `origin << 6 | target`; removing a stone in the opening has target = origin.
Encoding: white stones, black stones, turn.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, ClassVar, Self

from tabuleiro.core import (
    BLACK,
    EMPTY,
    WHITE,
    WHO_MOVES,
    BoardPosition,
    Card,
    Move,
    MoveCode,
    Options,
    Outcome,
    Piece,
    Player,
    Symmetry,
    bits_of,
    board_of,
    exchange_colours,
    option,
    put,
    read_choice,
    read_ranks,
    require_fields,
    write_ranks,
)
from tabuleiro.geometry import Cell, Geometry, permute, square
from tabuleiro.language import Text

ORTHOGONALS = ("n", "e", "s", "w")


@cache
def jump_lines(board: Geometry) -> list[list[list[tuple[Cell, Cell]]]]:
    """From each cell in each direction: the cells jumped over and landed on, jump after jump."""
    rays = [board.rays[direction] for direction in ORTHOGONALS]
    return [[[*zip(ray[cell][::2], ray[cell][1::2], strict=False)] for ray in rays] for cell in range(len(board))]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


@dataclass(frozen=True)
class KonaneOptions(Options):
    size: int = option(
        8,
        numbers=range(4, 9),
        official=True,
        help=Text("casas de cada lado do tabuleiro", "cells along each side of the board"),
    )
    opening: str = option(
        "fixed",
        "removal",
        "traditional",
        names={
            "fixed": Text("duas casas do meio já vazias", "two cells in the middle already empty"),
            "removal": Text("cada um retira uma peça, primeiro as Brancas", "each player removes a piece, White first"),
            "traditional": Text(
                "cada um retira uma peça, primeiro as Negras", "each player removes a piece, Black first"
            ),
        },
        official=True,
        help=Text("como se começa", "how the game begins"),
    )


@dataclass(frozen=True)
class Konane(BoardPosition):
    options: KonaneOptions

    id: ClassVar[str] = "konane"
    name: ClassVar[Text] = Text("Konane", "Konane")
    summary: ClassVar[Text] = Text(
        "Salta e captura; ganha quem fizer a última jogada.", "Jump and capture; whoever makes the last move wins."
    )
    cycles: ClassVar[tuple[str, ...]] = ("1", "2")
    card: ClassVar[Card] = Card(
        material=Text(
            "um tabuleiro de 8 por 8 casas, 31 peças brancas e 31 negras",
            "a board of 8 by 8 cells, 31 white pieces and 31 black ones",
        ),
        origin=Text("jogo tradicional do Havai", "a traditional game of Hawaii"),
    )
    first_steps: ClassVar[tuple[Text, ...]] = (
        Text(
            "Toca numa peça tua e depois na casa onde o salto acaba: por cima de uma adversária, para a casa vazia "
            "logo a seguir.",
            "Touch one of your pieces, then the cell where the jump ends: over an enemy piece, to the empty cell just "
            "beyond.",
        ),
        Text(
            "Podes continuar a saltar na mesma direção, e parar quando quiseres. Quem não puder saltar perde.",
            "You may go on jumping the same way and stop when you like. Whoever cannot jump loses.",
        ),
    )
    options_type: ClassVar[type[Options]] = KonaneOptions
    piece_kinds: ClassVar[dict[str, Piece]] = {
        WHITE: Piece(WHITE, "stone", "white"),
        BLACK: Piece(BLACK, "stone", "black"),
    }
    move_code: ClassVar[MoveCode] = MoveCode(
        6, ((0, 0), *(way for far in (2, 4, 6) for way in ((far, 0), (-far, 0), (0, far), (0, -far))))
    )
    move_pattern: ClassVar[re.Pattern[str]] = re.compile(r"[a-z][0-9]{1,2}([-:x]?[a-z][0-9]{1,2}){0,4}")
    move_help: ClassVar[Text] = Text(
        "escreve a casa de partida e a de chegada, como c3-g3", "write the cell left and the cell reached, as c3-g3"
    )

    @classmethod
    def start(cls, options: Any = None) -> Self:
        options = cls.default_options(options)
        size = options.size
        # a1 is White's, and colours alternate as on a chessboard.
        board = "".join(WHITE if (row + column) % 2 == 0 else BLACK for row in range(size) for column in range(size))
        if options.opening == "fixed":
            # The two central cells of the row just below the middle: d4 and e4 on 8x8.
            left = (size // 2 - 1) * size + size // 2 - 1
            board = put(board, {left: EMPTY, left + 1: EMPTY})
        return cls(Player.ONE, options, board)

    @classmethod
    def _from_fields(cls, fields: list[str], options: Any) -> Self:
        require_fields(fields, 2, str(cls.start(options)))
        board = "".join(read_ranks(square(options.size, options.size), fields[0], (WHITE, BLACK)))
        white, black = cls._players(options)
        return cls(read_choice(fields[1], {WHITE: white, BLACK: black}, WHO_MOVES), options, board)

    @staticmethod
    def _players(options: KonaneOptions) -> tuple[Player, Player]:
        """Who plays White and who plays Black: player ONE begins, with Black in the traditional opening."""
        return (Player.TWO, Player.ONE) if options.opening == "traditional" else (Player.ONE, Player.TWO)

    def _symbol(self, player: Player) -> str:
        return WHITE if player is self._players(self.options)[0] else BLACK

    def outcome(self) -> Outcome | None:
        return None if self._generated else Outcome(self.turn.other, "blocked")

    def _moves(self) -> Iterable[Move]:
        return self._generated

    @cached_property
    def _generated(self) -> list[Move]:
        if self.quick_moves is not None:
            return list(self._legal)
        empty = self.board.count(EMPTY)
        if self.options.opening != "fixed" and empty < 2:
            return [cell << 6 | cell for cell in self._removable(empty)]
        return list(self._jumps())

    def _removable(self, empty: int) -> Iterator[Cell]:
        """The opening by removal: first an own stone in the centre or on the rim, then an own stone beside the gap."""
        own = self._symbol(self.turn)
        if empty == 1:
            gap = self.board.index(EMPTY)
            beside = (self.geometry.steps[direction][gap] for direction in ORTHOGONALS)
            yield from (cell for cell in beside if cell is not None and self.board[cell] == own)
            return
        size = self.options.size
        centre, rim = {(size - 1) // 2, size // 2}, {0, size - 1}
        for cell, stone in enumerate(self.board):
            row, column = divmod(cell, size)
            if stone == own and ({row, column} <= centre or {row, column} & rim):
                yield cell

    def _jumps(self) -> Iterator[Move]:
        board, own, enemy = self.board, self._symbol(self.turn), self._symbol(self.turn.other)
        for origin, lines in enumerate(jump_lines(self.geometry)):
            if board[origin] != own:
                continue
            for line in lines:
                # Jump after jump the same way; stopping after any of them is a move of its own.
                for over, landing in line:
                    if board[over] != enemy or board[landing] != EMPTY:
                        break
                    yield origin << 6 | landing

    def _after(self, move: Move) -> Self:
        origin, target = move >> 6, move & 63
        changes = dict.fromkeys((origin, *self._between(origin, target)), EMPTY)
        if target != origin:
            changes[target] = self.board[origin]
        return type(self)(self.turn.other, self.options, put(self.board, changes))

    def _between(self, origin: Cell, target: Cell) -> range:
        """The cells jumped over or touched on the way; all of them end up empty."""
        size = self.options.size
        step = 1 if origin // size == target // size else size
        low, high = min(origin, target), max(origin, target)
        return range(low + step, high, step)

    def encode(self) -> tuple[int, ...]:
        return (bits_of(self.board, WHITE), bits_of(self.board, BLACK), self.turn)

    @classmethod
    def decode(cls, values: Sequence[int], options: Any = None) -> Self:
        options = cls.default_options(options)
        white, black, turn = values
        return cls(Player(turn), options, board_of(options.size**2, {WHITE: white, BLACK: black}))

    def __str__(self) -> str:
        return f"{write_ranks(self.geometry, self.board)} {self._symbol(self.turn)}"

    def _move_str(self, move: Move) -> str:
        names = self.geometry.names
        origin, target = move >> 6, move & 63
        return names[origin] if target == origin else f"{names[origin]}-{names[target]}"

    def _move_spellings(self, move: Move) -> Iterable[str]:
        """With every landing written: c3-e3-g3."""
        if stops := self._stops(move):
            yield "-".join(self.geometry.names[cell] for cell in stops)

    def _stops(self, move: Move) -> list[Cell]:
        """The cells a jumping stone touches, from where it stood to where it ends; none for a removal."""
        origin, target = move >> 6, move & 63
        if target == origin:
            return []
        landings = list(self._between(origin, target))[1::2]
        if target < origin:
            landings.reverse()
        return [origin, *landings, target]

    @property
    def geometry(self) -> Geometry:
        return square(self.options.size, self.options.size)

    def _why_not(self, cells: tuple[Cell, ...]) -> Text | None:
        origin = cells[0]
        owner = {self._symbol(player): player for player in Player}.get(self.board[origin])
        if (reason := self._not_own(origin, owner)) is not None:
            return reason
        empty = self.board.count(EMPTY)
        if self.options.opening != "fixed" and empty < 2:
            if origin << 6 | origin in self._generated:
                return Text("agora só se retira uma peça", "now one piece is removed, and that is all")
            if empty:
                return Text("retira uma peça ao lado da casa vazia", "remove a piece beside the empty cell")
            return Text(
                "a primeira peça a retirar é do centro ou da borda do tabuleiro",
                "the first piece removed is one in the centre or on the rim of the board",
            )
        return self._why_no_jump(cells)

    def _why_no_jump(self, cells: tuple[Cell, ...]) -> Text:
        origin, target = cells[0], cells[-1]
        names, size = self.geometry.names, self.options.size
        if all(move >> 6 != origin for move in self._generated):
            return Text(
                f"a peça em {names[origin]} não tem saltos: falta-lhe ao lado uma peça adversária com uma casa vazia "
                "logo a seguir",
                f"the piece on {names[origin]} has no jumps: it needs an enemy piece beside it with an empty cell "
                "just beyond",
            )
        ways = {(_sign(b // size - a // size), _sign(b % size - a % size)) for a, b in pairwise(cells)}
        if len(ways) > 1:
            return Text("numa jogada, salta-se sempre na mesma direção", "all jumps of a move go the same way")
        if any(0 not in way for way in ways):
            return Text("salta-se em linha reta, nunca na diagonal", "jumps go straight, never diagonally")
        if self.board[target] != EMPTY:
            return Text(
                f"a casa {names[target]} está ocupada: o salto acaba numa casa vazia",
                f"the cell {names[target]} is taken: a jump ends on an empty cell",
            )
        between = [*self._between(origin, target)]
        if len(between) % 2 == 0:
            return Text(
                "cada salto passa por cima de uma peça adversária e cai na casa logo a seguir",
                "each jump goes over one enemy piece and lands just beyond it",
            )
        enemy = self._symbol(self.turn.other)
        missing = next((cell for cell in between[::2] if self.board[cell] != enemy), None)
        if missing is not None:
            return Text(
                f"em {names[missing]} não há uma peça adversária para saltar",
                f"there is no enemy piece to jump over on {names[missing]}",
            )
        stop = next((cell for cell in between[1::2] if self.board[cell] != EMPTY), target)
        return Text(
            f"a casa {names[stop]} está ocupada: cada salto cai numa casa vazia",
            f"the cell {names[stop]} is taken: each jump lands on an empty cell",
        )

    def clicks(self, move: Move) -> tuple[Cell, ...]:
        origin, target = move >> 6, move & 63
        return (origin,) if target == origin else (origin, target)

    def motions(self, move: Move) -> tuple[tuple[Cell, Cell], ...]:
        return tuple(pairwise(self._stops(move)))

    def move_looks(self) -> Sequence[Hashable]:
        return self._legal

    def prompt(self) -> Text | None:
        if self.options.opening == "fixed" or self.board.count(EMPTY) >= 2:
            return None
        return Text("retira uma das tuas peças", "remove one of your stones")

    def colour(self, player: Player) -> str:
        return "white" if self._symbol(player) == WHITE else "black"

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries of the square, with the same stones or with colours exchanged."""
        turns = self.geometry.symmetries.values()
        identity = tuple(range(len(self.board)))
        return (
            *(Symmetry(cells) for cells in turns),
            *(Symmetry(cells, exchanges_players=True) for cells in (identity, *turns)),
        )

    def transform(self, symmetry: Symmetry) -> Self:
        board = "".join(permute(self.board, symmetry.cells))
        if not symmetry.exchanges_players:
            return type(self)(self.turn, self.options, board)
        return type(self)(self.turn.other, self.options, exchange_colours(board))

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        return symmetry.cells[move >> 6] << 6 | symmetry.cells[move & 63]
