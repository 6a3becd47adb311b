"""Nets in the tree search: what they say is passed on, averaged, remembered; and all goes on where they cannot run."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

from tabuleiro import Game, _native, get
from tabuleiro.core import Position
from tabuleiro.games.hex import Hex, HexOptions
from tabuleiro.nn import View
from tabuleiro.nn.cards import FOLDER, Model, model_for, models
from tabuleiro.nn.evaluator import Net, NetFileError, net_evaluator
from tabuleiro.players import make_engine
from tabuleiro.players.nets import NetEngine
from tabuleiro.search import EngineError, Limit, MctsEngine, Score
from tabuleiro.search.mcts import Style

TINY = Path(__file__).parent.parent / "data" / "nets" / "tiny.onnx"
NO_SWAP = HexOptions(size=7, swap=False)
#: The largest file of a net in the package, in bytes.
LARGEST = 3_000_000


def random_positions(options: HexOptions, number: int, seed: int = 1) -> list[Hex]:
    chance = random.Random(seed)
    positions: list[Hex] = []
    while len(positions) < number:
        position = Hex.start(options)
        for _ in range(chance.randrange(options.size**2)):
            if position.outcome() is not None:
                break
            position = position.play(chance.choice(position.legal_moves()))
        if position.outcome() is None:
            positions.append(position)
    return positions


def asked_directly(path: Path, positions: list[Hex]) -> list[tuple[dict[int, float], float]]:
    """Priors by move and value, from one run of the net for each position and each of its symmetric images, by Python
    alone."""
    view = View(Hex, positions[0].options)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    answers = []
    for position in positions:
        bits = view.bits(position)
        upright = np.array([bits >> i & 1 for i in range(view.planes * view.area)], np.float32)
        logits, values = np.zeros(view.policy_size), []
        images = [(range(len(upright)), range(view.policy_size)), *((t.bits, t.policy) for t in view.symmetries)]
        for sources, policy in images:
            planes = upright[list(sources)].reshape(1, view.planes, view.height, view.width)
            said, value = session.run(None, {"planes": planes})
            for goal, source in enumerate(policy):
                logits[source] += said[0][goal] / len(images)
            values.append(value[0])
        moves = position.legal_moves()
        chosen = np.exp([logits[view.index(position, move)] for move in moves])
        answers.append((dict(zip(moves, chosen / chosen.sum(), strict=True)), float(np.mean(values))))
    return answers


def seen_at_root(position: Position, **settings: Any) -> tuple[dict[int, float], float]:
    """The priors at the root of a tree, and the value of its most trusted move for the player who makes it."""
    evaluator = net_evaluator(TINY, type(position), position.options, **settings)
    found = MctsEngine(evaluator=evaluator, knowledge=False, style=Style(proofs=False), batch=1).analyse(
        position, Limit(nodes=1)
    )
    return {seen.move: seen.prior for seen in found.root}, found.root[0].value


@pytest.mark.parametrize(
    "path", [TINY, *(model.path for model in models() if model.game == "hex")], ids=lambda p: p.stem
)
def test_the_evaluator_says_what_the_net_says_of_all_symmetric_images(path: Path) -> None:
    positions = random_positions(NO_SWAP, 12)
    for position, (priors, _) in zip(positions, asked_directly(path, positions), strict=True):
        evaluator = net_evaluator(path, Hex, NO_SWAP)
        engine = MctsEngine(evaluator=evaluator, knowledge=False, style=Style(proofs=False), batch=1)
        found = engine.analyse(position, Limit(nodes=1))
        assert {seen.move: seen.prior for seen in found.root} == pytest.approx(priors, abs=2e-5)
        first = found.root[0]
        after = position.play(first.move)
        if after.outcome() is None:
            assert first.value == pytest.approx(-asked_directly(path, [after])[0][1], abs=1e-4)


def test_symmetric_positions_are_worth_the_same() -> None:
    for position in random_positions(NO_SWAP, 6, seed=2):
        (turn,) = [turn for turn in position.symmetries() if not turn.exchanges_players]
        priors, _ = seen_at_root(position)
        turned, _ = seen_at_root(position.transform(turn))
        assert turned == pytest.approx({position.transform_move(move, turn): p for move, p in priors.items()}, abs=1e-5)
        plain, _ = seen_at_root(position, symmetric=False)
        assert plain != pytest.approx(priors, abs=1e-3)


def test_a_temperature_makes_priors_more_alike() -> None:
    position = random_positions(NO_SWAP, 1, seed=3)[0]
    cold, hot = (max(seen_at_root(position, temperature=t)[0].values()) for t in (0.5, 2.0))
    assert cold > hot


class Counting:
    """The tiny net, and how many rows it saw."""

    def __init__(self) -> None:
        self.net, self.rows = Net(TINY, View(Hex, NO_SWAP)), 0

    def __call__(self, planes: Any) -> tuple[Any, Any]:
        self.rows += len(planes)
        return self.net(planes)


def evaluator_of(net: Any, remembered: int) -> _native.NetEvaluator:
    view = View(Hex, NO_SWAP)
    turns = [(turned.bits, turned.policy) for turned in view.symmetries]
    return _native.NET_EVALUATORS["hex"](NO_SWAP.encode(), view.native_tables(), turns, 1.0, remembered, net)


def test_what_the_net_said_is_remembered_but_not_without_bound() -> None:
    position = random_positions(NO_SWAP, 1, seed=4)[0]
    results = []
    for remembered in (1 << 20, 1):
        net = Counting()
        evaluator = evaluator_of(net, remembered)
        found = []
        for _ in range(2):
            engine = MctsEngine(evaluator=evaluator, batch=1, style=Style(proofs=False), knowledge=False)
            found.append(engine.analyse(position, Limit(nodes=60)).root)
            results.append((net.rows, *evaluator.tally()))
        assert found[0] == found[1]
    (rows, asked, seen), (later_rows, later_asked, later_seen), *forgetful = results
    assert rows == 2 * seen and seen <= asked
    assert later_rows == rows and later_seen == seen and later_asked > asked
    assert forgetful[1][2] > forgetful[0][2] * 1.5


@pytest.mark.parametrize("batch", [1, 8])
def test_a_search_depends_on_its_question_alone(batch: int) -> None:
    position = random_positions(NO_SWAP, 1, seed=5)[0]
    engines = [MctsEngine(evaluator=evaluator_of(Counting(), 1 << 12), batch=batch) for _ in range(2)]
    first, second = (engine.analyse(position, Limit(nodes=120)) for engine in engines)
    assert first.root == second.root and first.lines == second.lines


def test_many_threads_may_ask_one_evaluator() -> None:
    engine = MctsEngine(evaluator=evaluator_of(Counting(), 64), batch=4, threads=4)
    assert engine.analyse(Hex.start(NO_SWAP), Limit(nodes=400)).nodes >= 400


def test_a_chain_of_bridges_is_proven_at_once_with_the_net_on() -> None:
    for name in (f"net:model={TINY}", "net", "level:10"):
        for turn, score in (("w", Score.loss()), ("b", Score.win())):
            position = Hex.from_str(f"11/11/5b5/11/4b6/11/3b7/11/2b8/11/11 {turn} -", HexOptions(swap=False))
            found = make_engine(name, "hex").analyse(position, Limit(nodes=1))
            assert found.exact and found.score == score


def test_the_swap_is_taken_where_the_first_stone_is_good() -> None:
    """The net's own index for the swap is never learnt; its value decides."""
    start = Hex.start(HexOptions(size=11))
    for cell, swaps in (("f6", True), ("a1", False)):
        position = start.play(start.parse_move(cell))
        found = make_engine("net", "hex").analyse(position, Limit(nodes=20))
        assert (found.move == 121) == swaps
        assert found.score.chance > 0.5


