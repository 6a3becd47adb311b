"""Games as the kernels hold them while they are played: a move is found, made and told without a position in Python.

The rules in Python are the rules; the kernels are held equal to them by tests. How anything is written is Python's to
say too: a table is taught it once, by what the first position in which it is seen is told as (`views.told`).
"""

from functools import lru_cache

import orjson

from tabuleiro._native import TABLES_OF_GAMES, GameTable, LiveGame
from tabuleiro.core import Move, Options, Outcome, Player, Position
from tabuleiro.language import Text
from tabuleiro.record.tree import NEW_POSITION, NO_DRAWS, ended_by_position
from tabuleiro.server import views
from tabuleiro.server.kept import kept_json
from tabuleiro.server.moves import move_json

#: Tables that are kept: options make many of one game, and few of them are played.
MAX_TABLES = 64
#: The colours of players that are kept of one table, by the manner in which positions are told.
MAX_COLOURS = 10_000
#: What stands in the place of what differs from one position to the next, in no text.
GAP = b"\x00"


class _Table:
    def __init__(self, game: type[Position], options: Options, native: GameTable) -> None:
        self.game = game
        self.options = options
        self.native = native
        self.colours: dict[int, list[str | None]] = {}


@lru_cache(MAX_TABLES)
def _table(game: type[Position], options: Options) -> _Table | None:
    """None where the kernels cannot tell all that there is to tell."""
    start = game.start(options)
    settled = start.settle("agreement")
    if game.id not in TABLES_OF_GAMES or start.hides_pieces or settled.motions:
        return None
    return _Table(game, options, TABLES_OF_GAMES[game.id](options.encode(), start.geometry.ranks))


def begin(start: Position) -> "Live | None":
    """A game that begins with a position; None where only the rules in Python can play it."""
    table = _table(type(start), start.options)
    if table is None:
        return None
    try:
        return Live(table, table.native.begin(start.encode()))
    except ValueError:  # a position that was set up, which the kernel does not take
        return None


@lru_cache(64)
def _readable(game: type[Position], words: tuple[int, ...], options: Options) -> Position:
    """A position in which somebody tries moves that the kernel does not know: to list all the ways in which moves are
    written takes a while, and who tries one tries others."""
    return game.decode(words, options)


class Live:
    """A game that is being played."""

    __slots__ = ("_native", "_table", "find", "make", "play", "take_back")

    def __init__(self, table: _Table, native: LiveGame) -> None:
        self._table = table
        self._native = native
        #: The legal move that a text means, as it was told; None where it is to be read by the rules.
        self.find = native.find
        #: Make that move, if there is one.
        self.make = native.make
        #: Make a legal move: 0 while the game goes on.
        self.play = native.play
        #: As many moves.
        self.take_back = native.take_back

    def look(self) -> tuple[int, bool, list[str | None]]:
        """Whose turn it is, whether the game has ended, and what the players play with."""
        turn, ended, manner = self._native.look()
        known = self._table.colours
        if (colours := known.get(manner)) is None:
            if len(known) >= MAX_COLOURS:
                known.clear()
            position = self.position()
            colours = known[manner] = [position.colour(player) for player in Player]
        return turn, ended > 0, colours

    @property
    def has_ended(self) -> bool:
        return self._native.ended > 0

    def position(self, before: int = 0) -> Position:
        """As it stands, or stood some moves before."""
        return self._table.game.decode(self._native.words(before), self._table.options)

    def read(self, text: str) -> tuple[Move, str]:
        """The legal move that a text means, by the rules, and how it is written."""
        position = _readable(self._table.game, self._native.words(0), self._table.options)
        move = position.move_texts().get(text)
        if move is None:
            move = position.parse_move(text)
        self.learn()
        return move, position.move_str(move)

    def outcome(self, last: Move) -> Outcome:
        """How the game ended, with its last move."""
        position = self.position()
        rules = position.history_rules()
        reasons = {2: rules.repetition_reason, 3: rules.stale_reason, 4: "move_limit"}
        if (reason := reasons.get(self._native.ended)) is not None:
            return position.settle(reason)
        outcome = ended_by_position(position, self.position(1), last)
        assert outcome is not None
        return outcome

    def view(self, before: bytes = b"", after: bytes = b"") -> bytes:
        """All that is told of a game that goes on, between what is written before and after it."""
        written = self._native.view(before, after)
        if written is None:
            self.learn()
            written = self._native.view(before, after)
            assert written is not None
        return written

    def last_view(self, outcome: Outcome) -> bytes:
        """All that is told of a game that has ended."""
        position, last = self.position(), self._native.last()
        assert last is not None
        told = views.told(position, outcome, orjson.Fragment(last), [], self._why_no_agreement(position))
        return kept_json({**told, "text": None})

    def _why_no_agreement(self, position: Position) -> Text | None:
        if not position.can_draw:
            return NO_DRAWS
        is_new = position.history_rules().agreement_occurrence > 1 and not self._native.is_repeated
        return NEW_POSITION if is_new else None

    def learn(self) -> None:
        """Teach how the position and its moves are written."""
        native, table, position = self._native, self._table.native, self.position()
        if cells := native.unknown_cells():
            codes, pieces = native.codes(), position.pieces()
            for cell in cells:
                table.teach_piece(cell, codes[cell], pieces[cell].symbol, views.piece_json(cell, pieces[cell]))
        unknown = native.unknown_moves()
        for look, move in zip(unknown[::2], unknown[1::2], strict=True):
            text = position.move_str(move)
            table.teach_move(look, move, text, move_json(position, move, text))
        if native.knows_manner:
            return
        ranks = native.ranks()
        gap = orjson.Fragment(GAP)
        told = views.told(position, None, gap, gap, self._why_no_agreement(position))
        written = orjson.dumps({**told, "pieces": gap, "text": None})
        head = b'{"position":"' + ranks
        assert written.startswith(head), (written[:200], head)
        before_pieces, before_moves, between, after = written[len(head) :].split(GAP)
        assert between == b',"last":'
        table.teach_manner(native.manner, before_pieces + b"[", b"]" + before_moves + b"[", after)
