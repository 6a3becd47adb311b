"""The coach beside a pupil who plays: asks before something proven is thrown away, helps in steps, says why in words.

What it says is proven (`truth`), or it says that it does not know.

>>> from tabuleiro import get
>>> from tabuleiro.learn import coach
>>> from tabuleiro.record import Node
>>> node = Node(get("semaforo").from_str("GRGY/R2R/R2Y 1"))
>>> known = coach.look(node)
>>> coach.doubt(node, node.position.parse_move("b1"), known).said.en
'Are you sure? You can win here; after b1 your opponent does.'
>>> coach.why(node, node.position.parse_move("c1"), known).en
'After c1 your opponent completes three in a row at b2.'
>>> coach.hint(node, 3, known).moves
('c3',)
"""

from dataclasses import dataclass

from tabuleiro.core import Move
from tabuleiro.geometry import Cell
from tabuleiro.language import Text
from tabuleiro.learn import defender, explain, truth
from tabuleiro.learn.attempt import Step
from tabuleiro.learn.explain import QUESTIONS
from tabuleiro.record import Node
from tabuleiro.search.base import Score, Worth
from tabuleiro.search.reference import detached
from tabuleiro.solve.base import Solution

#: Positions that may be looked at, where that takes more or less time than elsewhere: nobody waits longer than 300 ms.
_POSITIONS = {
    "ouri": 400_000,
    "konane": 400_000,
    "hex": 120_000,
    "avanco": 120_000,
    "abalone": 100_000,
    "guerreiros": 60_000,
}
#: Steps of help: a question, cells to look at, the move.
STEPS = 3
#: Among so many cells a move is to be looked for, where it touches one cell alone.
_AMONG = 3


@dataclass(frozen=True)
class Doubt:
    """A move that is proven to throw something away."""

    #: What was at hand, at least, and what the move leaves.
    thrown: Worth
    left: Worth
    said: Text


def look(node: Node) -> Solution:
    """What is known of a position and its moves, within what somebody waits for."""
    return truth.values(node, _POSITIONS.get(node.position.id, truth.QUICK))


def doubt(node: Node, move: Move, known: Solution) -> Doubt | None:
    """What the coach asks before a move is made; None where it throws nothing away, or that is not proven."""
    thrown, left = truth.throws_away(known, move), known.moves.get(move)
    if thrown is None or left is None or left.worth is None:
        return None
    name = node.position.move_str(move)
    had = (
        Text("Aqui podes ganhar", "You can win here")
        if thrown is Worth.WIN
        else Text("Aqui podes, pelo menos, empatar", "You can at least draw here")
        if known.score is None
        else Text("Aqui podes empatar", "You can draw here")
    )
    keeps = (
        Text(f"depois de {name} ganha o adversário", f"after {name} your opponent does")
        if left.worth is Worth.LOSS and thrown is Worth.WIN
        else Text(f"depois de {name} ganha o adversário", f"after {name} your opponent wins")
        if left.worth is Worth.LOSS
        else Text(f"depois de {name} já só empatas", f"after {name} you can only draw")
    )
    return Doubt(
        thrown, left.worth, Text(f"Tens a certeza? {had.pt}; {keeps.pt}.", f"Are you sure? {had.en}; {keeps.en}.")
    )


def why(node: Node, move: Move, known: Solution) -> Text | None:
    """In words, from what is proven, what follows a move that throws something away; None where it does not."""
    doubted = doubt(node, move, known)
    if doubted is None:
        return None
    node = detached(node)
    after = node.play(move)
    if after.outcome is not None:
        return Text("Com essa jogada a partida acaba.", "That move ends the game.")
    found = look(after)
    reply = defender.chosen(after, found)
    # What the opponent has from it is proven, or the answer is not told.
    answered = found.moves.get(reply)
    worth = doubted.left if after.position.turn is node.position.turn else Worth(-doubted.left)
    proven = answered is not None and answered.worth is worth
    return explain.words(
        explain.Case(node, move, after.position, doubted.left, reply if proven else None, answered if proven else None)
    )


