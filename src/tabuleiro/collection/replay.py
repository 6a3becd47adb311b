"""Games played again by the kernels, thousands in one call: are the moves legal, does the result agree with the rules?

What a word stands for hardly ever depends on the position (only whether it is legal does), so words are looked up in a
table that is filled as they are met; whatever is not plainly right goes to the rules in Python, which also say what is
wrong.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import NamedTuple

from tabuleiro import games, native
from tabuleiro.collection.rows import Row, game_of
from tabuleiro.core import REASONS, Move, Options, Player, Position, TabuleiroError
from tabuleiro.language import Text
from tabuleiro.record import RecordError
from tabuleiro.record.text import RESULTS
from tabuleiro.record.tree import DECLARED, UNFINISHED

#: Games that are played again in one call.
BLOCK = 4096
#: As the kernels number outcomes.
_NUMBERS = {"1-0": int(Player.ONE), "0-1": int(Player.TWO), "1/2-1/2": native.DRAW, UNFINISHED: native.ONGOING}


class Replayed(NamedTuple):
    """A game that was checked."""

    row: Row
    #: Its moves as they are written.
    moves: list[str]
    #: `Position.hash64` of the start and the first positions after it, as many as were asked for.
    keys: Sequence[int]


@dataclass
class _Words:
    """What the words of moves stand for, as far as they were met. One that depends on who moves (placing a king) stands
    for nothing here."""

    moves: dict[str, Move | None] = field(default_factory=dict)

    def learn(self, position: Position) -> None:
        for word, move in position.move_texts().items():
            if self.moves.setdefault(word, move) != move:
                self.moves[word] = None


@cache
def _words_of(game: str, options: Options) -> _Words:
    return _Words()


@dataclass
class _Kind:
    """Games that begin alike."""

    start: Position
    words: _Words

    def codes(self, words: list[str]) -> list[Move] | None:
        """The moves that words stand for; None where one of them is not known even to the position in which it was
        played."""
        known = self.words.moves
        found = [known.get(word) for word in words]
        settled: dict[int, Move] = {}
        while None in found:
            ply, position = self._played(found[: found.index(None)])
            move = position.move_texts().get(words[ply])
            if move is None or ply in settled:
                return None
            settled[ply] = move
            # One that is known to stand for several moves is settled; there is more to learn from any other.
            if known.get(words[ply], move) is not None:
                self.words.learn(position)
                found = [known.get(word) for word in words]
            for at, here in settled.items():
                found[at] = here
        return found  # type: ignore[return-value]

    def _played(self, moves: list[Move | None]) -> tuple[int, Position]:
        """How many of these moves are legal one after the other, and the position after those."""
        kernel, words = native.kernel(self.start), self.start.encode()
        assert kernel is not None
        for ply, move in enumerate(moves):
            assert move is not None
            try:
                words = kernel.play(words, move)
            except ValueError:
                return ply, type(self.start).decode(words, self.start.options)
        return len(moves), type(self.start).decode(words, self.start.options)


class _Replayer:
    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._kinds: dict[tuple[str, tuple[tuple[str, str], ...], str | None], _Kind | None] = {}

    def block(self, rows: list[Row]) -> list[Replayed | None]:
        """The games of which the kernels can say that all is well with them."""
        together: dict[int, tuple[_Kind, list[int]]] = {}
        for number, row in enumerate(rows):
            if (kind := self._kind(row)) is not None:
                together.setdefault(id(kind), (kind, []))[1].append(number)
        found: list[Replayed | None] = [None] * len(rows)
        for kind, numbers in together.values():
            self._alike(kind, rows, numbers, found)
        return found

    def _alike(self, kind: _Kind, rows: list[Row], numbers: list[int], found: list[Replayed | None]) -> None:
        lengths, moves = array("I"), array("I")
        played: list[tuple[int, list[str]]] = []
        for number in numbers:
            words = rows[number].moves.split(" ") if rows[number].moves else []
            if (codes := kind.codes(words)) is not None:
                played.append((number, words))
                lengths.append(len(codes))
                moves.extend(codes)
        if not played:
            return
        replayed = native.replay_games(kind.start, lengths, moves, self._depth)
        width = self._depth + 1
        for place, (number, words) in enumerate(played):
            row = rows[number]
            if replayed.played[place] == len(words) and _ends_well(kind.start, row, replayed.results[place]):
                keys = replayed.keys[place * width : place * width + min(width, len(words) + 1)]
                found[number] = Replayed(row, words, keys)

    def _kind(self, row: Row) -> _Kind | None:
        name = row.game, row.options, row.start
        if name not in self._kinds:
            self._kinds[name] = _kind(*name)
        return self._kinds[name]

    def by_the_rules(self, row: Row) -> Replayed:
        """The rules in Python say what is wrong, or that all is well."""
        game = game_of(row)
        nodes = [*game.root.line()]
        words = [node.move_text for node in nodes[1:]]
        checked = row._replace(moves=" ".join(words), termination=game.termination)
        return Replayed(checked, words, [node.position.hash64() for node in nodes[: self._depth + 1]])


def _kind(game: str, options: tuple[tuple[str, str], ...], start: str | None) -> _Kind | None:
    """None where there are no kernels, or the rules in Python must say what is wrong with the beginning."""
    try:
        kind = games.get(game)
        chosen = kind.options_type.parse(dict(options))
        position = kind.start(chosen) if start is None else kind.from_str(start, chosen)
    except TabuleiroError:
        return None
    return None if native.kernel(position) is None else _Kind(position, _words_of(game, chosen))


def _ends_well(start: Position, row: Row, result: int) -> bool:
    """Whether the end that a row tells is plainly right. (Agreements are for the rules to judge.)"""
    told = _NUMBERS.get(row.result)
    if result != native.ONGOING:
        return told == result
    if row.result == UNFINISHED:
        return row.termination is None
    if told is None or (RESULTS[row.result] is None and not start.can_draw):
        return False
    reason = row.termination
    return reason is None or (reason != "agreement" and (reason in DECLARED or reason not in REASONS))


def replayed(rows: Iterable[Row], depth: int = 0, *, skip_wrong: bool = False) -> Iterator[Replayed]:
    """The games, each once it has been checked, with the keys of their first positions: of the start and `depth` more.
    The first that is wrong raises `RecordError`, with its number, unless those are to be passed over."""
    replayer = _Replayer(depth)
    waiting = iter(rows)
    number = 0
    while block := list(islice(waiting, BLOCK)):
        for row, found in zip(block, replayer.block(block), strict=True):
            number += 1
            if found is None:
                try:
                    found = replayer.by_the_rules(row)
                except TabuleiroError as error:
                    if skip_wrong:
                        continue
                    raise RecordError(
                        Text(f"partida {number}: {error.text.pt}", f"game {number}: {error.text.en}")
                    ) from error
            yield found
