"""What people may expect of every level."""

import time
from collections.abc import Sequence
from functools import cache

import pytest

from tabuleiro import native
from tabuleiro._native import Kernel
from tabuleiro.core import Move, Player, Position
from tabuleiro.games import GAMES, get
from tabuleiro.players import level_engine
from tabuleiro.players.levels import TOP, levels_of
from tabuleiro.players.strongest import STRONGEST
from tabuleiro.record import Game, random_game
from tabuleiro.search import Limit
from tabuleiro.search.base import EngineError

SEEDS = range(40)
#: Positions in which something is one move away, of each kind, and how many of them make "mostly".
TENSE, MOSTLY = 40, 0.55


def test_every_game_has_its_levels() -> None:
    assert set(STRONGEST) == set(GAMES)
    for game in GAMES:
        levels = levels_of(game)
        assert len(levels) == TOP - 1
        assert all((level.depth >= 1) != (level.simulations >= 1) for level in levels)
        assert all(level.choices >= 1 and level.temperature >= 0 and 0 <= level.overlooks <= 0.5 for level in levels)
        # Who has no plan in some moves does not think deeply in the others.
        assert all(level.wanders == 0 or level.depth in (1, 2) for level in levels)
        assert [level.wanders for level in levels] == sorted((level.wanders for level in levels), reverse=True)


@pytest.mark.parametrize("level", [1, 5])
@pytest.mark.parametrize("game", GAMES)
def test_a_win_in_one_is_mostly_taken(game: str, level: int) -> None:
    positions = [position for position, wins, _ in _tense(game) if wins]
    assert len(positions) == TENSE
    taken = 0
    for seed, position in enumerate(positions):
        kernel = native.kernel(position)
        assert kernel is not None
        move = level_engine(game, level, seed).play(position, Limit())
        taken += kernel.outcome(kernel.play(position.encode(), move)) == position.turn
    assert taken >= MOSTLY * TENSE


#: The weakest levels have no plan in many of their moves, and let a child win.
@pytest.mark.parametrize("level", [4, 5])
@pytest.mark.parametrize("game", GAMES)
def test_a_loss_in_one_is_mostly_stopped(game: str, level: int) -> None:
    tense = [(position, safe) for position, wins, safe in _tense(game) if not wins]
    assert len(tense) == TENSE
    stopped = sum(
        level_engine(game, level, seed).play(position, Limit()) in safe for seed, (position, safe) in enumerate(tense)
    )
    assert stopped >= MOSTLY * TENSE


@cache
def _tense(game: str) -> list[tuple[Position, bool, tuple[Move, ...]]]:
    """From the ends of random games: positions in which some moves win at once and others do not, and positions in
    which some moves let the opponent win at once and others do not. Each with whether it is of the first kind, and the
    moves that are safe."""
    start = get(game).start()
    kernel = native.kernel(start)
    assert kernel is not None
    found: dict[bool, list[tuple[Position, bool, tuple[Move, ...]]]] = {True: [], False: []}
    for record in native.random_games(start, 3000, seed=5, records=True, max_plies=5000).records():
        positions = [start.encode()]
        for move in record:
            positions.append(kernel.play(positions[-1], move))
        for words in positions[-3:-1]:
            turn = kernel.turn(words)
            after = {move: kernel.play(words, move) for move in kernel.moves(words)}
            wins = [move for move, next_words in after.items() if kernel.outcome(next_words) == turn]
            safe = tuple(move for move, next_words in after.items() if not _loses(kernel, next_words, turn))
            good = wins or safe
            if 0 < len(good) <= len(after) / 2 and len(found[bool(wins)]) < TENSE:
                found[bool(wins)].append((get(game).decode(words), bool(wins), safe))
        if all(len(kind) == TENSE for kind in found.values()):
            break
    return found[True] + found[False]


def _loses(kernel: Kernel, words: Sequence[int], player: int) -> bool:
    """Whether the opponent of a player who has just moved has won, or wins at once."""
    other = Player(player).other
    outcome, turn = kernel.outcome(words), kernel.turn(words)
    if outcome != native.ONGOING:
        return outcome == other
    return turn == other and any(kernel.outcome(kernel.play(words, move)) == other for move in kernel.moves(words))


def test_levels_repeat_with_their_seed_and_vary_without() -> None:
    game = random_game("avanco", 1, 6)
    moves = [level_engine("avanco", 1, seed).play(game, Limit()) for seed in SEEDS]
    assert moves == [level_engine("avanco", 1, seed).play(game, Limit()) for seed in SEEDS]
    assert len(set(moves)) > 3


@pytest.mark.parametrize("game", GAMES)
def test_low_levels_answer_at_once(game: str) -> None:
    line = random_game(game, 2, 2 if game == "semaforo" else 8)
    assert line.outcome is None
    engine = level_engine(game, 5, 1)
    engine.play(line, Limit())
    times = []
    for _ in range(3):
        began = time.thread_time()
        engine.play(line, Limit())
        times.append(time.thread_time() - began)
    assert min(times) < 0.05


@pytest.mark.parametrize("game", GAMES)
def test_the_top_level_keeps_to_its_time(game: str) -> None:
    engine = level_engine(game, TOP, table=1)
    # The first time a solver may read or make its table.
    engine.play(Game.new(game), Limit(seconds=0.05))
    began = time.thread_time()
    engine.play(Game.new(game), Limit(seconds=0.05))
    assert time.thread_time() - began < 0.5


@pytest.mark.parametrize("level", [0, 11, -1])
def test_there_are_ten_levels(level: int) -> None:
    with pytest.raises(EngineError):
        level_engine("hex", level)
