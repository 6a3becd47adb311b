"""The contract: what a game of this house is.

A game is one subclass of `Position` (with its `Options`) in `games/<id>.py`, plus one line in `games/__init__.py`.
Everything a person touches (terminal, pictures, records, web) works from what is declared here and knows no rules.

The words, one for each thing, here and everywhere:

* **position** - the board, who is to move, and whatever else the rules look at. Immutable, hashable, *without history*.
* **cell** - a place of the board, a small integer; `Geometry` names it.
* **move** - one integer. Each game explains its packing at the top of its file; nobody else looks inside.
* **player** - a person, ONE or TWO. ONE makes the first move of the game.
* **colour** - what a player plays with (white, south, …). In Hex the swap exchanges the colours of the players,
  so a colour is not a player: ask `Position.colour(player)`.
* **turn** - the *player* to move. The same player may be to move twice running (Ouri's extra move).
* **outcome** - how a finished game ended.

**The waist.** `encode()` turns a position into a tuple of unsigned 64-bit integers, and a move is one integer. The
native kernels take and give exactly these integers, with the legal moves in the same ascending order, so each set of
rules can check the other.

**History.** A position cannot know that it occurred before. Rules that look back (cycles, repetition, limits) are
declared here as parameters (`history_rules`, `repetition_key`, `is_progress`, `settle`) and applied by `record.Game`.

**Secrets.** A position is all there is to know. What one player, or one who only watches, may know of it is
`seen_by(player)`, a position too. Whatever leaves the house about a game somebody else plays goes through it
(`record.Game.seen_by`), and so does what an engine is asked.
"""

import dataclasses
import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, cached_property
from typing import Any, ClassVar, Literal, Self, cast

from tabuleiro.geometry import Cell, Geometry, Permutation
from tabuleiro.language import Language, Text
from tabuleiro.results import COLOURS as COLOURS
from tabuleiro.results import REASONS as REASONS
from tabuleiro.results import Points, Side, side_name, tell_reason, tell_result

Move = int

# ---------------------------------------------------------------------------------------------------------- errors


class TabuleiroError(ValueError):
    """Anything a person or program asked for that cannot be done, with a sentence in both languages."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return self.text.en


class UnknownGameError(TabuleiroError):
    """No game has that name."""


class OptionError(TabuleiroError):
    """An option that does not exist, a value it does not take, or a combination that makes no sense."""


class InvalidPositionError(TabuleiroError):
    """Not a position of this game."""


class InvalidMoveError(TabuleiroError):
    """Not a move at all: nonsense, or a cell that the board does not have."""


class IllegalMoveError(TabuleiroError):
    """A move of this game, but not a legal one here."""


# ----------------------------------------------------------------------------------------------- players, outcomes


class Player(IntEnum):
    ONE = 1
    TWO = 2

    @property
    def other(self) -> "Player":
        return Player.TWO if self is Player.ONE else Player.ONE


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winning *player* or nobody (a draw), why, and the points where a game counts them."""

    winner: Player | None
    reason: str
    score: tuple[int, int] | None = None
    #: Where the end is seen: the winning line, the path, the king. Where a position cannot show it, the cells of the
    #: last move do, and `record.Node` adds them.
    cells: tuple[Cell, ...] = dataclasses.field(default=(), compare=False)
    #: What travels once the game is over, from where to where: what is collected at the end.
    motions: tuple[tuple[Cell, Cell], ...] = dataclasses.field(default=(), compare=False)

    def describe(self, language: Language) -> str:
        """The end in a sentence that knows players by number only; `Position.tell_result` knows their colours."""
        sides = {player: side_name(None, player) for player in Player}
        return tell_result(self.reason, *winner_first(self, sides)).to(language)


def winner_first(outcome: Outcome, sides: Mapping[Player, Side]) -> tuple[Side | None, Side | None, Points]:
    """The winner, the loser and their points, as results are told."""
    winner, points = outcome.winner, outcome.score
    if winner is None:
        return None, None, points
    if points is not None and winner is Player.TWO:
        points = (points[1], points[0])
    return sides[winner], sides[winner.other], points


# --------------------------------------------------------------------------------------------------------- options

Value = int | str | bool | None


