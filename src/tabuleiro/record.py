"""Played games: a tree of moves with tags, comments and clocks; the rules that look back; reading and writing.

A `Game` is a tree of `Node`s. The first child of a node goes on with the line the node belongs to, the other children
begin variations; the line of first children from the root is the game as it was played. Every move is checked by the
rules when it is added, and `Node.outcome` counts repetitions and limits along the node's own line.

The text form is described in docs/formats.md. Nothing here recurses along a line, so a game may be very long.
"""

import random
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import IO, Any, NamedTuple, Self, TextIO

from tabuleiro import games
from tabuleiro.core import (
    REASONS,
    IllegalMoveError,
    Move,
    Options,
    Outcome,
    Player,
    Position,
    TabuleiroError,
    shorten,
)
from tabuleiro.language import Text

MAX_TAGS = 100
MAX_TAG_VALUE = 1000
MAX_COMMENT = 10_000
MAX_MOVES = 20_000
MAX_DEPTH = 50
MAX_LINE = 1_000_000
#: A clock shows less than a hundred thousand hours.
MAX_CLOCK = 100_000 * 3600

#: The reason of a result that a record gives without saying why.
UNKNOWN = "unknown"
#: How people, rather than the rules, end a game. Reasons that `REASONS` does not know are people's too.
DECLARED = ("agreement", "resignation", "time", "abandoned", UNKNOWN)

WINS = {Player.ONE: "1-0", Player.TWO: "0-1"}
DRAW = "1/2-1/2"
UNFINISHED = "*"
RESULTS: dict[str, Player | None] = {"1-0": Player.ONE, "0-1": Player.TWO, DRAW: None}

GAME_OVER = Text("a partida já terminou", "the game is over")


class RecordError(TabuleiroError):
    """A record that cannot be read or written: why, and in which line (None when it is not about a file)."""

    def __init__(self, text: Text, line: int | None = None) -> None:
        super().__init__(text if line is None else Text(f"linha {line}: {text.pt}", f"line {line}: {text.en}"))
        self.line = line


# ---------------------------------------------------------------------------------------------------------- the tree


class Node:
    """A position of a game and the move that led to it; the root has no move."""

    __slots__ = ("_clock", "_comment", "_memory", "_stale", "children", "move", "outcome", "parent", "ply", "position")

    def __init__(self, position: Position, parent: "Node | None" = None, move: Move | None = None) -> None:
        self.position = position
        self.parent = parent
        self.move = move
        #: The continuation of the line first, then the variations. `play` adds to it.
        self.children: list[Node] = []
        self._comment = ""
        self._clock: Decimal | None = None
        if parent is None:
            self.ply = self._stale = 0
            self._memory = _Memory(self)
        else:
            self.ply = parent.ply + 1
            self._memory = parent._memory
            self._stale = 0 if self._is_progress() else parent._stale + 1
        #: How the game ends here, by the position or by the rules that look back along this line.
        self.outcome = position.outcome() or self._outcome_by_history()

    def play(self, move: Move | str) -> "Node":
        """The node after a move, which is added unless it was there."""
        if self.outcome is not None:
            raise IllegalMoveError(GAME_OVER)
        if isinstance(move, str):
            written = self.position.move_texts().get(move)
            # Reading another spelling makes a position remember all of every move: let a passing copy do that.
            move = replace(self.position).parse_move(move) if written is None else written
        for child in self.children:
            if child.move == move:
                return child
        child = Node(self.position.play(move), self, move)
        self.children.append(child)
        return child

    @property
    def move_text(self) -> str:
        """The move that led here, as people write it; empty at the root."""
        return "" if self.parent is None or self.move is None else self.parent.position.move_str(self.move)

    @property
    def comment(self) -> str:
        """What somebody wrote about the move, or about the start."""
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        _check_text(text, MAX_COMMENT, _COMMENT)
        self._comment = text.replace("\r\n", "\n").replace("\r", "\n")

    @property
    def clock(self) -> Decimal | None:
        """The seconds that the mover had left after the move, to the hundredth."""
        return self._clock

    @clock.setter
    def clock(self, seconds: Decimal | int | None) -> None:
        if seconds is None:
            self._clock = None
            return
        exact = Decimal(seconds)
        if self.parent is None or not exact.is_finite() or not 0 <= exact < MAX_CLOCK or exact != round(exact, 2):
            raise RecordError(
                Text(
                    f"«{shorten(str(seconds))}» não é um tempo de relógio: segundos, com até duas casas decimais, "
                    "depois de uma jogada",
                    f"“{shorten(str(seconds))}” is not a clock: seconds, with up to two decimals, after a move",
                )
            )
        self._clock = exact

    def line(self) -> "Iterator[Node]":
        """This node and the first children after it."""
        node = self
        yield node
        while node.children:
            node = node.children[0]
            yield node

    def _is_progress(self) -> bool:
        if self._memory.rules.stale_plies is None or self.parent is None or self.move is None:
            return False
        return self.parent.position.is_progress(self.move)

    def _outcome_by_history(self) -> Outcome | None:
        rules = self._memory.rules
        if rules.repetition is not None and self._memory.occurrences(self) >= rules.repetition:
            return self.position.settle(rules.repetition_reason)
        if rules.stale_plies is not None and self._stale >= rules.stale_plies:
            return self.position.settle(rules.stale_reason)
        if rules.total_plies is not None and self.ply >= rules.total_plies:
            return self.position.settle("move_limit")
        return None


