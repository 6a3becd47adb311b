"""Nets for alpha-beta, where PyTorch is: games are kept and made again, what is shipped judges as what was learnt."""

import random
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: training is not tested")
numpy = pytest.importorskip("numpy")
sys.path.insert(0, str(Path(__file__).parents[2]))

from training.nnue import train  # noqa: E402
from training.nnue.games import LOST, NOT_SEARCHED, WON, Games, GamesWriter  # noqa: E402
from training.nnue.generate import SelfPlay  # noqa: E402
from training.nnue.inputs import INPUTS  # noqa: E402
from training.nnue.net import Net, shipped  # noqa: E402
from training.nnue.positions import labels_of, positions_of, replayed  # noqa: E402

from tabuleiro import _native, get  # noqa: E402
from tabuleiro.record import random_game  # noqa: E402
from tabuleiro.search.native import Weights, searcher  # noqa: E402


def played(folder: Path, game: str, first: int, count: int) -> Path:
    kind = get(game)
    play, games = SelfPlay(kind, kind.start().options, 60, "1"), GamesWriter(game, "-")
    for number in range(first, first + count):
        play.play(number, games)
    path = folder / f"{game}-{first}.npz"
    games.write(path)
    return path


def test_games_are_made_again_as_they_were_played(tmp_path: Path) -> None:
    path = played(tmp_path, "avanco", 0, 4)
    games, start = Games.read(path), get("avanco").start()
    words, players = replayed(games, start.encode(), INPUTS["avanco"](), start.options.encode())
    at = 0
    for length in games.lengths.tolist():
        position = start
        for move in games.moves[at : at + length].tolist():
            assert tuple(words[at].tolist()) == position.encode() and players[at] == position.turn
            position = position.play(move)
            at += 1
    searched = games.scores != NOT_SEARCHED
    labels = labels_of(games, players, Weights.of("avanco"), 0.8)[searched]
    assert labels.min() >= 0 and labels.max() <= 1
    assert {LOST, WON} & set(games.scores.tolist()), "no game came to its end"
    assert 0 < len(positions_of(path).labels) < searched.sum(), "moves that take are left out"


def test_nothing_is_learnt_from_what_came_of_a_random_move() -> None:
    scale = Weights.of("avanco").scale
    games = Games(
        "avanco",
        "-",
        numpy.array([3]),
        numpy.array([2], numpy.uint8),
        numpy.zeros(3, numpy.uint32),
        numpy.array([round(2 * scale), NOT_SEARCHED, LOST]),
    )
    labels = labels_of(games, numpy.array([1, 2, 1]), Weights.of("avanco"), 0.9)
    assert labels[0] == pytest.approx(1 / (1 + numpy.exp(-2)), abs=0.01) and labels[2] == 0


@pytest.mark.parametrize("game", sorted(_native.NNUE))
def test_what_is_shipped_judges_as_what_was_learnt(game: str) -> None:
    """Both players' views, every bit in its row, whole numbers near enough."""
    torch.manual_seed(1)
    inputs, scale, start = INPUTS[game](), Weights.of(game).scale, get(game).start()
    net = Net(len(inputs.bits), 64)
    net.stay_small()
    settings = _native.SearchSettings(
        options=start.options.encode(),
        **Weights.of(game).columns(),
        net=_native.NNUE[game](shipped(net, inputs, scale)),
        mebibytes=1,
    )
    weights = searcher(game, start.options, Weights.of(game), table=1)
    search, seen = _native.SEARCHERS[game]["nnue"](settings), train.Seen(inputs, torch.device("cpu"))
    chance, players = random.Random(1), set()
    for _ in range(60):
        made = random_game(start, seed=chance.getrandbits(32), max_plies=chance.randrange(60))
        if made.outcome is not None:
            continue
        words = numpy.array([made.position.encode()], numpy.uint64)
        packed = torch.tensor(numpy.packbits(inputs.seen(words), axis=1, bitorder="little"))
        with torch.no_grad():
            wanted = scale * float(net(*seen(packed)))
        if game == "guerreiros":
            wanted = (wanted + weights.evaluate(made.position.encode())) / 2
        assert search.evaluate(made.position.encode()) == pytest.approx(wanted, abs=0.05 * scale)
        players.add(made.position.turn)
    assert len(players) == 2


def test_a_net_is_trained_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for first in (0, 3):
        played(tmp_path, "avanco", first, 3)
    out = tmp_path / "new.nnue"
    monkeypatch.setattr(train, "BATCH", 512)
    monkeypatch.setattr(
        sys, "argv", ["train", "avanco", str(tmp_path), "--minutes", "0.02", "--device", "cpu", "--out", str(out)]
    )
    train.main()
    assert isinstance(_native.NNUE["avanco"](out.read_bytes()), _native.Tables)