def option(
    default: Value,
    *others: Value,
    numbers: range | None = None,
    names: Mapping[str, Text] | None = None,
    official: bool = False,
    help: Text,
) -> Any:
    """A field of an `Options` dataclass: its default, the other values it takes, and one line that explains it.

    `None` is written `off`. `numbers` is a range of whole numbers taken besides the values listed. `names` are what
    people call the values, by their text; words must have one, numbers need none, and yes, no and off have the usual
    ones. `official` says that the default is what the game's rule sheet asks for; else the sheet is silent or lost
    there, and the default is our ruling.
    """
    values = (default, *others)
    known = names or {}
    unnamed = [value for value in values if isinstance(value, str) and value not in known]
    if unnamed or known.keys() - {show_value(value) for value in values}:
        raise TypeError(f"every word among {values}, and nothing else, needs a name")
    metadata = {"values": values, "numbers": numbers, "names": known, "official": official, "help": help}
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Options:
    """The options of a game. Subclasses add fields made by `option()`; a value out of place raises `OptionError`."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            if not _takes(field, getattr(self, field.name)):
                raise _refused(field, show_value(getattr(self, field.name)))
        self.check()

    def check(self) -> None:
        """Raise `OptionError` for a combination that makes no sense."""

    @classmethod
    def parse(cls, pairs: Mapping[str, str]) -> Self:
        """Options from `name=value` texts, as the command line and records give them."""
        fields = {field.name: field for field in dataclasses.fields(cls)}
        values: dict[str, Any] = {}
        for name, text in pairs.items():
            if name not in fields:
                known = ", ".join(fields) or "-"
                raise OptionError(
                    Text(
                        f"a opção «{shorten(name)}» não existe neste jogo; há: {known}",
                        f"this game has no option “{shorten(name)}”; it has: {known}",
                    )
                )
            values[name] = _read_value(fields[name], text)
        return cls(**values)

    def items(self) -> dict[str, str]:
        """Every option as text, in declaration order."""
        return {field.name: show_value(getattr(self, field.name)) for field in dataclasses.fields(self)}

    def encode(self) -> tuple[int, ...]:
        """The options as integers, for the native kernels: numbers as they are, words by their place, off as 0."""
        values = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            values.append(field.metadata["values"].index(value) if isinstance(value, str) else int(value or 0))
        return tuple(values)

    def changed(self) -> dict[str, str]:
        """The options that differ from the rule book's defaults, as text."""
        return {
            field.name: show_value(getattr(self, field.name))
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        }


def show_value(value: Value) -> str:
    if value is None:
        return "off"
    return str(value).lower() if isinstance(value, bool) else str(value)


_USUAL_NAMES = {"true": Text("sim", "yes"), "false": Text("não", "no"), "off": Text("desligado", "off")}


def value_name(field: "dataclasses.Field[Any]", value: str) -> Text:
    """What people call a value of an option, given as `show_value` writes it. A number is its own name."""
    name: Text | None = field.metadata["names"].get(value) or _USUAL_NAMES.get(value)
    return name or Text(value, value)


def default_note(field: "dataclasses.Field[Any]") -> Text:
    """Where the default of an option comes from: the game's rule sheet, or the house."""
    return Text("regra oficial", "official rule") if field.metadata["official"] else Text("habitual", "usual")


def option_values(field: "dataclasses.Field[Any]") -> list[str]:
    """The values an option takes, as a person would type them, the default first."""
    shown = [show_value(value) for value in field.metadata["values"]]
    if (numbers := field.metadata["numbers"]) is not None:
        shown.append(f"{numbers[0]}..{numbers[-1]}")
    return shown


_SPELLINGS: dict[str, Value] = {"on": True, "yes": True, "sim": True, "no": False, "não": False, "nao": False}


def _takes(field: "dataclasses.Field[Any]", value: Value) -> bool:
    # `True == 1` in Python, but `size=true` is nonsense: types must agree too.
    if any(type(value) is type(known) and value == known for known in field.metadata["values"]):
        return True
    numbers: range | None = field.metadata["numbers"]
    return numbers is not None and type(value) is int and value in numbers


def _read_value(field: "dataclasses.Field[Any]", text: str) -> Value:
    word = text.strip().lower()
    for known in field.metadata["values"]:
        if word == show_value(known) or (isinstance(known, bool) and _SPELLINGS.get(word) is known):
            return cast(Value, known)
    if word == "off" and False in field.metadata["values"]:
        return False
    if (
        re.fullmatch(r"[0-9]{1,9}", word)
        and field.metadata["numbers"] is not None
        and int(word) in field.metadata["numbers"]
    ):
        return int(word)
    raise _refused(field, text)


def _refused(field: "dataclasses.Field[Any]", given: str) -> OptionError:
    known = ", ".join(option_values(field))
    return OptionError(
        Text(
            f"a opção «{field.name}» não aceita «{shorten(given)}»; aceita: {known}",
            f"option “{field.name}” does not take “{shorten(given)}”; it takes: {known}",
        )
    )


# ------------------------------------------------------------------------------------------------ what stands where


@dataclass(frozen=True)
class Piece:
    """What a renderer needs to draw one piece, and a screen reader to name it."""

    #: As written in position strings; also what plain text shows.
    symbol: str
    #: `man` `stone` `marker` `block` `light` `seeds` `king` `warrior` `marble`; other kinds are drawn by their symbol.
    kind: str
    #: A key of COLOURS, or `green` `yellow` `red` for lights, or `` where colour means nothing.
    colour: str = ""
    #: How many lie there (seeds in a house).
    count: int = 1

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Pieces are few, and looked up by the dozen at every move.
        return hash((self.symbol, self.kind, self.colour, self.count))


