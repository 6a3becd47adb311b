"""The games in PettingZoo, for two learners who take turns (AEC).

    >>> from tabuleiro.faces.pettingzoo import env
    >>> game = env("hex", size=5)
    >>> game.reset(seed=1)
    >>> observation, *_ = game.last()
    >>> observation["observation"].shape, observation["action_mask"].sum()
    ((7, 5, 5), np.int64(25))

The planes are seen with the eyes of who is to move, and show what the one who asks may know; who is not to move has an
empty mask. An illegal action ends the game as PettingZoo's own wrapper does it: its player gets -1, the other 0.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from tabuleiro.batches import GIVEN_UP, ONGOING, make_start
from tabuleiro.batches import Batch as Games
from tabuleiro.core import Player
from tabuleiro.faces import environment_id
from tabuleiro.text import draw

AGENTS = {"player_1": Player.ONE, "player_2": Player.TWO}
NAMES = {player: agent for agent, player in AGENTS.items()}


def env(game: str, **settings: Any) -> "AECEnv[Any, Any, Any]":
    """A game as people play it with PettingZoo: what is illegal, out of order or no action at all is caught."""
    made = wrappers.TerminateIllegalWrapper(raw_env(game, **settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class raw_env(AECEnv, EzPickle):  # noqa: N801  # as PettingZoo names it
    """The game alone; an illegal action raises `IllegalMoveError`."""

    def __init__(
        self, game: str, *, max_plies: int | None = None, render_mode: str | None = None, **options: Any
    ) -> None:
        EzPickle.__init__(self, game, max_plies=max_plies, render_mode=render_mode, **options)
        AECEnv.__init__(self)
        self.metadata: dict[str, Any] = {
            "render_modes": ["ansi"],
            "name": environment_id(game),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.games = Games(make_start(game, options), 1, threads=1, auto_reset=False, max_plies=max_plies)
        self.possible_agents = [*AGENTS]
        actions = self.games.actions
        seen: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0, 1, self.games.observation_shape, np.int8),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}
        self.observation_spaces = {agent: spaces.Dict(seen) for agent in AGENTS}

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.games.reset()
        self.agents = [*AGENTS]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = NAMES[Player(int(self.games.turn[0]))]

    def observe(self, agent: str) -> dict[str, Any]:
        planes = self.games.observe(AGENTS[agent])[0].astype(np.int8)
        mask = self.games.mask()[0].astype(np.int8)
        if agent != self.agent_selection:
            mask[:] = 0
        return {"observation": planes, "action_mask": mask}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.games.step([action])
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {each: float(self.games.rewards[0, player - 1]) for each, player in AGENTS.items()}
        result = int(self.games.results[0])
        self.terminations = dict.fromkeys(AGENTS, result not in (ONGOING, GIVEN_UP))
        self.truncations = dict.fromkeys(AGENTS, result == GIVEN_UP)
        self.agent_selection = NAMES[Player(int(self.games.turn[0]))]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text, as who only watches may know it."""
        return draw(self.games.positions()[0].seen_by(None)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass
