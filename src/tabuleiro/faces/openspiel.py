"""The games in OpenSpiel, for its algorithms: importing this enters them there.

    >>> import pyspiel
    >>> import tabuleiro.faces.openspiel
    >>> game = pyspiel.load_game("tabuleiro_hex(size=5,swap=false)")
    >>> state = game.new_initial_state()
    >>> state.apply_action(state.legal_actions()[0])
    >>> state.current_player(), len(state.legal_actions())
    (1, 24)

Options are parameters; where one can be off, 0 is off. A game of `max_plies` plies ends as a draw, for OpenSpiel wants
a longest game. Guerreiros with hidden kings is a game of imperfect information.
"""

import dataclasses
from typing import Any, ClassVar

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from tabuleiro.core import Move, Options, Player, Position, Value, show_value
from tabuleiro.games import GAMES
from tabuleiro.nn.planes import View
from tabuleiro.record.tree import Node

#: Plies after which a game is a draw, if nothing else is asked for.
MAX_PLIES = 1000


def name_in_openspiel(game: str) -> str:
    return f"tabuleiro_{game}"


def _option(field: "dataclasses.Field[Any]", value: Any) -> str:
    """A parameter as the text of an option."""
    can_be_off = None in field.metadata["values"]
    return show_value(None if can_be_off and type(value) is int and value == 0 else value)


def _parameters(kind: type[Position]) -> dict[str, int | str | bool]:
    return {**parameters_of(kind.options_type()), "max_plies": MAX_PLIES}


def parameters_of(options: Options) -> dict[str, int | str | bool]:
    """Options as `pyspiel.load_game` takes them: its parameters have one type each."""
    values: dict[str, Value] = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    return {name: 0 if value is None else value for name, value in values.items()}


def _game_type(kind: type[Position], *, hides: bool = False) -> Any:
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=name_in_openspiel(kind.id),
        long_name=kind.name.en,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION if hides else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(kind),
    )


class BoardGame(pyspiel.Game):
    """One of the games; a class of its own makes each."""

    kind: ClassVar[type[Position]]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        kind = self.kind
        given = _parameters(kind) | (params or {})
        fields = dataclasses.fields(kind.options_type)
        self.options = kind.options_type.parse({field.name: _option(field, given[field.name]) for field in fields})
        self.start = kind.start(self.options)
        self.max_plies = int(given["max_plies"])
        self.view = View(kind, self.options)
        self.hides = bool(getattr(self.options, "hidden_kings", False))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.view.policy_size,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_plies,
        )
        super().__init__(_game_type(kind, hides=self.hides), info, params or {})

    def new_initial_state(self, state: Any = None) -> "BoardGameState":
        return BoardGameState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        remembers = iig_obs_type is not None and iig_obs_type.perfect_recall
        if remembers and not self.hides:
            return IIGObserverForPublicInfoGame(iig_obs_type, params)
        return PlanesObserver(self.view, remembers)


class Place:
    """A node of a game, which copies of a state share: OpenSpiel would copy all that led there."""

    def __init__(self, node: Node, view: View) -> None:
        self.node, self.view = node, view
        self.moves: dict[int, Move] = {} if node.outcome else view.actions(node.position)

    def __deepcopy__(self, memory: Any) -> "Place":
        return self


class BoardGameState(pyspiel.State):
    def __init__(self, game: BoardGame) -> None:
        super().__init__(game)
        self._max_plies = game.max_plies
        self._place = Place(Node(game.start), game.view)

    @property
    def node(self) -> Node:
        return self._place.node

    def current_player(self) -> Any:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.node.position.turn - 1

    def is_terminal(self) -> bool:
        return self.node.outcome is not None or self.node.ply >= self._max_plies

    def _legal_actions(self, player: int) -> list[int]:
        return [*self._place.moves]

    def _apply_action(self, action: int) -> None:
        node, move = self.node, self._place.moves[action]
        self._place = Place(Node(node.position.play(move), node, move), self._place.view)

    def _action_to_string(self, player: int, action: int) -> str:
        move = self._place.moves.get(action)
        return str(action) if move is None else self.node.position.move_str(move)

    def returns(self) -> list[float]:
        winner = self.node.outcome.winner if self.node.outcome else None
        return [0.0, 0.0] if winner is None else [1.0, -1.0] if winner is Player.ONE else [-1.0, 1.0]

    def __str__(self) -> str:
        return str(self.node.position)


class PlanesObserver:
    """What a player may know, as planes and as a position string; who remembers everything is told every position."""

    def __init__(self, view: View, remembers: bool) -> None:
        self._view, self._remembers = view, remembers
        shape = (view.planes, view.height, view.width)
        self.tensor = np.zeros(view.planes * view.area, np.float32)
        self.dict = {"planes": self.tensor.reshape(shape)}

    def set_from(self, state: BoardGameState, player: int) -> None:
        packed = np.frombuffer(self._view.packed(state.node.position.seen_by(Player(player + 1))), np.uint8)
        self.tensor[:] = np.unpackbits(packed, bitorder="little")[: len(self.tensor)]

    def string_from(self, state: BoardGameState, player: int) -> str:
        nodes = state.node.path() if self._remembers else [state.node]
        return "\n".join(str(node.position.seen_by(Player(player + 1))) for node in nodes)


# OpenSpiel lets go of what it was given only when Python has ended already, which classes survive and functions do not.
for _kind in GAMES.values():
    pyspiel.register_game(_game_type(_kind), type(f"{_kind.__name__}Game", (BoardGame,), {"kind": _kind}))
