"""Playing on the whole screen of a terminal: raw keys in, one page out."""

import codecs
import contextlib
import os
import select
import signal
import sys
import termios
import textwrap
import tty
from collections.abc import Iterator
from types import FrameType

from tabuleiro import text
from tabuleiro.cli import board
from tabuleiro.cli.board import BOLD, DIM, Glyph, Marks
from tabuleiro.cli.keyboard import BACKSPACE, DOWN, END_OF_INPUT, ENTER, ESCAPE, LEFT, RIGHT, TAB, UP, Keyboard
from tabuleiro.cli.session import Session
from tabuleiro.cli.speech import language, tr
from tabuleiro.core import Player
from tabuleiro.text import PIECES

CODES = {
    "\x1b[A": UP, "\x1b[B": DOWN, "\x1b[C": RIGHT, "\x1b[D": LEFT,
    "\x1bOA": UP, "\x1bOB": DOWN, "\x1bOC": RIGHT, "\x1bOD": LEFT,
    "\r": ENTER, "\n": ENTER, "\t": TAB, "\x7f": BACKSPACE, "\b": BACKSPACE, "\x1b": ESCAPE, "\x04": END_OF_INPUT,
}  # fmt: skip
#: How long the machine lets people look, and how often the size of the window is looked at, in seconds.
PAUSE, GLANCE = 0.4, 0.5


def play_on_screen(session: Session) -> None:
    keyboard = Keyboard(session)
    with _raw_terminal():
        keys = _keys()
        while not session.left:
            _paint(keyboard)
            if session.machine_moves:
                player, move = session.position.turn, session.play_by_machine()
                if not session.message:
                    session.message = tr(f"O jogador {player} joga {move}.", f"Player {player} plays {move}.")
                if len(session.machine_players) < len(Player):
                    continue
            if key := next(keys):
                keyboard.press(key)


@contextlib.contextmanager
def _raw_terminal() -> Iterator[None]:
    """Keys come one by one and unseen, on a page of their own; afterwards the terminal is as it was."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    killed = signal.signal(signal.SIGTERM, _leave)
    try:
        tty.setcbreak(terminal)
        keys = termios.tcgetattr(terminal)
        keys[6][termios.VSUSP] = b"\0"  # Ctrl-Z would leave the shell with our page
        termios.tcsetattr(terminal, termios.TCSANOW, keys)
        sys.stdout.write("\x1b[?1049h\x1b[?25l")
        yield
    finally:
        signal.signal(signal.SIGTERM, killed)
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        sys.stdout.write("\x1b[?25h\x1b[?1049l")
        sys.stdout.flush()


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


def _keys() -> Iterator[str]:
    """The keys pressed; an empty one now and then, when nothing was, so that the page can follow the window."""
    terminal = sys.stdin.fileno()
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while True:
        if not select.select([terminal], [], [], GLANCE)[0]:
            yield ""
            continue
        try:
            received = os.read(terminal, 1024)
        except OSError:  # the terminal was closed
            received = b""
        if received == b"\x1b" and select.select([terminal], [], [], 0.05)[0]:
            received += os.read(terminal, 1024)  # the rest of an arrow key over a slow line
        if not received:
            yield END_OF_INPUT
        yield from split_keys(decoder.decode(received))


def split_keys(received: str) -> Iterator[str]:
    """Characters and escape sequences as keys; sequences of keys without a meaning here are left out."""
    at = 0
    while at < len(received):
        end = at + 1
        if received[at] == "\x1b" and received[end : end + 1] in ("[", "O"):
            end += 1
            while end < len(received) and not received[end].isalpha() and received[end] != "~":
                end += 1
            end += 1
        code = received[at:end]
        at = end
        if code in CODES:
            yield CODES[code]
        elif len(code) == 1 and code.isprintable():
            yield code


def _paint(keyboard: Keyboard) -> None:
    size = os.get_terminal_size(sys.stdout.fileno())
    colours = "NO_COLOR" not in os.environ
    lines = page(keyboard, size.lines, size.columns)
    shown = [_ansi(line[: size.columns], colours) for line in lines[: size.lines]]
    sys.stdout.write("\x1b[H" + "\x1b[K\r\n".join(shown) + "\x1b[K\x1b[J")
    sys.stdout.flush()


def page(keyboard: Keyboard, rows: int, columns: int) -> list[list[Glyph]]:
    """Everything the person sees, row by row."""
    session = keyboard.session
    position = session.position
    head = [_line(f"{position.name.to(language())} · {_state(session)}", BOLD), _line(_last_move(session), DIM)]
    head += [_line(said, DIM) for said in _wrap(_legend(session), columns)]
    head.append([])
    foot: list[list[Glyph]] = [[]]
    foot += [_line(said) for paragraph in session.message.splitlines() for said in _wrap(paragraph, columns)]
    if buttons := session.buttons():
        shown = (
            f"[{position.move_str(move)}]" if move == keyboard.button else f" {position.move_str(move)} "
            for move in buttons
        )
        foot.append(_line("Tab: " + " ".join(shown)))
    foot.append(_line("> " + keyboard.typed + "_"))
    hints = [_line(said, DIM) for said in _wrap(_keys_help(session), columns)]
    marks = Marks(
        cursor=None if keyboard.button is not None else keyboard.cursor,
        picked=session.picked,
        next=session.next_cells() if session.picked else (),
        last=session.seen.clicks,
        ending=() if session.outcome is None else session.outcome.cells,
    )
    room = rows - len(head) - len(foot) - len(hints)
    drawn = board.draw(session.seen.position, marks, room, columns)
    if len(drawn) > room:  # a small window: the board and the line being typed come first
        head, foot, hints = head[:1], foot[1:], []
        drawn = board.draw(session.seen.position, marks, 0, columns)[: max(1, rows - len(head) - len(foot))]
    return [*head, *drawn, *foot, *hints]


def _state(session: Session) -> str:
    return text.describe(session.position, language(), session.outcome)


def _last_move(session: Session) -> str:
    node = session.game.last
    if node.parent is None:
        return tr("Início da partida.", "The game begins.")
    return tr(f"Jogada {node.ply}: {session.last_move}", f"Move {node.ply}: {session.last_move}")


def _legend(session: Session) -> str:
    sorts = {(piece.kind, piece.colour) for piece in session.seen.position.pieces().values()}
    return "   ".join(
        f"{piece.sign} {piece.several.to(language())}" for sort, piece in PIECES.items() if sort in sorts and piece.sign
    )


def _keys_help(session: Session) -> str:
    if session.outcome is not None:
        return tr("u anular · s guardar · q sair (e Enter)", "u undo · s save · q quit (and Enter)")
    return tr(
        "setas e Enter ou a jogada escrita · Esc largar · ? ajuda · u anular · q sair",
        "arrows and Enter, or type the move · Esc let go · ? help · u undo · q quit",
    )


def _wrap(paragraph: str, columns: int) -> list[str]:
    return textwrap.wrap(paragraph, max(20, columns - 1))


def _line(said: str, style: str = "") -> list[Glyph]:
    return [Glyph(character, style) for character in said]


def _ansi(line: list[Glyph], colours: bool) -> str:
    written, style = "", ""
    for glyph in line:
        wanted = glyph.style if colours else ";".join(code for code in glyph.style.split(";") if len(code) == 1)
        if wanted != style:
            written += f"\x1b[0;{wanted}m" if wanted else "\x1b[0m"
            style = wanted
        written += glyph.character
    return written + ("\x1b[0m" if style else "")
