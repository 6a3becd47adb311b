"""`tabuleiro learn`: the lessons of a game in the terminal, by typed moves and in words."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tabuleiro.cli.arguments import GameArgument, PlainOption, file_path, find_game
from tabuleiro.cli.rules import laid_out, said_of_overlay
from tabuleiro.cli.speech import both, language, print_rich, shows_unicode, tr
from tabuleiro.core import TabuleiroError, shorten
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro.learn import Attempt, Lesson, Task, Verdict

HELP = both(
    "Aprende um jogo: as lições, passo a passo, com jogadas escritas.",
    "Learn a game: its lessons, step by step, with typed moves.",
)

#: Characters of an answer that are read.
MAX_TYPED = 500
#: What may be typed besides an answer, in both languages.
COMMANDS = {
    "hint": ("h", "hint", "a", "ajuda"),
    "board": ("b", "board", "t", "tabuleiro"),
    "skip": ("skip", "saltar"),
    "help": ("?", "help"),
    "quit": ("q", "quit", "sair"),
}


class Left(Exception):  # noqa: N818
    """The person goes, or there is nothing more to read."""


def learn(
    game: GameArgument,
    lesson: Annotated[
        str | None,
        typer.Argument(
            metavar="[LESSON]",
            help=both(
                "O número ou o nome da lição, ou um ficheiro; sem isto, a lista.",
                "The number or name of the lesson, or a file; else the list.",
            ),
            show_default=False,
        ),
    ] = None,
    plain: PlainOption = False,
) -> None:
    from tabuleiro.learn import lessons_of

    lessons = lessons_of(find_game(game))
    if lesson is None:
        for each in lessons:
            print(f"{each.number:2}  {each.id:24} {each.title.to(language())}")
        if not lessons:
            print(tr("Este jogo ainda não tem lições.", "This game has no lessons yet."))
        return
    try:
        _teach(_find(lessons, lesson), plain or not shows_unicode(sys.stdout))
    except Left:
        print(tr("Até à próxima!", "Goodbye!"))


def _find(lessons: "tuple[Lesson, ...]", name: str) -> "Lesson":
    from tabuleiro.learn import load_lesson

    for lesson in lessons:
        if name in (lesson.id, str(lesson.number)):
            return lesson
    if "." in name or "/" in name:
        return load_lesson(file_path(name))
    raise TabuleiroError(
        Text(
            f"não há nenhuma lição «{shorten(name)}»; sem ela vês a lista",
            f"there is no lesson “{shorten(name)}”; leave it out to see the list",
        )
    )


def _teach(lesson: "Lesson", plain: bool) -> None:
    from tabuleiro.learn import Task

    print_rich(f"{lesson.game.name.to(language())}: {lesson.title.to(language())}", "", plain=plain)
    done = 0
    for block in lesson.blocks(language()):
        if isinstance(block, Task):
            done += 1
            print(tr(f"Tarefa {done} de {len(lesson.tasks)}", f"Task {done} of {len(lesson.tasks)}"))
            work(block, plain)
        else:
            print_rich(*laid_out(block, plain), "", plain=plain)
    print(tr("Lição terminada!", "Lesson finished!"))


def work(task: "Task", plain: bool) -> "Attempt":
    """Let the person try until the task is solved or left alone; what came of it."""
    from tabuleiro.learn import Attempt

    attempt = Attempt(task)
    _show(attempt, plain)
    while not attempt.solved:
        typed = _read(attempt)
        command = next((name for name, words in COMMANDS.items() if typed.lower() in words), None)
        if command == "quit":
            raise Left
        if command == "skip":
            return attempt
        try:
            attempt = _act(attempt, command, typed, plain)
        except TabuleiroError as error:
            print(error.text.to(language()))
    return attempt


def _read(attempt: "Attempt") -> str:
    """What the person types; what may be typed is said before."""
    for number, choice in enumerate(attempt.choices, start=1):
        print(f"  {number}  {attempt.choice_name(choice).to(language())}")
    print("> ", end="", flush=True)
    line = sys.stdin.readline(MAX_TYPED)
    if not line:
        print()
        raise Left
    if not sys.stdin.isatty():
        print(line.rstrip("\n"))  # so that a transcript shows what was answered
    return line.strip()


def _act(attempt: "Attempt", command: str | None, typed: str, plain: bool) -> "Attempt":
    if command == "help" or not typed:
        print(_what_to_type(attempt))
    elif command == "board":
        _show(attempt, plain)
    elif command == "hint":
        attempt, step = attempt.hint()
        names = attempt.node().position.geometry.names
        cells = ", ".join(names[cell] for cell in step.cells) if not step.moves else ""
        print(" ".join(filter(None, [step.text.to(language()), cells])))
    else:
        attempt, verdict = _answer(attempt, typed)
        _tell(attempt, verdict, plain)
    return attempt


def _answer(attempt: "Attempt", typed: str) -> "tuple[Attempt, Verdict]":
    if attempt.way == "mark":
        return attempt.mark([] if typed == "-" else typed.replace(",", " ").split())
    if attempt.way == "say":
        numbered = dict(enumerate(attempt.choices, start=1))
        return attempt.say(numbered.get(int(typed), typed) if typed.isdecimal() else typed)
    return attempt.move(typed)


def _tell(attempt: "Attempt", verdict: "Verdict", plain: bool) -> None:
    print(verdict.said.to(language()))
    if verdict.refutation:
        moves = " ".join(verdict.refutation)
        print(tr(f"O que se seguia: {moves}", f"What would follow: {moves}"))
    if verdict.reply:
        print(tr(f"O adversário joga {verdict.reply}.", f"Your opponent plays {verdict.reply}."))
    if attempt.way == "move" and verdict.kind in ("right", "lost"):
        _show(attempt, plain)


def _show(attempt: "Attempt", plain: bool) -> None:
    """The board, in words too, and what is asked."""
    from tabuleiro import text
    from tabuleiro.learn import live_overlay

    node, task = attempt.node(), attempt.task
    board = text.draw(node.position, plain=plain, last=node.clicks, outcome=node.outcome, language=language())
    print_rich(board, *said_of_overlay(live_overlay(node, task.diagram), node.position), plain=plain)
    if not plain:  # the plain board says it itself
        print(text.describe(node.position, language(), node.outcome))
    print(task.ask.to(language()))
    print(_what_to_type(attempt), flush=True)


def _what_to_type(attempt: "Attempt") -> str:
    position = attempt.node().position
    what = {
        "move": Text(f"Escreve a jogada: {position.move_help.pt}.", f"Type the move: {position.move_help.en}."),
        "mark": Text(
            "Escreve todas as jogadas, com espaços; - se não houver nenhuma.",
            "Type all the moves, with spaces between; - if there is none.",
        ),
        "say": Text("Escreve o número.", "Type the number."),
    }[attempt.way]
    more = Text("Ou: ajuda, tabuleiro, saltar, sair.", "Or: hint, board, skip, quit.")
    return f"{what.to(language())} {more.to(language())}"
