"""Aalina, a program by Joan Sala that plays Oware, as a UGI engine without its book of openings.

python examples/aalina_ugi.py COMMAND …     (the command that starts Aalina's service; needs nothing of Tabuleiro)

Its protocol is UCI but for the moves: all in one word, South's in capitals.
"""

import subprocess
import sys

#: Milliseconds: Java is slow until it has compiled what it does often.
WARM_UP = 4000


class Aalina:
    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def hear(self, word: str) -> list[str]:
        """The words of the next line that begins with a word."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if (words := line.split())[:1] == [word]:
                return words
        raise SystemExit("Aalina ended without warning")


def main() -> None:
    aalina = Aalina(sys.argv[1:])
    position = "position startpos"
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            aalina.say("uci")
            aalina.hear("uciok")
            aalina.say("setoption name OwnBook value false")
            aalina.say(f"go movetime {WARM_UP}")
            aalina.hear("bestmove")
            print("ugiok", flush=True)
        elif words[:1] == ["isready"]:
            aalina.say("isready")
            aalina.hear("readyok")
            print("readyok", flush=True)
        elif words[:1] == ["uginewgame"]:
            aalina.say("ucinewgame")
        elif words[:2] == ["position", "startpos"]:
            moves = "".join(words[3:]).swapcase()
            position = f"position startpos moves {moves}" if moves else "position startpos"
        elif words[:1] == ["go"]:
            aalina.say(position)
            aalina.say(line.strip())
            print("bestmove", aalina.hear("bestmove")[1].swapcase(), flush=True)
        elif words[:1] == ["quit"]:
            aalina.say("quit")
            break


if __name__ == "__main__":
    main()