def test_the_first_stone_is_one_that_need_not_be_feared() -> None:
    start = Hex.start(HexOptions(size=11))
    found = make_engine("net", "hex").analyse(start, Limit(nodes=40))
    assert 0.25 < found.score.chance < 0.75
    assert found.move != start.parse_move("f6")


# ------------------------------------------------------------------------------------------------------------- models


def test_every_net_of_the_package_has_a_card_and_stays_small() -> None:
    files = {path.stem for path in FOLDER.glob("*.onnx")}
    assert files == {path.stem for path in FOLDER.glob("*.json")} and files
    for model in models():
        assert model.path.stat().st_size <= LARGEST
        assert {"game", "boards", "data", "games", "minutes", "command", "matches"} <= set(model.card)
        for board in model.card["boards"]:
            get(model.game).options_type.parse(board)
        for match in model.card["matches"]:
            assert {"against", "board", "games", "score", "error", "seconds", "command"} <= set(match)


def test_a_net_plays_where_it_won_its_place_and_nowhere_else() -> None:
    for model in models():
        won = [match["board"] for match in model.card["matches"] if match["score"] - match["error"] > 0.5]
        assert all(board in won for board in model.card["boards"])
    assert model_for("hex", HexOptions(size=11)) is not None
    assert model_for("hex", HexOptions(size=4)) is None
    with pytest.raises(EngineError, match="no net"):
        make_engine("net", "hex").analyse(Hex.start(HexOptions(size=4)), Limit(nodes=1))


