"""`tabuleiro play`: two people at one terminal, or a person against the machine."""

import datetime
import random as chance
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from tabuleiro.cli.arguments import (
    GameArgument,
    OptionOption,
    PlainOption,
    PositionOption,
    file_path,
    find_game,
    naming,
    read_line,
)
from tabuleiro.cli.frame import UsageError
from tabuleiro.cli.speech import both, language, shows_unicode, tr
from tabuleiro.core import Move, Player, Position, TabuleiroError
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro.cli.session import Session
    from tabuleiro.record import Game

HELP = both(
    "Joga no terminal, a dois ou contra a máquina: um dos dez níveis, ou ao acaso.",
    "Play in the terminal, two people or against the machine: one of ten levels, or at random.",
)
PLAYERS = {
    "1": frozenset({Player.ONE}),
    "2": frozenset({Player.TWO}),
    "both": frozenset(Player),
}
#: More than any sensible line, less than would hurt.
MAX_TYPED = 4096


def play(
    game: GameArgument,
    option: OptionOption = None,
    position: PositionOption = None,
    random: Annotated[
        str | None,
        typer.Option(
            metavar="1|2|both",
            help=both("Que jogador joga ao acaso, ou ambos.", "Which player plays at random, or both."),
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=10,
            help=both(
                "Joga contra a máquina, neste nível de 1 a 10.", "Play against the machine, at this level, 1 to 10."
            ),
        ),
    ] = None,
    machine: Annotated[
        str | None,
        typer.Option(
            metavar="1|2|both",
            help=both(
                "Que jogador é a máquina com --level, ou ambos (2 se nada disseres).",
                "Which player the machine is with --level, or both (2 if not given).",
            ),
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help=both("Número do sorteio da máquina, para a repetir.", "Seed of the machine, to repeat it."),
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help=both("Continua a última partida deste registo.", "Go on with the last game of this record."),
        ),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help=both("Guarda cada jogada neste ficheiro.", "Save every move to this file at once.")
        ),
    ] = None,
    plain: PlainOption = False,
) -> None:
    from tabuleiro.cli.session import Session, already_there

    for name, value in (("--random", random), ("--machine", machine)):
        if value is not None and value not in PLAYERS:
            raise UsageError(Text(f"{name} é 1, 2 ou both", f"{name} is 1, 2 or both"))
    if random is not None and level is not None:
        raise UsageError(Text("escolhe --random ou --level, não ambos", "choose --random or --level, not both"))
    if machine is not None and level is None:
        raise UsageError(Text("--machine pede também --level", "--machine needs --level too"))
    if resume is not None and (position is not None or option):
        raise UsageError(
            Text(
                "com --resume, a posição e as opções vêm do registo",
                "with --resume, position and options come from the record",
            )
        )
    machine_name = "random" if level is None else f"level {level}"
    machine_players = PLAYERS[random or machine or "2"] if random or level else frozenset()
    save_to = file_path(save) if save is not None else None
    if resume is not None:
        line, may_replace = _resumed(find_game(game), file_path(resume))
    else:
        line, may_replace = read_line(game, option, position), None
        line.tags["Date"] = f"{datetime.datetime.now():%Y.%m.%d}"
        for player in sorted(machine_players):
            line.tags[f"Player{player}"] = machine_name
    if save_to is not None and save_to.exists() and not (may_replace and save_to.samefile(may_replace)):
        raise TabuleiroError(already_there(str(save_to)))
    session = Session(line, machine_players, _machine(line.start.id, level, seed), save_to)
    if save_to is not None:
        session.write()  # a file that cannot be written is told now, not after the first move

    plain = plain or not shows_unicode(sys.stdout)
    if sys.stdin.isatty() and sys.stdout.isatty() and not plain and (screen := _screen()):
        screen.play_on_screen(session)
        _show(session, plain)
    else:
        _play_by_lines(session, plain)


def _machine(game: str, level: int | None, seed: int | None) -> Callable[["Game"], Move]:
    """Who chooses the moves of the machine."""
    luck = chance.Random(seed)
    if level is None:
        return lambda line: luck.choice(line.position.legal_moves())
    from tabuleiro.players import level_engine
    from tabuleiro.search import Limit

    engine = level_engine(game, level, luck.getrandbits(32))
    return lambda line: engine.play(line, Limit())


def _screen() -> ModuleType | None:
    """The module of the full screen, where the system has such terminals."""
    try:
        from tabuleiro.cli import screen
    except ImportError:
        return None
    return screen


def _resumed(game: type[Position], path: Path) -> tuple["Game", Path | None]:
    """The last game of a record file, and the file itself if saving over it loses no other game."""
    from tabuleiro.record import read_games

    with naming(str(path)):
        latest = deque(read_games(path), maxlen=2)
        if not latest:
            raise TabuleiroError(Text("não há nenhuma partida", "there is no game in it"))
        last = latest[-1]
        if last.start.id != game.id:
            raise TabuleiroError(
                Text(f"é uma partida de {last.start.name.pt}", f"this is a game of {last.start.name.en}")
            )
    return last, path if len(latest) == 1 else None


def _play_by_lines(session: "Session", plain: bool) -> None:
    """Print the board, read a line, and again, until the person leaves or there is nothing more to read."""
    _show(session, plain)
    people = len(session.machine_players) < len(Player)
    while not session.left:
        before = session.game.last
        if session.machine_moves:
            player, move = session.position.turn, session.play_by_machine()
            print(tr(f"O jogador {player} joga {move}.", f"Player {player} plays {move}."))
        elif (session.outcome is not None and not people) or not _read_command(session):
            break
        if session.message:
            print(session.message)
        if session.game.last is not before or (session.outcome is not None and before.outcome is None):
            _show(session, plain)
    print(tr("Até à próxima!", "Goodbye!"))


def _read_command(session: "Session") -> bool:
    print("> ", end="", flush=True)
    line = sys.stdin.readline(MAX_TYPED)
    if not sys.stdin.isatty():
        print(line.rstrip("\n"))  # so that a transcript shows what was answered
    if not line:
        return False
    session.submit(line)
    return True


def _show(session: "Session", plain: bool) -> None:
    from tabuleiro import text

    print()
    seen, outcome = session.seen, session.outcome
    print(text.draw(seen.position, plain=plain, last=seen.clicks, outcome=outcome, language=language()))
    if not plain:
        print(text.describe(seen.position, language(), outcome))
    print(flush=True)
