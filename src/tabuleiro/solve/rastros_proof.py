"""The proof that the first player wins Rastros on 7x7, and its replay with the Python rules.

A proof is a way to win: what player 1 plays in every position that can arise when he follows it. The positions come in
a fixed order, so the file holds two bytes for each and nothing else:

- the place of his step among the legal moves; 8 more when the theorem below decides what he reaches;
- as a set of bits, the places of those answers of player 2 after which the proof goes on: positions in which player 1
  has to choose again, and to which the proof has not come yet. They follow, the last first.

Replaying begins with the start. In each position player 1 makes the step of the proof; then every legal answer of
player 2 is made. Unless the proof goes on after it, it must end the game in favour of player 1, let him enter his goal,
be decided by the theorem, or lead to a position that the proof has come to. The proof is whole when it ends with
nothing left to follow.

Two positions count as the same when they differ only in cells that the marker cannot reach, or by the reflection that
keeps both goals: whatever happens from one happens from the other.

The theorem. Two players in turn move a marker along the edges of a graph, never to a vertex visited before, and who
cannot move loses. The player to move wins if and only if every maximum matching of the graph covers the marker. When
the marker can reach neither goal, Rastros is this game on the free cells. When it can reach the goal of player 1 alone,
player 1 wins if he wins this game without that goal and the cells beside it: he need not go there, and when player 2
does, player 1 enters his goal.
"""

import hashlib
import lzma
from dataclasses import dataclass
from importlib.resources import files

from tabuleiro.core import Move, Player, Position, cells_of
from tabuleiro.games.rastros import Rastros
from tabuleiro.language import Text
from tabuleiro.solve.base import Progress, SolveError, silent
from tabuleiro.solve.matching import most_pairs

START = Rastros.start()
SIZE = START.options.size
CELLS = SIZE * SIZE
ALL = (1 << CELLS) - 1
LEFT = sum(1 << row * SIZE for row in range(SIZE))
RIGHT = LEFT << (SIZE - 1)
#: The cells beside each, as sets of bits.
NEIGHBOURS = [sum(1 << cell for cell in beside) for beside in START.geometry.neighbours]
GOAL, OTHER_GOAL = 0, CELLS - 1
PROOF = "rastros-proof.xz"
#: The SHA-256 of the proof.
DIGEST = "f0bd898edfda5def27130a13fa6530a367f88ed13bae18eebf57a41fa720ee99"
SETTLED = 8
REFLECTION = START.geometry.symmetries["transpose"]

#: The free cells that the marker can reach, goals among them, and the marker's cell.
State = tuple[int, int]


@dataclass(frozen=True)
class Verified:
    """A proof that was replayed to its end without a gap."""

    #: How many steps it has: positions in which player 1 has to choose.
    steps: int
    #: How many positions after answers of player 2 were looked at.
    answers: int
    #: How many positions the theorem decided.
    by_theorem: int


def read_data(name: str) -> bytes:
    """The content of a file of the package; its own checksum is compared."""
    try:
        return lzma.decompress(files("tabuleiro.solve").joinpath("data", name).read_bytes())
    except (OSError, lzma.LZMAError, EOFError) as error:
        raise damaged(name) from error


def damaged(name: str) -> SolveError:
    return SolveError(
        Text(
            f"o ficheiro {name} está danificado ou falta; volta a instalar o Tabuleiro",
            f"the file {name} is damaged or missing; install Tabuleiro again",
        )
    )


def verify(progress: Progress = silent) -> Verified:
    """Replay the proof of the package with the Python rules alone; raises SolveError where it has a gap."""
    proof = read_data(PROOF)
    found = replay(proof, progress)
    # Here and there another step wins as well, and leaves the proof whole; but it is not the proof that was published.
    if hashlib.sha256(proof).hexdigest() != DIGEST:
        raise SolveError(
            Text(
                f"o ficheiro {PROOF} tem uma prova, mas não a publicada; volta a instalar o Tabuleiro",
                f"the file {PROOF} has a proof, but not the published one; install Tabuleiro again",
            )
        )
    return found


