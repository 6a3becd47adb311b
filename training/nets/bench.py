"""Evaluations per second: of the bare net, and of self-play with it, in one run.

python -m training.nets.bench hex size=11,swap=off size=7,swap=off --games 8192 --threads 16 --compiled

What the games teach is taken out as often as training does, so that memory does not grow.
"""

import argparse
import json
import time

import torch
from training.nets.net import Net, Shape, unpacked
from training.nets.selfplay import Answers, SearchSettings, SelfPlay
from training.pairs import read_pairs

from tabuleiro import get
from tabuleiro.nn import View

#: Steps of self-play after which training takes out what was learnt.
STEPS = 64


def seconds_of(group: Answers, repeats: int) -> float:
    """How long the net takes for so many batches of one group."""
    group.ask()
    group.wait()
    begun = time.perf_counter()
    for _ in range(repeats):
        group.ask()
    group.wait()
    return time.perf_counter() - begun


def largest_error(play: SelfPlay, net: Net) -> tuple[float, float]:
    """How far the answers are from those of the net in full precision: logits and values."""
    group = play.groups[0]
    group.ask()
    group.wait()
    packed, logits, values = group.planes[:256], group.logits[:256].float(), group.values[:256]
    planes = unpacked(packed, net.shape, play.view.height, play.view.width).float()
    with torch.inference_mode():
        wanted, value = net.cpu().float()(planes)
    return (logits - wanted).abs().max().item(), (values - (2 * torch.sigmoid(value) - 1)).abs().max().item()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("options", nargs="+")
    parser.add_argument("--games", type=int, default=8192)
    parser.add_argument("--groups", type=int, default=2, help="of games, which ask in turn")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args()
    kind = get(given.game)
    torch.backends.cudnn.benchmark = True
    for text in given.options:
        options = kind.options_type.parse(read_pairs(text))
        torch.manual_seed(0)
        net = Net(Shape.of(View(kind, options), given.blocks, given.width)).eval()
        begun = time.perf_counter()
        play = SelfPlay(
            net.shape,
            kind.start(options),
            SearchSettings(simulations=given.simulations),
            device=torch.device(given.device),
            games=given.games,
            groups=given.groups,
            threads=given.threads,
            compiled=given.compiled,
        )
        play.learn(net.to(given.device))
        prepared = time.perf_counter() - begun
        play.step()
        repeats = max(1, int(given.seconds / 2 / seconds_of(play.groups[0], 1)))
        bare = repeats * len(play.groups[0].planes) / seconds_of(play.groups[0], repeats)
        before, begun = play.tally()[2], time.perf_counter()
        while time.perf_counter() - begun < given.seconds:
            for _ in range(STEPS):
                play.step()
            play.lessons()
        played = (play.tally()[2] - before) / (time.perf_counter() - begun)
        logits_error, value_error = largest_error(play, net)
        print(
            json.dumps(
                {
                    "options": text,
                    "games": given.games,
                    "groups": given.groups,
                    "threads": given.threads,
                    "bare_net": round(bare),
                    "self_play": round(played),
                    "share": round(played / bare, 2),
                    "seconds_to_prepare": round(prepared, 1),
                    "largest_error_of_logits": round(logits_error, 4),
                    "largest_error_of_values": round(value_error, 4),
                }
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