@dataclass(frozen=True)
class SetupField:
    """A part of a position string besides the board, for a person who sets a position up."""

    label: Text
    #: What it may be, and what that means; none where it is two numbers, as `0-0`.
    choices: Mapping[str, Text]
    #: What the two numbers are.
    pair: tuple[Text, Text] | None = None


@dataclass(frozen=True)
class Symmetry:
    """A permutation of the cells under which the rules look the same, perhaps with the players exchanged."""

    cells: Permutation
    exchanges_players: bool = False


@dataclass(frozen=True)
class Card:
    """What a rule sheet says about a game besides its rules. What no sheet says stays empty."""

    #: The board and the pieces one needs.
    material: Text | None = None
    #: Where it comes from, when nobody knows who invented it.
    origin: Text | None = None
    #: What it is called elsewhere, or why it is called as it is.
    also: Text | None = None
    #: The youngest players it is meant for, in years.
    age: int | None = None
    #: How long a game takes, in minutes.
    minutes: int | None = None


@dataclass(frozen=True)
class HistoryRules:
    """The rules of a game that look back. None means: there is no such rule under these options."""

    #: The nth occurrence of the same `repetition_key()` ends the game, for `repetition_reason`.
    repetition: int | None = None
    repetition_reason: str = "repetition"
    #: The number of plies running without progress that ends the game, for `stale_reason`.
    stale_plies: int | None = None
    stale_reason: str = "no_progress"
    #: The number of plies in all that ends the game ("move_limit").
    total_plies: int | None = None
    #: The players may agree to end the game once the position has come up this many times; 1 is at any time.
    agreement_occurrence: int = 1


# ------------------------------------------------------------------------------------- how a game packs its integers


@dataclass(frozen=True)
class Part:
    """Some words of `Position.encode()`, for whoever reads them without knowing the game (neural nets).

    `cells` is a set of cells as bits, `cell` one cell (the number of cells: none), `numbers` a number for every cell,
    `number` a number that belongs to no cell, `turn` the player to move, `colour` the colour to move (0 or 1), `hidden`
    what a judge of the position must not depend on.
    """

    kind: Literal["cells", "cell", "numbers", "number", "turn", "colour", "hidden"]
    #: Whether there is one for each side, the first side's first.
    each: bool = False
    #: The largest number.
    most: int = 0


@dataclass(frozen=True)
class MoveCode:
    """How a move is packed: `place << bits | rest`. A place is a cell; those beyond the cells are moves without one."""

    bits: int = 0
    #: The rest is the target, and these are the ways there, in rows up and columns to the right; none: it is the shape
    #: of the move.
    ways: tuple[tuple[int, int], ...] = ()
    #: How many places beyond the cells there are.
    beyond: int = 0


# ------------------------------------------------------------------------------------------------------ the contract


