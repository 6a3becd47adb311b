"""Where should a net run on a server: in every process that thinks, or in one that all the others ask?

python bench/nets.py --clients 2 8 30

Searches ask about one position at a time and wait. Alone, each process has the net itself. Shared, the net is in one
process that takes whatever questions have come, from shared memory, and answers them all at once. Figures are positions
a second of processor time, of all processes together: where the processor is full, that is what counts.
"""

import argparse
import multiprocessing
import os
import time
from multiprocessing.connection import Connection, wait
from multiprocessing.shared_memory import SharedMemory

import numpy

from tabuleiro import get
from tabuleiro.nn import View
from tabuleiro.nn.cards import model_for
from tabuleiro.nn.evaluator import Net

GAME = get("hex")
OPTIONS = GAME.options_type()
SPAWN = multiprocessing.get_context("spawn")


def the_net(view: View) -> Net:
    model = model_for(GAME.id, OPTIONS)
    assert model is not None
    return Net(model.path, view)


def alone(seconds: float, report: Connection) -> None:
    view = View(GAME, OPTIONS)
    net = the_net(view)
    row = numpy.zeros((1, view.planes * view.area), numpy.float32)
    net(row)
    begun, spent, asked = time.monotonic(), time.process_time(), 0
    while time.monotonic() - begun < seconds:
        net(row)
        asked += 1
    report.send((asked, time.process_time() - spent))


def asker(number: int, memory: str, seconds: float, line: Connection, report: Connection) -> None:
    view = View(GAME, OPTIONS)
    shared = SharedMemory(memory)
    width = view.planes * view.area + view.policy_size + 1
    desk = numpy.ndarray((number + 1, width), numpy.float32, shared.buf)[number]
    line.recv_bytes()
    begun, spent, asked = time.monotonic(), time.process_time(), 0
    while time.monotonic() - begun < seconds:
        desk[: view.planes * view.area] = 0
        line.send_bytes(b"?")
        line.recv_bytes()
        asked += 1
    report.send((asked, time.process_time() - spent))
    line.close()


def together(clients: int, seconds: float) -> float:
    """One process with the net, this one, and some that ask."""
    view = View(GAME, OPTIONS)
    net = the_net(view)
    size, width = view.planes * view.area, view.planes * view.area + view.policy_size + 1
    shared = SharedMemory(create=True, size=clients * width * 4)
    desks = numpy.ndarray((clients, width), numpy.float32, shared.buf)
    lines: dict[Connection, int] = {}
    hear, tell = SPAWN.Pipe(False)
    processes = []
    for number in range(clients):
        ours, theirs = SPAWN.Pipe()
        process = SPAWN.Process(target=asker, args=(number, shared.name, seconds, theirs, tell))
        process.start()
        theirs.close()
        lines[ours] = number
        processes.append(process)
    for line in lines:
        line.send_bytes(b"!")
    spent = time.process_time()
    while lines:
        asking = []
        for line in [line for line in wait([*lines]) if isinstance(line, Connection)]:
            try:
                line.recv_bytes()
                asking.append(line)
            except EOFError:
                del lines[line]
        if asking:
            rows = [lines[line] for line in asking]
            logits, values = net(desks[rows, :size])
            desks[rows, size:-1] = logits
            desks[rows, -1] = values
            for line in asking:
                line.send_bytes(b"!")
    spent = time.process_time() - spent
    reports: list[tuple[int, float]] = [hear.recv() for _ in processes]
    for process in processes:
        process.join()
    shared.close()
    shared.unlink()
    return sum(asked for asked, _ in reports) / (spent + sum(seconds for _, seconds in reports))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, nargs="+", default=[2, 8, 30])
    parser.add_argument("--seconds", type=float, default=5)
    given = parser.parse_args()
    cores = os.cpu_count() or 1
    hear, tell = SPAWN.Pipe(False)
    processes = [SPAWN.Process(target=alone, args=(given.seconds, tell)) for _ in range(cores)]
    for process in processes:
        process.start()
    reports = [hear.recv() for _ in processes]
    print(f"{cores} processes, each with the net: {sum(a for a, _ in reports) / sum(s for _, s in reports):.0f}")
    for clients in given.clients:
        print(f"one process with the net, {clients} that ask: {together(clients, given.seconds):.0f}", flush=True)


if __name__ == "__main__":
    main()
