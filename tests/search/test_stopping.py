"""A search that is told to stop does so within 50 ms, and a search of a number of nodes looks at no more: every engine,
in the slowest positions that are known of each game (`bench/slow.py` looks for more).

What is measured is processor time of this process, not time on the wall: other programs may take the machine meanwhile.
"""

import random
import threading
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest

from tabuleiro import _native
from tabuleiro.core import Move, Position
from tabuleiro.games import GAMES, get
from tabuleiro.nn.evaluator import runs_nets
from tabuleiro.players import KINDS, TOP, make_engine
from tabuleiro.players.kinds import Argument
from tabuleiro.players.nets import has_net
from tabuleiro.record import Game, random_game
from tabuleiro.search import Engine, Limit, MctsEngine, ProofEngine
from tabuleiro.search.base import Flag, Subject
from tabuleiro.solve import solver_for

#: A line for each: game, options, position. The slowest of a game comes first.
SLOW = Path(__file__).parents[1] / "data" / "slow_positions.txt"
#: How soon a search is told to stop, and how much processor time it may take from then on.
STOP_AFTER_S = 0.05
OBEYED_WITHIN_S = 0.05
#: How long a test waits for a search that does not stop.
GIVEN_UP_AFTER_S = 60.0

EVERY_GAME = pytest.mark.parametrize("game", GAMES)


@cache
def slow_positions(game: str) -> list[Position]:
    positions = []
    for line in SLOW.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            of, options, text = line.split("\t")
            if of == game:
                kind = get(game)
                pairs = dict(pair.split("=") for pair in options.split(",") if options != "-")
                positions.append(kind.from_str(text, kind.options_type.parse(pairs)))
    return positions


# -------------------------------------------------------------------------------------------------------- who is asked


class Asked(Protocol):
    """An engine, or a solver asked like one."""

    def new_stop_flag(self) -> Flag: ...

    def ask(self, subject: Subject, limit: Limit, lines: int, stop: Flag) -> tuple[int, list[Move]]:
        """The number of positions looked at, and the moves found."""


class AskedEngine:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def new_stop_flag(self) -> Flag:
        return self._engine.new_stop_flag()

    def ask(self, subject: Subject, limit: Limit, lines: int, stop: Flag) -> tuple[int, list[Move]]:
        found = self._engine.analyse(subject, limit, lines=lines, stop=stop)
        assert found.lines, "there is always a move to play"
        return found.nodes, [line.moves[0] for line in found.lines]


class AskedSolver:
    def new_stop_flag(self) -> Flag:
        return _native.StopFlag()

    def ask(self, subject: Subject, limit: Limit, lines: int, stop: Flag) -> tuple[int, list[Move]]:
        assert isinstance(stop, _native.StopFlag)
        found = solver_for(subject).solve(subject, limit, every_move=lines > 1, stop=stop)
        return found.nodes, [*found.moves]


def names(position: Position) -> Iterator[str]:
    """Every kind of engine that can play a position, with its settings that search otherwise."""
    yield from (f"level:{level}" for level in range(1, TOP + 1))
    for name, kind in KINDS.items():
        if kind.argument is Argument.NOTHING and kind.serves(position.id) and (name != "net" or has_net(position)):
            yield name
    yield from ("alphabeta:threads=2", "alphabeta:nnue=on", "alphabeta:tables=on", "mcts:threads=2", "proof", "solver")


@cache
def asked(name: str, game: str) -> Asked:
    if name == "solver":
        return AskedSolver()
    return AskedEngine(ProofEngine() if name == "proof" else make_engine(name, game))


# ------------------------------------------------------------------------------------------------------- being stopped


def taken_after_stop(name: str, subject: Subject, limit: Limit, lines: int, delay: float) -> float:
    """The processor seconds that a search takes after it is stopped. Without delay it is stopped before it begins."""
    position = subject if isinstance(subject, Position) else subject.position
    who = asked(name, position.id)
    stop = who.new_stop_flag()
    found: list[tuple[int, list[Move]]] = []
    began = time.process_time()
    if delay == 0:
        stop.set()
    search = threading.Thread(target=lambda: found.append(who.ask(subject, limit, lines, stop)), daemon=True)
    search.start()
    search.join(delay or None)
    if search.is_alive():
        began = time.process_time()
        stop.set()
        search.join(GIVEN_UP_AFTER_S)
        assert not search.is_alive(), f"{name} does not stop in {position}"
    elif delay > 0:
        began = time.process_time()  # it had ended by itself
    taken = time.process_time() - began
    ((_, moves),) = found
    assert set(moves) <= set(position.legal_moves())
    return taken


def too_long(subject: Subject, lines: int, *delays: float) -> list[tuple[str, float]]:
    """The engines that do not obey, and how long they took."""
    position = subject if isinstance(subject, Position) else subject.position
    late = []
    for name in names(position):
        taken_after_stop(name, subject, Limit(), lines, 0)  # the first time tables, books and nets are read
        for delay in delays:
            taken = taken_after_stop(name, subject, Limit(), lines, delay)
            if taken > OBEYED_WITHIN_S:
                late.append((name, taken))
    return late


