"""The native kernels state the same rules as the Python games, and refuse what is not a position, option or move."""

import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from differential import compare, option_sets, replay
from tabuleiro import GAMES, Options, Position, _native, native
from tabuleiro.core import EMPTY, IllegalMoveError, Move
from tabuleiro.games.avanco import Avanco, AvancoOptions
from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.games.ouri import Ouri, OuriOptions
from tabuleiro.perft import perft
from tabuleiro.record import Game, random_game

ROOT = Path(__file__).parents[1]
GAMES_AND_OPTIONS = [
    pytest.param(game, options, id=",".join([game.id, *(f"{k}={v}" for k, v in options.changed().items())]))
    for game in GAMES.values()
    for options in option_sets(game)
]
STARTS = [pytest.param(game.start(), id=game.id) for game in GAMES.values()]
START = Avanco.start().encode()


def kernel_of(position: Position) -> _native.Kernel:
    kernel = native.kernel(position)
    assert kernel is not None
    return kernel


AVANCO = kernel_of(Avanco.start())


# ------------------------------------------------------------------------------------------------ the same rules


@pytest.mark.parametrize(("game", "options"), GAMES_AND_OPTIONS)
def test_both_rule_sets_agree(game: type[Position], options: Options) -> None:
    assert compare(game, options, games=6, seed=1) >= 6


@pytest.mark.parametrize(("game", "options"), GAMES_AND_OPTIONS)
def test_random_games_end_as_records_do(game: type[Position], options: Options) -> None:
    assert replay(game.start(options), games=2, seed=1) >= 2


def test_no_move_is_as_large_as_the_bound_of_its_kernel() -> None:
    """The bounds are those of the largest boards, and what the searches keep by move has room for them."""
    largest = {
        "avanco": Avanco.from_str("8/7w/8/8/8/8/b7/8 w", AvancoOptions(size=8)),
        "hex": Hex.start(HexOptions(size=19)),
    }
    for game, position in largest.items():
        assert position.legal_moves()[-1] < kernel_of(position).move_codes <= 2 * position.legal_moves()[-1], game
    assert all(kernel_of(game.start()).move_codes <= 0xFFFF for game in GAMES.values())


@dataclass(frozen=True)
class StraightCapture(Avanco):
    """A planted bug: pieces also capture straight ahead."""

    def _moves(self) -> Iterator[Move]:
        yield from super()._moves()
        own, enemy = ("w", "b") if self.turn == 1 else ("b", "w")
        step = self.geometry.steps["n" if self.turn == 1 else "s"]
        for origin, target in enumerate(step):
            if target is not None and self.board[origin] == own and self.board[target] == enemy:
                yield origin << 6 | target


@dataclass(frozen=True)
class NoVictoryByCapture(Avanco):
    """A planted bug: a player without pieces has not lost yet."""

    def outcome(self):  # type: ignore[no-untyped-def]
        outcome = super().outcome()
        return None if outcome and outcome.reason == "no_pieces" else outcome


@dataclass(frozen=True)
class CaptureMovesAgain(Avanco):
    """A planted bug: whoever captures moves again."""

    def _after(self, move: Move) -> "CaptureMovesAgain":
        after = super()._after(move)
        return after if self.board[move & 63] == EMPTY else replace(after, turn=self.turn)


@pytest.mark.parametrize("planted", [StraightCapture, NoVictoryByCapture, CaptureMovesAgain])
def test_a_planted_bug_is_caught(planted: type[Position]) -> None:
    with pytest.raises(AssertionError):
        compare(planted, games=60, seed=1)


def test_a_planted_cycle_rule_is_caught() -> None:
    """Games played by other history rules than those of the start they are replayed from."""
    strict = Ouri.start(OuriOptions(cycle_threshold=2))
    assert replay(strict, games=40, seed=1)
    lenient = Ouri.start(OuriOptions(cycle_threshold=3))
    played = native.random_games(lenient, 40, seed=1, records=True)
    with pytest.raises(IllegalMoveError):
        for moves in played.records():
            node = Game(strict).root
            for move in moves:
                node = node.play(move)