@dataclass(frozen=True)
class Position(ABC):
    """A position of one game. Subclasses are frozen dataclasses whose fields are all there is to know.

    A game defines the class attributes it needs and the methods marked abstract. Methods that begin with an underscore
    are for the game to define and for this class to call; everybody else calls the public ones, which check what they
    are given.
    """

    turn: Player
    options: Options

    # -- who the game is (class attributes) ------------------------------------------------------------------------
    id: ClassVar[str]
    name: ClassVar[Text]
    #: One sentence: what one tries to do.
    summary: ClassVar[Text]
    #: Who invented it, and when.
    author: ClassVar[str] = ""
    #: School cycles in the sixth national championship, in order: "1", "2", "3", "sec".
    cycles: ClassVar[tuple[str, ...]] = ()
    #: What else its rule sheet says about it.
    card: ClassVar[Card] = Card()
    #: What can be done, and how it is done on a board: for somebody who plays for the first time.
    first_steps: ClassVar[tuple[Text, ...]] = ()
    #: What the signs on its board mean that do not explain themselves.
    legend: ClassVar[tuple[Text, ...]] = ()
    options_type: ClassVar[type[Options]] = Options
    #: The shape of a move as typed, for telling nonsense from an illegal move; matched against the text in lower case
    #: (as typed when `case_matters`) without spaces.
    move_pattern: ClassVar[re.Pattern[str]]
    #: How to write a move, said to a person who typed nonsense.
    move_help: ClassVar[Text]
    #: Whether `c` and `C` are different moves (Ouri's houses).
    case_matters: ClassVar[bool] = False
    #: What the words of `encode()` are, in their order.
    encoding: ClassVar[tuple[Part, ...]] = (Part("cells", each=True), Part("turn"))
    move_code: ClassVar[MoveCode] = MoveCode()
    #: Lists the legal moves in ascending order, none when the game is over, where something quicker than these rules
    #: does (the native kernels, `native.list_moves`).
    quick_moves: "ClassVar[Callable[[Any], tuple[Move, ...]] | None]" = None

    # -- beginnings -------------------------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def start(cls, options: Any = None) -> Self:
        """The position in which the game begins."""

    @classmethod
    def from_str(cls, text: str, options: Any = None) -> Self:
        """Read a position string. Raises `InvalidPositionError` for anything that is not a position of this game.

        The side to move is as the string says: a set-up position need not be reachable.
        """
        if len(text) > MAX_POSITION_LENGTH:
            raise InvalidPositionError(Text("a posição é demasiado longa", "the position is too long"))
        return cls._from_fields(text.split(), cls.default_options(options))

    @classmethod
    @abstractmethod
    def _from_fields(cls, fields: list[str], options: Any) -> Self:
        """The position written as these space-separated fields."""

    @classmethod
    def default_options(cls, options: Any = None) -> Any:
        """`options`, or the rule book's defaults; refuses the options of another game."""
        if options is None:
            return cls.options_type()
        if type(options) is not cls.options_type:
            raise OptionError(Text(f"estas opções não são de {cls.name.pt}", f"these are not options of {cls.name.en}"))
        return options

    # -- the rules --------------------------------------------------------------------------------------------------

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on. History rules are not seen here."""

    @abstractmethod
    def _moves(self) -> Iterable[Move]:
        """The legal moves, in any order, each once; only asked while the game goes on."""

    @abstractmethod
    def _after(self, move: Move) -> Self:
        """The position after a move that is known to be legal."""

    @cached_property
    def _legal(self) -> tuple[Move, ...]:
        if (quick := type(self).quick_moves) is not None:
            return quick(self)
        return () if self.outcome() is not None else tuple(sorted(self._moves()))

    def legal_moves(self) -> list[Move]:
        """The legal moves in ascending order; empty exactly when the game is over."""
        return list(self._legal)

    def ended(self) -> Outcome | None:
        """`outcome()`, for who asks at every move: while there are legal moves, which are remembered, it is None."""
        return None if self._legal else self.outcome()

    def play(self, move: Move) -> Self:
        """The position after `move`; this one stays as it is."""
        self._require_legal(move)
        return self._after(move)

    def is_legal(self, move: Move) -> bool:
        legal = self._legal
        place = bisect_left(legal, move) if isinstance(move, int) else len(legal)
        return place < len(legal) and legal[place] == move

    def _require_legal(self, move: Move) -> None:
        if not self.is_legal(move):
            raise IllegalMoveError(
                Text("essa jogada não é legal nesta posição", "that move is not legal in this position")
            )

    def seen_by(self, player: Player | None) -> Self:
        """What a player may know of this position, or who only watches (None), as a position of the game: the same one
        for all positions that they must not tell apart. Where nothing is hidden from them, this very object.

        The player to move sees the same legal moves. Who only watches sees no more than any player does.
        """
        return self

    @property
    def hides_pieces(self) -> bool:
        """Whether there are positions under these options of which somebody may not know all (`seen_by`)."""
        return False

    def forget(self) -> None:
        """Let go of what was worked out about this position. It is worked out again when somebody asks."""
        for name in vars(self).keys() - self.__dataclass_fields__.keys():
            vars(self).pop(name, None)

    # -- the waist --------------------------------------------------------------------------------------------------

    @abstractmethod
    def encode(self) -> tuple[int, ...]:
        """The position as unsigned 64-bit integers: all there is to know, but the options."""

    @classmethod
    @abstractmethod
    def decode(cls, values: Sequence[int], options: Any = None) -> Self:
        """The position that `encode()` gave."""

    def derived_cells(self) -> tuple[int, ...]:
        """Sets of cells, as bits, that follow from the position but are hard to see in it: what neural nets are shown
        besides the words. The first side's and the other's take turns."""
        return ()

    def hash64(self) -> int:
        """A well-mixed 64-bit hash of `encode()`, the same in the native kernels and on every machine."""
        value = 0
        for word in self.encode():
            value = _mix(value ^ word)
        return value

    # -- notation ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def __str__(self) -> str:
        """The position string; `from_str` reads it back."""

    @abstractmethod
    def _move_str(self, move: Move) -> str:
        """A legal move as people write it. Different legal moves have different texts."""

    def move_str(self, move: Move) -> str:
        self._require_legal(move)
        return self._move_str(move)

    def is_written(self, move: Move, text: str) -> bool:
        """Whether a move is legal here and this is its text."""
        return self.is_legal(move) and self._move_str(move) == text

    def move_texts(self) -> dict[str, Move]:
        """Every legal move by its text."""
        return {self._move_str(move): move for move in self._legal}

    def _move_spellings(self, move: Move) -> Iterable[str]:
        """Other ways to write a legal move, accepted when read."""
        return ()

    def parse_move(self, text: str) -> Move:
        """The legal move that `text` means.

        Lenient about spaces, case and the marks `-` `x` `:`, wherever nothing becomes ambiguous. Raises
        `InvalidMoveError` for what is no move of this game on this board, `IllegalMoveError` for one not legal here.
        """
        typed = "".join(text.split())
        if not self.case_matters:
            typed = typed.lower()
        if not typed or len(typed) > MAX_MOVE_LENGTH or not self.move_pattern.fullmatch(typed):
            raise self._not_a_move(text)
        if (move := self._readable_moves.get(_bare(typed))) is not None:
            return move
        names = self.geometry.index if self.case_matters else self._lower_names
        for name in re.findall(r"[a-zA-Z][0-9]+", typed):
            if name not in names:
                raise InvalidMoveError(Text(f"este tabuleiro não tem a casa {name}", f"this board has no cell {name}"))
        if self.outcome() is not None:
            raise IllegalMoveError(GAME_OVER)
        shown, why = shorten(text.strip()), self._why_not_written(typed)
        raise IllegalMoveError(
            Text(f"a jogada «{shown}» não é legal: {why.pt}", f"the move “{shown}” is not legal: {why.en}")
        )

    # -- why a move cannot be made ------------------------------------------------------------------------------------

    def why_not(self, tried: str | Sequence[Cell]) -> Text | None:
        """Why a move cannot be made: as somebody writes it, or by the cells touched so far, in order.

        None if it can; for cells also if a legal move begins with them. Raises nothing, whatever is tried.
        """
        if isinstance(tried, str):
            try:
                self.parse_move(tried)
            except TabuleiroError as error:
                return error.text
            return None
        cells = tuple(tried)
        if self.outcome() is not None:
            return GAME_OVER
        if not all(type(cell) is int and 0 <= cell < len(self.geometry) for cell in cells):
            return Text("essa casa não existe neste tabuleiro", "this board has no such cell")
        paths = [self.clicks(move) for move in self._legal]
        if not cells or any(path[: len(cells)] == cells for path in paths):
            return None
        if any(path and cells[: len(path)] == path for path in paths):
            return Text("a jogada já estava completa antes dessa casa", "the move was complete before that cell")
        return self._why_not(cells) or _NOT_BY_RULES

    def _why_not_written(self, typed: str) -> Text:
        """Why a move that has the shape of one, and is not legal, cannot be made."""
        cells = self._cells_written(typed)
        if cells and any(self.clicks(move)[: len(cells)] == cells for move in self._legal):
            return Text(
                f"falta o resto da jogada; {self.move_help.pt}", f"the rest of it is missing; {self.move_help.en}"
            )
        return self._why_not(cells) or _NOT_BY_RULES

    def _cells_written(self, typed: str) -> tuple[Cell, ...]:
        """The cells that would be touched for a move that is written so; none for a move without cells."""
        index = {name.lower(): cell for cell, name in enumerate(self.geometry.names)}
        return tuple(index[name] for name in re.findall(r"[a-z][0-9]+", typed.lower()))

    def _why_not(self, cells: tuple[Cell, ...]) -> Text | None:
        """The reason why these cells, all on the board, begin no legal move of a game that goes on; no cells stand for
        the move that is made without any. A game without reasons of its own is told that the rules do not allow it."""
        return None

    def _not_own(self, cell: Cell, player: Player | None) -> Text | None:
        """Why nothing that stands on a cell can be moved by the player whose turn it is: nothing does (None), or it is
        the other's."""
        name = self.geometry.names[cell]
        if player is None:
            return Text(
                f"em {name} não há nenhuma peça: começa por uma das tuas",
                f"there is no piece on {name}: begin with one of yours",
            )
        if player is self.turn:
            return None
        owner, mover = self.side(player), self.side(self.turn)
        return Text(
            f"a peça em {name} é {owner.of.pt}, e agora {mover.verb('joga', 'jogam')} {mover.the.pt}",
            f"the piece on {name} is {owner.of.en}, and it is {mover.of.en} turn",
        )

    def _not_a_move(self, text: str) -> InvalidMoveError:
        shown = shorten(text.strip())
        return InvalidMoveError(
            Text(
                f"«{shown}» não é uma jogada de {self.name.pt}; {self.move_help.pt}",
                f"“{shown}” is not a move of {self.name.en}; {self.move_help.en}",
            )
        )

    @cached_property
    def _readable_moves(self) -> dict[str, Move]:
        """Every accepted spelling of every legal move, stripped of marks; the written form wins over the others."""
        readable: dict[str, Move] = {}
        fold = str if self.case_matters else str.lower
        for move in self._legal:
            for spelling in self._move_spellings(move):
                readable.setdefault(_bare(fold(spelling)), move)
        for move in self._legal:
            readable[_bare(fold(self._move_str(move)))] = move
        return readable

    @cached_property
    def _lower_names(self) -> set[str]:
        return {name.lower() for name in self.geometry.names}

    # -- faces: what boards, pictures and screen readers need ---------------------------------------------------------

    @property
    @abstractmethod
    def geometry(self) -> Geometry:
        """The board."""

    @abstractmethod
    def pieces(self) -> dict[Cell, Piece]:
        """What stands where."""

    @abstractmethod
    def clicks(self, move: Move) -> tuple[Cell, ...]:
        """The cells a person touches, in order, to make a legal move; empty for a move without cells (a button).

        No legal move's cells begin with all the cells of another one, so a board knows when a move is complete.
        """

    def motions(self, move: Move) -> tuple[tuple[Cell, Cell], ...]:
        """What travels from where to where when a legal move is made, in the order a person would see it.

        For boards that show moves as they happen. What vanishes (a captured piece) does not travel.
        """
        clicks = self.clicks(move)
        return ((clicks[0], clicks[-1]),) if len(clicks) > 1 else ()

    def move_looks(self) -> Sequence[Hashable] | None:
        """What settles, for each legal move in their order, how it is written, touched and shown: what looks the same
        in two positions of this game on the same board is the same move with the same text, clicks and motions. So
        whoever tells of many positions writes each once. None where only the position itself settles it."""
        return None

    def goal(self) -> Text:
        """One sentence: what both players try to do under these options."""
        return self.summary

    def marks(self) -> dict[Cell, str]:
        """Short texts printed on cells (the goals 1 and 2 of Rastros)."""
        return {}

    def prompt(self) -> Text | None:
        """What the player to move should know here and cannot see on the board (a king to place, a swap to take)."""
        return None

    def colour(self, player: Player) -> str | None:
        """What a player plays with, a key of `COLOURS`; None where players have no colour."""
        return None

    def side(self, player: Player) -> Side:
        """A player as sentences name one, by colour where there is one."""
        return side_name(self.colour(player), player)

    def sides(self) -> dict[Player, Side]:
        return {Player.ONE: self.side(Player.ONE), Player.TWO: self.side(Player.TWO)}

    def tell_reason(self, outcome: Outcome) -> Text:
        """Why a game that stands here ended so: `as Brancas não têm jogada`."""
        return tell_reason(outcome.reason, *winner_first(outcome, self.sides()))

    def tell_result(self, outcome: Outcome) -> Text:
        """How a game that stands here ended, in a whole sentence: `Ganharam as Negras: as Brancas não têm jogada.`"""
        return tell_result(outcome.reason, *winner_first(outcome, self.sides()))

    def score(self) -> tuple[int, int] | None:
        """The points of the players ONE and TWO, where a game counts them."""
        return None

    def score_text(self, points: tuple[int, int] | None = None) -> Text | None:
        """The score in words, saying what is counted; None where a game counts nothing. `points` are those of the
        outcome, where the end adds some to those of the position."""
        points = points or self.score()
        if points is None:
            return None
        names = [COLOURS.get(self.colour(player) or "", _player_name(player)) for player in Player]
        counted = [Text(f"{name.pt} {count}", f"{name.en} {count}") for name, count in zip(names, points, strict=True)]
        return Text(f"Pontos: {counted[0].pt}, {counted[1].pt}", f"Score: {counted[0].en}, {counted[1].en}")

    @property
    def can_draw(self) -> bool:
        """Whether a game under these options can end in a draw."""
        return False

    # -- setting a position up by hand --------------------------------------------------------------------------------

    @classmethod
    def setup_start(cls, options: Any = None) -> Self:
        """The position with which setting up begins, one that has every field."""
        return cls.start(options)

    @classmethod
    def setup_pieces(cls) -> tuple[Piece, ...]:
        """What may stand on a cell, if it is more than stands there at the start; one piece of kind `seeds` where cells
        hold numbers."""
        return tuple(dict.fromkeys(cls.setup_start().pieces().values()))

    @classmethod
    def setup_fields(cls, options: Any = None) -> tuple[SetupField, ...]:
        """What is to be settled besides the board. Games whose strings say more than who moves define it."""
        start = cls.setup_start(options)
        fields = str(start).split()[-1], str(dataclasses.replace(start, turn=start.turn.other)).split()[-1]
        return (cls._who_moves(start, dict(zip(fields, (start.turn, start.turn.other), strict=True))),)

    @staticmethod
    def _who_moves(start: "Position", written: Mapping[str, Player]) -> SetupField:
        names = {}
        for text, player in written.items():
            colour = start.colour(player)
            names[text] = COLOURS.get(colour or "", _player_name(player))
        return SetupField(WHO_MOVES, names)

    def setup_values(self) -> tuple[str, ...]:
        """The fields as they are here, in the order of `setup_fields`."""
        return tuple(str(self).split()[1:])

    @classmethod
    def from_setup(cls, cells: Sequence[str], values: Sequence[str], options: Any = None) -> Self:
        """The position with these symbols on its cells and these fields, if it is one."""
        board = write_ranks(cls.setup_start(options).geometry, cells)
        return cls.from_str(" ".join((board, *values)), options)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries that hold in this position, the identity left out."""
        return ()

    def transform(self, symmetry: Symmetry) -> Self:
        """This position seen through a symmetry. Games with symmetries define it."""
        raise TypeError(f"{self.id} has no symmetries")

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        """The move of `transform(symmetry)` that corresponds to a legal move of this position."""
        raise TypeError(f"{self.id} has no symmetries")

    # -- history: parameters for record.Game -------------------------------------------------------------------------

    def history_rules(self) -> HistoryRules:
        return HistoryRules()

    def repetition_key(self) -> Hashable:
        """What must be equal for two positions to count as the same."""
        return self

    def is_progress(self, move: Move) -> bool:
        """Whether a legal move can never be undone by later play (a capture): no position before it can come back."""
        return False

    def settle(self, reason: str) -> Outcome:
        """The outcome when a history rule, or an agreement of the players, ends the game here."""
        return Outcome(None, reason, self.score())

    #: Draws a position as an SVG document. Pictures are made behind this room, so whoever makes them is entered here.
    picture: "ClassVar[Callable[[Position], str] | None]" = None

    def _repr_svg_(self) -> str | None:
        """How a notebook shows a position; None where nobody draws."""
        return None if Position.picture is None else Position.picture(self)


def card_lines(game: type[Position]) -> list[tuple[Text, Text]]:
    """The lines of a game's card, each with what it is about: material, inventor, age, duration, championship."""
    said, lines = game.card, []
    if said.material:
        lines.append((Text("Material", "Material"), said.material))
    if game.author:
        several = ";" in game.author or game.author.count(",") > 1
        who = Text("Inventores", "Inventors") if several else Text("Inventor", "Inventor")
        lines.append((who, Text(game.author, game.author)))
    if said.origin:
        lines.append((Text("Origem", "Origin"), said.origin))
    if said.also:
        lines.append((Text("Nome", "Name"), said.also))
    if said.age:
        lines.append((Text("Idade", "Age"), Text(f"a partir dos {said.age} anos", f"{said.age} years or more")))
    if said.minutes:
        about = Text(f"cerca de {said.minutes} minutos", f"about {said.minutes} minutes")
        lines.append((Text("Duração", "Duration"), about))
    if game.cycles:
        lines.append((CHAMPIONSHIP, _cycles(game.cycles)))
    return lines


