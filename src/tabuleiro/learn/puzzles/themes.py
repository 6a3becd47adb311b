"""What a puzzle is about, computed from its position and its answer and from nothing else. Shown once it is solved."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tabuleiro.core import Move, Position
from tabuleiro.games.hex import Hex
from tabuleiro.games.konane import Konane
from tabuleiro.language import Text
from tabuleiro.learn import truth
from tabuleiro.learn.goals import Goal
from tabuleiro.record import Node
from tabuleiro.search.base import Limit, Worth
from tabuleiro.search.native import AlphaBetaEngine
from tabuleiro.solve.base import Solution, SolveError

#: Plies from which on a win is long, and up to which it is short.
LONG, SHORT = 9, 3
#: Games in which what is taken is material, and may be given.
MATERIAL = ("avanco", "guerreiros")
#: Games in which it can be good to have no move to make, as far as a solver says so at once.
TEMPO = ("semaforo", "rastros", "konane")


@dataclass(frozen=True)
class Solved:
    """A position with what is known of it, as the predicates of the themes ask."""

    node: Node
    goal: Goal
    answer: frozenset[Move]
    #: None where the values of the moves are not asked for.
    solution: Solution | None

    @property
    def position(self) -> Position:
        return self.node.position

    @property
    def key(self) -> Move:
        """The right move; of several, the first."""
        return min(self.answer)

    def after(self) -> Position:
        return self.position.play(self.key)

    def plies(self) -> int | None:
        score = None if self.solution is None else self.solution.moves[self.key]
        return None if score is None else score.plies

    def wrong(self) -> Iterator[Move]:
        return (move for move in self.position.legal_moves() if move not in self.answer)

    def if_the_other_passed(self) -> Position | None:
        """The position after the right move, with the pupil to move again; None where passing makes no sense."""
        after = self.after()
        if after.outcome() is not None or after.turn is self.position.turn:
            return None
        try:
            return truth.other_to_move(after)
        except SolveError:
            return None


@dataclass(frozen=True)
class Theme:
    letter: str
    name: Text
    #: What it means, in a sentence.
    meaning: Text
    holds: Callable[[Solved], bool]


def themes_of(solved: Solved) -> tuple[str, ...]:
    if not solved.answer:
        return ()
    return tuple(name for name, theme in THEMES.items() if theme.holds(solved))


def _trap(solved: Solved) -> bool:
    engine = AlphaBetaEngine(table=1, full_width=True)
    return engine.analyse(solved.position, Limit(depth=2)).move not in solved.answer


def _takes(solved: Solved) -> bool:
    return solved.position.id != "konane" and truth.taken(solved.position, solved.key) > 0


def _quiet(solved: Solved) -> bool:
    if solved.position.id == "konane" or _takes(solved):
        return False
    return any(truth.taken(solved.position, move) > 0 for move in solved.wrong())


def _sacrifice(solved: Solved) -> bool:
    after = solved.after()
    return solved.position.id in MATERIAL and any(truth.taken(after, reply) > 0 for reply in after.legal_moves())


def _race(solved: Solved) -> bool:
    if solved.position.id not in MATERIAL:
        return False
    position, line = solved.position, truth.look(solved.node)[0].moves
    if line[0] not in solved.answer or len(line) < 4:
        return False
    for move in line:
        if truth.taken(position, move) > 0:
            return False
        position = position.play(move)
    return True


def _stop_early(solved: Solved) -> bool:
    position = solved.position
    if not isinstance(position, Konane):
        return False
    own, all_clicks = position.clicks(solved.key), [position.clicks(move) for move in solved.wrong()]
    size = position.options.size
    return any(clicks[0] == own[0] and _beyond(size, own, clicks) for clicks in all_clicks)


def _beyond(size: int, near: tuple[int, ...], far: tuple[int, ...]) -> bool:
    """Whether a jump goes the way of another, and further, on a board so wide."""
    one = (near[-1] // size - near[0] // size, near[-1] % size - near[0] % size)
    two = (far[-1] // size - far[0] // size, far[-1] % size - far[0] % size)
    return one[0] * two[1] == one[1] * two[0] and one[0] * two[0] + one[1] * two[1] > one[0] ** 2 + one[1] ** 2


def _edge(solved: Solved) -> bool:
    position = solved.position
    if not isinstance(position, Hex):
        return False
    size = position.options.size
    row, column = divmod(solved.key, size)
    return min(row, column, size - 1 - row, size - 1 - column) <= 1


def _must_play(solved: Solved) -> bool:
    """The other would have but this move too."""
    position = solved.position
    if not isinstance(position, Hex):
        return False
    other = truth.values(truth.other_to_move(position)).moves
    return {move for move, score in other.items() if score is None or score.worth is Worth.WIN} == solved.answer


def _tempo(solved: Solved) -> bool:
    if solved.position.id not in TEMPO or (passed := solved.if_the_other_passed()) is None:
        return False
    score = truth.value(passed)
    return score is not None and score.worth is Worth.LOSS


def _threats(solved: Solved) -> int:
    passed = solved.if_the_other_passed()
    if passed is None:
        return 0
    return sum(truth.wins_at_once(passed, move) for move in passed.legal_moves())


def _only_defence(solved: Solved) -> bool:
    wrong = list(solved.wrong())
    return len(wrong) > 1 and not any(truth.is_safe(solved.position, move) for move in wrong)


THEMES: Mapping[str, Theme] = {
    "trap": Theme(
        "t",
        Text("Armadilha", "Trap"),
        Text(
            "A jogada que parece melhor à primeira vista falha.",
            "The move that looks best at first sight fails.",
        ),
        _trap,
    ),
    "capture": Theme("c", Text("Captura", "Capture"), Text("A solução captura.", "The solution captures."), _takes),
    "quiet": Theme(
        "q",
        Text("Jogada calma", "Quiet move"),
        Text("Havia capturas, mas a solução não captura.", "There were captures, but the solution is none."),
        _quiet,
    ),
    "sacrifice": Theme(
        "s",
        Text("Sacrifício", "Sacrifice"),
        Text("A solução deixa o adversário capturar.", "The solution lets your opponent capture."),
        _sacrifice,
    ),
    "race": Theme(
        "r",
        Text("Corrida", "Race"),
        Text("Ninguém captura: ganha quem chega primeiro.", "Nobody captures: the first to arrive wins."),
        _race,
    ),
    "stop early": Theme(
        "k",
        Text("Parar a tempo", "Stop early"),
        Text("Podia saltar-se mais longe, mas era um erro.", "One could jump further, but that would be a mistake."),
        _stop_early,
    ),
    "edge": Theme(
        "e",
        Text("Junto à margem", "Near the edge"),
        Text("A solução está na primeira ou na segunda linha.", "The solution is in the first or second row."),
        _edge,
    ),
    "must-play": Theme(
        "m",
        Text("Jogada obrigatória", "Must-play"),
        Text(
            "Se não jogares ali, joga lá o adversário e ganha.",
            "If you do not play there, your opponent does and wins.",
        ),
        _must_play,
    ),
    "tempo": Theme(
        "z",
        Text("Tempo", "Tempo"),
        Text(
            "Depois da solução, quem tiver de jogar perde: tu também perdias.",
            "After the solution, whoever must move loses: you would too.",
        ),
        _tempo,
    ),
    "threat": Theme(
        "a",
        Text("Ameaça", "Threat"),
        Text("A solução ameaça ganhar logo a seguir.", "The solution threatens to win next move."),
        lambda solved: _threats(solved) == 1,
    ),
    "double threat": Theme(
        "d",
        Text("Ameaça dupla", "Double threat"),
        Text("A solução ameaça ganhar de várias maneiras.", "The solution threatens to win in several ways."),
        lambda solved: _threats(solved) > 1,
    ),
    "only defence": Theme(
        "o",
        Text("Única defesa", "Only defence"),
        Text("Qualquer outra jogada perde logo a seguir.", "Any other move loses at once."),
        _only_defence,
    ),
    "long": Theme(
        "l",
        Text("Longo", "Long"),
        Text(
            f"A vitória demora {LONG} jogadas ou mais, contando as dos dois.",
            f"The win takes {LONG} moves or more, counting both players'.",
        ),
        lambda solved: (solved.plies() or 0) >= LONG,
    ),
    "short": Theme(
        "b",
        Text("Curto", "Short"),
        Text(
            f"Ganha-se em {SHORT} jogadas ou menos, contando as dos dois.",
            f"The win takes {SHORT} moves or fewer, counting both players'.",
        ),
        lambda solved: 0 < (solved.plies() or 0) <= SHORT,
    ),
}
