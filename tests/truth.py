"""Late positions valued by exhaustive search over the Python rules, and what the engines say of them.

As a command it compares as many positions of each game as wanted:

    python tests/truth.py --positions 200
"""

import argparse
import dataclasses
import itertools
import random
import sys
from collections.abc import Iterator
from typing import Any

from rich.progress import Progress

from tabuleiro import GAMES
from tabuleiro.core import Move, Outcome, Player, Position
from tabuleiro.games.ouri import OuriOptions
from tabuleiro.record import Node, random_game
from tabuleiro.search import AlphaBetaEngine, Engine, Limit, MctsEngine, ProofEngine, Score
from tabuleiro.search.base import Worth, one_ply_on
from tabuleiro.search.mcts import PLAIN
from tabuleiro.solve.ouri import endings_for

#: A position with more to look at than this is too early to be valued.
CAP = 10_000
#: Plies: a longer line is not followed where every line counts.
LONGEST_LINE = 300
#: Where everything below a position is too much, everything to this depth is looked at.
SHALLOW = 3

#: The games in which everything below a position is too much even near the end.
SHALLOW_GAMES = ("guerreiros", "abalone")
#: Random games end in many wins at once, which tell little.
SHARE_OF_EASY_WINS = 0.1

#: Small boards and quick ends besides the rule book's, so that late positions are of many kinds.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "avanco": [{}, {"size": 5}],
    "rastros": [{}, {"size": 5}, {"stalemate": "draw", "size": 5}, {"must_keep_goal_reachable": True, "size": 5}],
    "hex": [{"size": 4}, {"size": 4, "swap": False}, {"size": 3}, {}],
    "semaforo": [{}, {"board": "3x3"}, {"board": "4x4"}],
    "ouri": [
        {},
        {"rules": "oware"},
        {"feed_overrides_singles": True},
        {"cycle_threshold": 2},
        {"cycle_collect": "owners", "cycle_threshold": 2},
    ],
    "konane": [{}, {"size": 6}, {"size": 4, "opening": "removal"}],
    "guerreiros": [{}, {"teleport": "immediate"}, {"first": "north", "line_distance": "up_to"}],
    "abalone": [{"ejections": 1}, {"ejections": 1, "layout": "belgian_daisy"}],
}


class TooEarlyError(Exception):
    """There are too many positions below this one."""


# --------------------------------------------------------------------------------------------------------- the oracle


def exhaustive(subject: Position | Node) -> Score:
    """The value of a game that goes on, by everything that can follow. Of a node the past counts, too."""
    node = Node(subject) if isinstance(subject, Position) else subject
    position = node.position
    if isinstance(position.options, OuriOptions) and position.options.cycle_collect == "owners":
        worth = _Lines(node).worth
        return Score(Worth(worth if position.turn is Player.ONE else -worth))
    if position.can_draw:
        return _Graph(position, _closed(node)).values[position]
    # Without draws somebody wins in that many plies: that needs no look at what follows later.
    depths = _Depths()
    return next(score for depth in itertools.count(1) if (score := depths.value(position, depth)) is not None)


def exhaustive_move(position: Position, move: Move) -> Score:
    """The value of a move for the player who makes it. The position before it may come back."""
    node = Node(position).play(move)
    score = exhaustive(node) if node.outcome is None else worth_of(node.outcome, node.position)
    return one_ply_on(score if node.position.turn is position.turn else -score)


