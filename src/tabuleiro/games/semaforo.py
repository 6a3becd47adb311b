"""Semáforo (Traffic Lights, Alan Parr): shared lights; the player who makes three of a colour in a line wins.

Move: the cell; what happens there follows from what it holds.
Encoding: green cells, yellow cells, red cells, turn.
"""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self

from tabuleiro.core import (
    EMPTY,
    WHO_MOVES,
    BoardPosition,
    Card,
    Move,
    Options,
    Outcome,
    Part,
    Piece,
    Player,
    Symmetry,
    bits_of,
    board_of,
    option,
    put,
    read_choice,
    read_ranks,
    require_fields,
    write_ranks,
)
from tabuleiro.geometry import Cell, Geometry, permute, square
from tabuleiro.language import Text

GREEN, YELLOW, RED = "G", "Y", "R"
NEXT = {EMPTY: GREEN, GREEN: YELLOW, YELLOW: RED}


@cache
def lines(geometry: Geometry) -> tuple[tuple[Cell, Cell, Cell], ...]:
    """Every three neighbouring cells in a row, column or diagonal."""
    found = []
    for direction in ("e", "n", "ne", "se"):
        for cell in range(len(geometry)):
            ray = geometry.rays[direction][cell]
            if len(ray) >= 2:
                found.append((cell, ray[0], ray[1]))
    return tuple(found)


@dataclass(frozen=True)
class SemaforoOptions(Options):
    board: str = option(
        "3x4",
        "3x3",
        "3x5",
        "4x4",
        names={
            f"{rows}x{columns}": Text(f"{rows} linhas, {columns} colunas", f"{rows} rows, {columns} columns")
            for rows, columns in ((3, 4), (3, 3), (3, 5), (4, 4))
        },
        official=True,
        help=Text("tamanho do tabuleiro", "size of the board"),
    )


@dataclass(frozen=True)
class Semaforo(BoardPosition):
    options: SemaforoOptions

    id: ClassVar[str] = "semaforo"
    name: ClassVar[Text] = Text("Semáforo", "Semáforo")
    summary: ClassVar[Text] = Text(
        "Sê o primeiro a fazer uma linha de três peças da mesma cor.",
        "Be the first to make three lights of one colour in a line.",
    )
    author: ClassVar[str] = "Alan Parr"
    cycles: ClassVar[tuple[str, ...]] = ("1",)
    card: ClassVar[Card] = Card(
        material=Text(
            "um tabuleiro de 3 linhas por 4 colunas e 24 peças dos dois jogadores: 8 verdes, 8 amarelas e 8 vermelhas",
            "a board of 3 rows by 4 columns and 24 pieces that belong to both: 8 green, 8 yellow and 8 red",
        ),
        also=Text("em inglês, Traffic Lights", "known in English as Traffic Lights"),
    )
    first_steps: ClassVar[tuple[Text, ...]] = (
        Text(
            "Toca numa casa vazia para pôr uma peça verde, numa verde para a trocar por amarela, numa amarela para a "
            "trocar por vermelha.",
            "Touch an empty cell to place a green light, a green one to make it yellow, a yellow one to make it red.",
        ),
        Text(
            "As peças são dos dois: ganha quem completar a linha, seja quem for que as pôs.",
            "The lights belong to both: whoever completes the line wins, whoever placed them.",
        ),
    )
    options_type: ClassVar[type[Options]] = SemaforoOptions
    piece_kinds: ClassVar[dict[str, Piece]] = {
        GREEN: Piece(GREEN, "light", "green"),
        YELLOW: Piece(YELLOW, "light", "yellow"),
        RED: Piece(RED, "light", "red"),
    }
    encoding: ClassVar[tuple[Part, ...]] = (Part("cells"), Part("cells"), Part("cells"), Part("turn"))
    move_pattern: ClassVar[re.Pattern[str]] = re.compile(r"[a-z][0-9]{1,2}")
    move_help: ClassVar[Text] = Text(
        "escreve a casa onde colocas ou trocas uma peça, como c1", "write the cell where a light changes, as c1"
    )

    @classmethod
    def _board_geometry(cls, options: SemaforoOptions) -> Geometry:
        rows, columns = options.board.split("x")
        return square(int(columns), int(rows))

    @classmethod
    def start(cls, options: Any = None) -> Self:
        options = cls.default_options(options)
        return cls(Player.ONE, options, EMPTY * len(cls._board_geometry(options)))

    @classmethod
    def _from_fields(cls, fields: list[str], options: Any) -> Self:
        require_fields(fields, 2, str(cls.start(options)))
        board = "".join(read_ranks(cls._board_geometry(options), fields[0], (GREEN, YELLOW, RED)))
        return cls(read_choice(fields[1], {"1": Player.ONE, "2": Player.TWO}, WHO_MOVES), options, board)

    def outcome(self) -> Outcome | None:
        # The lights are shared: a line belongs to the player who completed it, the one who has just moved.
        board = self.board
        for a, b, c in lines(self.geometry):
            if board[a] == board[b] == board[c] != EMPTY:
                return Outcome(self.turn.other, "line", cells=(a, b, c))
        return None

    def _moves(self) -> Iterable[Move]:
        # Red is final. A board of nothing but red has lines, so some move always exists.
        return (cell for cell, light in enumerate(self.board) if light != RED)

    def _after(self, move: Move) -> Self:
        return type(self)(self.turn.other, self.options, put(self.board, {move: NEXT[self.board[move]]}))

    def encode(self) -> tuple[int, ...]:
        return (*(bits_of(self.board, light) for light in (GREEN, YELLOW, RED)), self.turn)

    @classmethod
    def decode(cls, values: Sequence[int], options: Any = None) -> Self:
        options = cls.default_options(options)
        green, yellow, red, turn = values
        cells = len(cls._board_geometry(options))
        return cls(Player(turn), options, board_of(cells, {GREEN: green, YELLOW: yellow, RED: red}))

    def __str__(self) -> str:
        return f"{write_ranks(self.geometry, self.board)} {self.turn}"

    def _move_str(self, move: Move) -> str:
        return self.geometry.names[move]

    @property
    def geometry(self) -> Geometry:
        return self._board_geometry(self.options)

    def _why_not(self, cells: tuple[Cell, ...]) -> Text | None:
        # Every other cell can be played.
        return Text(
            f"a peça vermelha em {self.geometry.names[cells[0]]} já não se troca: fica até ao fim",
            f"the red light on {self.geometry.names[cells[0]]} changes no more: it stays to the end",
        )

    def clicks(self, move: Move) -> tuple[Cell, ...]:
        return (move,)

    def move_looks(self) -> Sequence[Hashable]:
        return self._legal

    def symmetries(self) -> tuple[Symmetry, ...]:
        return tuple(Symmetry(cells) for cells in self.geometry.symmetries.values())

    def transform(self, symmetry: Symmetry) -> Self:
        return type(self)(self.turn, self.options, "".join(permute(self.board, symmetry.cells)))

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        return symmetry.cells[move]
