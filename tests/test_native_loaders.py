"""Whatever bytes the native loaders are given, they refuse them or go on working: run under sanitizers as well."""

import contextlib
import random
from array import array
from collections.abc import Callable, Iterator

import pytest

from tabuleiro import GAMES, Position, _native
from tabuleiro.games.konane import Konane, KonaneOptions
from tabuleiro.games.ouri import Ouri
from tabuleiro.games.rastros import Rastros, RastrosOptions
from tabuleiro.record import random_game
from tabuleiro.search import AlphaBetaEngine, Limit, MctsEngine, ProofEngine
from tabuleiro.search.native import Weights

RASTROS = Rastros.start(RastrosOptions(size=5))
KONANE = Konane.start(KonaneOptions(size=4))


def contents(seed: int, *sizes: int) -> Iterator[bytes]:
    """Nothing, noise of any length, and noise, zeros and ones of lengths that fit."""
    chance = random.Random(seed)
    yield b""
    for _ in range(20):
        yield chance.randbytes(chance.randrange(1, 100))
    for size in sizes:
        yield from (bytes(size), b"\xff" * size)
        for _ in range(20):
            yield chance.randbytes(size)


def refused(load: Callable[[bytes], object], content: bytes) -> bool:
    try:
        load(content)
    except ValueError:
        return True
    return False


def test_endings_of_ouri() -> None:
    accepted = 0
    for content in contents(1, _native.OuriEndings.size(0), _native.OuriEndings.size(1)):
        endings = _native.OuriEndings(Ouri.start().options.encode())
        for _ in range(2):
            accepted += not refused(endings.add, content)
        probed = [endings.probe(position.encode()) for position in random_game("ouri", seed=1).positions()]
        assert (endings.levels == 0) <= (set(probed) == {None})
    assert accepted == 1, "zeros are the endings of no seeds; noise is none"


@pytest.mark.parametrize("content", [b"\xff\xff", b"\x01\x00", b"\x00\xf1"])
def test_endings_out_of_range_are_refused(content: bytes) -> None:
    endings = _native.OuriEndings(Ouri.start().options.encode())
    with pytest.raises(ValueError, match="no endings"):
        endings.add(content)
    endings.add(b"\0\0")
    assert endings.statistics(0) == ((1,), 0)


def test_patterns_of_konane() -> None:
    size = len(Weights.of("konane").patterns)
    accepted = [content for content in contents(2, size, size - 1) if not refused(_native.KonanePatterns, content)]
    assert {len(content) for content in accepted} == {size}
    start = Konane.start()
    for content in accepted[:5]:
        settings = _native.SearchSettings(
            options=start.options.encode(),
            **Weights.of("konane").columns(),
            tables=_native.KonanePatterns(content),
            mebibytes=1,
        )
        search = _native.SEARCHERS["konane"]["usual"](settings)
        request = _native.SearchRequest(start=start.encode(), nodes=2_000)
        assert search.search(request, _native.StopFlag(), lambda _: None)[4]


def test_noise_is_no_state_on_the_whole_board() -> None:
    """On 8x8 every set of bits is a set of cells, so the rest must be looked at."""
    start = Rastros.start(RastrosOptions(size=8))
    solver = _native.RastrosSolver(start.options.encode(), 1)
    for content in contents(6, 16):
        assert refused(solver.remember, content) or not content
    assert solver.costly(10) == b""
    assert solver.value(start.encode(), 100, 0.0, _native.StopFlag()) == 0
    kept = solver.costly(10)
    again = _native.RastrosSolver(start.options.encode(), 1)
    again.remember(kept)
    assert kept and sorted(again.costly(10)) == sorted(kept)


def test_proofs_of_lies_are_refused() -> None:
    stop = _native.StopFlag()
    for content in contents(7):
        solver = _native.RastrosSolver(RASTROS.options.encode(), 1)
        refused(lambda proof, solver=solver: solver.learn_proof(RASTROS.encode(), proof), content)  # type: ignore[misc]
        with contextlib.suppress(ValueError):
            solver.proof(RASTROS.encode(), stop)


def test_states_of_rastros() -> None:
    stop = _native.StopFlag()
    for content in contents(3, 16, 64):
        solver = _native.RastrosSolver(RASTROS.options.encode(), 1)
        assert refused(solver.remember, content) or len(content) % 16 == 0
        assert solver.value(RASTROS.encode(), 1_000, 0.0, stop) in (0, 1, 2)
        assert len(solver.costly(10)) % 16 == 0


def test_openings_and_proofs_of_rastros() -> None:
    solver = _native.RastrosSolver(RASTROS.options.encode(), 1)
    known = (len(solver.positions_after(RASTROS.encode(), 2)) + 7) // 8
    for content in contents(4, known, 8):
        solver = _native.RastrosSolver(RASTROS.options.encode(), 1)
        refused(lambda wins, solver=solver: solver.learn_opening(RASTROS.encode(), 2, wins), content)  # type: ignore[misc]
        refused(lambda proof, solver=solver: solver.learn_proof(RASTROS.encode(), proof), content)  # type: ignore[misc]
        assert solver.value(RASTROS.encode(), 1_000, 0.0, _native.StopFlag()) in (0, 1, 2)


def test_proofs_of_konane() -> None:
    made = _native.KonaneSolver(KONANE.options.encode(), 1 << 16, 1 << 16)
    made.prove(KONANE.encode(), 1, 1, 0.0, _native.StopFlag(), lambda _: None)
    whole = made.proofs(0, made.places)
    assert whole
    for content in (whole, whole[:-1], *contents(5, len(whole))):
        solver = _native.KonaneSolver(KONANE.options.encode(), 1 << 16, 1 << 16)
        refused(solver.restore, content)
        value, *_ = solver.prove(KONANE.encode(), 1, 1, 0.1, _native.StopFlag(), lambda _: None)
        assert value in (-1, 0, 1)


@pytest.mark.parametrize("content", [array("I", [0, 0]), array("Q", [1, 2])])
def test_other_buffers_than_bytes(content: "array[int]") -> None:
    with pytest.raises(TypeError):
        _native.OuriEndings(Ouri.start().options.encode()).add(content)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_search_of_some_positions(game: type[Position]) -> None:
    """Little of everything: for the sanitizers, which are slow."""
    for seed in range(2):
        played = random_game(game.start(), seed=seed, max_plies=seed * 6)
        if played.outcome is not None:
            continue
        for engine in (
            AlphaBetaEngine(table=1),
            ProofEngine(table=1),
            MctsEngine(memory=4),
            MctsEngine(memory=4, threads=2),
        ):
            found = engine.analyse(played, Limit(nodes=300), lines=2)
            assert found.move in played.position.legal_moves()