class _Lines:
    """The values of games by every line that can follow, the past included: for rules under which it matters which
    position of a cycle comes back. Positions are numbered, and sets of them are bits of integers."""

    def __init__(self, node: Node) -> None:
        repetition = node.position.history_rules().repetition
        assert repetition is not None
        self.numbers: dict[Position, int] = {}
        self.after: list[list[int]] = []
        self._explore(node.position)
        self.positions = list(self.numbers)
        self.ahead = [self._can_follow(number) for number in range(len(self.positions))]
        self.known: dict[tuple[int, ...], int] = {}
        #: The positions that occurred once at least, twice at least, and so on, one time less than ends the game.
        past = [0] * (repetition - 1)
        for step in node.path():
            if (number := self.numbers.get(step.position)) is not None:
                past = self._count(past, number)
        self.worth = self._value(0, past)

    def _explore(self, start: Position) -> None:
        waiting = [start]
        while waiting:
            position = waiting.pop()
            if position in self.numbers:
                continue
            if len(self.numbers) >= CAP:
                raise TooEarlyError
            self.numbers[position] = len(self.numbers)
            waiting += [position.play(move) for move in position.legal_moves()]
        self.after = [[self.numbers[each.play(move)] for move in each.legal_moves()] for each in self.numbers]

    def _can_follow(self, start: int) -> int:
        found, waiting = 0, [start]
        while waiting:
            for after in self.after[waiting.pop()]:
                if not found >> after & 1:
                    found |= 1 << after
                    waiting.append(after)
        return found

    @staticmethod
    def _count(past: list[int], number: int) -> list[int]:
        """One more occurrence of a position."""
        past = past.copy()
        for times, occurred in enumerate(past):
            if not occurred >> number & 1:
                past[times] |= 1 << number
                break
        return past

    def _value(self, number: int, past: list[int], depth: int = 0) -> int:
        """For player ONE."""
        # Of the past only what can come back matters.
        past = [occurred & self.ahead[number] for occurred in past]
        key = (number, *past)
        if key not in self.known:
            if len(self.known) >= CAP or depth > LONGEST_LINE:
                raise TooEarlyError
            self.known[key] = self._look(number, past, depth)
        return self.known[key]

    def _look(self, number: int, past: list[int], depth: int) -> int:
        position = self.positions[number]
        if (outcome := position.outcome()) is not None:
            return _for_one(worth_of(outcome, position), position)
        sign = 1 if position.turn is Player.ONE else -1
        best = -1
        for after in self.after[number]:
            if past[-1] >> after & 1:
                child = self.positions[after]
                worth = _for_one(worth_of(child.settle("repetition"), child), child)
            else:
                worth = self._value(after, self._count(past, after), depth + 1)
            best = max(best, sign * worth)
            if best == 1:
                break
        return sign * best


def _closed(node: Node) -> set[Position]:
    """The positions before this one that would end the game by coming back."""
    repetition = node.position.history_rules().repetition
    if repetition is None:
        return set()
    return {past.position for past in node.path()[:-1] if past.occurrences >= repetition - 1} - {node.position}


def shallow(position: Position) -> Score:
    """The value of a position by what can follow it in a few plies: an estimate, where that decides nothing."""
    depths = _Depths()
    scores = (depths.value(position, depth) for depth in range(1, SHALLOW + 1))
    return next((score for score in scores if score is not None), Score.estimate(0, 0.5))


class _Depths:
    """Wins and losses within that many plies."""

    def __init__(self) -> None:
        self.known: dict[tuple[Position, int], Score | None] = {}
        self.looked_at = 0

    def value(self, position: Position, depth: int) -> Score | None:
        if (outcome := position.outcome()) is not None:
            return worth_of(outcome, position)
        if depth == 0:
            return None
        if (position, depth) not in self.known:
            self.known[position, depth] = self._look(position, depth)
        return self.known[position, depth]

    def _look(self, position: Position, depth: int) -> Score | None:
        children = [position.play(move) for move in position.legal_moves()]
        self.looked_at += len(children)
        if self.looked_at > CAP:
            raise TooEarlyError
        found: list[Score | None] = []
        for child in sorted(children, key=lambda child: child.outcome() is None):
            found.append(_seen_from(position, child, self.value(child, depth - 1)))
            if found[-1] == Score.win(1):
                break
        best = max((score for score in found if score is not None), default=None)
        return best if None not in found or (best is not None and best.worth is Worth.WIN) else None