class _Memory:
    """How often each position occurred on the way from the root to one node.

    It is shared by all nodes of a game and walks to the node it is asked about, so that going on with a line costs the
    same however long the line is.
    """

    def __init__(self, root: Node) -> None:
        self.rules = root.position.history_rules()
        self.seen: Counter[Hashable] = Counter([root.position.repetition_key()])
        self.at = root

    def occurrences(self, node: Node) -> int:
        self._walk_to(node)
        return self.seen[node.position.repetition_key()]

    def _walk_to(self, node: Node) -> None:
        ahead = []
        while node is not self.at:
            if self.at.parent is not None and self.at.ply >= node.ply:
                self.seen[self.at.position.repetition_key()] -= 1
                self.at = self.at.parent
            else:
                assert node.parent is not None
                ahead.append(node)
                node = node.parent
        for step in reversed(ahead):
            self.seen[step.position.repetition_key()] += 1
            self.at = step


class Game:
    """A game that is being played or was played: the tree, the tags, and how people ended it if they did."""

    def __init__(self, start: Position) -> None:
        self.root = Node(start)
        #: Free tags in the order in which they are written: Event, Site, Date, Round, Player1, Player2, …
        self.tags: dict[str, str] = {}
        self._last = self.root
        self._ended: Outcome | None = None

    @classmethod
    def new(cls, game_id: str, options: Options | None = None, start: str | None = None) -> Self:
        """A game of that id about to begin, from the standard start or from a position string."""
        kind = games.get(game_id)
        return cls(kind.start(options) if start is None else kind.from_str(start, options))

    # -- the line that was played -------------------------------------------------------------------------------------

    @property
    def start(self) -> Position:
        return self.root.position

    @property
    def last(self) -> Node:
        """The end of the main line."""
        while self._last.children:
            self._last = self._last.children[0]
        return self._last

    @property
    def position(self) -> Position:
        return self.last.position

    @property
    def moves(self) -> list[Move]:
        return [node.move for node in self.root.line() if node.move is not None]

    def positions(self) -> list[Position]:
        """The positions of the main line, the start first."""
        return [node.position for node in self.root.line()]

    def nodes(self) -> Iterator[Node]:
        """Every node of the tree, each before its children."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def play(self, move: Move | str) -> Node:
        """Go on with the main line."""
        if self._ended is not None:
            raise IllegalMoveError(GAME_OVER)
        return self.last.play(move)

    def undo(self) -> None:
        """Take back the last move, with the variations that were given for it, and whatever ended the game."""
        parent = self.last.parent
        if parent is None:
            raise IllegalMoveError(Text("não há nenhuma jogada para desfazer", "there is no move to take back"))
        parent.children.clear()
        self._last = parent
        self._ended = None

    # -- the end ----------------------------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended: by the rules, or as people declared; None while it goes on."""
        return self.last.outcome or self._ended

    @property
    def result(self) -> str:
        """`1-0` when player ONE won, `0-1`, `1/2-1/2`, or `*` while the game goes on."""
        if (outcome := self.outcome) is None:
            return UNFINISHED
        return DRAW if outcome.winner is None else WINS[outcome.winner]

    @property
    def termination(self) -> str | None:
        """Why the game ended; None while it goes on, or when nobody said why."""
        outcome = self.outcome
        return None if outcome is None or outcome.reason == UNKNOWN else outcome.reason

    def end(self, winner: Player | None, reason: str) -> None:
        """End the game as people do: `resignation`, `agreement`, `time`, `abandoned`, or a reason of their own."""
        if self.outcome is not None:
            raise IllegalMoveError(GAME_OVER)
        if reason in REASONS and reason not in DECLARED:
            why = REASONS[reason]
            raise IllegalMoveError(
                Text(
                    f"só as regras decidem «{reason}» ({why.pt}), e nesta posição não o fazem",
                    f"only the rules decide “{reason}” ({why.en}), and they do not in this position",
                )
            )
        if winner is None and not self.position.can_draw:
            raise IllegalMoveError(Text("este jogo não pode acabar empatado", "this game cannot end in a draw"))
        if winner is not None and reason == "agreement":
            raise IllegalMoveError(Text("por acordo só se empata", "agreement can only make a draw"))
        self._ended = Outcome(winner, reason, self.position.score())

    # -- comparing --------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Whether both have the same start, moves, variations, comments, clocks, tags and end."""
        if not isinstance(other, Game):
            return NotImplemented
        if (self.start, self.tags, self.outcome) != (other.start, other.tags, other.outcome):
            return False
        pairs = [(self.root, other.root)]
        while pairs:
            one, two = pairs.pop()
            if (one.move, one.comment, one.clock) != (two.move, two.comment, two.clock):
                return False
            if len(one.children) != len(two.children):
                return False
            pairs.extend(zip(one.children, two.children, strict=True))
        return True

    __hash__ = None  # type: ignore[assignment]  # a game changes while it is played


