"""Records: games as text, read and written. The form is described in docs/formats.md."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import IO, Any, NamedTuple, TextIO

from tabuleiro import games
from tabuleiro.core import Player, TabuleiroError, shorten
from tabuleiro.language import Text
from tabuleiro.record.tree import (
    COMMENT,
    DRAW,
    MAX_COMMENT,
    MAX_MOVES,
    UNFINISHED,
    UNKNOWN,
    Game,
    Node,
    RecordError,
    check_text,
    too_long,
)

MAX_TAGS = 100
#: Characters.
MAX_TAG_VALUE = 1000
#: Variations within variations.
MAX_DEPTH = 50
#: Characters of a line of a file.
MAX_LINE = 1_000_000

RESULTS: dict[str, Player | None] = {"1-0": Player.ONE, "0-1": Player.TWO, DRAW: None}

# ------------------------------------------------------------------------------------------------------------ writing

RESERVED = ("Game", "Position", "Result", "Termination")
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
    lines = [f'[{name} "{escape(value)}"]\n' for name, value in tags.items()]
    return "".join(lines) + "\n" + _wrap([*_movetext(game), game.result]) + "\n"


def check_tag_name(name: str) -> None:
    """Refuse a name that a free tag cannot have; names in lower case are options of the game."""
    if name in RESERVED or not _TAG_NAME.fullmatch(name):
        raise RecordError(
            Text(
                f"uma etiqueta não se pode chamar «{shorten(name)}»: o nome começa por maiúscula, tem letras sem "
                f"acentos e algarismos, e não é {', '.join(RESERVED)}",
                f"a tag cannot be called “{shorten(name)}”: a name begins with a capital, has plain letters and "
                f"digits, and is not {', '.join(RESERVED)}",
            )
        )


def _check_tag_value(name: str, value: str) -> None:
    check_text(value, MAX_TAG_VALUE, Text(f"a etiqueta {name}", f"the tag {name}"))
    if "\n" in value or "\r" in value:
        raise RecordError(
            Text(f"a etiqueta {name} não pode ter mais de uma linha", f"the tag {name} cannot have more than one line")
        )


_TOO_MANY_TAGS = Text(f"há mais de {MAX_TAGS} etiquetas", f"there are more than {MAX_TAGS} tags")
_TOO_MANY_MOVES = Text(
    f"o registo tem mais de {MAX_MOVES} jogadas, contando as variantes",
    f"the record has more than {MAX_MOVES} moves, variations included",
)
_TOO_DEEP = Text(
    f"há mais de {MAX_DEPTH} variantes umas dentro das outras", f"variations are more than {MAX_DEPTH} levels deep"
)


def escape(text: str, mark: str = '"') -> str:
    return text.replace("\\", "\\\\").replace(mark, "\\" + mark)


def unescape(value: str) -> str:
    """The value of a tag as it was before it was written."""
    return re.sub(r'\\(["\\])', r"\1", value)


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
    text = escape(node.comment, "}")
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
TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\\n]|\\[^\n])*)"\s*\]')
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
                    raise RecordError(too_long(COMMENT, MAX_COMMENT), opened)
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
                tag = TAG.match(line, match.start())
                if tag is None:
                    raise RecordError(
                        Text(
                            'etiqueta mal escrita ou por fechar; escreve-se [Nome "valor"]',
                            'malformed or unclosed tag; it is written [Name "value"]',
                        ),
                        number,
                    )
                at = tag.end()
                yield _Token("tag", number, unescape(tag[2]), tag[1])
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
            if name not in options and name not in RESERVED:
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
        ended = node.position.tell_result(node.outcome)
        raise RecordError(
            Text(
                f"a jogada {ply}, «{shown}», vem depois do fim da partida ({ended.pt[:-1]})",
                f"move {ply}, “{shown}”, comes after the end of the game ({ended.en[:-1]})",
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
            ended = game.position.tell_result(game.outcome)
            raise RecordError(
                Text(
                    f"o resultado «{end.value}» contradiz as regras: {ended.pt[:-1]} ({game.result})",
                    f"the result “{end.value}” contradicts the rules: {ended.en[:-1]} ({game.result})",
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
        game.end(RESULTS[end.value], UNKNOWN if termination is None else termination.value, recorded=True)
    except TabuleiroError as error:
        raise RecordError(error.text, end.line if termination is None else termination.line) from None