def _seen_from(position: Position, child: Position, score: Score | None) -> Score | None:
    """The score of a child, for the player to move before it."""
    if score is None:
        return None
    score = score if child.turn is position.turn else -score
    return score if score.plies is None else dataclasses.replace(score, plies=score.plies + 1)


class _Graph:
    """All positions that can follow one, valued from the ends of the game backwards, a cycle at a time. The closed ones
    end the game."""

    def __init__(self, start: Position, closed: set[Position]) -> None:
        self.closed = closed
        self.values: dict[Position, Score] = {}
        self.after: dict[Position, list[Position]] = {}
        self._explore(start)
        for component in self._components(start):
            if len(component) == 1 and component[0] not in self.after[component[0]]:
                self._value_one(component[0])
            else:
                self._value_cycle(component)

    def _explore(self, start: Position) -> None:
        waiting = [start]
        while waiting:
            position = waiting.pop()
            if position in self.after:
                continue
            if len(self.after) >= CAP:
                raise TooEarlyError
            moves = [] if position in self.closed else position.legal_moves()
            self.after[position] = [position.play(move) for move in moves]
            waiting += self.after[position]

    def _components(self, start: Position) -> Iterator[list[Position]]:
        """The cycles (strongly connected components), those that come last first: Tarjan's algorithm."""
        index: dict[Position, int] = {}
        low: dict[Position, int] = {}
        stack: list[Position] = []
        on_stack: set[Position] = set()
        work = [(start, iter(self.after[start]))]
        index[start] = low[start] = 0
        stack.append(start)
        on_stack.add(start)
        while work:
            position, children = work[-1]
            for child in children:
                if child not in index:
                    index[child] = low[child] = len(index)
                    stack.append(child)
                    on_stack.add(child)
                    work.append((child, iter(self.after[child])))
                    break
                if child in on_stack:
                    low[position] = min(low[position], index[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[position])
                if low[position] == index[position]:
                    component: list[Position] = []
                    while not component or component[-1] != position:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    yield component

    def _value_one(self, position: Position) -> None:
        outcome = position.outcome()
        if outcome is None and position in self.closed:
            outcome = position.settle("repetition")
        if outcome is not None:
            self.values[position] = worth_of(outcome, position)
        else:
            scores = [_seen_from(position, child, self.values[child]) for child in self.after[position]]
            self.values[position] = max(score for score in scores if score is not None)

    def _value_cycle(self, component: list[Position]) -> None:
        """Going round for ever is settled by the rules. A player who likes that needs only to keep away from what is
        worse; one who does not must force a way out of the cycle."""
        settled = _for_one(worth_of(component[0].settle("repetition"), component[0]), component[0])
        reached = dict.fromkeys(component, 0)
        for wanted in (Worth.DRAW, Worth.WIN):  # for player ONE
            if settled >= wanted:
                winning = set(component) - self._forced(component, Player.TWO, wanted)
            else:
                winning = self._forced(component, Player.ONE, wanted)
            for position in winning:
                reached[position] += 1
        for position in component:
            worth = reached[position] - 1
            self.values[position] = Score(Worth(worth if position.turn is Player.ONE else -worth))

    def _forced(self, component: list[Position], player: Player, wanted: Worth) -> set[Position]:
        """The positions of a cycle from which a player can force a way out: ONE to `wanted`, TWO to less than that."""
        inside, forced = set(component), set[Position]()

        def leads(child: Position) -> bool:
            if child in inside:
                return child in forced
            return (_for_one(self.values[child], child) >= wanted) == (player is Player.ONE)

        while True:
            more = {
                position
                for position in inside - forced
                if (any if position.turn is player else all)(leads(child) for child in self.after[position])
            }
            if not more:
                return forced
            forced |= more


def _for_one(score: Score, position: Position) -> int:
    assert score.worth is not None
    return score.worth if position.turn is Player.ONE else -score.worth


def worth_of(outcome: Outcome, position: Position) -> Score:
    if outcome.winner is None:
        return Score.draw()
    return Score.win(0) if outcome.winner is position.turn else Score.loss(0)


# ------------------------------------------------------------------------------------------------------ the positions


def positions_of(game: type[Position], seed: int = 0) -> Iterator[tuple[Position, Score]]:
    """Positions of random games with their values, from the end backwards as far as they can be valued."""
    chance = random.Random(f"{game.id} {seed}")
    seen: set[Position] = set()
    while True:
        start = game.start(game.options_type(**chance.choice(VARIANTS[game.id])))
        path = random_game(start, seed=chance.randrange(10**9), max_plies=400).positions()
        at = len(path) - chance.randint(1, 3)
        while at >= 0:
            position = path[at]
            at -= chance.randint(1, 3)
            if position in seen or position.outcome() is not None:
                continue
            seen.add(position)
            try:
                value = (shallow if game.id in SHALLOW_GAMES else exhaustive)(position)
            except TooEarlyError:
                break
            if value != Score.win(1) or chance.random() < SHARE_OF_EASY_WINS:
                yield position, value
            if not value.exact:
                break


# ------------------------------------------------------------------------------------------------------ the comparison


class Jury:
    """The engines that must agree with the truth. One jury serves one game."""

    def __init__(self) -> None:
        # Where play can go round for ever, alpha-beta decides by the tables of endings, as it does at level 10.
        self.full_width = AlphaBetaEngine(table=16, full_width=True, tables=endings_for)
        self.alpha_beta = AlphaBetaEngine(table=16, tables=endings_for)
        self.proof = ProofEngine(table=16)
        self.tree = MctsEngine()
        self.plain_tree = MctsEngine(style=PLAIN, knowledge=False)

    def check(self, position: Position, truth: Score) -> None:
        if truth.exact:
            self._agree(position, truth)
        else:
            # Nothing is decided within that many plies: an engine that says so is wrong.
            found = self.full_width.analyse(position, Limit(depth=SHALLOW)).score
            assert not found.exact or (found.plies or 0) > SHALLOW, f"{here(position)}: {found}"

    def _agree(self, position: Position, truth: Score) -> None:
        for engine in (self.full_width, self.alpha_beta, self.proof, self.tree, self.plain_tree):
            found = solve(engine, position)
            assert found.worth is truth.worth, f"{type(engine).__name__} {here(position)}: {found}, not {truth}"
            if truth.plies is None or found.plies is None:
                continue
            if engine is self.full_width:
                assert found.plies == truth.plies, f"{here(position)}: {found}, not {truth}"
            elif truth.worth is Worth.WIN:
                assert found.plies >= truth.plies, f"{here(position)}: {found} is shorter than {truth}"


def solve(engine: Engine, position: Position) -> Score:
    analysis = engine.analyse(Node(position), Limit(nodes=20_000_000))
    assert analysis.exact, f"{type(engine).__name__} {here(position)}: {analysis}"
    return analysis.score


def here(position: Position) -> str:
    return f"{position.id} {position} {position.options.changed()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=200, help="how many of each game")
    parser.add_argument("--games", nargs="*", default=list(GAMES))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failures = 0
    with Progress() as progress:
        for name in arguments.games:
            jury = Jury()
            bar = progress.add_task(name, total=arguments.positions)
            stream = positions_of(GAMES[name], arguments.seed)
            for _ in range(arguments.positions):
                try:
                    jury.check(*next(stream))
                except AssertionError as error:
                    failures += 1
                    progress.console.print(f"[red]{error}")
                progress.advance(bar)
    if failures:
        sys.exit(f"{failures} positions differ")
    print(f"{arguments.positions} positions of each game agree")


if __name__ == "__main__":
    main()
