from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import Buffer

# A position is the words of `Position.encode()`. What is no position, option or legal move raises ValueError.
# An outcome is 0 while the game goes on, 1 or 2 for the player who won, 3 for a draw.

STAMP: str

# By the id of the game; given options.
KERNELS: dict[str, Callable[[Sequence[int]], Kernel]]

# By the id of the game; alpha-beta and tree searches by their kind as well: "usual", and for trees "general" and, in
# Hex, "knowledge". The settings live as long as what is made of them.
SEARCHERS: dict[str, dict[str, Callable[[SearchSettings], Searcher]]]
PROVERS: dict[str, Callable[[ProverSettings], Prover]]
#: By game: the nets that alpha-beta keeps up to date move by move.
NNUE: dict[str, Callable[[bytes], Tables]]
TREES: dict[str, dict[str, Callable[[TreeSettings], TreeSearcher]]]

# Positions, numbers of legal moves, legal moves; to values and priors, both float32.
BatchEvaluator = Callable[[bytes, bytes, bytes], tuple[Buffer, Buffer]]

# Score, proven floor and ceiling (-1 lost, 0 drawn, 1 won for the player to move at the root), moves.
Line = tuple[int, int, int, tuple[int, ...]]
# Depth, nodes, seconds, whether the value of the position is proven, lines; of a tree every move at the root, the best
# first, with its visits, their mean value for the player to move there (-1 to 1), and its prior.
Report = tuple[int, int, float, bool, tuple[Line, ...], tuple[tuple[int, int, float, float], ...]]

# The value of a position and of its moves for the player to move (-1 lost, 0 not known, 1 won), nodes, seconds.
KonaneSolved = tuple[int, dict[int, int], int, float]

class Kernel:
    @property
    def words(self) -> int: ...

    # Every move of the game, under any options, is smaller than this.
    @property
    def move_codes(self) -> int: ...
    def moves(self, position: Sequence[int]) -> list[int]: ...
    def play(self, position: Sequence[int], move: int) -> tuple[int, ...]: ...
    def turn(self, position: Sequence[int]) -> int: ...
    def outcome(self, position: Sequence[int]) -> int: ...
    def hash(self, position: Sequence[int]) -> int: ...
    def transform(self, position: Sequence[int], cells: Sequence[int], exchanges_players: bool) -> tuple[int, ...]: ...
    def perft(self, position: Sequence[int], depth: int, bulk: bool = True) -> int: ...

    # Results (one byte a game), lengths and moves (uint32). A game depends on the seed and its number alone. One of
    # `max_plies` plies is left unfinished.
    def random_games(
        self, start: Sequence[int], games: int, seed: int, records: bool = False, max_plies: int = 100000
    ) -> tuple[bytes, bytes, bytes]: ...

    # Positions are rows of uint64 words, moves uint32. The rows are changed in place, all or none; returns the
    # outcomes, one byte each.
    def step_many(self, positions: Buffer, moves: Buffer) -> bytes: ...

    # How many legal moves each row has, and all of them one after another, both uint32.
    def moves_many(self, positions: Buffer) -> tuple[bytes, bytes]: ...

class StopFlag:
    def set(self) -> None: ...
    def is_set(self) -> bool: ...

# What a search looks positions up in.
class Tables: ...

# Settings are given by name. One that does not exist is refused (ValueError); one left out has its usual value.

# The options of the game, early and late weights of its features, tables; the MiB of the transposition table; whether
# no move is searched less deep than another.
class SearchSettings:
    def __init__(
        self,
        *,
        options: Sequence[int] = ...,
        early: Sequence[int] = ...,
        late: Sequence[int] = ...,
        tables: Tables | None = ...,
        net: Tables | None = ...,
        mebibytes: int = ...,
        full_width: bool = ...,
    ) -> None: ...

class ProverSettings:
    def __init__(self, *, options: Sequence[int] = ..., mebibytes: int = ...) -> None: ...

# The first four as above; what the general judge makes of them (points that make the odds e times as good, the share of
# random games from 0 to 1, their most plies); and the tree: see native/search/tree_settings.hpp.
class TreeSettings:
    def __init__(
        self,
        *,
        options: Sequence[int] = ...,
        early: Sequence[int] = ...,
        late: Sequence[int] = ...,
        tables: Tables | None = ...,
        scale: float = ...,
        playouts: float = ...,
        max_plies: int = ...,
        mebibytes: int = ...,
        seed: int = ...,
        exploration: float = ...,
        expand_after: int = ...,
        rave: float = ...,
        study_after: int = ...,
        caution: float = ...,
        batch: int = ...,
        proofs: bool = ...,
    ) -> None: ...