#: The edition whose sheet we have. Editions differ in their games and in who plays which.
CHAMPIONSHIP = Text(
    "No 6.º Campeonato Nacional de Jogos Matemáticos (2010)",
    "In the 6th Portuguese championship of mathematical games (2010)",
)


def _cycles(cycles: tuple[str, ...]) -> Text:
    numbered = [cycle for cycle in cycles if cycle != "sec"]
    pt, en = [], []
    if numbered:
        pt.append(_listed([f"{cycle}.º" for cycle in numbered], "e") + (" ciclo" if len(numbered) == 1 else " ciclos"))
        years = {"1": "years 1 to 4", "2": "years 5 and 6", "3": "years 7 to 9"}
        en.append(_listed([years[cycle] for cycle in numbered], "and"))
    if "sec" in cycles:
        pt.append("ensino secundário")
        en.append("upper secondary school")
    return Text(f"{_listed(pt, 'e')} (muda de edição para edição)", f"{_listed(en, 'and')} (editions differ)")


def _listed(words: list[str], last: str) -> str:
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _player_name(player: Player) -> Text:
    return Text(f"Jogador {player}", f"Player {player}")


GAME_OVER = Text("a partida já terminou", "the game is over")
_NOT_BY_RULES = Text("as regras não permitem essa jogada aqui", "the rules do not allow that move here")

