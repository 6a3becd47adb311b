"""Guerreiros (Viltomir Teixeira, 2017): a king and eight warriors a side, who capture by steps or along lines.

Move: `origin << 7 | target`. Pseudo-origins: 90 the king teleports, 91 a king is placed, 92 the teleport is declined.
Encoding: South's warriors (two words), North's warriors (two words), South's king, North's king (90 = none), pieces not
yet moved (two words), turn, teleport right of South and of North (0 none, 1 usable, 2 used, 3 kings being placed),
arrivals of South and of North (counted only with `cumulative_arrivals`). Two words hold 90 bits, the lowest 64 first.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product
from typing import Any, ClassVar, Self

from tabuleiro.core import (
    COLOURS,
    EMPTY,
    WHO_MOVES,
    Card,
    HistoryRules,
    InvalidPositionError,
    Move,
    MoveCode,
    OptionError,
    Options,
    Outcome,
    Part,
    Piece,
    Player,
    Position,
    SetupField,
    Symmetry,
    cells_of,
    option,
    read_choice,
    read_ranks,
    require_fields,
    shorten,
    write_ranks,
)
from tabuleiro.geometry import SQUARE_DIRECTIONS, Cell, Geometry, permute, square
from tabuleiro.language import Text

WIDTH, HEIGHT = 9, 10
CELLS = WIDTH * HEIGHT
TELEPORT, PLACE, DECLINE = CELLS, CELLS + 1, CELLS + 2
NONE, USABLE, USED = "-", "!", "u"
RIGHTS = (NONE, USABLE, USED)
SETUP_CODE = 3
COLUMNS = "abcdefghi"
COLUMN_NAMES = {
    "choose": Text("o jogador escolhe", "the player chooses"),
    **{column: Text(f"coluna {column}", f"column {column}") for column in COLUMNS},
}

SOUTH, NORTH = 0, 1
HOME_ROW = (0, HEIGHT - 1)
FORWARD = (("n", "ne", "nw"), ("s", "se", "sw"))
KING, WARRIOR = ("K", "k"), ("W", "w")
UNMOVED = "'"

BOARD = square(WIDTH, HEIGHT, fields=True)
#: Whose half of the board a cell lies in.
FIELD = tuple(SOUTH if cell // WIDTH < HEIGHT // 2 else NORTH for cell in range(CELLS))
#: The number painted on a cell's row: 0 at each player's home row, 4 on both sides of the middle line.
ROW_NUMBER = tuple(min(cell // WIDTH, HEIGHT - 1 - cell // WIDTH) for cell in range(CELLS))


@cache
def _piece(symbol: str) -> Piece:
    return Piece(symbol, "king" if symbol[0] in KING else "warrior", "north" if symbol[0].islower() else "south")


@dataclass(frozen=True)
class GuerreirosOptions(Options):
    first: str = option(
        "south",
        "north",
        names={"south": COLOURS["south"], "north": COLOURS["north"]},
        help=Text("o lado que começa", "the side that begins"),
    )
    strict_first_move: bool = option(
        False,
        True,
        help=Text("o primeiro passo de cada peça tem de ser para a frente", "each piece's first step must go forward"),
    )
    first_move_leap: bool = option(
        False, True, help=Text("o passo duplo pode saltar por cima de peças", "the double step may leap over pieces")
    )
    line_distance: str = option(
        "exact",
        "up_to",
        names={
            "exact": Text("exatamente o número da linha", "exactly the number of the row"),
            "up_to": Text("até ao número da linha", "up to the number of the row"),
        },
        help=Text("casas que se correm na captura em linha", "how many cells a line capture runs"),
    )
    line_step_over_occupied: bool = option(
        False,
        True,
        help=Text(
            "o passo da captura em linha pode passar por uma casa ocupada",
            "the step of a line capture may pass over an occupied cell",
        ),
    )
    line_field: str = option(
        "both",
        "capture_only",
        names={
            "both": Text("no campo do guerreiro e da captura", "in the field of the warrior and of the capture"),
            "capture_only": Text("no campo da captura", "in the field of the capture"),
        },
        help=Text("onde tem de estar o rei para haver captura em linha", "where the king must be for a line capture"),
    )
    frozen_immune: bool = option(
        False,
        True,
        help=Text("um guerreiro que chegou não pode ser capturado", "a warrior that has arrived cannot be captured"),
    )
    cumulative_arrivals: bool = option(
        False,
        True,
        help=Text(
            "contam todas as chegadas, mesmo as de guerreiros já capturados",
            "all arrivals count, even of warriors captured since",
        ),
    )
    teleport: str = option(
        "next_turn",
        "immediate",
        "persistent",
        names={
            "next_turn": Text("na jogada seguinte", "on the next turn"),
            "immediate": Text("logo na mesma jogada", "at once, in the same turn"),
            "persistent": Text("quando quiser", "whenever wanted"),
        },
        help=Text("quando pode o rei saltar, depois de uma chegada", "when the king may leap after an arrival"),
    )
    teleport_each_arrival: bool = option(
        False,
        True,
        official=True,
        help=Text("cada chegada dá ao rei um novo salto", "every arrival gives the king a new leap"),
    )
    south_king: str = option(
        "choose",
        *COLUMNS,
        names=COLUMN_NAMES,
        official=True,
        help=Text("coluna do rei do Sul", "column of South's king"),
    )
    north_king: str = option(
        "choose",
        *COLUMNS,
        names=COLUMN_NAMES,
        official=True,
        help=Text("coluna do rei do Norte", "column of North's king"),
    )
    hidden_kings: bool = option(
        False,
        True,
        help=Text(
            "os reis só se mostram quando ambos estão colocados", "the kings are shown only when both are placed"
        ),
    )
    repetition: int | None = option(
        3,
        None,
        names={"3": Text("sim", "yes"), "off": Text("não", "no")},
        help=Text(
            "é empate quando a posição aparece pela terceira vez", "a position that comes up a third time is a draw"
        ),
    )
    no_progress_limit: int | None = option(
        None,
        numbers=range(1, 10_001),
        help=Text("limite de jogadas sem capturas nem chegadas", "limit of moves without a capture or an arrival"),
    )

    def check(self) -> None:
        if self.hidden_kings and not self.south_king == self.north_king == "choose":
            raise OptionError(
                Text(
                    "hidden_kings só faz sentido quando os dois jogadores escolhem a coluna do rei",
                    "hidden_kings makes sense only when both players choose their king's column",
                )
            )


@dataclass(frozen=True)
class Guerreiros(Position):
    options: GuerreirosOptions
    #: Per cell: a piece (`K` `W` South, `k` `w` North; with `'` if it has not moved yet) or EMPTY.
    board: tuple[str, ...]
    #: The kings' rights to teleport, South's and North's; None while kings are being placed.
    rights: tuple[str, str] | None
    #: Warriors that have arrived so far; counted only with `cumulative_arrivals`.
    arrivals: tuple[int, int] = (0, 0)

    id: ClassVar[str] = "guerreiros"
    name: ClassVar[Text] = Text("Guerreiros", "Guerreiros")
    summary: ClassVar[Text] = Text(
        "Captura o rei inimigo, ou leva o teu rei ou três guerreiros à linha zero do adversário.",
        "Capture the enemy king, or bring your king or three warriors to the opponent's row zero.",
    )
    author: ClassVar[str] = "Viltomir Teixeira, 2017"
    card: ClassVar[Card] = Card(
        material=Text(
            "um tabuleiro de 9 por 10 casas, com as linhas numeradas de 0 a 4 em cada campo, e 9 peças para cada "
            "jogador: 8 guerreiros e um rei",
            "a board of 9 by 10 cells, with the rows numbered 0 to 4 in each field, and 9 pieces for each player: "
            "8 warriors and a king",
        ),
        also=Text(
            "chamamos-lhe Guerreiros porque não conhecemos o nome original",
            "we call it Guerreiros (warriors) because we do not know its original name",
        ),
        age=8,
        minutes=20,
    )
    first_steps: ClassVar[tuple[Text, ...]] = (
        Text(
            "Primeiro cada jogador toca na casa da sua linha 0 onde quer o rei.",
            "First each player touches the cell of row 0 where the king shall be.",
        ),
        Text(
            "Depois toca numa peça tua e na casa para onde vai: uma casa em qualquer direção, ou duas em frente se ela "
            "ainda não se moveu.",
            "Then touch one of your pieces and the cell where it goes: one cell any way, or two forward if it has not "
            "moved yet.",
        ),
        Text(
            "Um guerreiro também captura em linha: dá um passo e corre para o lado tantas casas como o número da "
            "linha. Toca nele e no alvo.",
            "A warrior also captures along a row: one step, then sideways as many cells as the number of the row. "
            "Touch it and the target.",
        ),
    )
    legend: ClassVar[tuple[Text, ...]] = (
        Text(
            "As moedas ao lado do tabuleiro dão o número de cada linha: de 0 a 4 em cada campo.",
            "The coins beside the board give the number of each row: 0 to 4 in each field.",
        ),
        Text(
            "O ponto dourado marca as peças que ainda não se moveram: podem avançar duas casas.",
            "The golden dot marks the pieces that have not moved yet: they may go two cells forward.",
        ),
    )
    options_type: ClassVar[type[Options]] = GuerreirosOptions
    encoding: ClassVar[tuple[Part, ...]] = (
        Part("cells", each=True),
        Part("cell", each=True),
        Part("cells"),
        Part("turn"),
        Part("number", each=True, most=3),
        Part("number", each=True, most=8),
    )
    move_code: ClassVar[MoveCode] = MoveCode(7, tuple(product(range(-2, 3), range(-5, 6))), beyond=3)
    move_pattern: ClassVar[re.Pattern[str]] = re.compile(
        r"[a-z][0-9]{1,2}([-:x]?[a-z][0-9]{1,2}){1,2}|(k|[a-z][0-9]{1,2})@[a-z][0-9]{1,2}|k=[a-z]([0-9]{1,2})?|passa?"
    )
    move_help: ClassVar[Text] = Text(
        "escreve d4-d5, d4xd5, d4-d5xh5 (captura em linha), K@e6 (o rei salta), K=e (colocar o rei) ou passa",
        "write d4-d5, d4xd5, d4-d5xh5 (line capture), K@e6 (the king leaps), K=e (placing the king) or pass",
    )

    # -- beginnings -------------------------------------------------------------------------------------------------

    @classmethod
    def start(cls, options: Any = None) -> Self:
        options = cls.default_options(options)
        position = cls(Player.ONE, options, (EMPTY,) * CELLS, None)
        for side, column in ((SOUTH, options.south_king), (NORTH, options.north_king)):
            if column != "choose":
                position = position._with_king(side, COLUMNS.index(column))
        return position

    def _with_king(self, side: int, column: int) -> Self:
        """One side's pieces set up, with the king on a column; the other side places next, or play begins."""
        board = list(self.board)
        for place in range(WIDTH):
            board[HOME_ROW[side] * WIDTH + place] = (KING if place == column else WARRIOR)[side] + UNMOVED
        if (waiting := self._unplaced(board)) is not None:
            return replace(self, turn=waiting, board=tuple(board))
        return replace(self, turn=Player.ONE, board=tuple(board), rights=(NONE, NONE))

    def _unplaced(self, board: Sequence[str]) -> Player | None:
        """The first player without pieces on the board."""
        for player in Player:
            home = HOME_ROW[self._side(player)] * WIDTH
            if board[home] == EMPTY:
                return player
        return None

    @classmethod
    def _from_fields(cls, fields: list[str], options: Any) -> Self:
        placing = fields[2:] == ["setup"]
        count = 3 if placing else 5 if options.cumulative_arrivals else 4
        require_fields(
            fields, count, str(cls.start(replace(options, south_king="e", north_king="e", hidden_kings=False)))
        )
        symbols = [piece + mark for piece in (*KING, *WARRIOR) for mark in (UNMOVED, "")]
        board = tuple(read_ranks(BOARD, fields[0], symbols))
        south = Player.ONE if options.first == "south" else Player.TWO
        turn = read_choice(fields[1], {"S": south, "N": south.other}, WHO_MOVES)
        if placing:
            position = cls(turn, options, board, None)
            position._check_setup()
            return position
        right = {state: state for state in RIGHTS}
        what = Text("direito do rei", "the king's right")
        rights = (read_choice(fields[2], right, what), read_choice(fields[3], right, what))
        arrivals = cls._read_arrivals(fields[4]) if options.cumulative_arrivals else (0, 0)
        position = cls(turn, options, board, rights, arrivals)
        position._check_board()
        return position

    @classmethod
    def setup_start(cls, options: Any = None) -> Self:
        chosen = cls.default_options(options)
        placed = cls.start(replace(chosen, south_king="e", north_king="e", hidden_kings=False))
        return replace(placed, options=chosen)

    @classmethod
    def setup_pieces(cls) -> tuple[Piece, ...]:
        return tuple(_piece(kind + mark) for kind in (*KING, *WARRIOR) for mark in (UNMOVED, ""))

    @classmethod
    def setup_fields(cls, options: Any = None) -> tuple[SetupField, ...]:
        meanings = {
            NONE: Text("nenhum", "none"),
            USABLE: Text("pode saltar", "may leap"),
            USED: Text("já usado", "used"),
        }
        sides = COLOURS["south"], COLOURS["north"]
        fields = [SetupField(WHO_MOVES, dict(zip("SN", sides, strict=True)))]
        for side in sides:
            label = Text(f"direito do rei ({side.pt})", f"the king's right ({side.en})")
            fields.append(SetupField(label, meanings))
        if cls.default_options(options).cumulative_arrivals:
            fields.append(SetupField(Text("chegadas", "arrivals"), {}, sides))
        return tuple(fields)

    @staticmethod
    def _read_arrivals(text: str) -> tuple[int, int]:
        if not re.fullmatch(r"[0-8]-[0-8]", text):
            shown = shorten(text)
            raise InvalidPositionError(
                Text(
                    f"«{shown}» não são as chegadas (Sul-Norte), como 0-0",
                    f"“{shown}” is not the arrivals (South-North), as 0-0",
                )
            )
        return (int(text[0]), int(text[2]))

    def _check_setup(self) -> None:
        """Placing kings: each side is either absent or fully set up, and the side to move is absent. It is the first
        one absent, unless kings are hidden: then who moves may not see the other one, who has placed."""
        placed = replace(self, board=(EMPTY,) * CELLS)
        for side in (SOUTH, NORTH):
            home = self.board[HOME_ROW[side] * WIDTH :][:WIDTH]
            if (KING[side] + UNMOVED) in home:
                placed = replace(placed._with_king(side, home.index(KING[side] + UNMOVED)), rights=None)
        absent = self.board[HOME_ROW[self._side(self.turn)] * WIDTH] == EMPTY
        turn_known = self.options.hidden_kings or self._unplaced(self.board) is self.turn
        if self.board != placed.board or not absent or not turn_known:
            raise InvalidPositionError(
                Text(
                    "durante a colocação dos reis, cada lado ou não tem peças ou tem a sua linha zero completa",
                    "while kings are placed, each side has no pieces or its full row zero; a side without any moves",
                )
            )

    def _check_board(self) -> None:
        counts = [[sum(piece[0] == kind[side] for piece in self.board) for kind in (KING, WARRIOR)] for side in (0, 1)]
        if any(kings > 1 or warriors > WIDTH - 1 for kings, warriors in counts) or counts[0][0] + counts[1][0] == 0:
            raise InvalidPositionError(
                Text(
                    "cada lado tem um rei e no máximo oito guerreiros; só um dos reis pode ter sido capturado",
                    "each side has one king and at most eight warriors; only one king can have been captured",
                )
            )
        for cell, piece in enumerate(self.board):
            if piece.endswith(UNMOVED) and cell // WIDTH != HOME_ROW[piece[0].islower()]:
                name = BOARD.names[cell]
                raise InvalidPositionError(
                    Text(
                        f"a peça em {name} já se moveu: não pode ter '",
                        f"the piece on {name} has moved: it cannot have '",
                    )
                )
        if self.options.cumulative_arrivals and any(len(self._arrived(side)) > self.arrivals[side] for side in (0, 1)):
            raise InvalidPositionError(
                Text(
                    "há mais guerreiros chegados do que chegadas", "more warriors have arrived than there were arrivals"
                )
            )
        if len(list(self._winners())) > 1:
            raise InvalidPositionError(Text("os dois jogadores não podem ter ganho", "both players cannot have won"))
        if self.options.teleport == "immediate" and self._right(self._side(self.turn.other)) == USABLE:
            raise InvalidPositionError(
                Text(
                    "só quem joga pode ter o direito imediato (!)",
                    "only the side to move can have the immediate right (!)",
                )
            )

    # -- the rules --------------------------------------------------------------------------------------------------

    def _side(self, player: Player) -> int:
        return SOUTH if (player is Player.ONE) == (self.options.first == "south") else NORTH

    def _player(self, side: int) -> Player:
        return Player.ONE if self._side(Player.ONE) == side else Player.TWO

    def _right(self, side: int) -> str:
        return self.rights[side] if self.rights else NONE

    @cached_property
    def _kings(self) -> tuple[Cell | None, Cell | None]:
        cells: list[Cell | None] = [None, None]
        for cell, piece in enumerate(self.board):
            if piece != EMPTY and piece[0] in KING:
                cells[KING.index(piece[0])] = cell
        return (cells[0], cells[1])

    def _arrived(self, side: int) -> list[Cell]:
        """The warriors of a side that stand on the enemy's home row."""
        row = HOME_ROW[1 - side] * WIDTH
        return [cell for cell in range(row, row + WIDTH) if self.board[cell][0] == WARRIOR[side]]

    def outcome(self) -> Outcome | None:
        if self.rights is None:
            return None
        for outcome in self._winners():
            return outcome
        return None if self._generated else Outcome(self.turn.other, "blocked")

    def _winners(self) -> Iterator[Outcome]:
        for side in (SOUTH, NORTH):
            player, king = self._player(side), self._kings[side]
            arrived = self.arrivals[side] if self.options.cumulative_arrivals else len(self._arrived(side))
            if self._kings[1 - side] is None:
                yield Outcome(player, "king_captured")
            elif king is not None and king // WIDTH == HOME_ROW[1 - side]:
                yield Outcome(player, "king_arrived", cells=(king,))
            elif arrived >= 3:
                yield Outcome(player, "three_warriors", cells=tuple(self._arrived(side)))

    def _moves(self) -> Iterable[Move]:
        return self._generated

    @cached_property
    def _generated(self) -> list[Move]:
        if self.quick_moves is not None:
            return list(self._legal)
        side = self._side(self.turn)
        if self.rights is None:
            return [PLACE << 7 | HOME_ROW[side] * WIDTH + column for column in range(WIDTH)]
        moves = list(self._teleports(side))
        if self._must_answer_arrival:
            return [*moves, DECLINE << 7]
        for cell, piece in enumerate(self.board):
            if piece[0] == KING[side] or (piece[0] == WARRIOR[side] and cell // WIDTH != HOME_ROW[1 - side]):
                moves += (cell << 7 | target for target in self._targets(cell, side))
        return moves

    @property
    def _must_answer_arrival(self) -> bool:
        """With the immediate teleport, the player who has just arrived either teleports the king or declines."""
        return self.options.teleport == "immediate" and self._right(self._side(self.turn)) == USABLE

    def _teleports(self, side: int) -> Iterator[Move]:
        """The king goes to any empty cell of the row 4 of the enemy's field."""
        if self._right(side) != USABLE:
            return
        row = HEIGHT // 2 - side  # rank 6 for South, rank 5 for North
        for cell in range(row * WIDTH, (row + 1) * WIDTH):
            if self.board[cell] == EMPTY:
                yield TELEPORT << 7 | cell

    def _targets(self, cell: Cell, side: int) -> set[Cell]:
        steps, board = BOARD.steps, self.board
        targets: set[Cell] = set()
        for direction in self._first_directions(cell, side):
            target = steps[direction][cell]
            if target is not None and (board[target] == EMPTY or self._capturable(target, side)):
                targets.add(target)
        if board[cell].endswith(UNMOVED):
            # A piece's first move may be a double step forward to an empty cell.
            for direction in FORWARD[side]:
                middle = steps[direction][cell]
                target = None if middle is None else steps[direction][middle]
                if middle is None or target is None or board[target] != EMPTY:
                    continue
                if board[middle] == EMPTY or self.options.first_move_leap:
                    targets.add(target)
        if board[cell][0] == WARRIOR[side]:
            # A target that a plain step captures too is one move, the plain one.
            targets.update(target for _, target in self._line_captures(cell, side))
        return targets

    def _first_directions(self, cell: Cell, side: int) -> Iterable[str]:
        """The ways a piece may step, alone or to begin a line capture."""
        strict = self.options.strict_first_move and self.board[cell].endswith(UNMOVED)
        return FORWARD[side] if strict else SQUARE_DIRECTIONS

    def _capturable(self, cell: Cell, side: int) -> bool:
        """Whether an enemy of `side` stands on a cell and may be taken."""
        piece = self.board[cell][0]
        if piece == WARRIOR[1 - side]:
            return not (self.options.frozen_immune and cell // WIDTH == HOME_ROW[side])
        return piece == KING[1 - side]

    @cached_property
    def _hunting(self) -> tuple[int | None, int | None]:
        """The field in which each side has the right of line capture: its king's, unless the king is a defender in a
        field that the enemy king has invaded."""
        south, north = self._kings
        if south is None or north is None:
            return (None, None)
        fields = FIELD[south], FIELD[north]
        return (None if fields == (SOUTH, SOUTH) else fields[0], None if fields == (NORTH, NORTH) else fields[1])

    def _line_captures(self, cell: Cell, side: int) -> Iterator[tuple[Cell, Cell]]:
        """Step cell and captured cell of every line capture of a warrior."""
        hunting, options, board = self._hunting[side], self.options, self.board
        if hunting is None or (options.line_field == "both" and FIELD[cell] != hunting):
            return
        for direction in self._first_directions(cell, side):
            step = BOARD.steps[direction][cell]
            if step is None or FIELD[step] != hunting:
                continue
            if board[step] != EMPTY and not options.line_step_over_occupied:
                continue
            distance = ROW_NUMBER[step]
            nearest = distance if options.line_distance == "exact" else 1
            for way in ("e", "w"):
                for target in BOARD.rays[way][step][nearest - 1 : distance] if distance else ():
                    if board[target] != EMPTY and self._capturable(target, side):
                        yield step, target

    def _after(self, move: Move) -> Self:
        origin, target = move >> 7, move & 127
        side = self._side(self.turn)
        if origin == PLACE:
            return self._with_king(side, target % WIDTH)
        assert self.rights is not None
        rights, arrivals, board = list(self.rights), list(self.arrivals), list(self.board)
        turn = self.turn.other
        if origin == TELEPORT:
            king = self._kings[side]
            assert king is not None
            origin, rights[side] = king, USED
        elif rights[side] == USABLE and self.options.teleport != "persistent":
            rights[side] = NONE  # playing anything else gives the right up
        if origin != DECLINE:
            board[target], board[origin] = board[origin][0], EMPTY
            if board[target] == WARRIOR[side] and target // WIDTH == HOME_ROW[1 - side]:
                arrivals[side] += int(self.options.cumulative_arrivals)
                if rights[side] != USED or self.options.teleport_each_arrival:
                    rights[side] = USABLE
                    if self.options.teleport == "immediate":
                        turn = self.turn
        return type(self)(turn, self.options, tuple(board), (rights[0], rights[1]), (arrivals[0], arrivals[1]))

    @property
    def hides_pieces(self) -> bool:
        return self.options.hidden_kings

    def seen_by(self, player: Player | None) -> Self:
        if self.rights is not None or not self.options.hidden_kings:
            return self
        board = list(self.board)
        for other in Player:
            if other is not player:
                home = HOME_ROW[self._side(other)] * WIDTH
                board[home : home + WIDTH] = [EMPTY] * WIDTH
        return self if tuple(board) == self.board else replace(self, board=tuple(board))

    # -- the waist --------------------------------------------------------------------------------------------------

    def encode(self) -> tuple[int, ...]:
        warriors, unmoved = [0, 0], 0
        for cell, piece in enumerate(self.board):
            if piece != EMPTY:
                if piece[0] in WARRIOR:
                    warriors[WARRIOR.index(piece[0])] |= 1 << cell
                if piece[1:] == UNMOVED:
                    unmoved |= 1 << cell
        kings = [CELLS if king is None else king for king in self._kings]
        rights = [SETUP_CODE, SETUP_CODE] if self.rights is None else [RIGHTS.index(right) for right in self.rights]
        return (
            *(word for bits in warriors for word in (bits & (1 << 64) - 1, bits >> 64)),
            *kings,
            unmoved & (1 << 64) - 1,
            unmoved >> 64,
            self.turn,
            *rights,
            *self.arrivals,
        )

    @classmethod
    def decode(cls, values: Sequence[int], options: Any = None) -> Self:
        south_low, south_high, north_low, north_high, *rest = values
        south_king, north_king, unmoved_low, unmoved_high, turn, *last = rest
        unmoved = unmoved_low | unmoved_high << 64
        board = [EMPTY] * CELLS
        for side, bits in ((SOUTH, south_low | south_high << 64), (NORTH, north_low | north_high << 64)):
            for cell in cells_of(bits):
                board[cell] = WARRIOR[side]
        for side, king in ((SOUTH, south_king), (NORTH, north_king)):
            if king != CELLS:
                board[king] = KING[side]
        for cell in cells_of(unmoved):
            board[cell] += UNMOVED
        south_right, north_right, *arrivals = last
        rights = None if south_right == SETUP_CODE else (RIGHTS[south_right], RIGHTS[north_right])
        return cls(Player(turn), cls.default_options(options), tuple(board), rights, (arrivals[0], arrivals[1]))

    # -- notation ---------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        fields = [write_ranks(self.geometry, self.board), "SN"[self._side(self.turn)], *(self.rights or ("setup",))]
        if self.rights and self.options.cumulative_arrivals:
            fields.append(f"{self.arrivals[0]}-{self.arrivals[1]}")
        return " ".join(fields)

    def _move_str(self, move: Move) -> str:
        origin, target = move >> 7, move & 127
        names = BOARD.names
        if origin == DECLINE:
            return "pass"
        if origin == PLACE:
            return f"K={COLUMNS[target % WIDTH]}"
        if origin == TELEPORT:
            return f"K@{names[target]}"
        if self.board[target] == EMPTY:
            return f"{names[origin]}-{names[target]}"
        if target in BOARD.neighbours[origin]:
            return f"{names[origin]}x{names[target]}"
        return f"{names[origin]}-{names[self._line_steps(origin, target)[0]]}x{names[target]}"

    def _line_steps(self, origin: Cell, target: Cell) -> list[Cell]:
        """The cells by which a line capture may go; several only with `line_distance=up_to`. The first is written."""
        return sorted(
            step for step, captured in self._line_captures(origin, self._side(self.turn)) if captured == target
        )

    def _move_spellings(self, move: Move) -> Iterable[str]:
        origin, target = move >> 7, move & 127
        names = BOARD.names
        if origin == DECLINE:
            yield "passa"
        elif origin == PLACE:
            yield f"K={names[target]}"
        elif origin == TELEPORT:
            king = self._kings[self._side(self.turn)]
            assert king is not None
            yield f"{names[king]}@{names[target]}"
        elif self.board[target] != EMPTY and target not in BOARD.neighbours[origin]:
            yield f"{names[origin]}x{names[target]}"
            for step in self._line_steps(origin, target):
                yield f"{names[origin]}-{names[step]}x{names[target]}"

    # -- why a move cannot be made ----------------------------------------------------------------------------------

    def _cells_written(self, typed: str) -> tuple[Cell, ...]:
        if typed.startswith("k=") and len(typed) == 3:
            return (HOME_ROW[self._side(self.turn)] * WIDTH + COLUMNS.index(typed[2]),) if typed[2] in COLUMNS else ()
        cells = super()._cells_written(typed)
        # The middle one of three is where a line capture turns.
        return (cells[0], cells[-1]) if len(cells) > 2 else cells

    def _why_not_written(self, typed: str) -> Text:
        if typed.startswith("k=") and self.rights is not None:
            return Text("os reis já estão colocados", "the kings are placed already")
        if "@" in typed and self.rights is not None:
            return self._why_no_leap(self._cells_written(typed)[-1])
        if typed in ("pass", "passa"):
            return Text(
                "só se pode passar quando o rei pode saltar logo depois de uma chegada",
                "one may pass only when the king may leap at once after an arrival",
            )
        return super()._why_not_written(typed)

    def _why_no_leap(self, target: Cell) -> Text:
        side = self._side(self.turn)
        if self._right(side) == USED:
            return Text("o teu rei já deu o seu salto", "your king has made its leap already")
        if self._right(side) != USABLE:
            return Text(
                "o rei só salta depois de um guerreiro chegar à linha 0 do adversário",
                "the king leaps only after a warrior has reached the opponent's row 0",
            )
        return Text(
            f"o rei salta para uma casa vazia da linha 4 do adversário, e {BOARD.names[target]} não é nenhuma delas",
            f"the king leaps to an empty cell of the opponent's row 4, and {BOARD.names[target]} is none of them",
        )

    def _why_not(self, cells: tuple[Cell, ...]) -> Text | None:
        side = self._side(self.turn)
        if self.rights is None:
            return Text(
                "primeiro coloca-se o rei, numa casa da tua linha 0", "first place your king, on a cell of your row 0"
            )
        if self._must_answer_arrival:
            return Text(
                "primeiro decide o salto do rei: toca numa casa vazia da linha 4 do adversário, ou passa",
                "first settle the king's leap: touch an empty cell of the opponent's row 4, or pass",
            )
        origin, *rest = cells
        piece, name = self.board[origin], BOARD.names[origin]
        owner = None if piece == EMPTY else self._player(NORTH if piece[0].islower() else SOUTH)
        if (reason := self._not_own(origin, owner)) is not None:
            return reason
        if piece[0] == WARRIOR[side] and origin // WIDTH == HOME_ROW[1 - side]:
            return Text(
                f"o guerreiro em {name} já chegou à linha 0 do adversário e fica lá",
                f"the warrior on {name} has reached the opponent's row 0 and stays there",
            )
        if not rest:
            return Text(f"a peça em {name} não tem para onde ir", f"the piece on {name} has nowhere to go")
        return self._why_no_step(origin, rest[0])

    def _why_no_step(self, origin: Cell, target: Cell) -> Text:
        side, piece = self._side(self.turn), self.board[origin]
        there = self.board[target]
        if target == origin:
            return Text("toca agora na casa para onde vai a peça", "now touch the cell where the piece goes")
        if there != EMPTY and there[0].islower() == piece[0].islower():
            return Text(f"em {BOARD.names[target]} está uma peça tua", f"a piece of yours is on {BOARD.names[target]}")
        if there != EMPTY and not self._capturable(target, side):
            return Text(
                "um guerreiro que já chegou não pode ser capturado", "a warrior that has arrived cannot be captured"
            )
        if target in BOARD.neighbours[origin]:
            return Text(
                "o primeiro passo de cada peça tem de ser para a frente", "the first step of a piece must go forward"
            )
        if there != EMPTY:
            return self._why_no_line_capture(origin)
        ahead = {BOARD.rays[way][origin][1] for way in FORWARD[side] if len(BOARD.rays[way][origin]) > 1}
        if target not in ahead:
            return Text(
                "essa casa está longe de mais: uma peça anda uma casa", "that cell is too far: a piece moves one cell"
            )
        if not piece.endswith(UNMOVED):
            return Text(
                "só avança duas casas uma peça que ainda não se moveu",
                "only a piece that has not moved yet goes two cells forward",
            )
        return Text(
            "no passo duplo não se salta por cima de outra peça", "the double step does not leap over another piece"
        )

    def _why_no_line_capture(self, origin: Cell) -> Text:
        side = self._side(self.turn)
        if self.board[origin][0] == KING[side]:
            return Text("o rei só captura nas casas vizinhas", "the king captures only on the cells beside it")
        hunting = self._hunting[side]
        if hunting is None:
            return Text(
                "não há captura em linha enquanto o teu rei defende o seu campo do rei inimigo, que lá entrou",
                "there is no line capture while your king defends its field against the enemy king inside it",
            )
        if self.options.line_field == "both" and FIELD[origin] != hunting:
            return Text(
                "a captura em linha só se faz no campo onde está o teu rei",
                "line captures are made only in the field where your king is",
            )
        return Text(
            "essa peça está fora do alcance: a captura em linha é um passo para uma casa vazia e depois, ao longo "
            "dessa linha, tantas casas como o número dela",
            "that piece is out of reach: a line capture is a step to an empty cell, then along that row as many cells "
            "as its number",
        )

    # -- faces ------------------------------------------------------------------------------------------------------

    @property
    def geometry(self) -> Geometry:
        return BOARD

    def pieces(self) -> dict[Cell, Piece]:
        return {cell: _piece(symbol) for cell, symbol in enumerate(self.board) if symbol != EMPTY}

    def clicks(self, move: Move) -> tuple[Cell, ...]:
        origin, target = move >> 7, move & 127
        if origin == DECLINE:
            return ()
        return (target,) if origin in (TELEPORT, PLACE) else (origin, target)

    def motions(self, move: Move) -> tuple[tuple[Cell, Cell], ...]:
        origin, target = move >> 7, move & 127
        if origin in (PLACE, DECLINE):
            return ()
        if origin == TELEPORT:
            king = self._kings[self._side(self.turn)]
            assert king is not None
            return ((king, target),)
        if target in BOARD.neighbours[origin] or self.board[target] == EMPTY:
            return ((origin, target),)
        step = self._line_steps(origin, target)[0]
        return ((origin, step), (step, target))

    def move_looks(self) -> Sequence[Hashable]:
        board = self.board
        return [
            move if move >> 7 < CELLS and board[move & 127] == EMPTY else (move, self.motions(move))
            for move in self._legal
        ]

    def prompt(self) -> Text | None:
        if self.rights is None:
            return Text("escolhe a casa do teu rei na linha 0", "choose your king's cell on row 0")
        if self._right(self._side(self.turn)) == USABLE:
            return Text(
                "o teu rei pode saltar para a linha 4 do adversário", "your king may leap to the opponent's row 4"
            )
        return None

    def colour(self, player: Player) -> str:
        return "south" if self._side(player) == SOUTH else "north"

    @property
    def can_draw(self) -> bool:
        return True

    def symmetries(self) -> tuple[Symmetry, ...]:
        turns = BOARD.symmetries
        mirror = Symmetry(turns["mirror"])
        # Placing kings has an order, so the sides can be exchanged only once play has begun.
        if self.rights is None:
            return (mirror,)
        return (mirror, *(Symmetry(turns[name], exchanges_players=True) for name in ("flip", "half_turn")))

    def transform(self, symmetry: Symmetry) -> Self:
        board = tuple(permute(self.board, symmetry.cells))
        if not symmetry.exchanges_players:
            return replace(self, board=board)
        assert self.rights is not None
        return replace(
            self,
            turn=self.turn.other,
            board=tuple(piece.swapcase() for piece in board),
            rights=(self.rights[1], self.rights[0]),
            arrivals=(self.arrivals[1], self.arrivals[0]),
        )

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        origin, target = move >> 7, move & 127
        if origin == DECLINE:
            return move
        return (symmetry.cells[origin] if origin < CELLS else origin) << 7 | symmetry.cells[target]

    # -- history ----------------------------------------------------------------------------------------------------

    def history_rules(self) -> HistoryRules:
        return HistoryRules(repetition=self.options.repetition, stale_plies=self.options.no_progress_limit)

    def is_progress(self, move: Move) -> bool:
        """A capture or an arrival; placing a king cannot be undone either."""
        origin, target = move >> 7, move & 127
        if origin in (TELEPORT, DECLINE):
            return False
        if origin == PLACE or self.board[target] != EMPTY:
            return True
        side = self._side(self.turn)
        return self.board[origin][0] == WARRIOR[side] and target // WIDTH == HOME_ROW[1 - side]