# A game (its start and its moves), limits (plies, positions or simulations, seconds; 0: none), lines and threads.
class SearchRequest:
    def __init__(
        self,
        *,
        start: Sequence[int] = ...,
        moves: Sequence[int] = ...,
        depth: int = ...,
        nodes: int = ...,
        seconds: float = ...,
        lines: int = ...,
        threads: int = ...,
    ) -> None: ...

class Searcher:
    # Empty where the estimate is not made of features; `features` is then refused.
    @property
    def feature_names(self) -> tuple[str, ...]: ...

    # The features in the order of their names, then the phase (256 is all early, 0 all late).
    def features(self, position: Sequence[int]) -> tuple[int, ...]: ...
    def evaluate(self, position: Sequence[int]) -> int: ...
    def forget(self) -> None: ...

    # The listener hears of every depth that was finished.
    def search(self, request: SearchRequest, stop: StopFlag, listener: Callable[[Report], object]) -> Report: ...

class Prover:
    def forget(self) -> None: ...

    # Whether a player wins, or at least draws: 0 unknown, 1 proven, 2 disproven; nodes, seconds, a move that does it.
    def prove(
        self,
        start: Sequence[int],
        moves: Sequence[int],
        player: int,
        draw_is_enough: bool,
        nodes: int,
        seconds: float,
        stop: StopFlag,
    ) -> tuple[int, int, float, int | None]: ...

# Who wins a position of Hex (0 White, 1 Black), the cell where the player to move wins, and how many positions that
# took; None where it is not known. The swap is left out of account.
class HexSolver:
    @staticmethod
    def make(options: Sequence[int], mebibytes: int) -> HexSolver: ...
    def solve(
        self, position: Sequence[int], nodes: int, seconds: float, stop: StopFlag
    ) -> tuple[int | None, int | None, int]: ...

# A net that values leaves, and remembers what it said.
class NetEvaluator:
    # Positions that were asked about, and those of them that the net saw.
    def tally(self) -> tuple[int, int]: ...

class TreeSearcher:
    def forget(self) -> None: ...

    # As `Searcher.search`; nodes are simulations, depth is the length of the main line, and the listener hears some ten
    # times a second. The score is the value of a line from -1 to 1, in units of 1/30000.
    def search(
        self,
        request: SearchRequest,
        stop: StopFlag,
        listener: Callable[[Report], object],
        evaluator: BatchEvaluator | NetEvaluator | None = None,
    ) -> Report: ...

class KonaneSolver:
    # The bytes of memory for what depth-first search finds, and for what df-pn does.
    def __init__(self, options: Sequence[int], bytes: int, proof_bytes: int) -> None: ...

    # By depth-first search on one thread: the value of every move, or what it takes to know that of the position.
    # Limits of 0 are none. `tell` hears how many positions were seen; what it raises ends the work.
    def solve(
        self,
        position: Sequence[int],
        every_move: bool,
        nodes: int,
        seconds: float,
        stop: StopFlag,
        tell: Callable[[float], object],
    ) -> KonaneSolved: ...

    # By df-pn, whose leaves are searches of at most `budget` positions.
    def prove(
        self,
        position: Sequence[int],
        threads: int,
        budget: int,
        seconds: float,
        stop: StopFlag,
        tell: Callable[[float], object],
    ) -> KonaneSolved: ...

    # All that `prove` needs to go on where it stopped, by the places of its table.
    @property
    def places(self) -> int: ...
    def proofs(self, first: int, last: int) -> bytes: ...
    def restore(self, proofs: Buffer) -> None: ...

# A checksum of 64 bits that any change of one byte changes.
def checksum(content: Buffer) -> int: ...

# Fills a byte for each position: the plies to the end of the game. `tell` hears which part is done; what it raises ends
# the work.
def semaforo_distances(options: Sequence[int], distances: Buffer, tell: Callable[[float], object]) -> None: ...

