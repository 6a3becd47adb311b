"""Hex (Piet Hein, John Nash): join your two sides of the board.

Move: the cell; `size * size` is the swap.
Encoding: white stones in 64-bit words (lowest cells first), black stones likewise, colour to move (0 white, 1 black),
swap (0 no, 1 may be taken now, 2 taken).
"""

import re
from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from tabuleiro.core import (
    BLACK,
    COLOURS,
    EMPTY,
    WHITE,
    WHO_MOVES,
    BoardPosition,
    Card,
    InvalidPositionError,
    Move,
    MoveCode,
    Options,
    Outcome,
    Part,
    Piece,
    Player,
    SetupField,
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
from tabuleiro.geometry import Cell, Geometry, permute, rhombus
from tabuleiro.language import Text

NO_SWAP, MAY_SWAP, SWAPPED = "-", "?", "x"
SWAP_STATES = (NO_SWAP, MAY_SWAP, SWAPPED)
COLOUR_NAMES = {WHITE: "white", BLACK: "black"}


@dataclass(frozen=True)
class HexOptions(Options):
    size: int = option(
        11,
        numbers=range(3, 20),
        help=Text("casas de cada lado do tabuleiro", "cells along each side of the board"),
    )
    swap: bool = option(
        True,
        False,
        official=True,
        help=Text(
            "o segundo jogador pode trocar de cores na sua primeira jogada",
            "the second player may swap colours at the first turn",
        ),
    )
    first: str = option(
        "white",
        "black",
        names={"white": COLOURS["white"], "black": COLOURS["black"]},
        help=Text("a cor que começa", "the colour that begins"),
    )


@dataclass(frozen=True)
class Hex(BoardPosition):
    options: HexOptions
    #: Whether the swap may be taken now, or has been taken: then player ONE has the second colour.
    swap: str

    id: ClassVar[str] = "hex"
    name: ClassVar[Text] = Text("Hex", "Hex")
    summary: ClassVar[Text] = Text(
        "Une as duas margens da tua cor com um caminho de peças.",
        "Join the two sides of your colour with a path of stones.",
    )
    author: ClassVar[str] = "Piet Hein, 1942; John Nash, 1948"
    cycles: ClassVar[tuple[str, ...]] = ("2", "3", "sec")
    card: ClassVar[Card] = Card(
        material=Text(
            "um tabuleiro de 11 por 11 hexágonos e 100 peças, 50 de cada cor",
            "a board of 11 by 11 hexagons and 100 pieces, 50 of each colour",
        ),
    )
    first_steps: ClassVar[tuple[Text, ...]] = (
        Text(
            "Toca numa casa vazia para pôr lá uma peça da tua cor; as peças nunca se movem nem se capturam.",
            "Touch an empty cell to place a stone of your colour; stones never move and are never captured.",
        ),
        Text(
            "As margens do tabuleiro têm a cor de quem as deve unir.",
            "The sides of the board have the colour of the player who must join them.",
        ),
        Text(
            "Depois da primeira peça, o segundo jogador pode trocar de cores em vez de jogar.",
            "After the first stone, the second player may swap colours instead of placing one.",
        ),
    )
    options_type: ClassVar[type[Options]] = HexOptions
    piece_kinds: ClassVar[dict[str, Piece]] = {
        WHITE: Piece(WHITE, "stone", "white"),
        BLACK: Piece(BLACK, "stone", "black"),
    }
    # Nets judge a position as if it had no swap: whether to take it follows from what they say of the opening.
    encoding: ClassVar[tuple[Part, ...]] = (Part("cells", each=True), Part("colour"), Part("hidden"))
    move_code: ClassVar[MoveCode] = MoveCode(beyond=1)
    move_pattern: ClassVar[re.Pattern[str]] = re.compile(r"[a-z][0-9]{1,2}|swap|troca")
    move_help: ClassVar[Text] = Text("escreve uma casa, como f6, ou troca", "write a cell, as f6, or swap")

    @classmethod
    def start(cls, options: Any = None) -> Self:
        options = cls.default_options(options)
        return cls(Player.ONE, options, EMPTY * options.size**2, NO_SWAP)

    @classmethod
    def _from_fields(cls, fields: list[str], options: Any) -> Self:
        require_fields(fields, 3, str(cls.start(options)))
        board = "".join(read_ranks(rhombus(options.size), fields[0], (WHITE, BLACK)))
        colour = read_choice(fields[1], {WHITE: WHITE, BLACK: BLACK}, WHO_MOVES)
        swap = read_choice(fields[2], {state: state for state in SWAP_STATES}, Text("troca", "swap"))
        position = cls._with_colour(colour, options, board, swap)
        if swap != NO_SWAP and not options.swap:
            raise InvalidPositionError(
                Text("nesta variante não há troca de cores", "there is no swap under these options")
            )
        first = position.options.first[0]
        if swap == MAY_SWAP and (board.replace(EMPTY, "") != first or colour == first):
            raise InvalidPositionError(
                Text(
                    "a troca (?) só se pode dar depois da primeira peça, quando joga a outra cor",
                    "the swap (?) may be taken only after the first stone, by the other colour",
                )
            )
        if swap == SWAPPED and first not in board:
            raise InvalidPositionError(
                Text("não pode ter havido troca (x) sem uma primeira peça", "no swap (x) can precede the first stone")
            )
        return position

    @classmethod
    def _with_colour(cls, colour: str, options: HexOptions, board: str, swap: str) -> Self:
        begins = colour == options.first[0]
        return cls(Player.ONE if begins != (swap == SWAPPED) else Player.TWO, options, board, swap)

    @classmethod
    def setup_fields(cls, options: Any = None) -> tuple[SetupField, ...]:
        meanings = {
            NO_SWAP: Text("sem troca", "no swap"),
            MAY_SWAP: Text("quem joga pode trocar de cores", "whoever moves may swap colours"),
            SWAPPED: Text("as cores já foram trocadas", "colours have been swapped"),
        }
        colours = {symbol: COLOURS[cls.piece_kinds[symbol].colour] for symbol in (WHITE, BLACK)}
        return (SetupField(WHO_MOVES, colours), SetupField(Text("troca", "swap"), meanings))

    def _symbol(self, player: Player) -> str:
        first = self.options.first[0]
        second = BLACK if first == WHITE else WHITE
        return first if (player is Player.ONE) != (self.swap == SWAPPED) else second

    def outcome(self) -> Outcome | None:
        for player in Player:
            if self._joins(self._symbol(player)):
                return Outcome(player, "connected", cells=self._chain(self._symbol(player)))
        return None

    def _joins(self, colour: str) -> bool:
        """Whether a colour has a path between its sides: Black from number 1 to the last, White from a to the last."""
        if self.board.count(colour) < self.options.size:
            return False
        near, far = self._sides(colour)
        return any(cell in far for cell in self._linked(colour, near))

    def _chain(self, colour: str) -> tuple[Cell, ...]:
        """A shortest path of stones between the sides of a colour that has joined them."""
        near, far = self._sides(colour)
        before: dict[Cell, Cell | None] = {cell: None for cell in near if self.board[cell] == colour}
        queue = deque(before)
        while queue:
            cell = queue.popleft()
            if cell in far:
                path: list[Cell] = []
                step: Cell | None = cell
                while step is not None:
                    path.append(step)
                    step = before[step]
                return tuple(reversed(path))
            for neighbour in self.geometry.neighbours[cell]:
                if neighbour not in before and self.board[neighbour] == colour:
                    before[neighbour] = cell
                    queue.append(neighbour)
        return ()

    def _sides(self, colour: str) -> tuple[range, range]:
        """The cells of a colour's near and far side."""
        size = self.options.size
        if colour == BLACK:
            return range(size), range(size * (size - 1), size * size)
        return range(0, size * size, size), range(size - 1, size * size, size)

    def _linked(self, colour: str, side: range) -> set[Cell]:
        """The stones of a colour that are connected to a side."""
        queue = [cell for cell in side if self.board[cell] == colour]
        seen = set(queue)
        while queue:
            for neighbour in self.geometry.neighbours[queue.pop()]:
                if neighbour not in seen and self.board[neighbour] == colour:
                    seen.add(neighbour)
                    queue.append(neighbour)
        return seen

    def derived_cells(self) -> tuple[int, ...]:
        """The stones joined to their near side, White's and Black's, then those joined to their far side."""
        return tuple(
            sum(1 << cell for cell in self._linked(colour, self._sides(colour)[far]))
            for far in (0, 1)
            for colour in (WHITE, BLACK)
        )

    def _moves(self) -> Iterable[Move]:
        moves = [cell for cell, stone in enumerate(self.board) if stone == EMPTY]
        return [*moves, len(self.board)] if self.swap == MAY_SWAP else moves

    def _after(self, move: Move) -> Self:
        if move == len(self.board):
            # The stone stays and the players exchange colours, so the second colour is to move again.
            return type(self)(Player.ONE, self.options, self.board, SWAPPED)
        is_first = self.board.count(EMPTY) == len(self.board)
        colour = self._symbol(self.turn)
        swap = MAY_SWAP if is_first and self.options.swap and colour == self.options.first[0] else self.swap
        if self.swap == MAY_SWAP:
            swap = NO_SWAP
        return type(self)(self.turn.other, self.options, put(self.board, {move: colour}), swap)

    def encode(self) -> tuple[int, ...]:
        stones = [bits_of(self.board, colour) for colour in (WHITE, BLACK)]
        words = (len(self.board) + 63) // 64
        split = [bits >> (64 * word) & (1 << 64) - 1 for bits in stones for word in range(words)]
        return (*split, int(self._symbol(self.turn) == BLACK), SWAP_STATES.index(self.swap))

    @classmethod
    def decode(cls, values: Sequence[int], options: Any = None) -> Self:
        options = cls.default_options(options)
        words = (options.size**2 + 63) // 64
        *stones, black_to_move, swap = values
        white = sum(word << 64 * i for i, word in enumerate(stones[:words]))
        black = sum(word << 64 * i for i, word in enumerate(stones[words:]))
        board = board_of(options.size**2, {WHITE: white, BLACK: black})
        return cls._with_colour(BLACK if black_to_move else WHITE, options, board, SWAP_STATES[swap])

    def __str__(self) -> str:
        return f"{write_ranks(self.geometry, self.board)} {self._symbol(self.turn)} {self.swap}"

    def _move_str(self, move: Move) -> str:
        return "swap" if move == len(self.board) else self.geometry.names[move]

    def _move_spellings(self, move: Move) -> Iterable[str]:
        """The swap by its Portuguese name."""
        if move == len(self.board):
            yield "troca"

    @property
    def geometry(self) -> Geometry:
        return rhombus(self.options.size)

    def _why_not(self, cells: tuple[Cell, ...]) -> Text | None:
        if cells:
            name = self.geometry.names[cells[0]]
            return Text(
                f"a casa {name} já está ocupada, e as peças não saem de onde estão",
                f"the cell {name} is taken, and stones never leave their places",
            )
        if not self.options.swap:
            return Text("nesta partida não há troca de cores", "there is no swap in this game")
        if self.swap == SWAPPED:
            return Text("as cores já foram trocadas", "colours have been swapped already")
        return Text(
            "só o segundo jogador pode trocar de cores, na sua primeira jogada",
            "only the second player may swap colours, at the first turn",
        )

    def clicks(self, move: Move) -> tuple[Cell, ...]:
        return () if move == len(self.board) else (move,)

    def motions(self, move: Move) -> tuple[tuple[Cell, Cell], ...]:
        return ()  # stones are placed

    def move_looks(self) -> Sequence[Hashable]:
        return self._legal

    def prompt(self) -> Text | None:
        if self.swap != MAY_SWAP:
            return None
        return Text("podes trocar de cores em vez de pôr uma peça", "you may swap colours instead of placing a stone")

    def colour(self, player: Player) -> str:
        return COLOUR_NAMES[self._symbol(player)]

    def symmetries(self) -> tuple[Symmetry, ...]:
        turns = self.geometry.symmetries
        half_turn = Symmetry(turns["half_turn"])
        # The reflections exchange the sides of the colours. That is a symmetry once it no longer matters which
        # colour began: when the swap is behind, as it is with stones of both colours on the board.
        if WHITE not in self.board or BLACK not in self.board:
            return (half_turn,)
        reflections = (Symmetry(turns[name], exchanges_players=True) for name in ("transpose", "antitranspose"))
        return (half_turn, *reflections)

    def transform(self, symmetry: Symmetry) -> Self:
        board = "".join(permute(self.board, symmetry.cells))
        if not symmetry.exchanges_players:
            return type(self)(self.turn, self.options, board, self.swap)
        return type(self)(self.turn.other, self.options, exchange_colours(board), self.swap)

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        return move if move == len(self.board) else symmetry.cells[move]
