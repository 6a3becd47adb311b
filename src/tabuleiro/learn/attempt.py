"""A pupil at a task, as pure state: what may be done, whether it is right, what the defender answers.

Every act gives a new `Attempt` and a `Verdict`; nothing else is kept anywhere, so that pages, the terminal and tests go
the same way. What was done can be told as texts and done again (`Attempt.acts`, `replay`).

>>> from tabuleiro import get, learn
>>> attempt = learn.Attempt(learn.lessons_of(get("semaforo"))[0].tasks[0])
>>> attempt, verdict = attempt.move("a1")
>>> verdict.kind, [*verdict.refutation]
('wrong', ['a2'])
>>> attempt, verdict = attempt.move("d2")
>>> verdict.kind, attempt.solved, attempt.mistakes
('solved', True, 1)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tabuleiro.core import Move, Position, TabuleiroError, shorten
from tabuleiro.geometry import Cell
from tabuleiro.language import Text
from tabuleiro.learn import defender, truth, words
from tabuleiro.learn.copying import answers
from tabuleiro.learn.judge import next_ejection_wins, right_moves
from tabuleiro.learn.task import DRAW, MOVER, OTHER, Task
from tabuleiro.record import Node

#: What the pupil may do: make a move, mark a set of moves, say who wins.
Way = Literal["move", "mark", "say"]
Kind = Literal["right", "solved", "wrong", "slow", "lost"]


#: Positions that may be looked at for each of the two questions that an act asks: somebody waits for the answer.
HALF = truth.QUICK // 2


class AttemptError(TabuleiroError):
    """What cannot be done at this point of a task."""


@dataclass(frozen=True)
class Verdict:
    """What an act came to.

    `right`: go on; `solved`: the goal is reached; `wrong`: taken back, with its refutation; `slow`: it wins too, but
    not in as few moves as asked, and is taken back without blame; `lost`: the game ended otherwise, and begins anew.
    """

    kind: Kind
    said: Text
    #: The move of the defender that follows, as people write it.
    reply: str | None = None
    #: What would follow a wrong move (of a set, the first of `extra`), the first move the opponent's.
    refutation: tuple[str, ...] = ()
    #: Of a set that was marked: those that do not belong there, and how many are missing.
    extra: tuple[str, ...] = ()
    missing: int = 0


@dataclass(frozen=True)
class Step:
    """A step of help: words, cells to look at, and last of all the moves (or the winner)."""

    text: Text
    cells: tuple[Cell, ...] = ()
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Attempt:
    task: Task
    #: The moves since the pupil's first decision, the defender's among them.
    line: tuple[str, ...] = ()
    solved: bool = False
    mistakes: int = 0
    #: The wrong moves chosen, in their order.
    chosen: tuple[str, ...] = ()
    hints: int = 0
    #: Decides what a level plays.
    seed: int = 0
    #: What the pupil did, in order, for `replay`.
    acts: tuple[str, ...] = ()

    # -- how it stands ------------------------------------------------------------------------------------------------

    @property
    def way(self) -> Way:
        return {"mark": "mark", "who wins": "say"}.get(self.task.goal.kind, "move")  # type: ignore[return-value]

    def node(self) -> Node:
        """The point of the game in which the pupil decides now, or the end."""
        node = self.task.node()
        if self.task.goal.kind == "copy":
            node = node.play(self._first_of_defender(node))
        for move in self.line:
            node = node.play(move)
        return node

    def _first_of_defender(self, node: Node) -> Move:
        """Where the pupil copies, the defender has begun."""
        return _tricky(node.position, self.seed)

    @property
    def choices(self) -> tuple[str, ...]:
        """Where the pupil says who wins, what may be said; with the right to pass, whoever begins too."""
        if self.way != "say":
            return ()
        sides = ("1", "2") if self.task.goal.may_pass else ()
        draw = (DRAW,) if self.node().position.can_draw else ()
        return (*sides, MOVER, OTHER, *draw)

    def choice_name(self, choice: str) -> Text:
        """What a choice is called."""
        return words.choice_name(self.node().position, choice, self.task.goal.may_pass)

    # -- what the pupil does ------------------------------------------------------------------------------------------

    def move(self, text: str) -> "tuple[Attempt, Verdict]":
        """Make a move. Raises what the rules say of one that cannot be made."""
        self._require("move")
        node = self.node()
        move = node.position.parse_move(text)
        written = node.position.move_str(move)
        did = replace(self, acts=(*self.acts, f"move {written}"))
        # What is not known to be wrong is played on.
        return did._refused(node, move) if did._is_right(node, move) is False else did._accepted(node, move)

    def mark(self, texts: Iterable[str]) -> "tuple[Attempt, Verdict]":
        """Say which moves belong to the set that is asked for."""
        self._require("mark")
        position = self.node().position
        marked = {position.parse_move(text) for text in texts}
        written = [position.move_str(move) for move in sorted(marked)]
        did = replace(self, acts=(*self.acts, " ".join(["mark", *written])))
        extra = tuple(position.move_str(move) for move in sorted(marked - self.task.answer))
        missing = len(self.task.answer - marked)
        if not extra and not missing:
            return replace(did, solved=True), Verdict("solved", self.task.right or words.SOLVED)
        said = next((self.task.wrong[move] for move in sorted(marked) if move in self.task.wrong), None)
        line: tuple[str, ...] = ()
        if extra and self.task.goal.marked in ("winning", "safe"):
            line = _refuted(self.node(), position.parse_move(extra[0]))
        said = said or self.task.otherwise or words.not_the_set(extra, missing)
        return did._failed(*extra), Verdict("wrong", said, None, line, extra, missing)

    def say(self, winner: str) -> "tuple[Attempt, Verdict]":
        """Say who wins."""
        self._require("say")
        if winner not in self.choices:
            known = ", ".join(self.choices)
            raise AttemptError(Text(f"escolhe um destes: {known}", f"choose one of these: {known}"))
        did = replace(self, acts=(*self.acts, f"say {winner}"))
        if winner == self.task.winner:
            return replace(did, solved=True), Verdict("solved", self.task.right or words.SOLVED)
        return did._failed(winner), Verdict("wrong", self.task.otherwise or words.NOT_SO)

    def hint(self) -> "tuple[Attempt, Step]":
        """The next step of help. The last one, the answer, comes again and again."""
        if self.solved:
            raise AttemptError(words.DONE)
        did = replace(self, hints=self.hints + 1, acts=(*self.acts, "hint"))
        if self.hints < len(self.task.hints) and not self.line:
            hint = self.task.hints[self.hints]
            return did, Step(hint.text or words.LOOK, hint.cells)
        return did, self._answer()

    def _answer(self) -> Step:
        """The last step of help: what is right here."""
        node = self.node()
        if self.way == "say":
            assert self.task.winner is not None
            return Step(self.choice_name(self.task.winner))
        if self.way == "mark" or (self.task.answer and not self.line):
            moves = sorted(self.task.answer)
        else:
            moves = self._best(node)
        written = tuple(node.position.move_str(move) for move in moves)
        if not written:
            return Step(words.NO_HELP)
        cells = tuple(dict.fromkeys(cell for move in moves for cell in node.position.clicks(move)))
        listed = ", ".join(written)
        return Step(Text(f"A resposta: {listed}", f"The answer: {listed}"), cells, written)

    def _best(self, node: Node) -> list[Move]:
        """A move that reaches the goal soonest, where there is help; against a level there is none."""
        if self.task.goal.kind == "play" and self.task.goal.number is not None:
            return []
        if self.task.goal.kind == "copy":
            return [move for move in node.position.legal_moves() if self._is_right(node, move)][:1]
        return [defender.answer(_judged(self.task, node))]

    # -- what it comes to ---------------------------------------------------------------------------------------------

    def _require(self, way: Way) -> None:
        if self.solved:
            raise AttemptError(words.DONE)
        if self.way != way:
            raise AttemptError(words.WAYS[self.way])

    def _failed(self, *chosen: str) -> "Attempt":
        return replace(self, mistakes=self.mistakes + 1, chosen=(*self.chosen, *chosen))

    def _left(self) -> int:
        """Moves of the pupil that are left, where the goal has a number."""
        assert self.task.goal.number is not None
        pupil = self.task.pupil
        return self.task.goal.number - sum(node.position.turn is pupil for node in self._before())

    def _before(self) -> list[Node]:
        """The points in which the moves of the line were made."""
        return self.node().path()[-len(self.line) - 1 : -1] if self.line else []

    def _is_right(self, node: Node, move: Move) -> bool | None:
        """Whether a move still reaches the goal; None where that is not known."""
        goal = self.task.goal
        if goal.kind == "play" and goal.number is not None:
            return None
        if goal.kind == "copy":
            assert self.task.strategy is not None and node.parent is not None and node.move is not None
            return move in answers(node.parent.position, node.move, node.position, self.task.strategy)
        if not self.line and self.task.goal.takes_answer:
            return move in self.task.answer
        if goal.kind == "win" and goal.number is not None:
            return truth.wins_within(node, move, 2 * self._left() - 1, HALF)
        if goal.kind == "eject":
            return truth.wins_within(_judged(self.task, node), move, 2 * self._left() - 1, HALF)
        return right_moves(goal, node, HALF)[move]

    def _refused(self, node: Node, move: Move) -> "tuple[Attempt, Verdict]":
        """A move that does not reach the goal: taken back, with what would follow."""
        goal = self.task.goal
        said = None if self.line else self.task.wrong.get(move)
        numbered = goal.kind in ("win", "eject") and goal.number is not None
        if numbered and truth.wins_later(_judged(self.task, node), move, self._left(), HALF):
            return self, Verdict("slow", said or words.SLOW)
        said = said or (None if self.line else self.task.otherwise) or words.NOT_SO
        line = () if goal.kind in ("capture", "copy", "most seeds") else _refuted(_judged(self.task, node), move)
        return self._failed(node.position.move_str(move)), Verdict("wrong", said, None, line)

    def _accepted(self, node: Node, move: Move) -> "tuple[Attempt, Verdict]":
        """A move that reaches the goal, or leads there: the defender answers it where play goes on."""
        task, after = self.task, node.play(move)
        did = replace(self, line=(*self.line, node.position.move_str(move)))
        goes_on = task.then_play or task.goal.kind in ("copy", "play")
        if not goes_on or self._ejected(node.position, move):
            return did._ended(True)
        written: list[str] = []
        while after.outcome is None and after.position.turn is not task.pupil:
            reply = did._reply(after)
            written.append(after.position.move_str(reply))
            after = after.play(reply)
        did = replace(did, line=(*did.line, *written))
        if after.outcome is not None:
            # Against a level a draw will do.
            enough = after.outcome.winner is None and task.goal.number is not None and task.goal.kind == "play"
            return did._ended(enough or after.outcome.winner is task.pupil, " ".join(written) or None)
        return did, Verdict("right", words.GO_ON, " ".join(written) or None)

    def _reply(self, node: Node) -> Move:
        """What the opponent answers."""
        goal = self.task.goal
        if goal.kind == "copy":
            return _tricky(node.position, self.seed + len(self.line))
        if goal.kind == "play" and goal.number is not None:
            return defender.level_answer(node, goal.number, self.seed + self.mistakes)
        return defender.answer(_judged(self.task, node), HALF)

    def _ejected(self, position: Position, move: Move) -> bool:
        return self.task.goal.kind == "eject" and truth.taken(position, move) > 0

    def _ended(self, won: bool, reply: str | None = None) -> "tuple[Attempt, Verdict]":
        if won:
            return replace(self, solved=True), Verdict("solved", self.task.right or words.SOLVED, reply)
        return replace(self._failed(), line=()), Verdict("lost", words.LOST, reply)


def replay(task: Task, acts: Sequence[str], seed: int = 0) -> Attempt:
    """The attempt in which a pupil did these things (`Attempt.acts`)."""
    attempt = Attempt(task, seed=seed)
    for said in acts:
        attempt, _ = act(attempt, said)
    return attempt


def act(attempt: Attempt, said: str) -> tuple[Attempt, Verdict | Step]:
    """What a pupil does, as a text: `move d4`, `mark a1 b2`, `say mover`, `hint`."""
    what, _, rest = said.strip().partition(" ")
    match what:
        case "hint" if not rest:
            return attempt.hint()
        case "mark":
            return attempt.mark(rest.split())
        case "say":
            return attempt.say(rest)
        case "move":
            return attempt.move(rest)
        case _:
            raise AttemptError(
                Text(
                    f"não percebo «{shorten(said)}»: escreve move, mark, say ou hint",
                    f"“{shorten(said)}” means nothing: write move, mark, say or hint",
                )
            )


def _refuted(node: Node, move: Move) -> tuple[str, ...]:
    """What would follow a wrong move."""
    after = node.play(move)
    return () if after.outcome is not None else _written(after.position, defender.refutation(after, HALF))


def _judged(task: Task, node: Node) -> Node:
    """The point of the game as the goal sees it: where a marble is to be ejected, the next one decides."""
    return Node(next_ejection_wins(node.position)) if task.goal.kind == "eject" else node


def _tricky(position: Position, seed: int) -> Move:
    """A move against one who copies: all are answered, so they take turns."""
    legal = position.legal_moves()
    return legal[seed * 7 % len(legal)]


def _written(position: Position, moves: Iterable[Move]) -> tuple[str, ...]:
    texts = []
    for move in moves:
        texts.append(position.move_str(move))
        position = position.play(move)
    return tuple(texts)