# --------------------------------------------------------------------------------------------------------- perft


@pytest.mark.parametrize("start", STARTS)
def test_perft_agrees_with_python(start: Position) -> None:
    for depth in range(3):
        expected = perft(start, depth)
        assert native.perft(start, depth) == native.perft(start, depth, bulk=False) == expected


@pytest.mark.parametrize("start", STARTS)
def test_bulk_perft_counts_every_leaf(start: Position) -> None:
    depth = 3 if start.id in ("hex", "guerreiros") else 4
    assert native.perft(start, depth) == native.perft(start, depth, bulk=False)


def test_perft_of_avanco_to_depth_seven() -> None:
    assert native.perft(Avanco.start(), 7) == 1398372466


# -------------------------------------------------------------------------------------------------- random games


def test_a_random_game_depends_on_seed_and_number_alone() -> None:
    few = native.random_games(Avanco.start(), 3, seed=5, records=True)
    many = native.random_games(Avanco.start(), 10, seed=5, records=True)
    assert list(few.records()) == list(many.records())[:3]
    assert many.results == native.random_games(Avanco.start(), 10, seed=5).results
    assert many.results != native.random_games(Avanco.start(), 10, seed=6).results


@pytest.mark.parametrize("start", STARTS)
def test_every_first_move_is_equally_likely(start: Position) -> None:
    moves, games = start.legal_moves(), 500 * len(start.legal_moves())
    played = native.random_games(start, games, seed=1, records=True, max_plies=1)
    if start.id == "hex":  # whole games are drawn at once: look at the first moves of those too
        played = native.random_games(start, games, seed=1, records=True)
    firsts = [record[0] for record in played.records()]
    assert set(firsts) == set(moves)
    # 500 of each are expected, give or take 22: six times that is out of reach of chance.
    assert all(abs(firsts.count(move) - 500) < 6 * 22.4 for move in moves)


def test_the_swap_of_hex_is_as_likely_as_any_answer() -> None:
    start = Hex.from_str("w10/11/11/11/11/11/11/11/11/11/11 b ?")
    answers = [record[0] for record in native.random_games(start, 121 * 200, seed=1, records=True).records()]
    assert abs(answers.count(121) - 200) < 6 * 14.2


def test_a_game_that_would_never_end_is_cut() -> None:
    # Oware without a rule against cycles: two seeds may chase each other for ever.
    options = OuriOptions(rules="oware", cycle_threshold=None)
    start = Ouri.from_str("1,0,0,0,0,0/1,0,0,0,0,0 23-23 S", options)
    played = native.random_games(start, 20, seed=1, max_plies=500)
    assert all(length <= 500 for length in played.lengths)
    assert (500, native.ONGOING) in zip(played.lengths, played.results, strict=True)


def test_random_games_from_a_finished_position() -> None:
    over = Avanco.from_str("w6/7/7/b6/7/7/7 b")
    played = native.random_games(over, 2, seed=1, records=True)
    assert (played.results, played.lengths.tolist(), list(played.records())) == (b"\1\1", [0, 0], [[], []])


# ------------------------------------------------------------------------------------------------------- batches


def rows(positions: list[Position]) -> Any:
    words = array("Q", [word for position in positions for word in position.encode()])
    return memoryview(words).cast("B").cast("Q", (len(positions), len(positions[0].encode())))


@pytest.mark.parametrize("start", STARTS)
def test_batches_agree_with_single_positions(start: Position) -> None:
    kernel = kernel_of(start)
    positions = [position for position in random_game(start, 1, max_plies=20).positions() if position.legal_moves()]
    batch = rows(positions)
    counts, moves = kernel.moves_many(batch)
    assert memoryview(counts).cast("I").tolist() == [len(position.legal_moves()) for position in positions]
    assert memoryview(moves).cast("I").tolist() == [move for position in positions for move in position.legal_moves()]
    chosen = [position.legal_moves()[-1] for position in positions]
    after = [position.play(move) for position, move in zip(positions, chosen, strict=True)]
    assert list(kernel.step_many(batch, array("I", chosen))) == [native.outcome_number(p.outcome()) for p in after]
    assert batch.tolist() == [list(position.encode()) for position in after]