@EVERY_GAME
def test_a_search_is_stopped_before_it_has_begun(game: str) -> None:
    for position in slow_positions(game):
        assert too_long(position, 1, 0) == []
        assert too_long(position, 200, 0) == []


@EVERY_GAME
def test_a_search_is_stopped_while_it_runs(game: str) -> None:
    assert too_long(slow_positions(game)[0], 1, STOP_AFTER_S) == []


@pytest.mark.long
@EVERY_GAME
def test_a_search_is_stopped_at_any_time(game: str) -> None:
    for position in slow_positions(game):
        for lines in (1, 200):
            assert too_long(position, lines, 0.01, STOP_AFTER_S) == []


@pytest.mark.parametrize("game", ["abalone", "guerreiros"])
def test_a_search_is_stopped_late_in_a_long_game(game: str) -> None:
    assert too_long(going_round(game, 600), 1, 0) == []


def going_round(game: str, plies: int) -> Game:
    """A long game in which nothing is captured any more and no repetition counts."""
    options = get(game).options_type.parse({"repetition": "off"})
    played = random_game(get(game).start(options), seed=1, max_plies=30)
    chance = random.Random(1)
    while played.last.ply < plies:
        pieces, moves = len(played.position.pieces()), played.position.legal_moves()
        for move in chance.sample(moves, len(moves)):
            after = played.position.play(move)
            if after.outcome() is None and len(after.pieces()) == pieces:
                break
        played.play(move)
    assert played.outcome is None
    return played


def test_a_tree_that_is_kept_is_given_up_when_the_search_is_stopped() -> None:
    """A large tree takes long to carry over to the next move."""
    game = Game.new("avanco")
    engine = MctsEngine(memory=64)
    found = engine.analyse(game, Limit(nodes=200_000))
    game.play(found.move)
    stop = engine.new_stop_flag()
    stop.set()
    stopped = engine.analyse(game, Limit(), stop=stop)
    assert stopped.nodes <= 1
    assert sum(move.visits for move in stopped.root) <= 1, "nothing was kept"
    # It goes on from nothing.
    assert engine.analyse(game, Limit(nodes=100)).nodes == 100


# ------------------------------------------------------------------------------------------------------ other limits


@EVERY_GAME
def test_a_number_of_nodes_is_kept_by_all(game: str) -> None:
    """Captures count too. (Solvers count positions that they look up in tables as well.)"""
    for position in slow_positions(game):
        for name in names(position):
            for most in (50, 500):
                if name == "solver" or (name == "reference" and most > 50):
                    continue
                who = asked(name, game)
                nodes, _ = who.ask(position, Limit(nodes=most), 1, who.new_stop_flag())
                assert nodes <= most, (name, position)


@EVERY_GAME
def test_engines_that_end_by_themselves_do_so_soon(game: str) -> None:
    """No level below the top, nor who looks one move ahead, thinks long in any position, without any limit."""
    for position in slow_positions(game):
        for name in (*(f"level:{level}" for level in range(1, TOP)), "greedy", "random"):
            who = asked(name, game)
            who.ask(position, Limit(nodes=1), 1, who.new_stop_flag())
            began = time.process_time()
            nodes, _ = who.ask(position, Limit(), 1, who.new_stop_flag())
            assert nodes <= 200_000, (name, position)
            assert time.process_time() - began < 2.0, (name, position)


@EVERY_GAME
def test_a_time_is_kept(game: str) -> None:
    position = slow_positions(game)[0]
    for name in names(position):
        who = asked(name, game)
        who.ask(position, Limit(nodes=1), 1, who.new_stop_flag())
        threads = 2 if "threads" in name else 1
        began = time.process_time()
        who.ask(position, Limit(seconds=0.02), 1, who.new_stop_flag())
        assert time.process_time() - began < 0.02 * threads + OBEYED_WITHIN_S, name


@EVERY_GAME
def test_a_win_in_one_is_seen_however_early_a_search_is_stopped(game: str) -> None:
    """Before the first depth is finished every move that ends the game is known."""
    wins = 0
    for seed in range(300):
        played = random_game(game, seed)
        before = played.last.parent
        if before is None or before.outcome is not None or played.outcome is None:
            continue
        if played.outcome.winner is not before.position.turn or played.last.position.outcome() is None:
            continue
        wins += 1
        engine = make_engine("alphabeta", game, table=1)
        stop = engine.new_stop_flag()
        stop.set()
        found = engine.analyse(before, Limit(), stop=stop)
        assert found.score.plies == 1 and found.exact
        if wins == 5:
            break
    assert wins >= 1


def test_there_are_slow_positions_of_every_game() -> None:
    assert all(slow_positions(game) for game in GAMES)
    assert not runs_nets() or any("net" in [*names(position)] for position in slow_positions("hex"))
