"""Throws noise, and what is nearly right, at everything that reads: tables, positions, records, engine protocols.

python bench/fuzz.py --seconds 60
make fuzz MINUTES=10          the same under the address and undefined-behaviour sanitizers, ten minutes each

What is thrown must be refused by one of our errors or be taken, and then hold together: both sets of rules list the
same moves, a record is read back as it was written. Anything else is printed with its seed, and the exit status is 1.
"""

import argparse
import contextlib
import dataclasses
import io
import random
import sys
import time
import traceback
from collections.abc import Callable

from tabuleiro import GAMES, _native, native
from tabuleiro.core import Position, TabuleiroError, show_value
from tabuleiro.engine.gtp import GtpServer
from tabuleiro.engine.serve import UgiServer
from tabuleiro.games.konane import Konane, KonaneOptions
from tabuleiro.games.ouri import Ouri
from tabuleiro.games.rastros import Rastros, RastrosOptions
from tabuleiro.record import random_game, read_games, write_game
from tabuleiro.search.native import Weights

#: What a table may be refused by.
REFUSED = (TabuleiroError, ValueError, TypeError, OverflowError)


def spoilt(chance: random.Random, content: bytes) -> bytes:
    """Something with a few bytes changed, cut, doubled or put elsewhere."""
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(data) + 1)
        change = chance.randrange(5)
        if change == 0 and data:
            data[at % len(data)] = chance.randrange(256)
        elif change == 1:
            del data[at : at + chance.randrange(8)]
        elif change == 2:
            data[at:at] = chance.randbytes(chance.randrange(8))
        elif change == 3:
            data[at:at] = data[: chance.randrange(40)]
        elif data:
            data[at % len(data)] ^= 1 << chance.randrange(8)
    return bytes(data)


def spoilt_text(chance: random.Random, text: str) -> str:
    return spoilt(chance, text.encode()).decode(errors="replace")


def any_position(chance: random.Random) -> Position:
    game = chance.choice([*GAMES.values()])
    start = game.start(game.options_type.parse(any_options(chance, game)))
    return random_game(start, seed=chance.randrange(1 << 30), max_plies=chance.randrange(30)).position


def any_options(chance: random.Random, game: type[Position]) -> dict[str, str]:
    fields = dataclasses.fields(game.options_type)
    for _ in range(20):
        chosen = {
            field.name: show_value(chance.choice(field.metadata["values"])) for field in fields if chance.random() < 0.2
        }
        with contextlib.suppress(TabuleiroError):
            game.options_type.parse(chosen)
            return chosen
    return {}


# ---------------------------------------------------------------------------------------------------------- the targets


def tables(chance: random.Random) -> None:
    """The loaders and solvers behind them."""
    chance.choice((_ouri, _rastros, _konane, _patterns))(chance)


def _ouri(chance: random.Random) -> None:
    endings = _native.OuriEndings(Ouri.start().options.encode())
    for level in range(chance.randrange(1, 4)):
        size = _native.OuriEndings.size(level)
        content = bytearray(size)
        endings.solve(content, 1, lambda _: None)
        thrown = spoilt(chance, bytes(content)) if chance.random() < 0.5 else bytes(content)
        with contextlib.suppress(*REFUSED):
            endings.add(chance.choice((thrown, chance.randbytes(size), b"\xff" * size)))
        if endings.levels <= level:
            endings.add(bytes(content))
        endings.statistics(level)
    for position in random_game("ouri", seed=chance.randrange(1000)).positions()[-5:]:
        endings.probe(position.encode())


def _rastros(chance: random.Random) -> None:
    start = Rastros.start(RastrosOptions(size=chance.choice((5, 6, 7, 8))))
    stop = _native.StopFlag()
    solver = _native.RastrosSolver(start.options.encode(), 1)
    solver.value(start.encode(), 200, 0.0, stop)
    states = solver.costly(100)
    other = _native.RastrosSolver(start.options.encode(), 1)
    for content in (spoilt(chance, states), chance.randbytes(16 * chance.randrange(10)), states):
        with contextlib.suppress(*REFUSED):
            other.remember(content)
        with contextlib.suppress(*REFUSED):
            other.learn_proof(start.encode(), content[: chance.randrange(40)])
        with contextlib.suppress(*REFUSED):
            other.learn_opening(start.encode(), chance.randrange(3), content[: chance.randrange(4)])
    other.value(start.encode(), 200, 0.0, stop)
    other.winning_move(start.encode())
    if start.options.encode()[0] == 5:
        with contextlib.suppress(*REFUSED):
            other.proof(start.encode(), stop)
    other.costly(chance.randrange(50))


def _konane(chance: random.Random) -> None:
    start = Konane.start(KonaneOptions(size=4))
    made = _native.KonaneSolver(start.options.encode(), 1 << 12, 1 << 12)
    made.prove(start.encode(), 1, 1, 0.0, _native.StopFlag(), lambda _: None)
    whole = made.proofs(0, made.places)
    solver = _native.KonaneSolver(start.options.encode(), 1 << 12, 1 << 12)
    with contextlib.suppress(*REFUSED):
        solver.restore(chance.choice((spoilt(chance, whole), chance.randbytes(len(whole)), whole)))
    solver.prove(start.encode(), 1, 1, 0.1, _native.StopFlag(), lambda _: None)


