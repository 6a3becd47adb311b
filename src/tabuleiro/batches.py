"""Many games of one kind at once, in native threads: what agents are trained with.

    >>> import tabuleiro
    >>> batch = tabuleiro.batch("hex", 1000, seed=1, size=5)
    >>> batch.mask().shape
    (1000, 26)
    >>> batch.step(batch.sample())
    >>> batch.observe().shape
    (1000, 7, 5, 5)
    >>> batch.rollout(100).games
    4217

The arrays are NumPy's and lie in memory that the native threads write: nothing is copied, so the next call of the same
method writes into the same array. Whoever keeps one keeps a copy. Torch and JAX read them by DLPack
(`torch.from_dlpack(batch.mask())`).

An *action* is an index of the policy that neural nets have (`nn.View`), as the player to move sees the board; an
observation is its planes. A game depends on the seed, its number and the actions given alone, never on the number of
threads. Rules that look back end games as `record.Game` does.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tabuleiro import games, native
from tabuleiro._native import BATCHES
from tabuleiro.core import IllegalMoveError, Player, Position, TabuleiroError, show_value
from tabuleiro.language import Text
from tabuleiro.nn.planes import View

try:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
except ImportError as error:
    raise TabuleiroError(
        Text(
            "falta o NumPy; instala-o com «pip install tabuleiro[batch]»",
            "NumPy is missing; install it with “pip install tabuleiro[batch]”",
        )
    ) from error

#: What a game's result is: it goes on, a player won, nobody did, or it was given up at `max_plies`.
ONGOING, ONE, TWO, DRAW, GIVEN_UP = range(5)


class Legal(NamedTuple):
    """The legal moves of all games, ascending, one game after another: of game i those from `starts[i]` to before
    `starts[i + 1]`."""

    starts: NDArray[np.int64]
    #: As the rules number them.
    moves: NDArray[np.int64]
    #: The same, as actions.
    actions: NDArray[np.int64]


class RandomStep(NamedTuple):
    """What was legal before a random step, and what was played."""

    mask: NDArray[np.bool_]
    actions: NDArray[np.int64]


@dataclass(frozen=True)
class Ends:
    """How the games ended that ended during a rollout."""

    one: int
    two: int
    draws: int
    given_up: int

    @property
    def games(self) -> int:
        return self.one + self.two + self.draws + self.given_up


class Batch:
    """`size` games. After every step `turn` (the player to move), `results` and `rewards` tell of each. Where games
    begin anew by themselves (`auto_reset`), a result is that of the game that the step ended, and `turn` already
    belongs to the next one. Elsewhere a game that is over waits for `reset`: its mask is empty, nothing changes it."""

    def __init__(
        self,
        start: Position,
        size: int,
        *,
        seed: int = 0,
        threads: int | None = None,
        auto_reset: bool = True,
        max_plies: int | None = None,
    ) -> None:
        if start.id not in BATCHES:
            raise native.NoKernelError(
                Text(f"{start.name.pt} não tem regras nativas", f"{start.name.en} has no native rules")
            )
        if size < 1 or (max_plies is not None and max_plies < 1):
            raise TabuleiroError(Text("tem de haver pelo menos uma partida", "there must be at least one game"))
        self.start = start
        self.size = size
        self.view = View(type(start), start.options)
        #: How many actions there are, and the shape of one observation: planes, rows, columns.
        self.actions = self.view.policy_size
        self.observation_shape = (self.view.planes, self.view.height, self.view.width)
        self.turn: NDArray[np.uint8] = np.empty(size, np.uint8)
        self.results: NDArray[np.uint8] = np.empty(size, np.uint8)
        #: What players ONE and TWO win by the last step: 1, -1 or 0.
        self.rewards: NDArray[np.float32] = np.empty((size, 2), np.float32)
        # NumPy's types do not say on every Python that arrays are buffers.
        make: Any = BATCHES[start.id]
        self._native = make(
            start.options.encode(),
            self.view.native_tables(),
            start.encode(),
            seed,
            threads or os.cpu_count() or 1,
            auto_reset,
            max_plies or 0,
            self.turn,
            self.results,
            self.rewards,
        )
        self._memory: dict[str, NDArray[Any]] = {}

    def __len__(self) -> int:
        return self.size

    def _array(self, name: str, dtype: Any, *shape: int) -> NDArray[Any]:
        """The array that a method writes, made at its first call."""
        if name not in self._memory:
            self._memory[name] = np.empty((self.size, *shape), dtype)
        return self._memory[name]

    # -- what may be played -------------------------------------------------------------------------------------------

    def mask(self) -> NDArray[np.bool_]:
        """Which actions are legal: a row a game."""
        mask = self._array("mask", np.bool_, self.actions)
        self._native.mask(mask)
        return mask

    def moves(self) -> Legal:
        """The legal moves themselves: less memory than a mask where a game has many actions. New arrays every time."""
        starts = np.zeros(self.size + 1, np.int64)
        self._native.count_moves(starts[1:])
        np.cumsum(starts, out=starts)
        moves, actions = np.empty((2, starts[-1]), np.int64)
        self._native.list_moves(starts, moves, actions)
        return Legal(starts, moves, actions)

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for each game; -1 where a game is over."""
        actions = self._array("actions", np.int64)
        self._native.draw(actions)
        return actions

    # -- going on -----------------------------------------------------------------------------------------------------

    def reset(self, which: ArrayLike | None = None, *, seed: int | None = None) -> None:
        """Begin anew: all games, or those marked True. With a seed, the chance of all begins anew too."""
        if seed is not None:
            self._native.sow(seed)
        self._native.reset(None if which is None else np.ascontiguousarray(which, np.bool_))

    def step(self, actions: ArrayLike) -> None:
        """Play an action in every game; in none when one of them is not legal (`IllegalMoveError`)."""
        given = np.ascontiguousarray(np.asarray(actions).astype(np.int64, casting="safe", copy=False))
        if (illegal := self._native.step(given)) < self.size:
            raise IllegalMoveError(
                Text(
                    f"a ação {given[illegal]} não é legal na partida {illegal}",
                    f"action {given[illegal]} is not legal in game {illegal}",
                )
            )

    def random_step(self) -> RandomStep:
        """`mask()`, `sample()` and `step()` in one call, which reads every game once."""
        mask, actions = self._array("mask", np.bool_, self.actions), self._array("actions", np.int64)
        self._native.random_step(mask, actions)
        return RandomStep(mask, actions)

    def rollout(self, steps: int) -> Ends:
        """As many random steps in every game, the same that `random_step` makes, of which only the ends are told."""
        return Ends(*self._native.rollout(steps))

    # -- what is to be seen -------------------------------------------------------------------------------------------

    def observe(self, player: Player | None = None) -> NDArray[np.bool_]:
        """The planes of each position as the player to move may know it, or one of the players."""
        planes = self._array("planes", np.bool_, self.view.planes * self.view.area)
        self._native.observe(planes, player or 0)
        return planes.reshape(self.size, *self.observation_shape)

    def packed(self, player: Player | None = None) -> NDArray[np.uint64]:
        """The same, a bit each: bit `plane * area + place` of a row of 64-bit words."""
        planes = self._array("packed", np.uint64, self.view.packed_words)
        self._native.pack(planes, player or 0)
        return planes

    def encode(self) -> NDArray[np.uint64]:
        """The words of `Position.encode()`: a row a game, all there is to know but the rules that look back."""
        words = self._array("words", np.uint64, len(self.start.encode()))
        self._native.encode(words)
        return words

    def positions(self) -> list[Position]:
        """The positions as the rules in Python have them."""
        kind, options = type(self.start), self.start.options
        return [kind.decode(words, options) for words in self.encode().tolist()]

    def plies(self) -> NDArray[np.uint32]:
        """How many moves have been played in each game."""
        plies = self._array("plies", np.uint32)
        self._native.plies(plies)
        return plies


def batch(
    game: str | Position,
    n: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    auto_reset: bool = True,
    max_plies: int | None = None,
    **options: Any,
) -> Batch:
    """`n` games from the start, with the game's options by name, or from a position."""
    if isinstance(game, str):
        game = make_start(game, options)
    elif options:
        raise TypeError("a position has its options already")
    return Batch(game, n, seed=seed, threads=threads, auto_reset=auto_reset, max_plies=max_plies)


def make_start(game: str, options: Mapping[str, Any]) -> Position:
    """Where a game begins, with options as Python or the command line writes them."""
    kind = games.get(game)
    return kind.start(kind.options_type.parse({name: show_value(value) for name, value in options.items()}))
