"""Rastros (Trails, Bill Taylor, 1992): one marker, moved by both, leaves a trail; bring it to your corner.

Move: the cell the marker goes to.
Encoding: blocked cells, marker's cell, turn.
"""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from tabuleiro.core import (
    EMPTY,
    WHO_MOVES,
    BoardPosition,
    Card,
    InvalidPositionError,
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

MARKER, BLOCKED = "O", "#"


@dataclass(frozen=True)
class RastrosOptions(Options):
    size: int = option(
        7,
        numbers=range(4, 9),
        official=True,
        help=Text("casas de cada lado do tabuleiro", "cells along each side of the board"),
    )
    stalemate: str = option(
        "loss",
        "draw",
        names={
            "loss": Text("perde", "loses"),
            "draw": Text("empata, como em 1992", "draws, as in 1992"),
        },
        official=True,
        help=Text("quem fica sem jogada", "a player without a move"),
    )
    must_keep_goal_reachable: bool = option(
        False,
        True,
        official=True,
        help=Text(
            "é proibido isolar a peça das duas casas finais", "cutting the piece off from both goals is forbidden"
        ),
    )


@dataclass(frozen=True)
class Rastros(BoardPosition):
    options: RastrosOptions

    id: ClassVar[str] = "rastros"
    name: ClassVar[Text] = Text("Rastros", "Rastros")
    summary: ClassVar[Text] = Text(
        "Conduz a peça branca até à tua casa final, ou deixa o adversário sem jogada.",
        "Lead the white marker to your own goal, or leave the opponent without a move.",
    )
    author: ClassVar[str] = "Bill Taylor, 1992"
    cycles: ClassVar[tuple[str, ...]] = ("3", "sec")
    card: ClassVar[Card] = Card(
        material=Text(
            "um tabuleiro de 7 por 7 casas, uma peça branca e cerca de 40 peças negras",
            "a board of 7 by 7 cells, one white piece and about 40 black ones",
        ),
        also=Text("em inglês, Slimetrail ou Trails", "known in English as Slimetrail or Trails"),
    )
    first_steps: ClassVar[tuple[Text, ...]] = (
        Text(
            "Os dois jogadores movem a mesma peça branca: toca numa casa vizinha que esteja livre.",
            "Both players move the same white piece: touch a free cell beside it.",
        ),
        Text(
            "O jogador 1 ganha quando a peça chega à casa 1; o jogador 2, quando chega à casa 2.",
            "Player 1 wins when the piece reaches cell 1, player 2 when it reaches cell 2.",
        ),
    )
    options_type: ClassVar[type[Options]] = RastrosOptions
    piece_kinds: ClassVar[dict[str, Piece]] = {
        MARKER: Piece(MARKER, "marker", "white"),
        BLOCKED: Piece(BLOCKED, "block", "black"),
    }
    encoding: ClassVar[tuple[Part, ...]] = (Part("cells"), Part("cell"), Part("turn"))
    move_pattern: ClassVar[re.Pattern[str]] = re.compile(r"[a-z][0-9]{1,2}")
    move_help: ClassVar[Text] = Text(
        "escreve a casa para onde vai a peça, como d4", "write the cell the marker goes to, as d4"
    )

    @classmethod
    def start(cls, options: Any = None) -> Self:
        options = cls.default_options(options)
        # One step up and right of the centre: e5 on 7x7 and on 8x8.
        line = (options.size + 1) // 2
        return cls(Player.ONE, options, put(EMPTY * options.size**2, {line * options.size + line: MARKER}))

    @classmethod
    def _from_fields(cls, fields: list[str], options: Any) -> Self:
        require_fields(fields, 2, str(cls.start(options)))
        board = "".join(read_ranks(square(options.size, options.size), fields[0], (MARKER, BLOCKED)))
        turn = read_choice(fields[1], {"1": Player.ONE, "2": Player.TWO}, WHO_MOVES)
        if board.count(MARKER) != 1:
            raise InvalidPositionError(
                Text("tem de haver exatamente uma peça branca (O)", "there must be exactly one marker (O)")
            )
        return cls(turn, options, board)

    @cached_property
    def _marker(self) -> Cell:
        return self.board.index(MARKER)

    @property
    def _goals(self) -> dict[Player, Cell]:
        return {Player.ONE: 0, Player.TWO: len(self.board) - 1}

    def outcome(self) -> Outcome | None:
        # The goal decides, whichever player moved there, and before anything else.
        for player, goal in self._goals.items():
            if self._marker == goal:
                return Outcome(player, "goal", cells=(goal,))
        if not self._steps:
            return Outcome(None if self.can_draw else self.turn.other, "blocked", cells=(self._marker,))
        return None

    @cached_property
    def _steps(self) -> list[Cell]:
        steps = [cell for cell in self.geometry.neighbours[self._marker] if self.board[cell] == EMPTY]
        if self.options.must_keep_goal_reachable:
            steps = [cell for cell in steps if self._reaches_goal(cell)]
        return steps

    def _reaches_goal(self, origin: Cell) -> bool:
        """Whether a marker that has just come to `origin` could still walk to some goal."""
        goals = set(self._goals.values())
        seen, queue = {origin, self._marker}, [origin]
        while queue:
            cell = queue.pop()
            if cell in goals:
                return True
            for neighbour in self.geometry.neighbours[cell]:
                if neighbour not in seen and self.board[neighbour] == EMPTY:
                    seen.add(neighbour)
                    queue.append(neighbour)
        return False

    def _moves(self) -> Iterable[Move]:
        return self._steps

    def _after(self, move: Move) -> Self:
        return type(self)(self.turn.other, self.options, put(self.board, {self._marker: BLOCKED, move: MARKER}))

    def encode(self) -> tuple[int, ...]:
        return (bits_of(self.board, BLOCKED), self._marker, self.turn)

    @classmethod
    def decode(cls, values: Sequence[int], options: Any = None) -> Self:
        options = cls.default_options(options)
        blocked, marker, turn = values
        return cls(Player(turn), options, board_of(options.size**2, {BLOCKED: blocked, MARKER: 1 << marker}))

    def __str__(self) -> str:
        return f"{write_ranks(self.geometry, self.board)} {self.turn}"

    def _move_str(self, move: Move) -> str:
        return self.geometry.names[move]

    @property
    def geometry(self) -> Geometry:
        return square(self.options.size, self.options.size)

    def _why_not(self, cells: tuple[Cell, ...]) -> Text | None:
        target = cells[0]
        name = self.geometry.names[target]
        if target == self._marker:
            return Text(
                "a peça já está nessa casa: toca na casa vizinha para onde vai",
                "the piece is on that cell already: touch the neighbouring cell where it goes",
            )
        if self.board[target] == BLOCKED:
            return Text(
                f"a casa {name} está ocupada: por onde a peça passou já não se volta",
                f"the cell {name} is blocked: the piece never returns to where it has been",
            )
        if target not in self.geometry.neighbours[self._marker]:
            return Text(
                "a peça anda uma só casa, para uma das vizinhas", "the piece moves one cell, to one of its neighbours"
            )
        return Text(
            "essa jogada isolava a peça das duas casas finais, e isso é proibido",
            "that move would cut the piece off from both goals, which is forbidden",
        )

    def clicks(self, move: Move) -> tuple[Cell, ...]:
        return (move,)

    def motions(self, move: Move) -> tuple[tuple[Cell, Cell], ...]:
        return ((self._marker, move),)

    def move_looks(self) -> Sequence[Hashable]:
        marker = self._marker
        return [(marker, move) for move in self._legal]

    def marks(self) -> dict[Cell, str]:
        return {goal: str(player.value) for player, goal in self._goals.items()}

    @property
    def can_draw(self) -> bool:
        return self.options.stalemate == "draw"

    def symmetries(self) -> tuple[Symmetry, ...]:
        turns = self.geometry.symmetries
        # The diagonal through both goals keeps them; the other two symmetries exchange them, and so the players.
        return (
            Symmetry(turns["transpose"]),
            Symmetry(turns["half_turn"], exchanges_players=True),
            Symmetry(turns["antitranspose"], exchanges_players=True),
        )

    def transform(self, symmetry: Symmetry) -> Self:
        turn = self.turn.other if symmetry.exchanges_players else self.turn
        return type(self)(turn, self.options, "".join(permute(self.board, symmetry.cells)))

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        return symmetry.cells[move]