MAX_POSITION_LENGTH = 1000
MAX_MOVE_LENGTH = 20


def _bare(move_text: str) -> str:
    """A move without the marks that may be left out."""
    return re.sub(r"[-:x]", "", move_text)


def shorten(text: str, limit: int = 40) -> str:
    """A person's text, fit to be quoted in a message: one line of printable characters, not too long."""
    printable = "".join(c if c.isprintable() else "�" for c in text[: limit + 1])
    return printable if len(printable) <= limit else printable[:limit] + "…"


def _mix(value: int) -> int:
    """One round of SplitMix64: every bit of the input moves every bit of the output."""
    value = (value + 0x9E3779B97F4A7C15) & _WORD
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _WORD
    return value ^ (value >> 31)


_WORD = (1 << 64) - 1


# ------------------------------------------------------------------------------- position strings, shared by games

EMPTY = "."


def write_ranks(geometry: Geometry, board: Sequence[str]) -> str:
    """The board part of a position string: ranks with `/` between, numbers for runs of empty cells."""
    text = "/".join(["".join(cells(board)) for cells in geometry.rank_getters])
    for run, number in _runs(max(map(len, geometry.ranks))):
        text = text.replace(run, number)
    return text


@cache
def _runs(longest: int) -> tuple[tuple[str, str], ...]:
    """Runs of empty cells with how they are written, the longest first."""
    return tuple((EMPTY * run, str(run)) for run in range(longest, 0, -1))