def random_game(start: str | Position, seed: int, max_plies: int | None = None) -> Game:
    """A game of random legal moves, from a position or the standard start of a game, up to the end or `max_plies`."""
    game = Game.new(start) if isinstance(start, str) else Game(start)
    chance = random.Random(seed)
    node = game.root
    while node.outcome is None and (max_plies is None or node.ply < max_plies):
        node = node.play(chance.choice(node.position.legal_moves()))
    return game


# ------------------------------------------------------------------------------------------------------------ writing

_RESERVED = ("Game", "Position", "Result", "Termination")
_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9_]{0,99}")
_WIDTH = 80


def write_games(written: Iterable[Game], stream: TextIO) -> None:
    """Write games one after the other, a blank line between."""
    for number, game in enumerate(written):
        stream.write(("\n" if number else "") + write_game(game))


def write_game(game: Game) -> str:
    """The record of a game. Raises `RecordError` when a tag or the shape of the tree goes past the limits."""
    start = game.start
    tags = {"Game": start.id, **start.options.changed()}
    if start != type(start).start(start.options):
        tags["Position"] = str(start)
    for name in game.tags:
        check_tag_name(name)
    tags |= game.tags
    tags["Result"] = game.result
    if game.termination is not None:
        tags["Termination"] = game.termination
    if len(tags) > MAX_TAGS:
        raise RecordError(_TOO_MANY_TAGS)
    if sum(1 for _ in game.nodes()) - 1 > MAX_MOVES:
        raise RecordError(_TOO_MANY_MOVES)
    for name, value in tags.items():
        _check_tag_value(name, value)
    lines = [f'[{name} "{_escape(value, chr(34))}"]\n' for name, value in tags.items()]
    return "".join(lines) + "\n" + _wrap([*_movetext(game), game.result]) + "\n"


