"""What a browser is sent: boards, positions, games and rules as JSON. The browser needs no rules of its own."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import orjson

from tabuleiro import text
from tabuleiro.core import (
    COLOURS,
    EMPTY,
    BoardPosition,
    Move,
    Outcome,
    Piece,
    Player,
    Position,
    card_lines,
    show_value,
    value_name,
    winner_first,
)
from tabuleiro.diagrams import Diagram, Overlay
from tabuleiro.games import GAMES
from tabuleiro.geometry import Cell, Geometry
from tabuleiro.language import LANGUAGES, Language, Text
from tabuleiro.learn import Task
from tabuleiro.learn.mathematics import mathematics_of
from tabuleiro.record import Game, Node, random_game
from tabuleiro.results import Side, side_name, tell_reason, tell_result
from tabuleiro.rulebook import Block, BulletList, Heading, read_rules, spans
from tabuleiro.server.kept import kept_json
from tabuleiro.server.moves import move_json, moves_json
from tabuleiro.server.store import ERASED

Json = dict[str, Any]


@cache
def geometry(board: Geometry) -> orjson.Fragment:
    """A board. Boards are few and many messages hold one, so each is written once."""
    return orjson.Fragment(
        kept_json(
            {
                "kind": board.kind,
                "cells": [
                    {"name": name, "x": _round(x), "y": _round(y)}
                    for name, (x, y) in zip(board.names, board.centres, strict=True)
                ],
                "outline": [_point(point) for point in board.outline],
                "labels": [
                    {"text": label.text, "x": _round(label.at[0]), "y": _round(label.at[1]), "kind": label.kind}
                    for label in board.labels
                ],
                "edges": [
                    {"colour": edge.colour, "points": [_point(point) for point in edge.points]} for edge in board.edges
                ],
                "lines": [[_point(begin), _point(end)] for begin, end in board.lines],
                "owned": [{"colour": colour, "cells": cells} for colour, cells in board.owned],
                "steps": board.steps,
            }
        )
    )


@cache
def board(game: type[Position], shape: Geometry) -> bytes:
    """What is told once of a game on such a board, without braces."""
    told = {"geometry": geometry(shape), "first_steps": [step._asdict() for step in game.first_steps]}
    return orjson.dumps(told)[1:-1]


def _round(value: float) -> float:
    return round(value, 4)


def _point(point: tuple[float, float]) -> list[float]:
    return [_round(point[0]), _round(point[1])]


def view(node: Node, outcome: Outcome | None, *, with_text: bool = True, with_moves: bool = True) -> Json:
    """One position: what stands where, what may be played, what was played last, how it ended."""
    position = node.position
    last = None if node.parent is None or node.move is None else _last(node.parent.position, node.move)
    moves = orjson.Fragment(moves_json(position)) if with_moves and outcome is None else []
    told_of = told(position, outcome, last, moves, node.why_no_agreement())
    return {**told_of, "text": board_text(node, outcome) if with_text else None}


def told(
    position: Position,
    outcome: Outcome | None,
    last: orjson.Fragment | None,
    moves: orjson.Fragment | Sequence[Json],
    no_agreement: Text | None,
) -> Json:
    """What is told of a position, but for the text board: given its last move and its legal moves, as they are told,
    and why the players may not agree to end the game there."""
    points = None if outcome is None else outcome.score
    return {
        "position": str(position),
        "turn": position.turn,
        "colours": {"1": position.colour(Player.ONE), "2": position.colour(Player.TWO)},
        "pieces": _pieces(position),
        "marks": [{"cell": cell, "text": mark} for cell, mark in sorted(position.marks().items())],
        "moves": moves,
        "last": last,
        "outcome": None if outcome is None else outcome_json(outcome, position.sides()),
        "score": points or position.score(),
        "score_text": words._asdict() if (words := position.score_text(points)) else None,
        "can_draw": position.can_draw,
        "no_agreement": no_agreement._asdict() if no_agreement else None,
        "agreement": None if no_agreement or outcome else _agreement(position),
        "prompt": prompt._asdict() if outcome is None and (prompt := position.prompt()) else None,
        "description": text.description(position, outcome)._asdict(),
    }


def _last(before: Position, move: Move) -> orjson.Fragment:
    return orjson.Fragment(move_json(before, move, before.move_str(move)))


@cache
def piece_json(cell: Cell, what: Piece) -> bytes:
    """A piece on its cell. Every message holds many of the same, so each is written once."""
    return kept_json({"cell": cell, **piece(what)})


class _Symbols(dict[str, bytes]):
    """The same on one cell, by the symbols of a game; nothing where nothing stands."""

    def __init__(self, cell: Cell, kinds: Mapping[str, Piece]) -> None:
        self._cell, self._kinds = cell, kinds

    def __missing__(self, symbol: str) -> bytes:
        self[symbol] = standing = b"" if symbol == EMPTY else piece_json(self._cell, self._kinds[symbol])
        return standing


@cache
def _symbols(game: type[BoardPosition], cells: int) -> tuple[_Symbols, ...]:
    return tuple(_Symbols(cell, game.piece_kinds) for cell in range(cells))


def _pieces(position: Position) -> orjson.Fragment:
    standing: Iterable[bytes]
    if isinstance(position, BoardPosition):
        cells = _symbols(type(position), len(position.board))
        standing = filter(None, [cell[symbol] for cell, symbol in zip(cells, position.board, strict=True)])
    else:
        standing = [piece_json(cell, what) for cell, what in sorted(position.pieces().items())]
    return orjson.Fragment(b"[" + b",".join(standing) + b"]")


def piece(piece: Piece) -> Json:
    sort = (piece.kind, piece.colour)
    if sort in text.PIECES:
        name = text.PIECES[sort].one
    else:
        plain = f"{piece.kind} {piece.colour}".strip()
        name = COLOURS.get(piece.colour, Text(plain, plain))
    return {**dataclasses.asdict(piece), "name": name._asdict()}


def outcome_json(outcome: Outcome, sides: Mapping[Player, Side]) -> Json:
    told = winner_first(outcome, sides)
    return {
        "winner": outcome.winner,
        "reason": {"code": outcome.reason, **tell_reason(outcome.reason, *told)._asdict()},
        "text": tell_result(outcome.reason, *told)._asdict(),
        "score": outcome.score,
        "cells": outcome.cells,
        "motions": outcome.motions,
    }


def _agreement(position: Position) -> Json | orjson.Fragment:
    """How an agreement to end the game here is settled."""
    settled = position.settle("agreement")
    if settled.cells or settled.motions:
        return outcome_json(settled, position.sides())
    return _plain_outcome(
        settled.winner, settled.reason, settled.score, position.colour(Player.ONE), position.colour(Player.TWO)
    )


@lru_cache(1000)
def _plain_outcome(
    winner: Player | None, reason: str, score: tuple[int, int] | None, one: str | None, two: str | None
) -> orjson.Fragment:
    """An outcome that is seen nowhere on the board; at every move it is the same again."""
    sides = {Player.ONE: side_name(one, Player.ONE), Player.TWO: side_name(two, Player.TWO)}
    return orjson.Fragment(kept_json(outcome_json(Outcome(winner, reason, score), sides)))


def seat(kind: str, name: str | None, level: int | None, *, present: bool) -> Json:
    """Who sits somewhere. The computer is always there."""
    erased = name == ERASED
    return {
        "kind": kind,
        "name": None if erased else name,
        "erased": erased,
        "level": level,
        "connected": kind == "engine" or present,
    }


def board_text(node: Node, outcome: Outcome | None) -> Json:
    """The plain text board in both languages; its last line is the description."""
    return {
        language: text.draw(node.position, plain=True, last=node.clicks, outcome=outcome, language=language)
        for language in LANGUAGES
    }


# ------------------------------------------------------------------------------------------------------ games, rules


def games() -> bytes:
    """The list of games, for the home page."""
    return orjson.dumps([_game(game) for game in GAMES.values()])


def _game(game: type[Position]) -> Json:
    # A few moves into a game a board is livelier than at its start.
    lively = random_game(game.start(), seed=1, max_plies=10)
    return {
        "id": game.id,
        "name": game.name._asdict(),
        "summary": game.summary._asdict(),
        "goal": game.start().goal()._asdict(),
        "first_steps": [sentence._asdict() for sentence in game.first_steps],
        "author": game.author,
        "cycles": game.cycles,
        "card": [{"label": label._asdict(), "text": said._asdict()} for label, said in card_lines(game)],
        "legend": [sentence._asdict() for sentence in game.legend],
        "options": [_option(field) for field in dataclasses.fields(game.options_type)],
        "geometry": geometry(game.start().geometry),
        "preview": view(lively.last, lively.outcome, with_moves=False),
    }


def _option(field: "dataclasses.Field[Any]") -> Json:
    numbers: range | None = field.metadata["numbers"]
    values = [show_value(value) for value in field.metadata["values"]]
    return {
        "name": field.name,
        "default": show_value(field.metadata["values"][0]),
        "values": values,
        "names": {value: value_name(field, value)._asdict() for value in values},
        "official": field.metadata["official"],
        "numbers": None if numbers is None else [numbers[0], numbers[-1]],
        "help": field.metadata["help"]._asdict(),
    }


def rules(game: type[Position], language: Language) -> bytes:
    """The rules of a game as blocks, the diagrams as boards to try."""
    blocks = read_rules(game, language)
    title = next((block.text for block in blocks if isinstance(block, Heading)), game.name.to(language))
    return orjson.dumps({"title": title, "blocks": [block(each) for each in blocks]})


def mathematics(game: type[Position], language: Language) -> bytes | None:
    """What is known of a game, in the same way; None where nobody has written it."""
    page = mathematics_of(game)
    if page is None:
        return None
    title = page.title.to(language)
    read = [each for each in page.blocks(language) if not isinstance(each, Task)]
    return orjson.dumps({"title": title, "blocks": [block(Heading(1, title)), *(block(each) for each in read)]})


def block(block: Block) -> Json:
    if isinstance(block, Heading):
        return {"type": "heading", "level": block.level, "text": spans_json(block.text)}
    if isinstance(block, BulletList):
        return {"type": "list", "items": [spans_json(item) for item in block.items]}
    if isinstance(block, Diagram):
        return diagram(block)
    return {"type": "paragraph", "text": spans_json(block.text)}


def spans_json(words: str) -> list[Json]:
    return [{"text": span.text, "style": span.style} for span in spans(words)]


def diagram(diagram: Diagram) -> Json:
    board = Game(diagram.position)
    return {
        "type": "diagram",
        "geometry": geometry(diagram.position.geometry),
        "view": {
            **view(board.root, board.outcome),
            # The book's moves are already made; what is left of the last one is where it went.
            "last": {"text": "", "clicks": diagram.last, "motions": []} if diagram.last else None,
        },
        "arrows": diagram.arrows,
        "highlights": diagram.highlights,
        "numbers": diagram.numbers,
        "legal": diagram.legal,
        "overlay": overlay(diagram.overlay),
        "live": diagram.live,
        "caption": spans_json(diagram.caption),
        "options": diagram.position.options.changed(),
        "moves": [],
        "start": str(diagram.position),
    }


def overlay(overlay: Overlay) -> Json:
    return {
        "dominoes": overlay.dominoes,
        "regions": [{"cells": region.cells, "label": region.label} for region in overlay.regions],
        "values": [{"cell": cell, "text": text} for cell, text in overlay.values],
    }
