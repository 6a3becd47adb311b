"""A line of play as texts: what travels to other processes and programs, and is played anew where it arrives.

>>> line = Line.from_texts("avanco", {"size": "5"}, None, ["c2-c3", "c4-c5"])
>>> str(line)
'startpos moves c2-c3 c4-c5'
>>> line.replay()
Traceback (most recent call last):
tabuleiro.core.IllegalMoveError: move 2: the move “c4-c5” is not legal: pieces only go forward, never back or sideways
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from tabuleiro import games
from tabuleiro.core import Move, Position, TabuleiroError
from tabuleiro.language import Text
from tabuleiro.record.tree import Game, Node, RecordError

#: What stands for the standard start, before a position string, and before the moves.
START, POSITION, MOVES = "startpos", "fen", "moves"
#: How the start and the moves of a line are written, for people.
LINE_FORM = f"{START}|{POSITION} P [{MOVES} M …]"


@dataclass(frozen=True)
class Line:
    """A game, its options, where it starts and the moves made, all as texts that nobody has checked yet."""

    game: str
    #: Names and values of options, in the order of their names.
    options: tuple[tuple[str, str], ...] = ()
    #: A position string, or None for the standard start.
    start: str | None = None
    moves: tuple[str, ...] = ()

    @classmethod
    def from_texts(
        cls, game: str, options: Mapping[str, str] | None = None, start: str | None = None, moves: Iterable[str] = ()
    ) -> Self:
        return cls(game, tuple(sorted((options or {}).items())), start, tuple(moves))

    @classmethod
    def of(cls, subject: Game | Node) -> Self:
        """The line that leads to a node, or to the end of a game's main line."""
        root, *made = (subject.last if isinstance(subject, Game) else subject).path()
        position = root.position
        start = None if position == type(position).start(position.options) else str(position)
        return cls.from_texts(position.id, position.options.changed(), start, (node.move_text for node in made))

    @staticmethod
    def split(text: str) -> tuple[str | None, tuple[str, ...]]:
        """The start and the moves of the line that `str` wrote."""
        words = text.split()
        at = words.index(MOVES) if MOVES in words else len(words)
        where, moves = words[:at], tuple(words[at + 1 :])
        if where == [START]:
            return None, moves
        if where[:1] == [POSITION] and len(where) > 1:
            return " ".join(where[1:]), moves
        raise RecordError(Text(f"escreve {LINE_FORM}", f"write {LINE_FORM}"))

    def __str__(self) -> str:
        """The start and the moves, as engine protocols write them after `position`."""
        where = START if self.start is None else f"{POSITION} {self.start}"
        return where + (f" {MOVES} {' '.join(self.moves)}" if self.moves else "")

    def replay(self) -> Game:
        """Play the line. What is wrong with a move is said with its number."""
        game = Game.new(self.game, games.get(self.game).options_type.parse(dict(self.options)), self.start)
        for number, move in enumerate(self.moves, start=1):
            with naming_move(number):
                game.play(move)
        return game


@contextmanager
def naming_move(number: int) -> Iterator[None]:
    """Say of an error which move of a line it is about."""
    try:
        yield
    except TabuleiroError as error:
        said = error.text
        error.text = Text(f"jogada {number}: {said.pt}", f"move {number}: {said.en}")
        raise


def write_moves(position: Position, moves: Iterable[Move]) -> list[str]:
    """Moves made one after the other from a position, as people write them."""
    texts = []
    for move in moves:
        texts.append(position.move_str(move))
        position = position.play(move)
    return texts