def check_tag_name(name: str) -> None:
    """Refuse a name that a free tag cannot have; names in lower case are options of the game."""
    if name in _RESERVED or not _TAG_NAME.fullmatch(name):
        raise RecordError(
            Text(
                f"uma etiqueta não se pode chamar «{shorten(name)}»: o nome começa por maiúscula, tem letras sem "
                f"acentos e algarismos, e não é {', '.join(_RESERVED)}",
                f"a tag cannot be called “{shorten(name)}”: a name begins with a capital, has plain letters and "
                f"digits, and is not {', '.join(_RESERVED)}",
            )
        )


def _check_tag_value(name: str, value: str) -> None:
    _check_text(value, MAX_TAG_VALUE, Text(f"a etiqueta {name}", f"the tag {name}"))
    if "\n" in value or "\r" in value:
        raise RecordError(
            Text(f"a etiqueta {name} não pode ter mais de uma linha", f"the tag {name} cannot have more than one line")
        )


def _check_text(text: str, limit: int, what: Text) -> None:
    if len(text) > limit:
        raise RecordError(_too_long(what, limit))
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise RecordError(
            Text(f"{what.pt} tem caracteres que não existem", f"{what.en} has characters that do not exist")
        )


def _too_long(what: Text, limit: int) -> Text:
    return Text(f"{what.pt} tem mais de {limit} caracteres", f"{what.en} has more than {limit} characters")


_COMMENT = Text("o comentário", "the comment")
_TOO_MANY_TAGS = Text(f"há mais de {MAX_TAGS} etiquetas", f"there are more than {MAX_TAGS} tags")
_TOO_MANY_MOVES = Text(
    f"o registo tem mais de {MAX_MOVES} jogadas, contando as variantes",
    f"the record has more than {MAX_MOVES} moves, variations included",
)
_TOO_DEEP = Text(
    f"há mais de {MAX_DEPTH} variantes umas dentro das outras", f"variations are more than {MAX_DEPTH} levels deep"
)


def _escape(text: str, mark: str) -> str:
    return text.replace("\\", "\\\\").replace(mark, "\\" + mark)


def _movetext(game: Game) -> Iterator[str]:
    """The words of the movetext but the result; brackets of variations are glued to the words they embrace."""
    if game.root.comment:
        yield _comment(game.root)
    if game.root.children:
        yield from _words(game.root.children[0], 0)


def _words(first: Node, depth: int) -> Iterator[str]:
    """The words of a line from `first` on, each move followed by the variations that could stand in its place."""
    if depth > MAX_DEPTH:
        raise RecordError(_TOO_DEEP)
    for node in first.line():
        if node.ply % 2:
            yield f"{node.ply // 2 + 1}."
        elif node is first:
            yield f"{node.ply // 2}..."
        yield node.move_text
        if node.comment or node.clock is not None:
            yield _comment(node)
        assert node.parent is not None
        # The line's own first move is not the main one of its node when the line is itself a variation.
        if node is not first or depth == 0:
            for variation in node.parent.children[1:]:
                words = list(_words(variation, depth + 1))
                words[0] = "(" + words[0]
                words[-1] += ")"
                yield from words


def _comment(node: Node) -> str:
    text = _escape(node.comment, "}")
    if text.startswith("[%clk"):
        text = "\\" + text
    if node.clock is None:
        return "{" + text + "}"
    return "{" + _clock_text(node.clock) + (" " + text if text else "") + "}"