def read_ranks(geometry: Geometry, text: str, symbols: Sequence[str]) -> list[str]:
    """The symbol (or EMPTY) of every cell, from the board part of a position string."""
    ranks = text.split("/")
    if len(ranks) != len(geometry.ranks):
        raise InvalidPositionError(
            Text(
                f"a posição tem {len(ranks)} linhas; este tabuleiro tem {len(geometry.ranks)}",
                f"the position has {len(ranks)} ranks; this board has {len(geometry.ranks)}",
            )
        )
    longest_first = sorted(symbols, key=len, reverse=True)
    token = re.compile("|".join(["[1-9][0-9]?", *map(re.escape, longest_first)]))
    board = [EMPTY] * len(geometry.names)
    for number, (rank_text, rank) in enumerate(zip(ranks, geometry.ranks, strict=True), start=1):
        at, filled = 0, 0
        while at < len(rank_text):
            match = token.match(rank_text, at)
            if match is None:
                known, odd = " ".join(symbols), shorten(rank_text[at])
                raise InvalidPositionError(
                    Text(
                        f"não percebo «{odd}» na linha {number} da posição; as peças são: {known}",
                        f"“{odd}” in rank {number} of the position means nothing; pieces are: {known}",
                    )
                )
            at = match.end()
            symbol = match.group()
            if symbol[0].isdigit():
                filled += int(symbol)
            else:
                if filled < len(rank):
                    board[rank[filled]] = symbol
                filled += 1
        if filled != len(rank):
            raise InvalidPositionError(
                Text(
                    f"a linha {number} da posição tem {filled} casas em vez de {len(rank)}",
                    f"rank {number} of the position has {filled} cells instead of {len(rank)}",
                )
            )
    return board