def hint(node: Node, step: int, known: Solution) -> Step:
    """The step of help of that number, from 1; the last one is the move."""
    move = defender.chosen(node, known)
    if step <= 1:
        return Step(_question(node, known))
    if step == 2:
        return _cells(node, move, known)
    name, score = node.position.move_str(move), known.moves.get(move)
    return Step(_advice(name, score, known), node.position.clicks(move), (name,))


def _question(node: Node, known: Solution) -> Text:
    asks = QUESTIONS.get(node.position.id, Text("O que ameaça o adversário?", "What does your opponent threaten?"))
    if known.score is None or known.score.worth is None:
        lost = sum(score is not None and score.worth is Worth.LOSS for score in known.moves.values())
        bad = (
            Text("", "")
            if not lost
            else Text(" Uma das tuas jogadas perde de certeza.", " One of your moves loses for certain.")
            if lost == 1
            else Text(f" {lost} das tuas jogadas perdem de certeza.", f" {lost} of your moves lose for certain.")
        )
        says = Text(f"Não sei quem ganha aqui.{bad.pt}", f"I do not know who wins here.{bad.en}")
    elif known.score.worth is Worth.LOSS:
        says = Text(
            "Esta posição está perdida, se o adversário jogar bem. Resiste: obriga-o a acertar.",
            "This position is lost if your opponent plays well. Resist: make them find the right moves.",
        )
    else:
        says = _how_many(node, known, known.score.worth)
    return Text(f"{says.pt} {asks.pt}", f"{says.en} {asks.en}")


def _how_many(node: Node, known: Solution, worth: Worth) -> Text:
    """How many moves keep what there is."""
    good = sum(score is not None and score.worth is worth for score in known.moves.values())
    least = Text("", "") if None not in known.moves.values() else Text("pelo menos ", "at least ")
    wins = worth is Worth.WIN
    if good == 1:
        return (
            Text(f"Aqui há {least.pt}uma jogada que ganha.", f"There is {least.en}one move here that wins.")
            if wins
            else Text(f"Aqui há {least.pt}uma jogada que empata.", f"There is {least.en}one move here that draws.")
        )
    return (
        Text(f"Aqui há {least.pt}{good} jogadas que ganham.", f"There are {least.en}{good} moves here that win.")
        if wins
        else Text(f"Aqui há {least.pt}{good} jogadas que empatam.", f"There are {least.en}{good} moves here that draw.")
    )


def _cells(node: Node, move: Move, known: Solution) -> Step:
    """Where to look: the piece that moves; of a move that touches one cell, that cell among others."""
    position, clicks = node.position, node.position.clicks(move)
    if len(clicks) > 1:
        return Step(Text("Olha para aqui.", "Look here."), clicks[:1])
    if not clicks:
        return Step(Text("Pensa na jogada que não é no tabuleiro.", "Think of the move that is not on the board."))
    cells: list[Cell] = [clicks[0]]
    for other in sorted(known.moves, key=lambda other: truth.taken(position, other), reverse=True):
        touched = position.clicks(other)
        if len(touched) == 1 and touched[0] not in cells and len(cells) < _AMONG:
            cells.append(touched[0])
    return Step(Text("A jogada está numa destas casas.", "The move is on one of these cells."), tuple(sorted(cells)))


def _advice(name: str, score: Score | None, known: Solution) -> Text:
    if score is not None and score.worth is Worth.WIN:
        return Text(f"Joga {name}: ganha.", f"Play {name}: it wins.")
    if score is not None and score.worth is Worth.DRAW and known.score is not None:
        return Text(f"Joga {name}: empata.", f"Play {name}: it draws.")
    if score is not None and score.worth is Worth.LOSS:
        return Text(
            f"Joga {name}: perde, mas obriga o adversário a jogar bem.",
            f"Play {name}: it loses, but your opponent must play well.",
        )
    return Text(f"Não está provado, mas eu jogava {name}.", f"This is not proven, but I would play {name}.")