def _clock_text(clock: Decimal) -> str:
    seconds, hundredths = divmod(int(clock * 100), 100)
    fraction = f".{hundredths:02}".rstrip("0") if hundredths else ""
    return f"[%clk {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}]"


def _wrap(words: Iterable[str]) -> str:
    """Words in lines of about `_WIDTH` columns. A comment is one word: its own line breaks and spaces stay."""
    parts: list[str] = []
    column = 0
    for word in words:
        first_line = word.split("\n", 1)[0]
        if parts:
            fits = column + 1 + len(first_line) <= _WIDTH
            parts.append(" " if fits else "\n")
            column = column + 1 if fits else 0
        parts.append(word)
        column = column + len(word) if "\n" not in word else len(word) - word.rindex("\n") - 1
    return "".join(parts)


# ------------------------------------------------------------------------------------------------------------ reading


class _Token(NamedTuple):
    #: `tag`, `comment`, `(`, `)`, `word` or `end`.
    kind: str
    line: int
    value: str = ""
    name: str = ""


_TOKEN = re.compile(r"\s+|;.*|[(){}\[\]]|[^\s(){}\[\];]+")
_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\\n]|\\[^\n])*)"\s*\]')
_COMMENT_PART = re.compile(r"(?:[^\\}]|\\.?)*", re.DOTALL)
_CLOCK = re.compile(r"\[%clk ([0-9]{1,5}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,2})?)\] ?")
_MOVE_NUMBER = re.compile(r"[0-9]+\.+")


def read_games(source: TextIO | str | PathLike[str]) -> Iterator[Game]:
    """The games of a file or text stream, one at a time, each as soon as it has been read.

    Raises `RecordError` at the first damage; the games before it have been given by then.
    """
    if isinstance(source, str | PathLike):
        with Path(source).open("rb") as stream:
            yield from _read(stream)
    else:
        yield from _read(source)


def _read(stream: IO[Any]) -> Iterator[Game]:
    tokens = _tokens(_lines(stream))
    for token in tokens:
        if token.kind == "end":
            return
        yield _read_game(token, tokens)


def _lines(stream: IO[Any]) -> Iterator[tuple[int, str]]:
    """The numbered lines of a stream. A file is decoded line by line, so that damage is met where it is."""
    number = 0
    while True:
        number += 1
        try:
            line = stream.readline(MAX_LINE + 1)
            text: str = line.decode() if isinstance(line, bytes) else line
        except UnicodeDecodeError:
            raise RecordError(Text("o texto não está em UTF-8", "the text is not UTF-8"), number) from None
        if not text:
            return
        if len(text) > MAX_LINE:
            raise RecordError(Text("a linha é demasiado longa", "the line is too long"), number)
        if number == 1:
            text = text.removeprefix("\ufeff")
        yield number, text.replace("\r\n", "\n").replace("\r", "\n")


def _tokens(lines: Iterator[tuple[int, str]]) -> Iterator[_Token]:
    number, opened, comment = 1, 0, ""
    for number, line in lines:
        at = 0
        if not opened and line.startswith("%"):
            continue
        while at < len(line):
            if opened:
                part = _COMMENT_PART.match(line, at)
                assert part is not None
                comment += part.group()
                # Escapes at most double a comment; the exact limit is checked when it is attached to its move.
                if len(comment) > 2 * MAX_COMMENT + 100:
                    raise RecordError(_too_long(_COMMENT, MAX_COMMENT), opened)
                at = part.end()
                if at < len(line):
                    yield _Token("comment", opened, comment)
                    opened, comment = 0, ""
                    at += 1
                continue
            match = _TOKEN.match(line, at)
            assert match is not None
            at = match.end()
            word = match.group()
            if word == "{":
                opened = number
            elif word == "[":
                tag = _TAG.match(line, match.start())
                if tag is None:
                    raise RecordError(
                        Text(
                            'etiqueta mal escrita ou por fechar; escreve-se [Nome "valor"]',
                            'malformed or unclosed tag; it is written [Name "value"]',
                        ),
                        number,
                    )
                at = tag.end()
                yield _Token("tag", number, re.sub(r'\\(["\\])', r"\1", tag[2]), tag[1])
            elif word in ("(", ")"):
                yield _Token(word, number)
            elif not word.isspace() and word[0] != ";":
                yield _Token("word", number, word)
    if opened:
        raise RecordError(
            Text("o comentário que começa aqui não fecha", "the comment begun here is not closed"), opened
        )
    yield _Token("end", number)


