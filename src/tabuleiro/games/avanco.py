"""Avanço (Breakthrough, Dan Troyka, 2000): reach the opponent's first row.

Move: `origin << 6 | target`.
Encoding: white pieces, black pieces, turn.
"""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from tabuleiro.core import (
    BLACK,
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

SYMBOL = {Player.ONE: WHITE, Player.TWO: BLACK}


@dataclass(frozen=True)
class AvancoOptions(Options):
    size: int = option(
        7,
        numbers=range(5, 9),
        official=True,
        help=Text("casas de cada lado do tabuleiro", "cells along each side of the board"),
    )


@dataclass(frozen=True)
class Avanco(BoardPosition):
    options: AvancoOptions

    id: ClassVar[str] = "avanco"
    name: ClassVar[Text] = Text("Avanço", "Avanço")
    summary: ClassVar[Text] = Text(
        "Leva uma das tuas peças até à primeira linha do adversário.",
        "Bring one of your pieces to the opponent's first row.",
    )
    author: ClassVar[str] = "Dan Troyka, 2000"
    cycles: ClassVar[tuple[str, ...]] = ("sec",)
    card: ClassVar[Card] = Card(
        material=Text(
            "um tabuleiro de 7 por 7 casas, 14 peças brancas (redondas) e 14 negras (quadradas)",
            "a board of 7 by 7 cells, 14 white pieces (round) and 14 black ones (square)",
        ),
        also=Text("em inglês, Breakthrough", "known in English as Breakthrough"),
    )
    first_steps: ClassVar[tuple[Text, ...]] = (
        Text(
            "Toca numa peça tua e depois na casa para onde avança: uma casa, em frente ou na diagonal.",
            "Touch one of your pieces, then the cell where it goes: one cell, straight ahead or diagonally.",
        ),
        Text("Captura-se só na diagonal; em frente, nunca.", "Captures are diagonal only, never straight ahead."),
    )
    options_type: ClassVar[type[Options]] = AvancoOptions
    piece_kinds: ClassVar[dict[str, Piece]] = {WHITE: Piece(WHITE, "man", "white"), BLACK: Piece(BLACK, "man", "black")}
    move_code: ClassVar[MoveCode] = MoveCode(6, tuple((rows, columns) for rows in (1, -1) for columns in (-1, 0, 1)))
    move_pattern: ClassVar[re.Pattern[str]] = re.compile(r"[a-z][0-9]{1,2}[-:x]?[a-z][0-9]{1,2}")
    move_help: ClassVar[Text] = Text(
        "escreve a casa de partida e a de chegada, como d2-d3 ou d4xc5",
        "write the cell left and the cell reached, as d2-d3 or d4xc5",
    )

    @classmethod
    def start(cls, options: Any = None) -> Self:
        options = cls.default_options(options)
        two_rows = 2 * options.size
        board = WHITE * two_rows + EMPTY * (options.size**2 - 2 * two_rows) + BLACK * two_rows
        return cls(Player.ONE, options, board)

    @classmethod
    def _from_fields(cls, fields: list[str], options: Any) -> Self:
        require_fields(fields, 2, str(cls.start(options)))
        geometry = square(options.size, options.size)
        board = "".join(read_ranks(geometry, fields[0], (WHITE, BLACK)))
        turn = read_choice(fields[1], {"w": Player.ONE, "b": Player.TWO}, WHO_MOVES)
        position = cls(turn, options, board)
        if max(board.count(WHITE), board.count(BLACK)) > 2 * options.size:
            raise InvalidPositionError(
                Text(
                    f"cada jogador tem no máximo {2 * options.size} peças",
                    f"each player has at most {2 * options.size} pieces",
                )
            )
        if not board.strip(EMPTY):
            raise InvalidPositionError(Text("o tabuleiro está vazio", "the board is empty"))
        if position._arrived(Player.ONE) and position._arrived(Player.TWO):
            raise InvalidPositionError(Text("os dois jogadores não podem ter ganho", "both players cannot have won"))
        return position

    def outcome(self) -> Outcome | None:
        for player in Player:
            if arrived := self._arrived(player):
                return Outcome(player, "reached_last_row", cells=tuple(arrived))
            if SYMBOL[player.other] not in self.board:
                return Outcome(player, "no_pieces")
        return None

    def _arrived(self, player: Player) -> list[Cell]:
        """A player's pieces on the opponent's first row."""
        size = self.options.size
        last_row = range(size * (size - 1), size * size) if player is Player.ONE else range(size)
        return [cell for cell in last_row if self.board[cell] == SYMBOL[player]]

    def _moves(self) -> Iterable[Move]:
        own = SYMBOL[self.turn]
        # White goes up, Black down. Diagonally onto anything but an own piece, straight only onto an empty cell.
        straight, *diagonals = ("n", "nw", "ne") if self.turn is Player.ONE else ("s", "sw", "se")
        steps = self.geometry.steps
        for origin, piece in enumerate(self.board):
            if piece != own:
                continue
            ahead = steps[straight][origin]
            if ahead is not None and self.board[ahead] == EMPTY:
                yield origin << 6 | ahead
            for diagonal in diagonals:
                target = steps[diagonal][origin]
                if target is not None and self.board[target] != own:
                    yield origin << 6 | target

    def _after(self, move: Move) -> Self:
        origin, target = move >> 6, move & 63
        board = put(self.board, {origin: EMPTY, target: SYMBOL[self.turn]})
        return type(self)(self.turn.other, self.options, board)

    def encode(self) -> tuple[int, ...]:
        return (bits_of(self.board, WHITE), bits_of(self.board, BLACK), self.turn)

    @classmethod
    def decode(cls, values: Sequence[int], options: Any = None) -> Self:
        options = cls.default_options(options)
        white, black, turn = values
        board = board_of(options.size**2, {WHITE: white, BLACK: black})
        return cls(Player(turn), options, board)

    def __str__(self) -> str:
        return f"{write_ranks(self.geometry, self.board)} {SYMBOL[self.turn]}"

    def _move_str(self, move: Move) -> str:
        origin, target = move >> 6, move & 63
        mark = "-" if self.board[target] == EMPTY else "x"
        return f"{self.geometry.names[origin]}{mark}{self.geometry.names[target]}"

    @property
    def geometry(self) -> Geometry:
        return square(self.options.size, self.options.size)

    def _why_not(self, cells: tuple[Cell, ...]) -> Text | None:
        origin, *rest = cells
        names, size = self.geometry.names, self.options.size
        owner = {SYMBOL[player]: player for player in Player}.get(self.board[origin])
        if (reason := self._not_own(origin, owner)) is not None:
            return reason
        if not rest:
            return Text(
                f"a peça em {names[origin]} não tem para onde avançar",
                f"the piece on {names[origin]} has nowhere to go",
            )
        target = rest[0]
        ahead = (target // size - origin // size) * (1 if self.turn is Player.ONE else -1)
        aside = abs(target % size - origin % size)
        if ahead <= 0:
            return Text(
                "as peças só avançam: nunca vão para trás nem para o lado",
                "pieces only go forward, never back or sideways",
            )
        if ahead > 1 or aside > 1:
            return Text(
                "uma peça avança uma só casa, em frente ou na diagonal",
                "a piece goes one cell, straight ahead or diagonally",
            )
        if self.board[target] == SYMBOL[self.turn]:
            return Text(f"em {names[target]} já está uma peça tua", f"a piece of yours is on {names[target]}")
        return Text(
            "em frente não se captura: a casa tem de estar vazia; captura-se só na diagonal",
            "straight ahead nothing is captured: the cell must be empty; captures are diagonal",
        )

    def clicks(self, move: Move) -> tuple[Cell, ...]:
        return (move >> 6, move & 63)

    def move_looks(self) -> Sequence[Hashable]:
        board = self.board
        return [(move, board[move & 63]) for move in self._legal]

    def colour(self, player: Player) -> str:
        return "white" if player is Player.ONE else "black"

    def symmetries(self) -> tuple[Symmetry, ...]:
        turns = self.geometry.symmetries
        return (
            Symmetry(turns["mirror"]),
            Symmetry(turns["flip"], exchanges_players=True),
            Symmetry(turns["half_turn"], exchanges_players=True),
        )

    def transform(self, symmetry: Symmetry) -> Self:
        board = "".join(permute(self.board, symmetry.cells))
        if not symmetry.exchanges_players:
            return type(self)(self.turn, self.options, board)
        return type(self)(self.turn.other, self.options, exchange_colours(board))

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        return symmetry.cells[move >> 6] << 6 | symmetry.cells[move & 63]