def require_fields(fields: list[str], count: int, example: str) -> None:
    """Refuse a position string with too few or too many fields."""
    if len(fields) != count:
        raise InvalidPositionError(
            Text(
                f"a posição deve ter {count} partes separadas por espaços, como «{example}»",
                f"a position has {count} parts separated by spaces, such as “{example}”",
            )
        )


def read_choice(text: str, choices: Mapping[str, Any], what: Text) -> Any:
    """One field of a position string that takes few values."""
    if text not in choices:
        known, given = ", ".join(choices), shorten(text)
        raise InvalidPositionError(
            Text(
                f"{what.pt}: «{given}» não é nenhum destes: {known}",
                f"{what.en}: “{given}” is not one of {known}",
            )
        )
    return choices[text]


WHO_MOVES = Text("quem joga", "side to move")


# ------------------------------------------------------------------------------------------- bits, shared by games


@cache
def _only(symbol: str) -> bytes:
    """Translates one character to 1 and all others to 0."""
    return bytes(ord("1") if chr(code) == symbol else ord("0") for code in range(256))


def bits_of(board: str, symbol: str) -> int:
    """The cells of a board of one character a cell that hold a symbol, as a set of bits."""
    return int(board.encode("latin-1")[::-1].translate(_only(symbol)), 2)


def cells_of(bits: int) -> list[Cell]:
    """The cells of a set of bits, ascending."""
    cells = []
    while bits:
        low = bits & -bits
        cells.append(low.bit_length() - 1)
        bits ^= low
    return cells


def put(board: str, changes: Mapping[Cell, str]) -> str:
    """A board of one character a cell, with some cells changed."""
    cells = list(board)
    for cell, symbol in changes.items():
        cells[cell] = symbol
    return "".join(cells)


def board_of(cells: int, bits: Mapping[str, int]) -> str:
    """A board of one character a cell, from the set of bits of each symbol."""
    return put(EMPTY * cells, {cell: symbol for symbol, held in bits.items() for cell in cells_of(held)})


@dataclass(frozen=True)
class BoardPosition(Position):
    """A position whose board is a string of one symbol a cell, EMPTY where nothing stands."""

    board: str

    #: What each symbol is, for renderers.
    piece_kinds: ClassVar[dict[str, Piece]]

    def pieces(self) -> dict[Cell, Piece]:
        return {cell: self.piece_kinds[symbol] for cell, symbol in enumerate(self.board) if symbol != EMPTY}

    @classmethod
    def setup_pieces(cls) -> tuple[Piece, ...]:
        return tuple(cls.piece_kinds.values())


WHITE, BLACK = "w", "b"
_OTHER_COLOUR = {ord(WHITE): BLACK, ord(BLACK): WHITE}


def exchange_colours(board: str) -> str:
    """The board with every white piece black and every black one white."""
    return board.translate(_OTHER_COLOUR)