def test_one_illegal_move_leaves_the_whole_batch_unchanged() -> None:
    start = Avanco.start()
    batch = rows([start, start])
    with pytest.raises(ValueError, match="not legal"):
        AVANCO.step_many(batch, array("I", [start.legal_moves()[0], 0]))
    assert batch.tolist() == [list(START)] * 2


def test_batches_of_the_wrong_shape_are_refused() -> None:
    start = Avanco.start()
    with pytest.raises(ValueError, match="one move for each"):
        AVANCO.step_many(rows([start, start]), array("I", [start.legal_moves()[0]]))
    with pytest.raises(ValueError, match="number of words"):
        AVANCO.moves_many(rows([Ouri.start()]))
    with pytest.raises(TypeError):
        AVANCO.moves_many(array("Q", START))


# ---------------------------------------------------------------------------------------------------- bad input

FULL = (1 << 64) - 1


@pytest.mark.parametrize(
    "words",
    [
        (),
        START[:2],
        (*START, 0),
        (-1, *START[1:]),
        (1 << 64, *START[1:]),
        (1 << 49, *START[1:]),  # off the board
        (START[0], START[0], 1),  # two pieces on a cell
        (START[0] << 14 | START[0], START[1], 1),  # too many pieces
        (START[0], START[1], 0),
        (START[0], START[1], 3),
    ],
)
def test_what_is_no_position_is_refused(words: tuple[int, ...]) -> None:
    for ask in (AVANCO.moves, AVANCO.outcome, AVANCO.hash):
        with pytest.raises(ValueError, match=r"."):
            ask(words)
    with pytest.raises(ValueError, match=r"."):
        AVANCO.perft(words, 1)
    with pytest.raises(ValueError, match=r"."):
        AVANCO.random_games(words, 1, 1)


@pytest.mark.parametrize("start", STARTS)
def test_no_words_whatever_lead_a_kernel_astray(start: Position) -> None:
    """Words at random are refused, or are a position that can be asked and played."""
    kernel, words = kernel_of(start), start.encode()
    chance = random.Random(1)
    small = [0, 1, 2, 3, 4, 89, 90, 91, 255, FULL, 1 << 63]
    for _ in range(2000):
        changed = list(words)
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(words))
            changed[place] = chance.choice([*small, chance.getrandbits(64), words[place] ^ 1 << chance.randrange(64)])
        try:
            moves = kernel.moves(changed)
        except ValueError:
            continue
        assert (kernel.outcome(changed) == native.ONGOING) == bool(moves)
        for move in moves:
            kernel.moves(kernel.play(changed, move))
        kernel.random_games(changed, 1, 1, max_plies=200)
        for symmetry in start.symmetries():
            kernel.moves(kernel.transform(changed, symmetry.cells, symmetry.exchanges_players))


@pytest.mark.parametrize("move", [-1, 0, 7 << 6 | 28, 1 << 32, 1 << 70])
def test_an_illegal_move_is_refused(move: int) -> None:
    with pytest.raises(ValueError, match=r"."):
        AVANCO.play(START, move)


@pytest.mark.parametrize("options", [(), (4,), (9,), (7, 7), (-7,), (1 << 63,)])
def test_wrong_options_are_refused(options: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"."):
        _native.KERNELS["avanco"](options)


@pytest.mark.parametrize("cells", [(), tuple(range(48)), (*range(48), 49), (0, *range(48)), (-1, *range(48))])
def test_what_is_no_permutation_is_refused(cells: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"."):
        AVANCO.transform(START, cells, False)


def test_words_and_moves_must_be_integers() -> None:
    with pytest.raises(TypeError):
        AVANCO.moves(["1", "2", "3"])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        AVANCO.play(START, 1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="depth"):
        AVANCO.perft(START, -1)
    with pytest.raises(ValueError, match=r"."):
        AVANCO.random_games(START, -1, 0)