@dataclass(frozen=True)
class _Tag:
    value: str
    line: int


def _read_game(token: _Token, tokens: Iterator[_Token]) -> Game:
    tags: dict[str, _Tag] = {}
    while token.kind == "tag":
        if token.name in tags:
            raise RecordError(
                Text(f"a etiqueta {shorten(token.name)} está repetida", f"the tag {shorten(token.name)} is repeated"),
                token.line,
            )
        if len(tags) == MAX_TAGS:
            raise RecordError(_TOO_MANY_TAGS, token.line)
        try:
            _check_tag_value(shorten(token.name), token.value)
        except RecordError as error:
            raise RecordError(error.text, token.line) from None
        tags[token.name] = _Tag(token.value, token.line)
        token = next(tokens)
    game = _begin(tags, token.line)
    end = _read_moves(game, token, tokens)
    _finish(game, tags, end)
    return game


def _begin(tags: dict[str, _Tag], line: int) -> Game:
    """The game that the tags announce, before its first move."""
    if "Game" not in tags:
        raise RecordError(
            Text(
                'falta a etiqueta do jogo, como [Game "rastros"]', 'the tag of the game is missing, as [Game "rastros"]'
            ),
            line,
        )
    options = {name: tag for name, tag in tags.items() if not name[0].isupper()}
    at = tags["Game"].line
    try:
        kind = games.get(tags["Game"].value)
        at = min((tag.line for tag in options.values()), default=at)
        chosen = kind.options_type.parse({name: tag.value for name, tag in options.items()})
        start = kind.start(chosen)
        if (position := tags.get("Position")) is not None:
            at = position.line
            start = kind.from_str(position.value, chosen)
        game = Game(start)
        for name, tag in tags.items():
            if name not in options and name not in _RESERVED:
                at = tag.line
                check_tag_name(name)
                game.tags[name] = tag.value
    except TabuleiroError as error:
        raise RecordError(error.text, at) from None
    return game


def _read_moves(game: Game, token: _Token, tokens: Iterator[_Token]) -> _Token:
    """Read the movetext into the game, up to the result, which is returned."""
    node = game.root
    #: Where to go back to when each open variation closes, and where it opened.
    open_variations: list[tuple[Node, int]] = []
    #: A comment before the first move of a variation waits for that move.
    waiting = ""
    begins_variation = False
    count = 0
    while True:
        at = token.line
        if token.kind == "comment" and begins_variation:
            waiting += token.value
        elif token.kind == "comment":
            _annotate(node, token.value, at)
        elif token.kind == "(":
            if node.parent is None or begins_variation:
                raise RecordError(
                    Text("uma variante começa antes de qualquer jogada", "a variation begins before any move"), at
                )
            if len(open_variations) == MAX_DEPTH:
                raise RecordError(_TOO_DEEP, at)
            open_variations.append((node, at))
            node, begins_variation, waiting = node.parent, True, ""
        elif token.kind == ")":
            if not open_variations:
                raise RecordError(
                    Text("«)» fecha uma variante que não foi aberta", "“)” closes a variation that was not opened"), at
                )
            node, _ = open_variations.pop()
            begins_variation = False
        elif token.kind == "tag":
            raise RecordError(
                Text(
                    f"a etiqueta {shorten(token.name)} vem depois do início da partida; falta o resultado da partida "
                    "anterior?",
                    f"the tag {shorten(token.name)} comes after the game began; is the result of the game before it "
                    "missing?",
                ),
                at,
            )
        elif token.kind == "end" or token.value in RESULTS or token.value == UNFINISHED:
            if open_variations:
                raise RecordError(
                    Text("a variante que começa aqui não fecha", "the variation begun here is not closed"),
                    open_variations[-1][1],
                )
            if token.kind == "end":
                raise RecordError(
                    Text(
                        "falta o resultado no fim da partida: 1-0, 0-1, 1/2-1/2 ou *",
                        "the result at the end of the game is missing: 1-0, 0-1, 1/2-1/2 or *",
                    ),
                    at,
                )
            return token
        elif text := _MOVE_NUMBER.sub("", token.value, count=1) if token.value[0].isdigit() else token.value:
            count += 1
            if count > MAX_MOVES:
                raise RecordError(_TOO_MANY_MOVES, at)
            node = _read_move(node, text, at)
            if waiting:
                _annotate(node, waiting, at)
            begins_variation, waiting = False, ""
        token = next(tokens)


