"""Training, where PyTorch is: a tiny net learns small boards in under a minute, and goes on from a checkpoint."""

import random
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: training is not tested")
sys.path.insert(0, str(Path(__file__).parents[2]))

from training.nets.learner import LearningSettings  # noqa: E402
from training.nets.net import Net, Shape, loaded, unpacked  # noqa: E402
from training.nets.selfplay import SearchSettings  # noqa: E402
from training.nets.train import Plan, Run, Stage  # noqa: E402

from tabuleiro import GAMES, Game, Player, Position  # noqa: E402
from tabuleiro.core import Move  # noqa: E402
from tabuleiro.nn import View  # noqa: E402
from tabuleiro.players import level_engine  # noqa: E402
from tabuleiro.search import Limit  # noqa: E402

#: Long enough for any machine: the number of positions ends the run.
NO_HURRY = 60.0
LEARNING = LearningSettings(rate=5e-3, rise=20, memory=0.97)
CPU = torch.device("cpu")


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def plan(positions: int) -> Plan:
    return Plan(batch=256, capacity=50_000, games=128, first_window=1000, positions=positions)


def trained(game: str, options: dict[str, str], positions: int, out: Path | None = None) -> Run:
    torch.manual_seed(0)
    kind = GAMES[game]
    net = Net(Shape.of(View(kind, kind.options_type.parse(options)), blocks=2, width=16))
    run = Run(kind, net, plan(positions), LEARNING, CPU, out)
    run.train([Stage(NO_HURRY, options, SearchSettings(simulations=16, candidates=8))])
    return run


def best_move(net: Net, view: View, position: Position) -> Move:
    """The move that the net likes best, without any search."""
    packed = torch.frombuffer(bytearray(view.packed(position)), dtype=torch.uint8)[None]
    with torch.inference_mode():
        logits = net(unpacked(packed, net.shape, view.height, view.width).float())[0][0]
    return max(position.legal_moves(), key=lambda move: float(logits[view.index(position, move)]))


def points(run: Run, opponent: str, games: int) -> float:
    """Of the net's raw policy, the first move of each game drawn at random, the sides taking turns."""
    assert run.play is not None
    net, view = run.learner.mean, run.play.view
    chance = random.Random(5)
    engine = level_engine(view.kind.id, 3, seed=1)
    total = 0.0
    for number in range(games):
        ours = Player.ONE if number % 2 else Player.TWO
        node = Game(view.kind.start(view.options)).root
        node = node.play(node.position.move_str(chance.choice(node.position.legal_moves())))
        while node.outcome is None:
            if node.position.turn is ours:
                move = best_move(net, view, node.position)
            elif opponent == "random":
                move = chance.choice(node.position.legal_moves())
            else:
                move = engine.play(node, Limit())
            node = node.play(node.position.move_str(move))
        total += 0.5 if node.outcome.winner is None else node.outcome.winner is ours
    return total


@pytest.mark.parametrize(("game", "options"), [("hex", {"size": "4", "swap": "off"}), ("avanco", {"size": "5"})])
def test_a_tiny_net_learns_to_beat_chance_and_level_3(game: str, options: dict[str, str]) -> None:
    run = trained(game, options, 12_000)
    assert points(run, "random", 40) >= 34
    assert points(run, "level 3", 40) > 20


def test_the_same_seed_gives_the_same_net_and_a_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    options = {"size": "3", "swap": "off"}
    first = trained("hex", options, 3000, tmp_path)
    again = trained("hex", options, 3000)
    assert first.lines[-1]["policy_loss"] == again.lines[-1]["policy_loss"]

    checkpoint = torch.load(next(tmp_path.glob("*.pt")), weights_only=True)
    net = loaded(checkpoint["shape"], checkpoint["net"])
    resumed = Run(GAMES["hex"], net, plan(3000), LEARNING, CPU, None, checkpoint)
    for name, value in first.learner.mean.state_dict().items():
        assert torch.allclose(value.float(), resumed.learner.mean.state_dict()[name].float(), atol=2e-3)
    # The mean goes on too: at the first step already it forgets no more than its share.
    ours, mean = resumed.learner.net.value.weight.data, resumed.learner.mean.value.weight.data
    before = mean.clone()
    resumed.learner._remember()
    assert torch.allclose(mean - before, (1 - LEARNING.memory) * (ours - before), atol=1e-6)
    assert (ours - before).abs().max() > 1e-4
    resumed.train([Stage(NO_HURRY, options, SearchSettings(simulations=16, candidates=8))])
    # What was learnt is kept: the value loss is lower from the start than it was at first.
    assert resumed.lines[0]["value_loss"] < first.lines[0]["value_loss"]
    assert resumed.lines[-1]["minutes"] > checkpoint["minutes"]


