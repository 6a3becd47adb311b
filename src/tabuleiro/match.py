"""Where engines meet: openings, pairs of games with sides exchanged, and matches played by a crew of workers.

A match depends on its seed alone, whatever the order in which its pairs are finished; each finished pair can be kept
in a file, and a match that was interrupted goes on from there.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tabuleiro import games
from tabuleiro.core import Player, TabuleiroError
from tabuleiro.crew import Crew, Here, Job
from tabuleiro.elo import Tally
from tabuleiro.language import Text
from tabuleiro.players import KINDS, Contestant, EngineName, parse_name
from tabuleiro.record import Game, write_game
from tabuleiro.search import Limit

#: Random plies of an opening, where four would be too many or too few.
OPENING_PLIES = {"semaforo": 1, "rastros": 1, "hex": 2}
#: An opening is even enough when the chances of the player to move are as near to a half as this.
EVEN = 0.15
#: How many openings are looked at, at most, before the most even of them is taken.
TRIES = 12
#: The kind of engine that says whether an opening is even.
JUDGE = "alphabeta"
#: A glance is enough to see whether an opening is even.
GLANCE = Limit(nodes=3000)
#: Plies: some games need not end by themselves, and one this long counts as a draw.
LONGEST_GAME = 1000


class MatchFileError(TabuleiroError):
    """A file of finished pairs that cannot be used."""


@dataclass(frozen=True)
class Match:
    """What is played: between whom, of which game, from which openings."""

    game: str
    options: dict[str, str]
    one: str
    two: str
    #: Seconds a move, for players whose name says no limit.
    seconds: float
    seed: int
    #: Random plies of the openings.
    plies: int

    @property
    def names(self) -> tuple[EngineName, EngineName]:
        return parse_name(self.one), parse_name(self.two)


@dataclass(frozen=True)
class Pair:
    """Two finished games from one opening, sides exchanged."""

    number: int
    #: Of the first player, in both games together.
    points: float
    #: Thinking time of each player in seconds, and how many moves it was for.
    seconds: tuple[float, float]
    moves: tuple[int, int]
    #: The longest single move of each, in seconds.
    longest: tuple[float, float]
    records: tuple[str, str]


def opening_plies(game: str) -> int:
    return OPENING_PLIES.get(game, 4)


def opening(match: Match, number: int) -> Game:
    """A random opening that gives both sides a chance. Where none is even, the most even of several."""
    kind = games.get(match.game)
    start = kind.start(kind.options_type.parse(match.options))
    search = KINDS[JUDGE]
    judge = search.new(match.game, table=1) if search.serves(match.game) else None
    best: tuple[float, Game] | None = None
    for attempt in range(TRIES):
        chance = random.Random(f"{match.seed} {number} {attempt}")
        game = Game(start)
        # After an even number of plies the player who began is to move: vary that too.
        for _ in range(match.plies + chance.randrange(2) if match.plies else 0):
            if game.outcome is None:
                game.play(chance.choice(game.position.legal_moves()))
        if game.outcome is not None:
            continue
        if judge is None:
            return game
        bias = abs(judge.analyse(game, GLANCE).score.chance - 0.5)
        if best is None or bias < best[0]:
            best = (bias, game)
        if bias <= EVEN:
            break
    if best is None:
        raise TabuleiroError(
            Text("as aberturas acabam a partida: pede menos jogadas", "openings end the game: ask for fewer plies")
        )
    return best[1]


def play_pair(match: Match, number: int, one: Contestant, two: Contestant, begun: Game | None = None) -> Pair:
    """The same opening twice: `one` sits at ONE's place first, and at TWO's then. `begun` is an opening to play
    instead of a random one."""
    points = 0.0
    seconds, moves, longest, records = [0.0, 0.0], [0, 0], [0.0, 0.0], []
    begun = begun or opening(match, number)
    for first in (0, 1):
        game = Game(begun.start)
        for move in begun.moves:
            game.play(move)
        players = (one, two)
        for index, player in enumerate(players):
            player.begin(_seed(match.seed, number, first, index))
        game.tags["Round"] = f"{number + 1}.{first + 1}"
        game.tags["Player1"], game.tags["Player2"] = (players[first].name[:200], players[1 - first].name[:200])
        while game.outcome is None and game.last.ply < LONGEST_GAME:
            index = first if game.position.turn is Player.ONE else 1 - first
            move, spent = players[index].choose(game)
            game.play(move)
            seconds[index] += spent
            moves[index] += 1
            longest[index] = max(longest[index], spent)
        outcome = game.outcome
        winner = None if outcome is None else outcome.winner
        points += 0.5 if winner is None else float((winner is Player.ONE) == (first == 0))
        records.append(write_game(game))
    return Pair(
        number,
        points,
        (seconds[0], seconds[1]),
        (moves[0], moves[1]),
        (longest[0], longest[1]),
        (records[0], records[1]),
    )


def _seed(*parts: int) -> int:
    return random.Random(" ".join(map(str, parts))).getrandbits(32)


# ----------------------------------------------------------------------------------------------------- many at a time


class Pairs(Job[int, Pair]):
    """The pairs of a match, by their numbers: two players who sit at one worker and play pair after pair."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._players: list[Contestant] = []

    def begin(self) -> None:
        kind = games.get(self._match.game)
        start = kind.start(kind.options_type.parse(self._match.options))
        limit = Limit(seconds=self._match.seconds)
        self._players = [Contestant(name, start, limit) for name in self._match.names]

    def do(self, unit: int) -> Pair:
        one, two = self._players
        return play_pair(self._match, unit, one, two)

    def close(self) -> None:
        for player in self._players:
            player.close()


def play_match(match: Match, numbers: list[int], crew: Crew | None = None) -> Iterator[Pair]:
    """The pairs of those numbers, in their order, played by a crew; in this process if none is named. Closing the
    iterator ends the match."""
    return (crew or Here()).results(Pairs(match), numbers)


# ------------------------------------------------------------------------------------------------------ finished pairs


def read_pairs(path: Path, match: Match) -> list[Pair]:
    """The pairs of a match that a file keeps; a last line that was cut off is left out."""
    if not path.exists():
        return []
    first, *lines = path.read_text("utf-8").split("\n")
    try:
        same = json.loads(first) == asdict(match)
    except ValueError:
        same = False
    if not same:
        raise MatchFileError(Text(f"{path} não é o ficheiro deste encontro", f"{path} is not the file of this match"))
    pairs = []
    for line in lines[:-1]:
        values: dict[str, Any] = json.loads(line)
        for name in ("seconds", "moves", "longest", "records"):
            values[name] = tuple(values[name])
        pairs.append(Pair(**values))
    return pairs


class PairFile:
    """Keeps the finished pairs of a match, a line each, so that it can go on after an interruption."""

    def __init__(self, path: Path, match: Match) -> None:
        self.pairs = read_pairs(path, match)
        # Rewritten, so that a line that was cut off does not spoil the next one.
        self._stream = path.open("w", encoding="utf-8")
        self._write(match)
        for pair in self.pairs:
            self._write(pair)

    def add(self, pair: Pair) -> None:
        self._write(pair)

    def _write(self, value: Match | Pair) -> None:
        self._stream.write(json.dumps(asdict(value)) + "\n")
        self._stream.flush()

    def close(self) -> None:
        self._stream.close()


def tally_of(pairs: list[Pair]) -> Tally:
    tally = Tally()
    for pair in pairs:
        tally = tally.with_pair(pair.points)
    return tally