def test_level_ten_plays_boards_without_a_net_as_before() -> None:
    position = Hex.start(HexOptions(size=5, swap=False))
    assert make_engine("level:10", "hex").analyse(position, Limit(seconds=0.2)).lines


def test_a_file_that_is_no_net_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"no net", TINY.read_bytes()[:200]):
        (tmp_path / "broken.onnx").write_bytes(content)
        with pytest.raises(NetFileError, match=r"broken\.onnx"):
            net_evaluator.__wrapped__(tmp_path / "broken.onnx", Hex, NO_SWAP)
    with pytest.raises(NetFileError):
        net_evaluator.__wrapped__(TINY, get("avanco"), get("avanco").options_type())


def test_level_ten_goes_on_without_a_net_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Model(tmp_path / "broken.onnx", {"game": "hex", "boards": [{}]})
    broken.path.write_bytes(b"no net")
    monkeypatch.setattr("tabuleiro.players.nets.model_for", lambda game, options: broken)
    engine = make_engine("level:10", "hex")
    with pytest.warns(RuntimeWarning, match=r"broken\.onnx"):
        assert engine.analyse(Hex.start(HexOptions(size=5, swap=False)), Limit(seconds=0.1)).lines
    with pytest.raises(NetFileError):
        make_engine("net", "hex").analyse(Hex.start(HexOptions(size=5, swap=False)), Limit(seconds=0.1))


def test_onnxruntime_is_loaded_with_the_first_net_and_not_before() -> None:
    code = "import sys, tabuleiro.players as p; p.level_engine('hex', 10); print('onnxruntime' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


WITHOUT = """
import sys
sys.modules["onnxruntime"] = None
from tabuleiro.cli import main
main()
"""


def run_without_onnxruntime(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", WITHOUT, *arguments], capture_output=True, text=True, check=False)


def test_without_onnxruntime_level_ten_plays_and_says_what_is_missing() -> None:
    ran = run_without_onnxruntime("analyse", "hex", "--time", "0.05", "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["lines"]
    assert "tabuleiro[nn]" in ran.stderr
    ran = run_without_onnxruntime("players")
    assert ran.returncode == 0 and "tabuleiro[nn]" in ran.stdout
    ran = run_without_onnxruntime("match", "hex", "net:nodes=1", "random", "--games", "2")
    assert ran.returncode != 0 and "tabuleiro[nn]" in ran.stderr and "Traceback" not in ran.stderr


def test_analysis_says_what_the_net_likes_at_sight() -> None:
    asked = ("analyse", "hex", "--option", "swap=false", "--nodes", "8", "--lines", "3")
    command = [sys.executable, "-m", "tabuleiro", *asked]
    found = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout)
    priors = [line["prior"] for line in found["lines"]]
    assert max(priors) > 0.2 and sum(priors) <= 1
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "at sight" in shown and f"{max(priors):.0%}" in shown


def test_with_onnxruntime_nothing_is_said_of_it() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tabuleiro", "analyse", "hex", "--time", "0.05"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "onnx" not in ran.stdout + ran.stderr and "tabuleiro[nn]" not in ran.stderr


def test_a_game_goes_on_from_what_was_learnt() -> None:
    """The tree below the moves made is kept from move to move."""
    engine = make_engine(f"net:model={TINY},batch=1", "hex")
    assert isinstance(engine, NetEngine)
    game = Game(Hex.start(NO_SWAP))
    game.play(game.position.move_str(engine.play(game, Limit(nodes=200))))
    found = engine.analyse(game, Limit(nodes=1))
    assert sum(seen.visits for seen in found.root) > 10