def test_a_folded_net_and_an_exported_one_answer_as_the_net_does() -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: export is not tested")
    pytest.importorskip("onnx", reason="onnx is not installed: export is not tested")
    from training.nets.export import TOLERANCE, exported, halved, largest_difference, random_planes

    for game in ("hex", "guerreiros"):
        view = View(GAMES[game])
        torch.manual_seed(1)
        net = Net(Shape.of(view, blocks=3, width=16))
        net(random_planes(view, 64, seed=2))  # gives the normalisation something to remember
        net.eval()
        planes = random_planes(view, 16, seed=3)
        with torch.inference_mode():
            for plain, folded in zip(net(planes), net.folded()(planes), strict=True):
                assert torch.allclose(plain, folded, atol=1e-4)
        kept = halved(net.folded())
        assert largest_difference(kept, exported(kept, view), view) < TOLERANCE


def test_a_net_of_eight_bits_says_nearly_the_same(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: eight bits are not tested")
    onnx = pytest.importorskip("onnx", reason="onnx is not installed: eight bits are not tested")
    from training.nets import quantize
    from training.nets.export import exported, random_planes
    from training.nets.match import Table

    from tabuleiro.nn.evaluator import Net as Exported

    table = Table(GAMES["hex"], GAMES["hex"].options_type.parse({"size": "5", "swap": "off"}))
    view = table.view
    torch.manual_seed(1)
    net = Net(Shape.of(view, blocks=2, width=16))
    net(random_planes(view, 64, seed=2))  # gives the normalisation something to remember
    whole, eight = tmp_path / "net.onnx", tmp_path / "eight.onnx"
    whole.write_bytes(exported(net.eval().folded(), view))
    first = Exported(whole, view)
    quantize.quantized(whole, quantize.own_planes(first, table, 128, seed=1), eight)
    # Two blocks of two convolutions each, and nothing else.
    kinds = [weights.data_type for weights in onnx.load(eight).graph.initializer if len(weights.dims) == 4]
    assert kinds.count(onnx.TensorProto.INT8) == 4 and onnx.TensorProto.FLOAT in kinds
    planes = quantize.own_planes(first, table, 128, seed=2)
    assert quantize.differences(first, first, planes) == (1.0, 0.0)
    same, apart = quantize.differences(first, Exported(eight, view), planes)
    assert same > 0.8 and 0 < apart < 0.02


def test_nets_meet_in_matches_and_in_the_tree_search(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: matches are not tested")
    pytest.importorskip("onnx", reason="onnx is not installed: matches are not tested")
    from training.nets.export import exported
    from training.nets.gate import Gate, Side
    from training.nets.match import OurNet, Table, match, openings

    kind = GAMES["hex"]
    options = kind.options_type.parse({"size": "7", "swap": "off"})
    table = Table(kind, options)
    torch.manual_seed(2)
    net = Net(Shape.of(table.view, blocks=1, width=8)).eval().folded()
    path = tmp_path / "net.onnx"
    path.write_bytes(exported(net, table.view))
    starts = openings(table, 4, 2, seed=1)
    assert match(table, OurNet(path), OurNet(path), starts) == [1.0] * 4

    position = kind.decode(starts[0].tolist(), options)
    raw, searching = (Side(f"net:model={path},nodes={nodes}", "hex", table, Limit()) for nodes in (1, 8))
    gate = Gate(raw, searching)
    verdicts = list(gate.play(iter([position, position]), (0, 500)))
    assert len(verdicts) == gate.tally.pairs > 0
    assert gate.first.moves > 0 and gate.second.moves > 0


def test_nets_of_other_makers_play_raw_and_in_the_tree_search(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: matches are not tested")
    import numpy
    from training.nets import foreign
    from training.nets.match import Table

    class Diagonal:
        """Likes the long diagonal, and wins by it."""

        def logits(self, planes: "numpy.typing.NDArray[numpy.float32]") -> "numpy.typing.NDArray[numpy.float32]":
            cells = numpy.eye(7, dtype=numpy.float32).reshape(-1)
            return numpy.tile(numpy.append(6 * cells, -99), (len(planes), 1)).astype(numpy.float32)

    monkeypatch.setattr(foreign, "policy_of", lambda path: Diagonal())
    kind = GAMES["hex"]
    start = kind.start(kind.options_type.parse({"size": "7", "swap": "off"}))
    table = Table(kind, start.options)
    assert foreign.is_foreign("rim:net.onnx") and not foreign.is_foreign("net:nodes=1")
    for name in ("rim:net.onnx", "rim:net.onnx,nodes=20", "rim:net.onnx,search=on"):
        engine, limit = foreign.foreign_engine(name, table, Limit(nodes=30))
        found = engine.analyse(start, limit)
        assert found.move % 8 == 0, "a cell of the diagonal"
        assert found.nodes == (limit.nodes or 1)
    words, moves = (numpy.array(each) for each in (start.encode(), start.legal_moves()))
    asked = words.astype(numpy.uint64), numpy.array([len(moves)], numpy.uint32), moves.astype(numpy.uint32)
    (value,), trust = foreign.MovesAsValues(table, Diagonal())(*(part.tobytes() for part in asked))
    assert value == pytest.approx(numpy.tanh(3)) and [int(move) for move in moves[trust == 1]] == list(range(0, 49, 8))
