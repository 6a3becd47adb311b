"""Legal moves as browsers are told them, and the way back. At every move of every game all moves that may follow are
written, so what looks the same in many positions is written once for all of them."""

from collections.abc import Hashable
from functools import cache

from tabuleiro.core import Move, Position
from tabuleiro.geometry import Geometry
from tabuleiro.server.kept import kept_json


class _Book:
    """The moves of one game on one board that have been written."""

    def __init__(self) -> None:
        #: By how they look.
        self.written: dict[Hashable, bytes] = {}
        #: By their text: the moves that it meant.
        self.meant: dict[str, tuple[Move, ...]] = {}

    def write(self, look: Hashable, position: Position, move: Move) -> None:
        text = position.move_str(move)
        self.written[look] = move_json(position, move, text)
        self.remember(text, move)

    def remember(self, text: str, move: Move) -> None:
        known = self.meant.get(text, ())
        if move not in known:
            self.meant[text] = (*known, move)


@cache
def _book(_game: str, _board: Geometry) -> _Book:
    return _Book()


def move_json(position: Position, move: Move, text: str) -> bytes:
    return kept_json({"text": text, "clicks": position.clicks(move), "motions": position.motions(move)})


def moves_json(position: Position) -> bytes:
    """Every legal move."""
    if (looks := position.move_looks()) is None:
        told = [move_json(position, move, text) for text, move in position.move_texts().items()]
    else:
        book = _book(position.id, position.geometry)
        try:
            told = [book.written[look] for look in looks]
        except KeyError:
            for look, move in zip(looks, position.legal_moves(), strict=True):
                if look not in book.written:
                    book.write(look, position, move)
            told = [book.written[look] for look in looks]
    return b"[" + b",".join(told) + b"]"


def find_move(position: Position, text: str) -> Move:
    """The legal move that a text means. Browsers send moves as they were told them: those are found at once."""
    book = _book(position.id, position.geometry)
    for move in book.meant.get(text, ()):
        if position.is_written(move, text):
            return move
    if (meant := position.move_texts().get(text)) is None:
        return position.parse_move(text)
    book.remember(text, meant)
    return meant
