"""The games in Gymnasium, for one learner: importing this enters them there.

    >>> import gymnasium
    >>> import tabuleiro.faces.gymnasium
    >>> env = gymnasium.make("tabuleiro/hex-v1", size=5)
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].sum()
    ((7, 5, 5), np.int64(25))

The learner plays one side (`seat`, or one by chance at every reset) and the environment the other: `opponent` is
"random", or a function from a position to a move; with "self" the learner plays both, and is rewarded as the player who
has just moved. The reward is 1 for a game won, -1 for one lost, 0 else.

Which actions are legal is told in `info["action_mask"]`, and by `action_masks()`. An illegal one loses the game at
once: the reward is -1, the game is over, and `info["illegal_action"]` is true.
"""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from numpy.typing import NDArray

from tabuleiro.batches import GIVEN_UP, ONGOING, make_start
from tabuleiro.batches import Batch as Games
from tabuleiro.core import Move, Player, Position, TabuleiroError
from tabuleiro.faces import environment_id
from tabuleiro.games import GAMES
from tabuleiro.language import Text
from tabuleiro.text import draw

Planes = NDArray[np.int8]
Opponent = Callable[[Position], Move]


class BoardGameEnv(gymnasium.Env[Planes, np.int64], EzPickle):
    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        game: str,
        *,
        opponent: str | Opponent = "random",
        seat: int | None = None,
        max_plies: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        EzPickle.__init__(
            self, game, opponent=opponent, seat=seat, max_plies=max_plies, render_mode=render_mode, **options
        )
        if isinstance(opponent, str) and opponent not in ("random", "self"):
            raise TabuleiroError(
                Text(
                    "o adversário é «random», «self» ou uma função de posições para jogadas",
                    "the opponent is “random”, “self” or a function from positions to moves",
                )
            )
        self.opponent = opponent
        self.seat = None if seat is None else Player(seat)
        self.render_mode = render_mode
        self.games = Games(make_start(game, options), 1, threads=1, auto_reset=False, max_plies=max_plies)
        self.action_space = spaces.Discrete(self.games.actions)
        self.observation_space = spaces.Box(0, 1, self.games.observation_shape, np.int8)
        self._player = Player.ONE

    @property
    def position(self) -> Position:
        return self.games.positions()[0]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Planes, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self.games.reset(seed=int(self.np_random.integers(1 << 62)))
        self._player = self.seat or Player(int(self.np_random.integers(1, 3)))
        self._answer()
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        mover = Player(int(self.games.turn[0]))
        if not self.action_masks()[action]:
            gymnasium.logger.warn(f"{action} is an illegal action: the game is lost. See info['action_mask'].")
            return self._observation(), -1.0, True, False, self._info(illegal=True)
        self.games.step([action])
        self._answer()
        result = int(self.games.results[0])
        rewarded = mover if self.opponent == "self" else self._player
        reward = float(self.games.rewards[0, rewarded - 1])
        ended = result != ONGOING
        return self._observation(), reward, ended and result != GIVEN_UP, result == GIVEN_UP, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal."""
        legal: NDArray[np.bool_] = self.games.mask()[0].copy()
        return legal

    def render(self) -> str | None:
        return draw(self.position.seen_by(self._player)) if self.render_mode == "ansi" else None

    def _answer(self) -> None:
        """The opponent moves until it is the learner's turn."""
        if self.opponent == "self":
            self._player = Player(int(self.games.turn[0]))
            return
        while self.games.results[0] == ONGOING and self.games.turn[0] != self._player:
            self.games.step(self.games.sample() if isinstance(self.opponent, str) else [self._chosen(self.opponent)])

    def _chosen(self, opponent: Opponent) -> int:
        position = self.position
        return self.games.view.index(position, opponent(position.seen_by(position.turn)))

    def _observation(self) -> Planes:
        planes: Planes = self.games.observe(self._player)[0].astype(np.int8)
        return planes

    def _info(self, illegal: bool = False) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "illegal_action": illegal}


for _game in GAMES:
    gymnasium.register(environment_id(_game), f"{__name__}:{BoardGameEnv.__name__}", kwargs={"game": _game})
