"""Tables checked by the Python rules alone, with plain methods that have nothing in common with how they were made.

- Small positions, all of them, and some random ones: everything that can follow is played out and valued.
- Random positions anywhere: the value follows from those of the positions one move on. Together with the distances,
  which must shrink on the way to every win, this would prove a table if it were done for every position.
"""

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, pairwise

from tabuleiro import _native
from tabuleiro.core import EMPTY, Player
from tabuleiro.games.ouri import ROWS, SEEDS, Ouri, OuriOptions
from tabuleiro.games.semaforo import GREEN, RED, YELLOW, Semaforo, SemaforoOptions
from tabuleiro.language import Text
from tabuleiro.record import Node
from tabuleiro.solve.base import SolveError
from tabuleiro.solve.tables import Checked


def wrong(position: object, table: object, found: object) -> SolveError:
    return SolveError(
        Text(
            f"a tabela está errada em {position}: diz {table}, devia dizer {found}",
            f"the table is wrong for {position}: it says {table}, it should say {found}",
        )
    )


# ------------------------------------------------------------------------------------------------------------ Semáforo

LIGHTS = (EMPTY, GREEN, YELLOW, RED)


def semaforo(
    options: SemaforoOptions, look_up: Callable[[Semaforo], int], positions: int, chance: random.Random
) -> Iterator[Checked]:
    played = 0
    for _ in range(positions):
        position = _random_semaforo(options, chance)
        # Some moves on, until few enough are left to play everything out.
        while sum(light != RED for light in position.board) > 7 and position.outcome() is None:
            position = position.play(chance.choice(position.legal_moves()))
        if position.outcome() is None:
            played += 1
            if (found := plies_to_the_end(position)) != look_up(position):
                raise wrong(position, look_up(position), found)
    yield Checked(Text("posições jogadas até ao fim", "positions played out"), played)
    for _ in range(positions):
        position = _random_semaforo(options, chance)
        after = [look_up(position.play(move)) for move in position.legal_moves()]
        if (found := _one_more(after)) != look_up(position):
            raise wrong(position, look_up(position), found)
    yield Checked(Text("posições deduzidas das seguintes", "positions that follow from the next ones"), positions)


def _random_semaforo(options: SemaforoOptions, chance: random.Random) -> Semaforo:
    cells = len(Semaforo.start(options).board)
    return Semaforo(Player.ONE, options, "".join(chance.choice(LIGHTS) for _ in range(cells)))


@cache
def plies_to_the_end(position: Semaforo) -> int:
    """By playing everything out: odd when the player to move wins, who hurries while the other delays."""
    return _one_more([plies_to_the_end(position.play(move)) for move in position.legal_moves()])


def _one_more(after: list[int]) -> int:
    wins = [plies for plies in after if plies % 2 == 0]
    return 1 + min(wins) if wins else 1 + max(after) if after else 0


# ---------------------------------------------------------------------------------------------------------------- Ouri


@dataclass
class _Moves:
    """What the moves of a position lead to."""

    #: The best of those whose value is known, for the player to move.
    best: int
    #: The positions that moves without a capture lead to: there the other is to move.
    after: list[Ouri]


class PlainEndings:
    """The gains of positions and of all that can follow them, by the definition: for each gain in turn, who can reach
    it, until nothing changes any more."""

    def __init__(self) -> None:
        self.gains: dict[Ouri, int] = {}

    def solve(self, roots: Iterable[Ouri], most: int | None = None) -> bool:
        """Value positions of players who are South and have nothing in store; False if that leads to more than `most`
        others."""
        waiting = [root for root in roots if root not in self.gains]
        found = set(waiting)
        levels: dict[int, list[Ouri]] = {}
        while waiting:
            position = waiting.pop()
            levels.setdefault(sum(position.houses), []).append(position)
            for move in position.legal_moves():
                after, _, _ = bare(position.play(move), position)
                if after not in found and after not in self.gains:
                    found.add(after)
                    waiting.append(after)
            if most is not None and len(found) > most:
                return False
        for seeds in sorted(levels):
            self._solve_level(seeds, levels[seeds])
        return True

    def _solve_level(self, seeds: int, positions: list[Ouri]) -> None:
        moves = {position: self._look_ahead(position) for position in positions}
        for gain in range(seeds, 0, -1):
            changed = True
            while changed:
                changed = False
                for position, ahead in moves.items():
                    if position in self.gains:
                        continue
                    answers = [self.gains.get(after) for after in ahead.after]
                    if ahead.best >= gain or -gain in answers:
                        self.gains[position] = gain
                        changed = True
                    elif ahead.best <= -gain and all(answer is not None and answer >= gain for answer in answers):
                        self.gains[position] = -gain
                        changed = True
        for position in positions:
            self.gains.setdefault(position, 0)

    def _look_ahead(self, position: Ouri) -> _Moves:
        if position.outcome() is not None:
            return _Moves(_final_gain(position), [])
        known: list[int] = []
        after: list[Ouri] = []
        for move in position.legal_moves():
            then, taken, turns = bare(position.play(move), position)
            if taken or then in self.gains:
                known.append(taken + (-self.gains[then] if turns else self.gains[then]))
            else:
                after.append(then)
        return _Moves(max(known, default=-SEEDS), after)


def _final_gain(position: Ouri) -> int:
    """What is still collected when the game is over: the seeds of one's own houses."""
    own, other = (sum(position.houses[house] for house in ROWS[player]) for player in (Player.ONE, Player.TWO))
    return own - other


def bare(after: Ouri, before: Ouri) -> tuple[Ouri, int, bool]:
    """A position as the player to move sees it, who is then South, without stores; the seeds just taken; and whether
    the turn has passed."""
    taken = sum(after.stores) - sum(before.stores)
    turns = after.turn is not before.turn
    houses = after.houses if after.turn is Player.ONE else after.houses[6:] + after.houses[:6]
    return Ouri(Player.ONE, after.options, houses, (0, 0)), taken, turns


