"""Abalone (Michel Lalet and Laurent Lévi, 1987): push six enemy marbles off the hexagon.

Move: `cell << 6 | kind << 3 | direction`, with directions e ne nw w sw se = 0..5.
  In line: kind 0, `cell` is the trailing marble; how many follow is seen on the board.
  Broadside: `cell` is the lower end of the row of marbles, kind = 1 + 2 * axis + (marbles - 2), axes e ne nw = 0..2.
Encoding: black marbles, white marbles, turn, marbles lost by Black, marbles lost by White.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import takewhile
from operator import itemgetter
from typing import Any, ClassVar, Self

from tabuleiro.core import (
    BLACK,
    COLOURS,
    EMPTY,
    WHITE,
    WHO_MOVES,
    BoardPosition,
    Card,
    HistoryRules,
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
    shorten,
    write_ranks,
)
from tabuleiro.geometry import Cell, Geometry, hexagon, permute
from tabuleiro.language import Text

SYMBOL = {Player.ONE: BLACK, Player.TWO: WHITE}
BOARD = hexagon()
#: By the number of a direction and a cell: its neighbour that way, and all cells that way.
STEPS, RAYS = tuple(BOARD.steps.values()), tuple(BOARD.rays.values())
MARBLES = 14
#: At most three marbles move, and so at most two are pushed.
LONGEST = 3

#: By the number of a direction and a cell: what stands on as many cells that way as a move in line can touch.
AHEAD = tuple(tuple(itemgetter(*(ray[: 2 * LONGEST - 2] or (0,))) for ray in rays) for rays in RAYS)

ONE_STEP = Text("os berlindes andam uma só casa de cada vez", "marbles move one cell at a time")
COUNTED = ("one", "two", "three", "four", "five", "six")

LAYOUTS = {
    "standard": "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb",
    "belgian_daisy": "ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww",
    "german_daisy": "5/ww2bb/www1bbb/1ww2bb1/9/1bb2ww1/bbb1www/bb2ww/5",
    "dutch_daisy": "ww1bb/wbwbwb/1ww1bb1/8/9/8/1bb1ww1/bwbwbw/bb1ww",
    "swiss_daisy": "5/ww2bb/wbw1bwb/1ww2bb1/9/1bb2ww1/bwb1wbw/bb2ww/5",
}
LAYOUT_NAMES = {
    "standard": Text("clássica", "standard"),
    "belgian_daisy": Text("margarida belga", "Belgian daisy"),
    "german_daisy": Text("margarida alemã", "German daisy"),
    "dutch_daisy": Text("margarida holandesa", "Dutch daisy"),
    "swiss_daisy": Text("margarida suíça", "Swiss daisy"),
}


@cache
def _side_by_side(cells: tuple[str, ...]) -> str:
    """The marbles before the first empty one of some cells."""
    return "".join(cells).partition(EMPTY)[0]


@dataclass(frozen=True)
class AbaloneOptions(Options):
    layout: str = option(*LAYOUTS, names=LAYOUT_NAMES, official=True, help=Text("posição inicial", "starting layout"))
    repetition: int | None = option(
        3,
        None,
        names={"3": Text("sim", "yes"), "off": Text("não", "no")},
        help=Text(
            "é empate quando a posição aparece pela terceira vez", "a position that comes up a third time is a draw"
        ),
    )
    move_limit: int | None = option(
        None,
        numbers=range(1, 10_001),
        help=Text(
            "limite de jogadas da partida; ganha quem expulsou mais",
            "limit of moves in the game; whoever ejected more wins",
        ),
    )
    ejections: int = option(
        6, numbers=range(1, 7), official=True, help=Text("berlindes a expulsar", "marbles to eject")
    )


@dataclass(frozen=True)
class Abalone(BoardPosition):
    options: AbaloneOptions
    #: Marbles lost by Black and by White.
    lost: tuple[int, int]

    id: ClassVar[str] = "abalone"
    name: ClassVar[Text] = Text("Abalone", "Abalone")
    summary: ClassVar[Text] = Text(
        "Empurra seis berlindes do adversário para fora do tabuleiro.",
        "Push six of the opponent's marbles off the board.",
    )
    author: ClassVar[str] = "Michel Lalet, Laurent Lévi, 1987"
    card: ClassVar[Card] = Card(
        material=Text(
            "um tabuleiro hexagonal de 61 casas, 14 berlindes brancos e 14 negros",
            "a hexagonal board of 61 cells, 14 white marbles and 14 black ones",
        ),
        age=7,
    )
    first_steps: ClassVar[tuple[Text, ...]] = (
        Text(
            "Toca no último berlinde de uma fila e depois no que está à frente dele: a fila toda, de até três, anda "
            "uma casa. Também podes arrastar.",
            "Touch the last marble of a row, then the one in front of it: the whole row, of up to three, goes one "
            "cell. You can drag, too.",
        ),
        Text(
            "Dois ou três berlindes seguidos também andam de lado: carrega em «De lado», toca nas pontas da fila e "
            "depois no destino.",
            "Two or three marbles side by side also go sideways: press “Sideways”, touch the ends of the row, then the "
            "target.",
        ),
        Text(
            "Uma fila empurra berlindes do adversário se tiver mais: dois empurram um, três empurram um ou dois.",
            "A row pushes enemy marbles if it has more: two push one, three push one or two.",
        ),
    )
    options_type: ClassVar[type[Options]] = AbaloneOptions
    piece_kinds: ClassVar[dict[str, Piece]] = {
        WHITE: Piece(WHITE, "marble", "white"),
        BLACK: Piece(BLACK, "marble", "black"),
    }
    encoding: ClassVar[tuple[Part, ...]] = (Part("cells", each=True), Part("turn"), Part("number", each=True, most=6))
    move_code: ClassVar[MoveCode] = MoveCode(bits=6)
    move_pattern: ClassVar[re.Pattern[str]] = re.compile(
        r"[a-z][0-9]{1,2}[-:x]?[a-z][0-9]{1,2}([-:x]?[a-z][0-9]{1,2})?"
    )
    move_help: ClassVar[Text] = Text(
        "escreve A1B2 (em linha: último berlinde, casa seguinte) ou C3C5D4 (em flecha: as pontas e o destino da 1.ª)",
        "write A1B2 (in line: last marble, next cell) or C3C5D4 (broadside: both ends, where the first goes)",
    )

    @classmethod
    def start(cls, options: Any = None) -> Self:
        options = cls.default_options(options)
        board = "".join(read_ranks(BOARD, LAYOUTS[options.layout], (BLACK, WHITE)))
        return cls(Player.ONE, options, board, (0, 0))

    @classmethod
    def _from_fields(cls, fields: list[str], options: Any) -> Self:
        require_fields(fields, 3, str(cls.start(options)))
        board = "".join(read_ranks(BOARD, fields[0], (BLACK, WHITE)))
        turn = read_choice(fields[1], {BLACK: Player.ONE, WHITE: Player.TWO}, WHO_MOVES)
        if not re.fullmatch(r"\d{1,2}-\d{1,2}", fields[2], re.ASCII):
            shown = shorten(fields[2])
            raise InvalidPositionError(
                Text(
                    f"«{shown}» não são os berlindes perdidos (negros-brancos), como 0-0",
                    f"“{shown}” is not the marbles lost (black-white), such as 0-0",
                )
            )
        black, white = (int(number) for number in fields[2].split("-"))
        if max(black, white) > options.ejections or black == white == options.ejections:
            raise InvalidPositionError(
                Text(
                    f"a partida acaba quando um dos jogadores perde {options.ejections} berlindes",
                    f"the game is over when one player has lost {options.ejections} marbles",
                )
            )
        if board.count(BLACK) + black > MARBLES or board.count(WHITE) + white > MARBLES:
            raise InvalidPositionError(
                Text(
                    f"cada jogador tem {MARBLES} berlindes, contando os perdidos",
                    f"each player has {MARBLES} marbles, those lost included",
                )
            )
        return cls(turn, options, board, (black, white))

    @classmethod
    def setup_fields(cls, options: Any = None) -> tuple[SetupField, ...]:
        return (
            cls._who_moves(cls.start(options), {symbol: player for player, symbol in SYMBOL.items()}),
            SetupField(Text("berlindes perdidos", "marbles lost"), {}, (COLOURS["black"], COLOURS["white"])),
        )

    def outcome(self) -> Outcome | None:
        score = self.score()
        if max(score) >= self.options.ejections:
            return Outcome(Player.ONE if score[0] >= self.options.ejections else Player.TWO, "ejections", score)
        return None if self._generated else Outcome(None, "blocked", score)

    def _moves(self) -> Iterable[Move]:
        return self._generated

    @cached_property
    def _generated(self) -> list[Move]:
        if self.quick_moves is not None:
            return list(self._legal)
        own = SYMBOL[self.turn]
        cells = [cell for cell, marble in enumerate(self.board) if marble == own]
        return [*self._in_line(cells), *self._broadside(cells)]

    def _in_line(self, cells: list[Cell]) -> Iterator[Move]:
        for cell in cells:
            for direction in range(6):
                if self._pushed(cell, direction) is not None:
                    yield cell << 6 | direction

    def _line(self, cell: Cell, direction: int) -> tuple[int, tuple[Cell, ...]]:
        """How many own marbles stand in a row from `cell` in a direction (itself included), and the cells beyond."""
        board, ray = self.board, RAYS[direction][cell]
        count = 1
        for other in ray:
            if board[other] != board[cell]:
                break
            count += 1
        return count, ray[count - 1 :]

    def _pushed(self, cell: Cell, direction: int) -> tuple[Cell, ...] | None:
        """The enemy marbles that the in-line move from a trailing marble pushes; None if it is illegal."""
        count, beyond = self._line(cell, direction)
        if count > LONGEST or not beyond:  # own marbles may not leave the board
            return None
        if self.board[beyond[0]] == EMPTY:
            return ()
        enemies, behind = self._line(beyond[0], direction)
        # A push needs more marbles than it meets, and behind them an empty cell or the rim.
        if enemies < count and (not behind or self.board[behind[0]] == EMPTY):
            return beyond[:enemies]
        return None

    def _broadside(self, cells: list[Cell]) -> Iterator[Move]:
        for cell in cells:
            for axis in range(3):
                count, _ = self._line(cell, axis)
                for marbles in range(2, min(count, LONGEST) + 1):
                    row = (cell, *RAYS[axis][cell][: marbles - 1])
                    for direction in range(6):
                        if direction % 3 != axis and self._is_free(row, direction):
                            yield cell << 6 | (1 + 2 * axis + marbles - 2) << 3 | direction

    def _is_free(self, row: tuple[Cell, ...], direction: int) -> bool:
        """Whether every marble of a row has an empty cell beside it."""
        board, step = self.board, STEPS[direction]
        for cell in row:
            target = step[cell]
            if target is None or board[target] != EMPTY:
                return False
        return True

    def _row_of(self, move: Move) -> tuple[Cell, ...]:
        """The own marbles that a legal move moves, from the cell it names on."""
        cell, kind, direction = move >> 6, move >> 3 & 7, move & 7
        if kind:
            direction, marbles = (kind - 1) // 2, 2 + (kind - 1) % 2
        else:
            marbles, _ = self._line(cell, direction)
        return (cell, *RAYS[direction][cell][: marbles - 1])

    def _after(self, move: Move) -> Self:
        step = STEPS[move & 7]
        row = self._row_of(move)
        pushed = () if move >> 3 & 7 else self._pushed(move >> 6, move & 7) or ()
        changes = dict.fromkeys(row, EMPTY)
        ejected = 0
        for cell in (*pushed, *row):
            target = step[cell]
            if target is None:
                ejected = 1
            else:
                changes[target] = self.board[cell]
        black, white = self.lost
        lost = (black, white + ejected) if self.turn is Player.ONE else (black + ejected, white)
        return type(self)(self.turn.other, self.options, put(self.board, changes), lost)

    def encode(self) -> tuple[int, ...]:
        return (bits_of(self.board, BLACK), bits_of(self.board, WHITE), self.turn, *self.lost)

    @classmethod
    def decode(cls, values: Sequence[int], options: Any = None) -> Self:
        black, white, turn, lost_black, lost_white = values
        board = board_of(len(BOARD), {BLACK: black, WHITE: white})
        return cls(Player(turn), cls.default_options(options), board, (lost_black, lost_white))

    def __str__(self) -> str:
        return f"{write_ranks(self.geometry, self.board)} {SYMBOL[self.turn]} {self.lost[0]}-{self.lost[1]}"

    def _move_str(self, move: Move) -> str:
        cell, broadside = move >> 6, move >> 3 & 7
        target = STEPS[move & 7][cell]
        assert target is not None
        names = BOARD.names
        return f"{names[cell]}{names[self._row_of(move)[-1]] if broadside else ''}{names[target]}"

    def _move_spellings(self, move: Move) -> Iterable[str]:
        """A broadside with its ends named the other way round: C5C3 and where C5 goes."""
        if move >> 3 & 7:
            row = self._row_of(move)
            target = STEPS[move & 7][row[-1]]
            assert target is not None
            yield "".join(BOARD.names[cell] for cell in (row[-1], row[0], target))

    def goal(self) -> Text:
        count = self.options.ejections
        pt = (
            "um berlinde",
            "dois berlindes",
            "três berlindes",
            "quatro berlindes",
            "cinco berlindes",
            "seis berlindes",
        )
        en = ("one of the opponent's marbles", *(f"{word} of the opponent's marbles" for word in COUNTED[1:]))
        return Text(
            f"Empurra {pt[count - 1]} do adversário para fora do tabuleiro.", f"Push {en[count - 1]} off the board."
        )

    def _why_not_written(self, typed: str) -> Text:
        cells = self._cells_written(typed)
        if len(cells) > 2:
            return super()._why_not_written(typed)
        trailing, beside = cells
        if (reason := self._not_own(trailing, self._owner(trailing))) is not None:
            return reason
        if beside not in BOARD.neighbours[trailing]:
            return Text(
                f"a segunda casa é a que fica ao lado de {BOARD.names[trailing]}, na direção do movimento",
                f"the second cell is the one beside {BOARD.names[trailing]}, in the direction of the move",
            )
        return self._why_no_line(trailing, self._direction(trailing, beside))

    def _owner(self, cell: Cell) -> Player | None:
        return {SYMBOL[player]: player for player in Player}.get(self.board[cell])

    def _why_not(self, cells: tuple[Cell, ...]) -> Text | None:
        if (reason := self._not_own(cells[0], self._owner(cells[0]))) is not None:
            return reason
        # The own marbles touched first are those that shall move; the first other cell is where they shall go.
        count = next((place for place, cell in enumerate(cells) if self._owner(cell) is not self.turn), len(cells))
        target = cells[count] if count < len(cells) else None
        row = self._row_through(cells[:count])
        if row is None:
            return Text(
                "só se movem juntos berlindes teus, seguidos e em linha: dois ou três",
                "only marbles of yours, side by side in a line, move together: two or three",
            )
        if target is None:
            return Text("esses berlindes não têm para onde ir", "those marbles have nowhere to go")
        return self._why_no_way(row[0], target) if len(row) == 1 else self._why_no_row(row, target)

    def _row_through(self, cells: tuple[Cell, ...]) -> tuple[Cell, ...] | None:
        """The own marbles from one end to the other of those touched, in ascending order; None unless they are at most
        three in a line."""
        low, high = min(cells), max(cells)
        if low == high:
            return (low,)
        for axis in range(3):
            row = (low, *RAYS[axis][low][: LONGEST - 1])
            if high in row:
                row = row[: row.index(high) + 1]
                return row if {*cells} <= {*row} and all(self.board[c] == self.board[low] for c in row) else None
        return None

    def _why_no_way(self, trailing: Cell, target: Cell) -> Text:
        """Why a marble, with those in front of it, does not get to a cell."""
        for direction in range(6):
            _, beyond = self._line(trailing, direction)
            if beyond and beyond[0] == target:
                if self._pushed(trailing, direction) is not None:
                    return self.move_help  # they do get there, but it is written otherwise
                if self._is_pushed_from_behind(trailing, direction):
                    return Text(
                        "sozinho não empurra: toca primeiro no último berlinde da fila que empurra",
                        "alone it does not push: first touch the last marble of the row that pushes",
                    )
                return self._why_no_line(trailing, direction)
        return ONE_STEP

    def _is_pushed_from_behind(self, front: Cell, direction: int) -> bool:
        """Return True if a row that ends with this marble can push in a direction."""
        back = RAYS[(direction + 3) % 6][front][: LONGEST - 1]
        row = takewhile(lambda cell: self.board[cell] == self.board[front], back)
        return any(self._pushed(cell, direction) is not None for cell in row)

    def _why_no_row(self, row: tuple[Cell, ...], target: Cell) -> Text:
        """Why a row of marbles does not go where one of them would come to `target`."""
        directions = {d for d in range(6) for cell in row if STEPS[d][cell] == target}
        if not directions:
            return ONE_STEP
        axis = self._direction(row[0], row[1]) % 3
        for direction in sorted(directions):
            if direction % 3 == axis:
                trailing = row[0] if direction == axis else row[-1]
                if self._pushed(trailing, direction) is None:
                    return self._why_no_line(trailing, direction)
            elif not self._is_free(row, direction):
                return Text(
                    "para andar de lado, todos os berlindes precisam de uma casa vazia ao seu lado, e assim não se "
                    "empurra",
                    "to go sideways every marble needs an empty cell beside it, and nothing is pushed that way",
                )
        return Text(
            "carrega em «De lado», toca nas duas pontas da fila e depois na casa para onde vai a primeira",
            "press “Sideways”, touch both ends of the row, then the cell where the first one goes",
        )

    def _why_no_line(self, trailing: Cell, direction: int) -> Text:
        """Why the row that begins with a marble does not move along itself."""
        count, beyond = self._line(trailing, direction)
        if count > LONGEST:
            return Text("não se movem mais de três berlindes de uma vez", "no more than three marbles move at once")
        if not beyond:
            return Text("os teus berlindes não podem sair do tabuleiro", "your own marbles may not leave the board")
        enemies, behind = self._line(beyond[0], direction)
        if enemies >= count:
            return Text(
                f"para empurrar é preciso ter mais berlindes do que o adversário, e aqui são {count} contra {enemies}",
                f"a push needs more marbles than it meets, and here {count} would meet {enemies}",
            )
        name = BOARD.names[behind[0]]
        return Text(
            f"não há espaço para empurrar: a casa {name}, logo atrás, está ocupada",
            f"there is no room to push: the cell {name}, just behind, is taken",
        )

    @property
    def geometry(self) -> Geometry:
        return BOARD

    def clicks(self, move: Move) -> tuple[Cell, ...]:
        """In line: the trailing marble, then the cell the front one enters. Broadside: as written."""
        row, step = self._row_of(move), STEPS[move & 7]
        broadside = bool(move >> 3 & 7)
        entered = step[row[0] if broadside else row[-1]]
        assert entered is not None
        return (row[0], row[-1], entered) if broadside else (row[0], entered)

    def motions(self, move: Move) -> tuple[tuple[Cell, Cell], ...]:
        """Every marble that stays on the board, the front ones first."""
        step = STEPS[move & 7]
        pushed = () if move >> 3 & 7 else self._pushed(move >> 6, move & 7) or ()
        moving = (*self._row_of(move), *pushed)
        return tuple([(cell, target) for cell in reversed(moving) if (target := step[cell]) is not None])

    def move_looks(self) -> Sequence[Hashable]:
        board = self.board
        return [
            move if move >> 3 & 7 else (move, _side_by_side(AHEAD[move & 7][move >> 6](board))) for move in self._legal
        ]

    def colour(self, player: Player) -> str:
        return "black" if player is Player.ONE else "white"

    def score(self) -> tuple[int, int]:
        """The marbles each player has ejected."""
        return (self.lost[1], self.lost[0])

    def score_text(self, points: tuple[int, int] | None = None) -> Text:
        white, black = points or self.score()
        return Text(
            f"Berlindes fora do tabuleiro: brancos {white}, negros {black}",
            f"Marbles off the board: white {white}, black {black}",
        )

    @property
    def can_draw(self) -> bool:
        return True

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The twelve symmetries of the hexagon, with the same marbles or with colours exchanged."""
        turns = self.geometry.symmetries.values()
        identity = tuple(range(len(self.board)))
        return (
            *(Symmetry(cells) for cells in turns),
            *(Symmetry(cells, exchanges_players=True) for cells in (identity, *turns)),
        )

    def transform(self, symmetry: Symmetry) -> Self:
        board = "".join(permute(self.board, symmetry.cells))
        if not symmetry.exchanges_players:
            return type(self)(self.turn, self.options, board, self.lost)
        return type(self)(self.turn.other, self.options, exchange_colours(board), (self.lost[1], self.lost[0]))

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        row, step = self._row_of(move), STEPS[move & 7]
        beside = step[row[0]]
        assert beside is not None
        turned = [symmetry.cells[cell] for cell in row]
        direction = self._direction(turned[0], symmetry.cells[beside])
        if not move >> 3 & 7:
            return turned[0] << 6 | direction
        turned.sort()
        axis = self._direction(turned[0], turned[1])
        return turned[0] << 6 | (1 + 2 * axis + len(row) - 2) << 3 | direction

    def _direction(self, origin: Cell, target: Cell) -> int:
        """The number of the direction from a cell to its neighbour."""
        return next(number for number, step in enumerate(STEPS) if step[origin] == target)

    def history_rules(self) -> HistoryRules:
        return HistoryRules(repetition=self.options.repetition, total_plies=self.options.move_limit)

    def repetition_key(self) -> Hashable:
        return (self.board, self.turn)

    def is_progress(self, move: Move) -> bool:
        return self._after(move).lost != self.lost

    def settle(self, reason: str) -> Outcome:
        """A repetition is a draw; at the limit of moves the player who ejected more wins."""
        one, two = self.score()
        if reason != "move_limit" or one == two:
            return Outcome(None, reason, self.score())
        return Outcome(Player.ONE if one > two else Player.TWO, reason, self.score())