# Endings of Ouri under the options of one set of rules: level n has those of n seeds on the board. Levels are added one
# after another, and stay where they lie in memory.
class OuriEndings(Tables):
    def __init__(self, options: Sequence[int]) -> None: ...
    @property
    def levels(self) -> int: ...

    # How many bytes a level has.
    @staticmethod
    def size(seeds: int) -> int: ...
    def add(self, content: Buffer) -> None: ...

    # Fills the next level. `tell` as above.
    def solve(self, content: Buffer, threads: int, tell: Callable[[float], object]) -> None: ...

    # The same in two parts: first all places of the next level, each range from `begin` on apart, then the rest.
    def look_ahead(self, content: Buffer, begin: int) -> None: ...
    def solve_the_rest(self, content: Buffer, threads: int, tell: Callable[[float], object]) -> None: ...

    # How many seeds more than the other the player to move will still collect, and in how many plies the next of the
    # captures for that comes; None for more seeds than are known.
    def probe(self, position: Sequence[int]) -> tuple[int, int] | None: ...

    # The least and the most seeds more than the opponent that the player to move will still collect; where after a
    # cycle the owners collect, the tables have no more than this, and `probe` says nothing.
    def range(self, position: Sequence[int]) -> tuple[int, int] | None: ...

    # How many positions there are of each gain, from -seeds to seeds, and the greatest distance.
    def statistics(self, seeds: int) -> tuple[tuple[int, ...], int]: ...

# What parts of an 8x8 board of Konane are worth.
class KonanePatterns(Tables):
    def __init__(self, content: bytes) -> None: ...

class AbaloneNnue(Tables):
    def __init__(self, content: bytes) -> None: ...

class AvancoNnue(Tables):
    def __init__(self, content: bytes) -> None: ...

class GuerreirosNnue(Tables):
    def __init__(self, content: bytes) -> None: ...

class OuriNnue(Tables):
    def __init__(self, content: bytes) -> None: ...

class RastrosSolver:
    """Positions of games that go on, under the championship rules on any board."""

    def __init__(self, options: Sequence[int], mebibytes: int) -> None: ...
    @property
    def nodes(self) -> int: ...

    # For the player to move: 0 unknown, 1 a win, 2 a loss; without search, and with. Limits of 0 are none.
    def known(self, position: Sequence[int]) -> int: ...
    def value(self, position: Sequence[int], nodes: int, seconds: float, stop: StopFlag) -> int: ...

    # A move that wins, if one is known without search; else no cell of the board.
    def winning_move(self, position: Sequence[int]) -> int: ...

    # What cost most, at most `most` states of 16 bytes; and into another table.
    def costly(self, most: int) -> bytes: ...
    def remember(self, entries: Buffer) -> None: ...

    # The positions this number of plies later, those alike once, and their values as bits (1: the player to move wins).
    def positions_after(self, start: Sequence[int], plies: int) -> list[tuple[int, ...]]: ...
    def learn_opening(self, start: Sequence[int], plies: int, wins: bytes) -> None: ...

    # A proof of a position that is won, as solve/rastros_proof.py reads it.
    def proof(self, start: Sequence[int], stop: StopFlag) -> bytes: ...
    def learn_proof(self, start: Sequence[int], proof: bytes) -> None: ...

# Df-pn for Avanço 5x5: whether the player to move in a game that goes on wins. `tell` hears the number of nodes so far,
# of all questions; what it raises ends the work.
class AvancoSolver:
    def __init__(self, options: Sequence[int], mebibytes: int) -> None: ...
    def wins(
        self, position: Sequence[int], nodes: int, seconds: float, stop: StopFlag, tell: Callable[[int], object]
    ) -> bool: ...
    @property
    def nodes(self) -> int: ...

# Planes of positions (rows of words) in 64-bit words. Takes options, the tables of a `View`, positions.
PACKERS: dict[str, Callable[[Sequence[int], dict[str, object], Buffer], bytes]]

# Options, the tables of a `View`, its symmetries (bits, policy), the temperature of priors, the number of positions
# remembered, and the net: a function of rows of planes to logits and values, all float32.
NET_EVALUATORS: dict[
    str,
    Callable[
        [Sequence[int], dict[str, object], Sequence[tuple[Sequence[int], Sequence[int]]], float, int,
         Callable[[Any], tuple[Buffer, Buffer]]],
        NetEvaluator,
    ],
]  # fmt: skip

# Self-play: options, the tables of a `View`, the start, settings, a seed, the numbers of games, groups and threads,
# whether games are recorded, and one row a game of planes (uint64), logits (bfloat16, as uint16) and values (float32).
SELF_PLAYS: dict[
    str,
    Callable[
        [Sequence[int], dict[str, object], Sequence[int], dict[str, float], int, int, int, int, bool,
         Buffer, Buffer, Buffer],
        SelfPlay,
    ],
]  # fmt: skip

class SelfPlay:
    def change(self, settings: dict[str, float]) -> None: ...

    # Takes in the answers to a group's questions, if there were any, and writes the next ones.
    def advance(self, group: int) -> None: ...

    # Planes, policies (bfloat16; -1 where no legal move is) and two float32 a position: how the game ended for the
    # player to move, and what the search thought.
    def lessons(self) -> tuple[bytes, bytes, bytes]: ...

    # The games ended since the last call: their moves and how they ended.
    def records(self) -> list[tuple[list[int], int]]: ...

    # Games ended, moves made, questions asked.
    def tally(self) -> tuple[int, int, int]: ...

