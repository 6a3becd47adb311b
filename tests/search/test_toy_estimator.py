"""An estimator with a state that is updated move by move is one file, of which one line enters it in the module.

The file is compiled here with the rest of the module but for the games, and alpha-beta judges Semáforo by it: as a
search of every line with the Python rules says, and with states that are always what they would be if made afresh.
"""

import importlib
import importlib.util
import itertools
import os
import random
import shutil
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from missing import leave_out
from tabuleiro.games.semaforo import Semaforo
from tabuleiro.record import random_game
from tabuleiro.search.native import WIN_SCORE

#: Compiling takes a minute on a busy machine.
pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]

#: The points of each light on each cell, for the first player: any numbers do.
POINTS = [[(7 * cell + 5 * light) % 23 - 11 for cell in range(12)] for light in range(3)]

TOY = """
#include "../games/semaforo.hpp"
#include "../search/bind_search.hpp"
#include "register.hpp"

namespace tabuleiro {

/// The sum of what the lights are worth, kept from move to move.
struct ToyEstimator {
    using Rules = Semaforo;
    struct State {
        int points = 0;
        bool operator==(const State&) const = default;
    };

    // With a weight, updates go wrong: a light that changes is not taken away.
    explicit ToyEstimator(const EstimatorSettings& settings) : forgetful(!settings.early.empty()) {}

    void start(const Semaforo&, const Semaforo::Position& position, State& state) const {
        state.points = worth(0, position.green) + worth(1, position.yellow) + worth(2, position.red);
    }

    void update(const Semaforo& rules, const State& before, const Semaforo::Position& from, Move move,
                const Semaforo::Position& to, State& after) const {
        const Word cell = bit(static_cast<int>(move));
        const int light = from.yellow & cell ? 2 : from.green & cell ? 1 : 0;
        after.points = before.points + worth(light, cell) - (light && !forgetful ? worth(light - 1, cell) : 0);
        check(rules, to, after);
    }

    int evaluate(const Semaforo& rules, const Semaforo::Position& position, const State& state) const {
        check(rules, position, state);
        return position.turn == 1 ? state.points : -state.points;
    }

   private:
    static int worth(int light, Word cells) {
        int sum = 0;
        while (cells) sum += (7 * pop(cells) + 5 * light) % 23 - 11;
        return sum;
    }

    void check(const Semaforo& rules, const Semaforo::Position& position, const State& state) const {
        State afresh;
        start(rules, position, afresh);
        require(state == afresh, "the state is not what it would be if made afresh");
    }

    bool forgetful;
};

const Registration toy([](nb::module_& module) { bind_search_of<ToyEstimator>(module, "toy"); });

}  // namespace tabuleiro
"""


def compiled(folder: Path, compiler: str) -> ModuleType:
    """The module with the toy and no game, from a copy of the sources."""
    nanobind = importlib.import_module("nanobind")  # what the package itself was built with
    shutil.copytree(ROOT / "native", folder / "native")
    toy = folder / "native/bind/toy.cpp"
    toy.write_text(TOY, encoding="utf-8")
    home = Path(nanobind.source_dir()).parent
    flags = [
        *("-std=c++20", "-O1", "-fPIC", "-fvisibility=hidden", "-fno-strict-aliasing"),
        *("-DNB_DOMAIN=toy", '-DTABULEIRO_STAMP="toy"'),
        *(f"-I{path}" for path in (nanobind.include_dir(), home / "ext/robin_map/include")),
        f"-I{sysconfig.get_paths()['include']}",
    ]

    def build(source: Path) -> Path:
        made = folder / f"{source.stem}.o"
        subprocess.run([compiler, *flags, "-c", source, "-o", made], check=True, timeout=600)
        return made

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(build, [toy, folder / "native/module.cpp", home / "src/nb_combined.cpp"]))
    binary = folder / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    subprocess.run([compiler, "-shared", *objects, "-o", binary], check=True, timeout=600)
    spec = importlib.util.spec_from_file_location("toy._native", binary)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None or not Path(sysconfig.get_paths()["include"], "Python.h").is_file():
        leave_out("no C++ compiler, or no headers of Python")
    return compiled(tmp_path_factory.mktemp("toy"), compiler)


def full_width(position: Semaforo, depth: int, ply: int = 0) -> int:
    """The value for the player to move by trying every line of moves."""
    outcome = position.outcome()
    if outcome is not None:
        won = outcome.winner is position.turn
        return (WIN_SCORE - ply) * (1 if won else -1)
    if depth == 0:
        *lights, turn = position.encode()
        points = sum(POINTS[light][cell] for light, set_ in enumerate(lights) for cell in range(12) if set_ >> cell & 1)
        return (points if turn == 1 else -points) or 1  # only a draw is 0
    return max(-full_width(position.play(move), depth - 1, ply + 1) for move in position.legal_moves())


def searched(toy: ModuleType, position: Semaforo, depth: int, early: list[int]) -> tuple[int, int]:
    settings = toy.SearchSettings(options=position.options.encode(), mebibytes=1, full_width=True, early=early)
    search = toy.SEARCHERS["semaforo"]["toy"](settings)
    request = toy.SearchRequest(start=position.encode(), depth=depth)
    reached, _, _, _, lines, _ = search.search(request, toy.StopFlag(), lambda _: None)
    return lines[0][0], reached


def positions() -> list[Semaforo]:
    chance = random.Random(1)
    games = (random_game(Semaforo.start(), seed=seed, max_plies=chance.randrange(10)) for seed in itertools.count())
    return [game.position for game in itertools.islice((game for game in games if game.outcome is None), 25)]  # type: ignore[misc]


def test_only_the_toy_is_there(toy: ModuleType) -> None:
    assert {game: list(kinds) for game, kinds in toy.SEARCHERS.items()} == {"semaforo": ["toy"]}
    assert toy.KERNELS == {}


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_search_agrees_with_a_search_of_every_line(toy: ModuleType, depth: int) -> None:
    for position in positions():
        score, reached = searched(toy, position, depth, early=[])
        assert score == full_width(position, reached), position
        assert reached == depth or abs(score) >= WIN_SCORE - depth, position


def test_states_are_updated_move_by_move(toy: ModuleType) -> None:
    """A toy whose updates go wrong is caught, so they are used; at a depth where a light has changed."""
    with pytest.raises(ValueError, match="made afresh"):
        searched(toy, Semaforo.start(), 3, early=[1])


def test_it_has_no_features(toy: ModuleType) -> None:
    start = Semaforo.start()
    search = toy.SEARCHERS["semaforo"]["toy"](toy.SearchSettings(options=start.options.encode(), mebibytes=1))
    assert search.feature_names == () and search.evaluate(start.encode()) == 0
    with pytest.raises(ValueError, match="features"):
        search.features(start.encode())