def _read_move(node: Node, text: str, line: int) -> Node:
    shown, ply = shorten(text), node.ply + 1
    if node.outcome is not None:
        raise RecordError(
            Text(
                f"a jogada {ply}, «{shown}», vem depois do fim da partida ({node.outcome.describe('pt')})",
                f"move {ply}, “{shown}”, comes after the end of the game ({node.outcome.describe('en')})",
            ),
            line,
        )
    known = len(node.children)
    try:
        after = node.play(text)
    except TabuleiroError as error:
        raise RecordError(
            Text(f"jogada {ply}, «{shown}»: {error.text.pt}", f"move {ply}, “{shown}”: {error.text.en}"), line
        ) from None
    if len(node.children) == known:
        raise RecordError(
            Text(
                f"a variante com a jogada {ply}, «{shown}», repete outra que já lá está",
                f"the variation with move {ply}, “{shown}”, repeats one that is there already",
            ),
            line,
        )
    return after


def _annotate(node: Node, raw: str, line: int) -> None:
    """Attach what stood between braces to a node: a clock, a comment or both."""
    try:
        if node.parent is not None and (match := _CLOCK.match(raw)):
            hours, minutes, seconds = match.groups()
            node.clock = int(hours) * 3600 + int(minutes) * 60 + Decimal(seconds)
            raw = raw[match.end() :]
        text = re.sub(r"\\([\\}\[])", r"\1", raw)
        if text:
            node.comment = f"{node.comment} {text}" if node.comment else text
    except RecordError as error:
        raise RecordError(error.text, line) from None


def _finish(game: Game, tags: dict[str, _Tag], end: _Token) -> None:
    """Check the result against the tags and the rules, and declare the end that people gave the game."""
    tag = tags.get("Result")
    if tag is not None and tag.value != end.value:
        shown = shorten(tag.value)
        raise RecordError(
            Text(
                f"a etiqueta Result diz «{shown}», mas a partida acaba com «{end.value}»",
                f"the tag Result says “{shown}”, but the game ends with “{end.value}”",
            ),
            tag.line,
        )
    if game.outcome is not None:
        if end.value != game.result:
            raise RecordError(
                Text(
                    f"o resultado «{end.value}» contradiz as regras: {game.outcome.describe('pt')} ({game.result})",
                    f"the result “{end.value}” contradicts the rules: {game.outcome.describe('en')} ({game.result})",
                ),
                end.line,
            )
        return
    termination = tags.get("Termination")
    if end.value == UNFINISHED:
        if termination is not None:
            raise RecordError(
                Text(
                    "a etiqueta Termination diz porque acabou, mas a partida não tem resultado",
                    "the tag Termination says why the game ended, but the game has no result",
                ),
                termination.line,
            )
        return
    try:
        game.end(RESULTS[end.value], UNKNOWN if termination is None else termination.value)
    except TabuleiroError as error:
        raise RecordError(error.text, end.line if termination is None else termination.line) from None
