"""One task of a lesson: a position, a goal, the answer that the lesson gives, and what is said on the way.

```task
options, position, play, arrows, highlight, numbers, dominoes, regions, values, legal, live: as in a board
goal: win in 2
answer: c3 d1              (all the moves that are right)
ask pt: …                  (a sentence is made from the goal, if absent)
hint pt: …                 (steps, in their order; the last one, the move, is made from the answer)
hint cells: b2 c2
wrong d2 pt: …             (said after this move; `wrong pt:` after any other)
right pt: …
then: play                 (go on against a defender until the goal is reached)
strategy: half turn        (of `copy the strategy`)
```
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tabuleiro.core import COLOURS, Move, Player, Position, shorten
from tabuleiro.diagrams import (
    DIAGRAM_KEYS,
    Diagram,
    Field,
    RulebookError,
    by_key,
    draw_on,
    meaningless,
    read_board,
    read_cells,
)
from tabuleiro.geometry import Cell
from tabuleiro.language import Language, Text
from tabuleiro.learn.goals import Goal, asked, read_goal
from tabuleiro.learn.live import read_live
from tabuleiro.learn.sentences import base_of, sentence
from tabuleiro.players.levels import check_level
from tabuleiro.record import Line, Node

#: How strategies are written, and what the geometries call them.
STRATEGIES = {
    "half turn": "half_turn",
    "left-right": "mirror",
    "up-down": "flip",
    "diagonal": "transpose",
    "other diagonal": "antitranspose",
}
#: Who wins: the player to move, the other, nobody; or, with the right to pass, this player whoever begins.
MOVER, OTHER, DRAW = "mover", "other", "draw"

_KEYS = (*(key for key in DIAGRAM_KEYS if key != "caption"), "live", "goal", "answer", "then", "strategy")
_SAID = ("ask", "right", "wrong", "hint")


@dataclass(frozen=True)
class Hint:
    """A step: words, or cells to look at."""

    text: Text | None = None
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, eq=False)
class Task:
    #: What the pupil sees first: the position before the move to be refuted, if there is one.
    diagram: Diagram
    goal: Goal
    #: What leads to the position in which the pupil decides, the move to be refuted included.
    line: Line
    #: The moves that are right, as the lesson says.
    answer: frozenset[Move]
    #: Who wins, as the lesson says: MOVER, OTHER, DRAW, or with the right to pass `1` or `2`.
    winner: str | None
    #: The symmetry that is copied, as the geometry calls it.
    strategy: str | None
    ask: Text
    right: Text | None
    hints: tuple[Hint, ...]
    #: What is said after a wrong move, and after any other.
    wrong: Mapping[Move, Text]
    otherwise: Text | None
    then_play: bool
    #: The lines of the fence, and of the answer or else of the goal.
    opened: int
    answered: int

    def node(self) -> Node:
        """The point of a game in which the pupil decides; a new one each time, because playing adds to it."""
        return self.line.replay().last

    @property
    def pupil(self) -> Player:
        """Whom the pupil plays for."""
        turn = self.node().position.turn
        return turn.other if self.goal.kind == "copy" else turn


def read_task(game: type[Position], fields: list[Field], options: Mapping[str, str], language: Language | None) -> Task:
    """The task between two fences."""
    said = [field for field in fields[1:] if field.key.split()[0] in _SAID]
    found = by_key([field for field in fields if field not in said], _KEYS)
    if "goal" not in found:
        raise RulebookError(Text("falta o objetivo (goal)", "there is no goal"), fields[0].line)
    with found["goal"].naming():
        goal = read_goal(found["goal"].value)
        if goal.one_game not in (None, game.id):
            raise RulebookError(Text(f"{game.name.pt} não tem esse objetivo", f"{game.name.en} has no such goal"))
        if goal.kind == "play" and goal.number is not None:
            check_level(goal.number)
        if game.id == "ouri" and goal.number is not None and goal.kind in ("win", "save") and goal.number > 1:
            raise RulebookError(
                Text(
                    "em Ouri pode jogar-se outra vez: pede win ou most seeds, sem número",
                    "in Ouri one may move again: ask for win or most seeds, without a number",
                )
            )
    node = read_board(game, found, fields[0], options)
    diagram = replace(draw_on(node.position, node.clicks, found), live=read_live(game, found.get("live")))
    if goal.kind == "refute":
        with found["goal"].naming():
            node = node.play(goal.move)
    if node.outcome is not None:
        raise RulebookError(
            Text("a partida já acabou nesta posição", "the game is over in this position"), fields[0].line
        )
    answer, winner = _answer(node.position, goal, found, fields[0].line)
    wrong, otherwise = _wrong(node.position, said, answer, language)
    return Task(
        diagram=diagram,
        goal=goal,
        line=Line.of(node),
        answer=answer,
        winner=winner,
        strategy=_strategy(node.position, goal, found),
        ask=_said("ask", said, language) or asked(goal, node.move_text),
        right=_said("right", said, language),
        hints=_hints(node.position, said, language),
        wrong=wrong,
        otherwise=otherwise,
        then_play=_then_play(goal, found),
        opened=fields[0].line,
        answered=found.get("answer", found["goal"]).line,
    )


def _answer(
    position: Position, goal: Goal, found: Mapping[str, Field], opened: int
) -> tuple[frozenset[Move], str | None]:
    field = found.get("answer")
    if not goal.takes_answer:
        if field is not None:
            raise RulebookError(Text("este objetivo não tem resposta", "this goal has no answer"), field.line)
        return frozenset(), None
    if field is None:
        raise RulebookError(Text("falta a resposta (answer)", "there is no answer"), opened)
    with field.naming():
        if goal.kind == "who wins":
            return frozenset(), _winner(position, goal, field.value)
        moves = [position.parse_move(text) for text in field.value.split()]
        if len(set(moves)) < len(moves):
            raise RulebookError(Text("uma jogada está repetida", "a move stands twice"))
        # A set to be marked may be empty: there may be no safe move.
        if not moves and goal.kind != "mark":
            raise RulebookError(Text("escreve pelo menos uma jogada", "write at least one move"))
    return frozenset(moves), None


def _winner(position: Position, goal: Goal, text: str) -> str:
    sides = {MOVER: MOVER, OTHER: OTHER}
    if position.can_draw:
        sides[DRAW] = DRAW
    for player in Player:
        side = str(int(player)) if goal.may_pass else MOVER if player is position.turn else OTHER
        sides[str(int(player))] = side
        if (colour := position.colour(player)) in COLOURS:
            sides[colour] = side
    if text not in sides:
        known = ", ".join(sides)
        raise RulebookError(
            Text(f"«{shorten(text)}» não é nenhum destes: {known}", f"“{shorten(text)}” is not one of {known}")
        )
    return sides[text]


def _strategy(position: Position, goal: Goal, found: Mapping[str, Field]) -> str | None:
    field = found.get("strategy")
    known = [name for name, turn in STRATEGIES.items() if turn in position.geometry.symmetries]
    if field is None and goal.kind != "copy":
        return None
    if field is None or goal.kind != "copy" or field.value not in known:
        listed = ", ".join(known)
        raise RulebookError(
            Text(
                f"«copy the strategy» quer uma de: strategy: {listed}",
                f"“copy the strategy” wants one of: strategy: {listed}",
            ),
            (field or found["goal"]).line,
        )
    return STRATEGIES[field.value]


def _then_play(goal: Goal, found: Mapping[str, Field]) -> bool:
    field = found.get("then")
    if field is None:
        return False
    if field.value != "play" or not goal.goes_on:
        raise RulebookError(
            Text(
                "só há «then: play», depois de win, connect, eject ou refute",
                "there is only “then: play”, after win, connect, eject or refute",
            ),
            field.line,
        )
    return True


def _said(key: str, said: Sequence[Field], language: Language | None) -> Text | None:
    return sentence([field for field in said if base_of(field.key) == key], language)


def _hints(position: Position, said: Sequence[Field], language: Language | None) -> tuple[Hint, ...]:
    """The steps, in the order in which they are written: a sentence in each language is one step, cells are another."""
    hints: list[Hint] = []
    waiting: list[Field] = []

    def close() -> None:
        if waiting:
            hints.append(Hint(text=sentence(waiting, language)))
            waiting.clear()

    for field in said:
        if field.key == "hint cells":
            close()
            hints.append(Hint(cells=read_cells(position, field)))
        elif base_of(field.key) == "hint":
            if any(field.key == other.key for other in waiting):
                close()
            waiting.append(field)
        elif field.key.split()[0] == "hint":
            raise meaningless(field.line, field.key)
    close()
    return tuple(hints)


def _wrong(
    position: Position, said: Sequence[Field], answer: frozenset[Move], language: Language | None
) -> tuple[dict[Move, Text], Text | None]:
    """What is said of single moves, and of any other."""
    bases = dict.fromkeys(base_of(field.key) for field in said if field.key.split()[0] == "wrong")
    wrong: dict[Move, Text] = {}
    otherwise: Text | None = None
    for base in bases:
        fields = [field for field in said if base_of(field.key) == base]
        text = sentence(fields, language)
        assert text is not None
        if base == "wrong":
            otherwise = text
        for name in base.split()[1:]:
            with fields[0].naming():
                move = position.parse_move(name)
                if move in answer or move in wrong:
                    raise RulebookError(
                        Text(f"{name} está na resposta, ou já foi dita", f"{name} is an answer, or was told of before")
                    )
            wrong[move] = text
    return wrong, otherwise