def all_of(seeds: int, options: OuriOptions) -> Iterator[Ouri]:
    """Every position of that number of seeds."""
    for bars in combinations(range(seeds + 11), 11):
        places = (-1, *bars, seeds + 11)
        houses = tuple(later - earlier - 1 for earlier, later in pairwise(places))
        yield Ouri(Player.ONE, options, houses, (0, 0))


def random_ouri(seeds: int, options: OuriOptions, chance: random.Random) -> Ouri:
    houses = [0] * 12
    for _ in range(seeds):
        houses[chance.randrange(12)] += 1
    return Ouri(Player.ONE, options, tuple(houses), (0, 0))


#: Seeds: tables of up to this number are checked whole.
SMALL = 5
#: A random position of more seeds than the first number is played out unless that leads to more positions than the
#: second.
ALWAYS_PLAYED_OUT, MOST_OTHERS = 7, 3_000


def ouri(
    options: OuriOptions, endings: _native.OuriEndings, positions: int, chance: random.Random
) -> Iterator[Checked]:
    plain = PlainEndings()
    small = [position for seeds in range(SMALL + 1) for position in all_of(seeds, options)]
    plain.solve(small)
    for position in small:
        _compare(position, plain.gains[position], endings)
    yield Checked(Text(f"todas as posições até {SMALL} sementes", f"all positions of up to {SMALL} seeds"), len(small))
    played = 0
    for _ in range(positions):
        position = random_ouri(chance.randint(SMALL + 1, min(12, endings.levels - 1)), options, chance)
        if plain.solve([position], None if sum(position.houses) <= ALWAYS_PLAYED_OUT else MOST_OTHERS):
            _compare(position, plain.gains[position], endings)
            played += 1
    yield Checked(Text("posições jogadas até ao fim", "positions played out"), played)
    for _ in range(positions):
        check_step(random_ouri(chance.randint(1, endings.levels - 1), options, chance), endings)
    yield Checked(Text("posições deduzidas das seguintes", "positions that follow from the next ones"), positions)


class PlayedOut:
    """What South gains if everything is played out by the rules, those that look back among them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[object, int] = {}

    def gain(self, node: Node) -> int | None:
        """None if there is too much to play out."""
        if node.outcome is not None:
            assert node.outcome.score is not None
            return node.outcome.score[0] - node.outcome.score[1]
        key = (node.position, frozenset(_since_capture(node).items()))
        if key not in self._known:
            self._most -= 1
            gains = []
            for move in node.position.legal_moves():
                if self._most < 0 or (gain := self.gain(Node(node.position.play(move), node, move))) is None:
                    return None
                gains.append(gain)
            self._known[key] = max(gains) if node.position.turn is Player.ONE else min(gains)
        return self._known[key]


def _since_capture(node: Node) -> Counter[Hashable]:
    """How often each position occurred since the last capture."""
    seen: Counter[Hashable] = Counter()
    past: Node | None = node
    while past is not None and past.position.score() == node.position.score():
        seen[past.position.repetition_key()] += 1
        past = past.parent
    return seen


#: Seeds of positions that are played out with every cycle, and how many positions of games that may take.
CYCLES_PLAYED_OUT, MOST_WITH_CYCLES = 7, 500


def ouri_ranges(
    options: OuriOptions, endings: _native.OuriEndings, positions: int, chance: random.Random
) -> Iterator[Checked]:
    """Where after a cycle the owners collect: what comes of playing everything out lies in the range."""
    played = 0
    for _ in range(positions):
        threshold = chance.choice((2, 3))
        seeds = chance.randint(1, min(CYCLES_PLAYED_OUT, endings.levels - 1))
        position = random_ouri(seeds, replace(options, cycle_threshold=threshold), chance)
        gain, said = PlayedOut(MOST_WITH_CYCLES).gain(Node(position)), range_of(position, endings)
        if gain is not None:
            if not said[0] <= gain <= said[1]:
                raise wrong(position, said, gain)
            played += 1
    yield Checked(Text("posições jogadas até ao fim", "positions played out"), played)


def _compare(position: Ouri, gain: int, endings: _native.OuriEndings) -> None:
    found = probe(position, endings)
    if found[0] != gain:
        raise wrong(position, found[0], gain)


def probe(position: Ouri, endings: _native.OuriEndings) -> tuple[int, int]:
    found = endings.probe((*position.houses, 0, SEEDS - sum(position.houses), 1))
    assert found is not None
    return found


def range_of(position: Ouri, endings: _native.OuriEndings) -> tuple[int, int]:
    found = endings.range((*position.houses, 0, SEEDS - sum(position.houses), 1))
    assert found is not None
    return found


def check_step(position: Ouri, endings: _native.OuriEndings) -> None:
    """The gain and distance of a position follow from those one move on."""
    gain, distance = probe(position, endings)
    if position.outcome() is not None:
        if (gain, distance) != (_final_gain(position), 0):
            raise wrong(position, (gain, distance), (_final_gain(position), 0))
        return
    # For each move what it gains, and how far off that is.
    moves: list[tuple[int, int]] = []
    for move in position.legal_moves():
        after, taken, turns = bare(position.play(move), position)
        later, far = probe(after, endings)
        moves.append((taken + (-later if turns else later), 1 if taken else far + 1))
    best = max(gained for gained, _ in moves)
    lengths = [length for gained, length in moves if gained == best]
    length = 0 if best == 0 else min(lengths) if best > 0 else max(lengths)
    if (gain, distance) != (best, length):
        raise wrong(position, (gain, distance), (best, length))
