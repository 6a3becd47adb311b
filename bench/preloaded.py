"""Starts a server again and again in little time, for who kills it again and again: the program is read once, and each
server is a fork that goes on as `tabuleiro serve` does. Orders come by standard input, a line of JSON each: `arguments`
of the command, and `log`, the file that its log is added to. Its process id is printed, and then, when it has gone,
an empty line."""

import json
import os
import sys


def main() -> None:
    # Inside, because the processes that think import this module too, and need none of it.
    import tabuleiro.server.app  # noqa: F401
    from tabuleiro.cli import app

    for line in sys.stdin:
        order = json.loads(line)
        if (child := os.fork()) == 0:
            log = os.open(order["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            nothing = os.open(os.devnull, os.O_RDWR)
            for ours, theirs in ((nothing, 0), (nothing, 1), (log, 2)):
                os.dup2(ours, theirs)
            sys.stdin = open(0)  # noqa: SIM115  # of ours something was read
            app(["serve", *order["arguments"]])
        print(child, flush=True)
        os.waitpid(child, 0)
        print(flush=True)


if __name__ == "__main__":
    main()