def _patterns(chance: random.Random) -> None:
    weights = Weights.of("konane")
    start = Konane.start()
    try:
        patterns = _native.KonanePatterns(spoilt(chance, weights.patterns))
    except REFUSED:
        return
    settings = _native.SearchSettings(options=start.options.encode(), **weights.columns(), tables=patterns, mebibytes=1)
    search = _native.SEARCHERS["konane"]["usual"](settings)
    search.search(_native.SearchRequest(start=start.encode(), nodes=200), _native.StopFlag(), lambda _: None)


def positions(chance: random.Random) -> None:
    """Position strings, moves as typed, and the words of the kernels."""
    position = any_position(chance)
    game, options = type(position), position.options
    kernel = native.kernel(position)
    thrown = spoilt_text(chance, str(position))
    with contextlib.suppress(TabuleiroError):
        read = game.from_str(thrown, options)
        assert game.from_str(str(read), options) == read, thrown
        assert game.decode(read.encode(), options) == read, thrown
        if kernel is not None:
            assert kernel.moves(read.encode()) == read.legal_moves(), thrown
    for text in [*position.move_texts()][:3]:
        with contextlib.suppress(TabuleiroError):
            assert position.parse_move(spoilt_text(chance, text)) in position.legal_moves()
    if kernel is not None:
        words = list(position.encode())
        for _ in range(chance.randrange(1, 4)):
            words[chance.randrange(len(words))] = chance.choice(
                (chance.getrandbits(64), chance.getrandbits(7), words[0] ^ 1 << chance.randrange(64))
            )
        with contextlib.suppress(*REFUSED):
            for move in kernel.moves(words)[:5]:
                kernel.play(words, move)
        with contextlib.suppress(*REFUSED):
            kernel.play(position.encode(), chance.getrandbits(chance.choice((5, 10, 16, 31))))


def records(chance: random.Random) -> None:
    start = any_position(chance)
    game = random_game(start, seed=chance.randrange(1 << 30), max_plies=20)
    game.last.comment = "{nota} [x] ;"
    with contextlib.suppress(TabuleiroError):
        for read in read_games(io.StringIO(spoilt_text(chance, write_game(game)))):
            (again,) = read_games(io.StringIO(write_game(read)))
            assert again == read


MESSAGES = (
    "ugi", "isready", "uginewgame", "position startpos", "setoption name Level value 1", "setoption name Hash value 1",
    "go nodes 50", "go movetime 5", "go depth 1", "stop", "query p1turn", "query gameover", "query result",
    "position startpos moves {moves}", "position fen {position}", "go infinite", "setoption name MultiPV value 3",
)  # fmt: skip
GTP_MESSAGES = (
    "boardsize 5", "clear_board", "play black a1", "play white b2", "genmove black", "undo", "showboard", "name",
    "time_settings 0 1 1", "time_left black 1 1", "list_commands", "known_command play",
)  # fmt: skip


def protocol(chance: random.Random) -> None:
    """What an engine is told over a pipe."""
    position = any_position(chance)
    filled = {"position": str(position), "moves": " ".join([*position.move_texts()][:2])}
    server = UgiServer(type(position), position.options, 1, 1, lambda _: None)
    try:
        for _ in range(6):
            line = chance.choice(MESSAGES).format(**filled)
            thrown = spoilt_text(chance, line) if chance.random() < 0.5 else line
            if "movetime" in thrown or "nodes" in thrown:
                thrown = line  # a longer time is no fault
            if not server.take(thrown.replace("\n", " ")):
                return
            if thrown.startswith("go"):
                server.take("stop")
    finally:
        server.close()
    if chance.random() < 0.05:
        gtp = GtpServer(1, 1)
        gtp.take("boardsize 4")
        for _ in range(6):
            line = chance.choice(GTP_MESSAGES)
            gtp.take((spoilt_text(chance, line) if chance.random() < 0.5 else line).replace("\n", " "))


TARGETS: dict[str, Callable[[random.Random], None]] = {
    "tables": tables,
    "positions": positions,
    "records": records,
    "protocol": protocol,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="for each of the targets")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", choices=[*TARGETS])
    wanted = parser.parse_args()
    begun = wanted.seed if wanted.seed is not None else random.SystemRandom().randrange(1 << 30)
    faults = 0
    for name, target in TARGETS.items():
        if wanted.only not in (None, name):
            continue
        seed, until = begun, time.monotonic() + wanted.seconds
        while time.monotonic() < until and faults < 10:
            try:
                target(random.Random(seed))
            except Exception:
                faults += 1
                print(f"FAULT in {name}, --only {name} --seed {seed}\n{traceback.format_exc()}", flush=True)
            seed += 1
        print(f"{name}: {seed - begun} tries from seed {begun}, {faults} faults so far", flush=True)
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
