"""A game being played at a terminal: what cells, commands and typed moves do to it. No input or output but the record.

A screen or a line reader owns a `Session`, hands it what the person does, and shows `message` and the position.
"""

import contextlib
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tabuleiro.cli.arguments import file_path
from tabuleiro.cli.frame import file_trouble
from tabuleiro.cli.speech import language, tr
from tabuleiro.core import Move, Outcome, Player, Position, TabuleiroError, shorten
from tabuleiro.geometry import Cell
from tabuleiro.language import Text
from tabuleiro.record import HIDDEN, Game, Node, write_game

#: What people may type besides moves, in both languages. No move of any game is one of these words.
COMMANDS = {
    "undo": ("u", "undo", "anular"),
    "save": ("s", "save", "guardar"),
    "resign": ("resign", "desistir"),
    "draw": ("draw", "empate"),
    "moves": ("m", "moves", "jogadas"),
    "help": ("?", "help", "ajuda"),
    "quit": ("q", "quit", "sair"),
}
YES = ("y", "yes", "s", "sim")


def random_move(game: Game) -> Move:
    return random.choice(game.position.legal_moves())


@dataclass
class Session:
    game: Game
    #: The players for whom `machine` chooses moves.
    machine_players: frozenset[Player] = frozenset()
    machine: Callable[[Game], Move] = random_move
    #: Where every accepted move is written at once.
    save_to: Path | None = None
    #: What the person should read next.
    message: str = ""
    #: The cells touched so far of the move being made.
    picked: tuple[Cell, ...] = ()
    #: Takes the next line typed, when a question was asked.
    answer: Callable[[str], None] | None = None
    #: The person wants to go.
    left: bool = False

    # -- what there is to see ---------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def seen(self) -> Node:
        """How the game stands for the people at the terminal: one who plays the machine sees what that player may, two
        see what both may."""
        people = [player for player in Player if player not in self.machine_players]
        return self.game.last.seen_by(people[0] if len(people) == 1 else None)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome

    def legal(self) -> list[Move]:
        return [] if self.outcome is not None else self.position.legal_moves()

    def buttons(self) -> list[Move]:
        """The legal moves made without touching a cell."""
        return [move for move in self.legal() if not self.position.clicks(move)]

    def next_cells(self) -> set[Cell]:
        """The cells that go on with the move being made, or begin one."""
        count = len(self.picked)
        paths = [self.position.clicks(move) for move in self.legal()]
        return {path[count] for path in paths if len(path) > count and path[:count] == self.picked}

    @property
    def machine_moves(self) -> bool:
        """Whether the machine is to move."""
        return self.outcome is None and self.position.turn in self.machine_players

    # -- what people do -----------------------------------------------------------------------------------------------

    def pick(self, cell: Cell) -> None:
        """Touch a cell; the move is made as soon as the cells touched are all of one."""
        self.message = ""
        if self.outcome is not None:
            self.message = _game_over()
        elif cell in self.next_cells():
            self.picked = (*self.picked, cell)
        elif self.picked and cell == self.picked[-1]:
            self.picked = ()
        else:
            # Touching elsewhere begins another move, as on any board.
            reason = self.position.why_not((*self.picked, cell))
            self.picked = ()
            if cell in self.next_cells():
                self.picked = (cell,)
            elif reason is not None:
                self.message = _sentence(reason)
        for move in self.legal():
            if self.picked and self.position.clicks(move) == self.picked:
                self.play(move)
                return

    def play(self, move: Move | str) -> None:
        self.picked = ()
        try:
            self.game.play(move)
        except TabuleiroError as error:
            self.message = _sentence(error.text)
        else:
            self.message = ""
            self.keep()

    def play_by_machine(self) -> str:
        """The move of the machine, already made, as people may know it."""
        self.play(self.machine(self.game))
        return self.last_move

    @property
    def last_move(self) -> str:
        """The last move as people may know it; empty at the start."""
        return self.game.last.move_text if self.seen is self.game.last else HIDDEN

    def submit(self, line: str) -> None:
        """A line typed by a person: an answer, a command or a move."""
        line = line.strip()
        self.message = ""
        if self.answer is not None:
            answer, self.answer = self.answer, None
            answer(line)
            return
        word, _, rest = line.partition(" ")
        command = next((name for name, words in COMMANDS.items() if word.lower() in words), None)
        if command == "save":
            self._save(rest.strip())
        elif command is not None and not rest:
            getattr(self, f"_{command}")()
        elif line:
            self.play(line)

    def _undo(self) -> None:
        self.picked = ()
        if not self.game.moves:
            self.message = tr("Não há nada para anular.", "There is nothing to undo.")
            return
        self.game.undo()
        while self.game.moves and self.position.turn in self.machine_players:
            self.game.undo()
        self.keep()

    def _save(self, name: str) -> None:
        if not name and self.save_to is None:
            self.message = tr("Guardar em que ficheiro?", "Save to which file?")
            self.answer = self._save_as
        elif name:
            self._save_as(name)
        else:
            self._saved()

    def _save_as(self, name: str) -> None:
        if not name:
            return
        try:
            path = file_path(name)
        except TabuleiroError as error:
            self.message = _sentence(error.text)
            return
        if path != self.save_to and os.path.lexists(path):
            self.message = _sentence(already_there(name))
            return
        self.save_to = path
        self._saved()

    def _saved(self) -> None:
        if self.keep():
            self.message = tr(f"Guardado em {self.save_to}.", f"Saved to {self.save_to}.")

    def keep(self) -> bool:
        """Write the record, if there is a file for it; trouble is told, and play goes on."""
        if self.save_to is None:
            return False
        try:
            self.write()
        except (OSError, TabuleiroError) as error:
            self.message = _sentence(file_trouble(error) if isinstance(error, OSError) else error.text)
            self.save_to = None
            return False
        return True

    def write(self) -> None:
        assert self.save_to is not None
        write_safely(self.save_to, write_game(self.game))

    def _resign(self) -> None:
        if self.outcome is not None:
            self.message = _game_over()
        else:
            self._end(self.position.turn.other, "resignation")

    def _draw(self) -> None:
        if self.outcome is not None:
            self.message = _game_over()
        elif not self.position.can_draw:
            self.message = tr("Neste jogo não há empates.", "There are no draws in this game.")
        elif (refusal := self.game.last.why_no_agreement()) is not None:
            said = refusal.to(language())
            self.message = f"{said[:1].upper()}{said[1:]}."
        elif self.machine_players:
            self.message = tr("O computador não aceita empates.", "The computer accepts no draws.")
        else:
            other, settled = self.position.turn.other, self.position.settle("agreement")
            ends = self.position.tell_result(settled).to(language()).partition(":")[0]
            self.message = tr(
                f"Jogador {other}, aceitas acabar já ({ends})? (s/n)",
                f"Player {other}, do you agree to stop now ({ends})? (y/n)",
            )
            self.answer = self._answer_draw

    def _answer_draw(self, line: str) -> None:
        if line.lower() in YES:
            self._end(None, "agreement")
        else:
            self.message = tr("A partida continua.", "The game goes on.")

    def _end(self, winner: Player | None, reason: str) -> None:
        self.picked = ()
        self.game.end(winner, reason)
        self.keep()

    def _moves(self) -> None:
        texts = [self.position.move_str(move) for move in self.legal()]
        self.message = " ".join(texts) or _game_over()

    def _help(self) -> None:
        words = [
            tr("u anular", "u undo"),
            tr("s guardar", "s save"),
            tr("m jogadas possíveis", "m possible moves"),
            tr("desistir", "resign"),
            *([tr("empate", "draw")] if self.position.can_draw else []),
            tr("q sair", "q quit"),
        ]
        move_help = self.position.move_help.to(language())
        self.message = tr(f"Para jogar: {move_help}.\n", f"To move: {move_help}.\n") + " · ".join(words)

    def _quit(self) -> None:
        if self.save_to is None and self.game.moves:
            self.message = tr(
                "Queres guardar a partida? Escreve o nome do ficheiro, ou nada para sair sem guardar.",
                "Save the game? Write the name of the file, or nothing to leave without saving.",
            )
            self.answer = self._answer_quit
        else:
            self.left = True

    def _answer_quit(self, line: str) -> None:
        self._save_as(line)
        if not line or self.save_to is not None:
            self.left = True
        else:
            self.answer = self._answer_quit


def _game_over() -> str:
    return tr("A partida já terminou.", "The game is over.")


def _sentence(text: Text) -> str:
    said = text.to(language())
    return f"{said[:1].upper()}{said[1:]}."


def already_there(name: str) -> Text:
    shown = shorten(name, 200)
    return Text(
        f"{shown} já existe; escolhe outro nome, ou continua essa partida com --resume",
        f"{shown} exists already; choose another name, or go on with that game by --resume",
    )


def write_safely(path: Path, text: str) -> None:
    """Replace a file in one step: whatever happens, either the old text is there or the new one, whole."""
    path = path.resolve()
    if path.exists() and not path.is_file():  # a pipe or a device, where there is nothing to keep
        path.write_text(text, encoding="utf-8")
        return
    unfinished = path.with_name(f".{path.name[:100]}.{os.getpid()}")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        if isinstance(error, OSError):
            error.filename = str(path)  # the name that the person knows
        raise
