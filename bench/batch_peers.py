"""`python bench/batches.py --peers`: many games at once beside Pgx, OpenSpiel and PettingZoo, in one run.

The others live in an environment of their own in the user's cache folder, which is made at first use.

Everything is a rate per second of processor time, so per core, of steps: which moves are legal, a random one of them,
the move, the next game where one ends.

* Ours: `random_step`, which writes masks, actions, results and rewards at every step; then the same with `observe`.
* Pgx (Hex): many games in one compiled loop of 50 steps, the most favourable number of games; as it is, with the
  observations that it makes at every step, and with these thrown away, so that the compiler leaves them out.
* OpenSpiel: `SyncVectorEnv` over its environments, and the plain loop over its states.
* PettingZoo has none of our games: its own Connect Four, as what a loop over its environments costs.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from bench.batches import steps_per_core
from rich.table import Table

from tabuleiro.cli.bench import new_table, short
from tabuleiro.core import Position, TabuleiroError
from tabuleiro.games import get
from tabuleiro.language import Text

#: Our game and options, and the same game of OpenSpiel. Pgx has Hex.
SAME_GAME = {
    "avanco": ({"size": "7"}, "breakthrough(rows=7,columns=7)"),
    "hex": ({"swap": "false"}, "hex(board_size=11)"),
    "ouri": ({"rules": "oware", "cycle_threshold": "2", "cycle_collect": "owners"}, "oware"),
}
ROUNDS = 3

#: What is installed besides Tabuleiro's own environment; pygame is what PettingZoo's Connect Four is drawn with.
PACKAGES = ("open_spiel", "pgx", "jax", "pettingzoo", "pygame")

OPENSPIEL = """
import json, random, sys, time
import numpy as np
import pyspiel
from open_spiel.python import rl_agent, rl_environment, vector_env

name, seconds = sys.argv[1], float(sys.argv[2])

def rate(act, steps):
    act()
    done, began = 0, time.process_time()
    while (passed := time.process_time() - began) < seconds:
        act()
        done += steps
    return done / passed

game = pyspiel.load_game(name)
state = game.new_initial_state()
def loop():
    global state
    for _ in range(100):
        state.apply_action(random.choice(state.legal_actions()))
        if state.is_terminal():
            state = game.new_initial_state()

many = vector_env.SyncVectorEnv([rl_environment.Environment(game) for _ in range(64)])
steps = many.reset()
def vector():
    global steps
    chosen = []
    for step in steps:
        legal = step.observations["legal_actions"][step.observations["current_player"]]
        chosen.append(rl_agent.StepOutput(action=random.choice(legal), probs=None))
    steps, *_ = many.step(chosen, reset_if_done=True)

print(json.dumps({"openspiel_loop": rate(loop, 100), "openspiel_vector": rate(vector, 64)}))
"""

PGX = """
import json, os, sys, time
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
import jax, jax.numpy as jnp, pgx
from pgx.experimental.wrappers import auto_reset

seconds, length = float(sys.argv[1]), 50
env = pgx.make("hex")
play = jax.vmap(auto_reset(env.step, env.init))

def best(observing):
    def step(carry, _):
        state, key = carry
        key, chance, again = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(chance, logits, axis=1)
        state = play(state, action, jax.random.split(again, action.shape[0]))
        if not observing:
            state = state.replace(observation=jnp.zeros_like(state.observation))
        return (state, key), None
    run = jax.jit(lambda carry: jax.lax.scan(step, carry, None, length=length)[0])
    rates = []
    for games in (64, 256, 1024):
        key = jax.random.PRNGKey(0)
        carry = jax.block_until_ready(run((jax.jit(jax.vmap(env.init))(jax.random.split(key, games)), key)))
        done, began = 0, time.process_time()
        while (passed := time.process_time() - began) < seconds:
            carry = jax.block_until_ready(run(carry))
            done += games * length
        rates.append(done / passed)
    return max(rates)

print(json.dumps({"pgx": best(True), "pgx_unseen": best(False)}))
"""

PETTINGZOO = """
import json, os, sys, time
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
from pettingzoo.classic import connect_four_v3

seconds = float(sys.argv[1])
env = connect_four_v3.env()
done, began = 0, time.process_time()
while (passed := time.process_time() - began) < seconds:
    env.reset(seed=done)
    for agent in env.agent_iter():
        seen, reward, ended, cut, info = env.last()
        env.step(None if ended or cut else env.action_space(agent).sample(seen["action_mask"]))
        done += not (ended or cut)
print(json.dumps({"pettingzoo": done / passed}))
"""


def compare_batches(games: Mapping[str, tuple[dict[str, str], str]], seconds: float) -> dict[str, Any]:
    """Steps a second per core, ours and the peers' by turns, the median of each over the rounds."""
    python = environment()
    measured = {}
    for name, (pairs, peer) in games.items():
        start: Position = get(name).start(get(name).options_type.parse(pairs))
        rounds: list[dict[str, float]] = []
        for _ in range(ROUNDS):
            ours, observing = steps_per_core(start, seconds)
            rates = {"ours": ours, "ours_observing": observing}
            rates |= json.loads(run([python, "-c", OPENSPIEL, peer, str(seconds)]))
            if name == "hex":
                rates |= json.loads(run([python, "-c", PGX, str(seconds)]))
            rounds.append(rates)
        measured[name] = {kind: median(each[kind] for each in rounds) for kind in rounds[0]}
    other = json.loads(run([python, "-c", PETTINGZOO, str(seconds)]))
    return {"games": measured, "connect_four": other}


def environment() -> str:
    """The Python of the environment that has the others."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "tabuleiro" / "peers" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    python = str(folder / "bin" / "python")
    ready = folder / f"ready-{'-'.join(PACKAGES)}"
    if not ready.exists():
        print(f"installing {', '.join(PACKAGES)}…", file=sys.stderr)
        run([sys.executable, "-m", "venv", "--clear", str(folder)])
        run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES])
        ready.touch()
    return python


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["?"])[-1]
        raise TabuleiroError(
            Text(f"os outros programas não se podem usar: {reason}", f"the other programs cannot be used: {reason}")
        )
    return done.stdout


#: What each peer's rate is called in the table.
PEERS = {
    "pgx": "Pgx, with observations",
    "pgx_unseen": "Pgx, without",
    "openspiel_vector": "OpenSpiel, SyncVectorEnv (with observations)",
    "openspiel_loop": "OpenSpiel, loop over states",
}


def peer_table(measured: dict[str, Any]) -> Table:
    ratio = "ratio"
    table = new_table(
        "game",
        "steps/s per core of",
        "theirs",
        "random_step",
        ratio,
        "with observe",
        ratio,
    )
    for game, rates in measured["games"].items():
        ours, observing = rates["ours"], rates["ours_observing"]
        for peer, title in PEERS.items():
            if (theirs := rates.get(peer)) is not None:
                row = (short(ours), f"{ours / theirs:.1f}", short(observing), f"{observing / theirs:.1f}")
                table.add_row(game, title, short(theirs), *row)
    loop = "PettingZoo, AEC loop"
    table.add_row("(Connect Four)", loop, short(measured["connect_four"]["pettingzoo"]))
    return table