def replay(proof: bytes, progress: Progress = silent, most_steps: int | None = None) -> Verified:
    """Replay a proof, or its first `limit` steps; raises SolveError where it has a gap."""
    at = answers = by_theorem = 0
    start = state_of(START)
    waiting, met = [start], {start}
    while waiting and (most_steps is None or at < most_steps):
        if at % 1024 == 0:
            progress(2 * at / (len(proof) + 1), answers)
        position = position_of(waiting.pop())
        if len(proof) < 2 * at + 2:
            raise _gap(at, position, Text("falta a jogada", "the step is missing"))
        place, settled, going_on = proof[2 * at] & 7, proof[2 * at] & ~7, proof[2 * at + 1]
        at += 1
        legal = position.legal_moves()
        if place >= len(legal):
            raise _gap(at, position, Text("a jogada não é legal", "the step is not legal"))
        reached = position.play(legal[place])
        over = reached.outcome()
        if over is not None and over.winner != Player.ONE:
            raise _gap(at, position, Text("a jogada perde", "the step loses"))
        replies = reached.legal_moves()
        if settled:
            if settled != SETTLED or going_on or over is not None or not wins_by_theorem(*reach(reached), Player.TWO):
                raise _gap(at, reached, Text("não está decidida", "it is not decided"))
            by_theorem += 1
            continue
        if going_on >> len(replies):
            raise _gap(at, reached, Text("a resposta não é legal", "the answer is not legal"))
        for i, reply in enumerate(replies):
            answers += 1
            answer = reached.play(reply)
            goes_on = going_on >> i & 1
            over = answer.outcome()
            if over is not None:
                if goes_on or over.winner != Player.ONE:
                    raise _gap(at, answer, Text("não ganha o jogador 1", "player 1 does not win"))
                continue
            if not goes_on and enters_goal(answer):
                continue
            state = state_of(answer)
            if goes_on:
                met.add(state)
                waiting.append(state)
            elif state not in met:
                if not wins_by_theorem(*state, Player.ONE):
                    raise _gap(at, answer, Text("a prova não continua", "the proof does not go on"))
                by_theorem += 1
    if most_steps is None and 2 * at != len(proof):
        raise _gap(at, START, Text("sobram jogadas", "steps are left over"))
    progress(1.0, answers)
    return Verified(at, answers, by_theorem)


def _gap(at: int, position: Position, why: Text) -> SolveError:
    return SolveError(
        Text(
            f"a prova de Rastros tem uma falha na jogada {at}, em {position}: {why.pt}",
            f"the proof of Rastros has a gap at step {at}, in {position}: {why.en}",
        )
    )


# --------------------------------------------------------------------------------------------------- positions alike


def reach(position: Position) -> State:
    blocked, marker, _ = position.encode()
    free = ALL & ~blocked & ~(1 << marker)
    reached = NEIGHBOURS[marker] & free
    before = 0
    while reached != before:
        before = reached
        wide = reached | (reached & ~RIGHT) << 1 | (reached & ~LEFT) >> 1
        reached = (wide | wide << SIZE | wide >> SIZE) & free
    return reached, marker


def state_of(position: Position) -> State:
    """What matters of a position: the same for two that are alike."""
    region, marker = reach(position)
    reflected = sum(1 << REFLECTION[cell] for cell in cells_of(region))
    return min((region, marker), (reflected, REFLECTION[marker]))


def position_of(state: State) -> Rastros:
    """The position of a state, player 1 to move."""
    region, marker = state
    return Rastros.decode((ALL & ~region & ~(1 << marker), marker, Player.ONE), START.options)


def enters_goal(position: Position) -> bool:
    """Whether player 1, to move, ends the game in his favour by going to his goal."""
    goal: Move = GOAL
    if goal not in position.legal_moves():
        return False
    over = position.play(goal).outcome()
    return over is not None and over.winner == Player.ONE


# -------------------------------------------------------------------------------------------------------- the theorem


def wins_by_theorem(region: int, marker: int, turn: Player) -> bool:
    """Whether the theorem says that player 1 wins."""
    if region >> OTHER_GOAL & 1:
        return False
    if region >> GOAL & 1:
        region &= ~(1 | NEIGHBOURS[GOAL])
    return every_matching_covers(region, marker) == (turn == Player.ONE)


def every_matching_covers(free: int, marker: int) -> bool:
    """Whether every maximum matching of the free cells and the marker's cell covers the marker's cell."""
    vertices = free | 1 << marker
    return marker in most_pairs({cell: cells_of(NEIGHBOURS[cell] & vertices) for cell in cells_of(vertices)}, marker)