# Recorded games played again: options, the start, the plies of each game and the moves of all (both uint32), and of how
# many plies the positions are wanted. Told are how many moves of each could be played (uint32), how each stands then
# (uint8), and the hashes of the start and of the positions after it (uint64), a row a game.
REPLAYS: dict[str, Callable[[Sequence[int], Sequence[int], Buffer, Buffer, int], tuple[bytes, bytes, bytes]]]

# Batches: options, the tables of a `View`, the start, a seed, threads, whether games begin anew by themselves, the most
# plies of a game (0: any), and one row a game of turns, results (both uint8) and rewards (two float32), which calls
# write. A result besides the outcomes is 4, given up.
BATCHES: dict[
    str,
    Callable[
        [Sequence[int], dict[str, object], Sequence[int], int, int, bool, int, Buffer, Buffer, Buffer],
        Batch,
    ],
]

# One row a game. Actions, counts, starts and moves are int64, masks and planes bool, packed planes and positions
# uint64.
class Batch:
    def reset(self, which: Buffer | None) -> None: ...
    def sow(self, seed: int) -> None: ...
    def mask(self, mask: Buffer) -> None: ...
    def count_moves(self, counts: Buffer) -> None: ...

    # Starts are one more than games: the first is 0, the last the number of all moves.
    def list_moves(self, starts: Buffer, moves: Buffer, actions: Buffer) -> None: ...
    def draw(self, actions: Buffer) -> None: ...

    # Plays all actions and returns the number of games, or none and returns the first game whose action is not legal.
    def step(self, actions: Buffer) -> int: ...
    def random_step(self, mask: Buffer, actions: Buffer) -> None: ...

    # How many games were won by player one, by player two, drawn, given up.
    def rollout(self, steps: int) -> tuple[int, int, int, int]: ...

    # As a player may know the position; 0: the player to move.
    def observe(self, planes: Buffer, player: int) -> None: ...
    def pack(self, planes: Buffer, player: int) -> None: ...
    def encode(self, positions: Buffer) -> None: ...
    def plies(self, plies: Buffer) -> None: ...  # uint32

# By the id of the game; given options and the cells of each rank of a position string.
TABLES_OF_GAMES: dict[str, Callable[[Sequence[int], Sequence[Sequence[int]]], GameTable]]

class GameTable:
    # One game under some options, and what was taught of how it is told: `tabuleiro.server.live`.

    def begin(self, start: Sequence[int]) -> LiveGame: ...
    def teach_piece(self, cell: int, code: int, symbol: str, json: bytes) -> None: ...
    def teach_move(self, look: int, move: int, text: str, json: bytes) -> None: ...
    def teach_manner(self, manner: int, before_pieces: bytes, before_moves: bytes, after: bytes) -> None: ...

class LiveGame:
    # A game that is being played.

    @property
    def turn(self) -> int: ...
    @property
    def plies(self) -> int: ...
    # 0: not yet; by the position 1, repetition 2, plies without progress 3, plies in all 4.
    @property
    def ended(self) -> int: ...
    @property
    def is_repeated(self) -> bool: ...
    # The position, as it stood some moves before.
    def words(self, before: int = 0) -> tuple[int, ...]: ...
    # The legal move with a text, if that was taught.
    def find(self, text: str) -> int | None: ...
    # Returns what `ended` is then.
    def play(self, move: int) -> int: ...
    # Make the move that `find` gives, if it gives one.
    def make(self, text: str) -> int | None: ...
    # `turn`, `ended` and `manner`, at once.
    def look(self) -> tuple[int, int, int]: ...
    def take_back(self, moves: int) -> None: ...
    # What stands on each cell.
    def codes(self) -> bytes: ...
    # The legal moves that were not taught, each after how it looks.
    def unknown_moves(self) -> tuple[int, ...]: ...
    # The cells of which it was not taught what stands there.
    def unknown_cells(self) -> tuple[int, ...]: ...
    @property
    def knows_manner(self) -> bool: ...
    @property
    def manner(self) -> int: ...
    def ranks(self) -> bytes: ...
    # The last move as it is told, if that was taught; `null` where there is none.
    def last(self) -> bytes | None: ...
    # All that is told of the position, if that was taught, between what is written before and after it.
    def view(self, before: bytes = b"", after: bytes = b"") -> bytes | None: ...
