"""Our text, read in bulk: a game that holds nothing but tags and moves is cut up by one pattern, any other is given to
the reader of records, which also says what is wrong with it."""

import io
import re
from collections.abc import Iterator
from typing import TextIO

from tabuleiro.collection.rows import Row, row_of
from tabuleiro.language import Text
from tabuleiro.record import MAX_MOVES, RecordError, read_games
from tabuleiro.record.text import MAX_TAG_VALUE, MAX_TAGS, RESERVED, RESULTS, TAG, escape, unescape
from tabuleiro.record.tree import UNFINISHED

#: Characters: read at a time, at hand at least, and given to the reader of records first.
BLOCK, ENOUGH, SHORT = 1 << 22, 1 << 20, 1 << 15
#: Tags, a line each; then words, up to the tags of the next game.
_PLAIN = re.compile(r'\s*((?:\[[A-Za-z0-9_]+ "[^\n]*"\]\n)+)\s*([^][(){};%]*)(?=\[|\Z)')
#: The number before every other move.
_NUMBER = re.compile(r"(?<!\S)[0-9]+\.(?!\S)")
_ENDS = frozenset((*RESULTS, UNFINISHED))
#: Columns of a line of moves.
_WIDTH = 80


class _Window:
    """A piece of a file, in which reading has come to `at`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.text, self.at = "", 0
        #: The lines before the piece, and whether it holds all that is left.
        self.lines, self.is_all = 0, False

    def fill(self, characters: int = BLOCK) -> None:
        """Go on to a piece that begins where reading stands. All that is left: -1."""
        self.lines += self.text.count("\n", 0, self.at)
        more = self._stream.read(characters)
        self.text, self.at = self.text[self.at :] + more, 0
        self.is_all = not more or characters < 0


def read_text(stream: TextIO) -> Iterator[Row]:
    """The games of a stream, as they stand there: those that are plain are not checked yet."""
    window = _Window(stream)
    while True:
        if not window.is_all and len(window.text) - window.at < ENOUGH:
            window.fill()
        plain = _PLAIN.match(window.text, window.at)
        if plain is not None and plain.end() == len(window.text) and not window.is_all:
            window.fill()  # the game may go on in what was not read yet
            continue
        row = None if plain is None else _plain_row(plain[1], plain[2])
        if plain is not None and row is not None:
            window.at = plain.end()
        elif (row := _by_reader(window)) is None:
            return
        yield row


def _plain_row(head: str, body: str) -> Row | None:
    tags = {name: unescape(value) if "\\" in value else value for name, value in TAG.findall(head)}
    words = _NUMBER.sub("", body).split()
    if len(tags) != head.count("\n") or "Game" not in tags or not words:
        return None
    if len(tags) > MAX_TAGS or max(map(len, tags.values())) > MAX_TAG_VALUE or len(words) > MAX_MOVES:
        return None
    result = words.pop()
    if result not in _ENDS or tags.get("Result", result) != result:
        return None
    moves = " ".join(words)
    if "." in moves or not _ENDS.isdisjoint(words):
        return None
    game, start, termination = tags.pop("Game"), tags.pop("Position", None), tags.pop("Termination", None)
    tags.pop("Result", None)
    options = [name for name in tags if not name[0].isupper()]
    pairs = tuple(sorted((name, tags.pop(name)) for name in options))
    return Row(game, pairs, start, moves, result, termination, tags)


def _by_reader(window: _Window) -> Row | None:
    """The next game by the reader of records; None where there is none."""
    length = SHORT
    while True:
        text = window.text[window.at : window.at + length]
        is_all = window.is_all and len(text) < length
        stream = io.StringIO(text)
        try:
            game = next(read_games(stream), None)
        except RecordError as error:
            if is_all:
                before = window.lines + window.text.count("\n", 0, window.at)
                raise RecordError(_without_line(error), before + (error.line or 1)) from None
            game = None
        if game is not None and (is_all or stream.tell() < len(text)):
            break
        if is_all:
            return None
        # The game is longer than the piece that was given, or wrong: a longer one tells which.
        length *= 16
        if window.at + length > len(window.text):
            window.fill(-1)
    # The reader has read the line of the result to its end.
    end = window.at + stream.tell()
    if not window.text[window.at : end].rstrip().endswith(game.result):
        raise RecordError(
            Text("o resultado de uma partida acaba a sua linha", "the result of a game ends its line"),
            window.lines + window.text.count("\n", 0, end),
        )
    window.at = end
    return row_of(game)


def _without_line(error: RecordError) -> Text:
    """What an error says, less the line, which was counted from the game's own first one."""
    return Text(error.text.pt.partition(": ")[2], error.text.en.partition(": ")[2]) if error.line else error.text


def write_text(row: Row) -> str:
    """A row as a record. Values are written as they are: whoever has rows from elsewhere checks them first."""
    tags = {"Game": row.game, **dict(row.options)}
    if row.start is not None:
        tags["Position"] = row.start
    tags |= {name: value for name, value in row.tags.items() if name not in RESERVED}
    tags["Result"] = row.result
    if row.termination is not None:
        tags["Termination"] = row.termination
    head = "".join(f'[{name} "{escape(value)}"]\n' for name, value in tags.items())
    moves = row.moves.split(" ") if row.moves else []
    pairs = [f"{ply // 2 + 1}. {' '.join(moves[ply : ply + 2])}" for ply in range(0, len(moves), 2)]
    return f"{head}\n{_wrapped([*pairs, row.result])}\n"


def _wrapped(words: list[str]) -> str:
    lines, line = [], words[0]
    for word in words[1:]:
        if len(line) + len(word) < _WIDTH:
            line += " " + word
        else:
            lines.append(line)
            line = word
    return "\n".join([*lines, line])