# ------------------------------------------------------------------------------------------------ good manners


def test_a_long_call_lets_other_threads_run() -> None:
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    AVANCO.perft(START, 6, bulk=False)
    done.set()
    thread.join()
    assert ticks > 10


@pytest.mark.parametrize("call", ["perft(start, 12)", "random_games(start, 10**9, 1)"])
def test_ctrl_c_ends_a_long_call(call: str) -> None:
    program = f"""
        from tabuleiro import GAMES, native
        start = GAMES["avanco"].start()
        kernel, start = native.kernel(start), start.encode()
        print("ready", flush=True)
        try:
            kernel.{call}
        except KeyboardInterrupt:
            print("stopped")
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[0] == "stopped\n"


# -------------------------------------------------------------------------------------------------- the door


def test_the_stub_describes_the_binary() -> None:
    module = ast.parse((ROOT / "src/tabuleiro/_native.pyi").read_text(encoding="utf-8"))
    classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    values = {ast.unparse(node.target) for node in module.body if isinstance(node, ast.AnnAssign)}
    free = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    assert classes.keys() | values | free.keys() == {name for name in dir(_native) if not name.startswith("__")}
    for name, function in free.items():
        (signature, *_), *_ = getattr(_native, name).__nb_signature__
        assert ast.unparse(function) == ast.unparse(ast.parse(f"{signature}: ..."))
    for name, described in classes.items():
        real = getattr(_native, name)
        bases = [base.__name__ for base in real.__bases__ if base is not object]
        assert bases == [ast.unparse(base) for base in described.bases]
        functions = [node for node in described.body if isinstance(node, ast.FunctionDef)]
        own = {member for member in vars(real) if not member.startswith("__")}
        assert own == {node.name for node in functions} - {"__init__"}
        for function in functions:
            member: Any = vars(real)[function.name]
            member = member.fget if isinstance(member, property) else member
            (signature, *_), *_ = member.__nb_signature__
            function.decorator_list = []
            assert ast.unparse(function) == ast.unparse(ast.parse(f"{signature}: ..."))


def test_every_game_has_a_kernel() -> None:
    assert _native.KERNELS.keys() == GAMES.keys()


@dataclass(frozen=True)
class Nameless(Avanco):
    id: ClassVar[str] = "nameless"


def test_a_game_without_a_kernel() -> None:
    position = Nameless.start()
    assert native.kernel(position) is None
    with pytest.raises(native.NoKernelError) as caught:
        native.perft(position, 1)
    assert "não tem regras nativas" in caught.value.text.pt


def test_a_kernel_is_made_once() -> None:
    assert native.kernel(Avanco.start()) is native.kernel(Avanco.start())


def import_native(tree: Path) -> str:
    """What importing the door says, with another tree of sources in place of the package."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    program = """
        import sys
        sys.meta_path = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]
        from tabuleiro.core import TabuleiroError
        try:
            import tabuleiro.native
        except TabuleiroError as error:
            print(type(error).__name__, error.text.en, error.text.pt)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], env=environment, cwd=tree, capture_output=True, text=True
    )
    return run.stdout + run.stderr


def test_a_missing_or_stale_native_module_says_how_to_mend_it(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copytree(ROOT / "native", tmp_path / "native")
    shutil.copy(ROOT / "CMakeLists.txt", tmp_path)
    missing = import_native(tmp_path)
    assert re.match("NativeModuleError the native module is missing.*make install.*falta o módulo nativo", missing)
    binary = _native.__file__
    shutil.copy(binary, tmp_path / "src/tabuleiro")
    assert import_native(tmp_path) == ""
    with (tmp_path / "native/bits.hpp").open("a", encoding="utf-8") as source:
        source.write("// changed\n")
    stale = import_native(tmp_path)
    assert re.match("NativeModuleError the native module was built from other sources.*make install", stale)
