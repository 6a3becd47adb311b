"""`tabuleiro puzzle`: puzzles in the terminal, one after the other, by typed moves and in words."""

import random
import sys
from typing import Annotated

import typer

from tabuleiro.cli.arguments import PlainOption, complete_game, find_game
from tabuleiro.cli.learn import Left, work
from tabuleiro.cli.speech import both, language, shows_unicode, tr
from tabuleiro.games import GAMES

HELP = both("Resolve problemas, com jogadas escritas.", "Solve puzzles, with typed moves.")

#: The next puzzle is this much harder after one that was solved at once, and easier after any other.
HARDER = 60
#: A puzzle may be this far from the strength asked for; where none is, the nearest is taken.
NEAR = 100


def puzzle(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help=both("O jogo; sem isto, um à sorte.", "The game; else one by chance."),
            autocompletion=complete_game,
            show_default=False,
        ),
    ] = None,
    number: Annotated[
        int | None,
        typer.Argument(metavar="[NUMBER]", help=both("Um só problema.", "A single puzzle."), show_default=False),
    ] = None,
    strength: Annotated[
        int,
        typer.Option(
            metavar="R", min=0, max=6000, help=both("Com que dificuldade se começa.", "How hard the first one is.")
        ),
    ] = 1200,
    plain: PlainOption = False,
) -> None:
    from tabuleiro.learn.puzzles import puzzles_of

    kind = find_game(game) if game is not None else None
    games = [kind.id] if kind is not None else [each for each in GAMES if puzzles_of(each)]
    if not puzzles_of(games[0]):
        print(tr("Este jogo ainda não tem problemas.", "This game has no puzzles yet."))
        return
    plain = plain or not shows_unicode(sys.stdout)
    chance = random.Random()
    try:
        if kind is not None and number is not None:
            _one(kind.id, number, plain)
            return
        while True:
            played = chance.choice(games)
            at_once = _one(played, _near(played, strength, chance), plain)
            strength += HARDER if at_once else -HARDER
    except Left:
        print(tr("Até à próxima!", "Goodbye!"))


def _near(game: str, strength: int, chance: random.Random) -> int:
    """The number of a puzzle of about that rating."""
    from tabuleiro.learn.puzzles import puzzles_of

    puzzles = puzzles_of(game)
    near = [each for each in puzzles if abs(each.rating - strength) <= NEAR]
    return (chance.choice(near) if near else min(puzzles, key=lambda each: abs(each.rating - strength))).number


def _one(game: str, number: int, plain: bool) -> bool:
    """Let the person solve one; whether it was solved at once and without help."""
    from tabuleiro.learn.puzzles import THEMES, find_puzzle

    chosen = find_puzzle(game, number)
    name = find_game(game).name.to(language())
    print(tr(f"{name}, problema {number}", f"{name}, puzzle {number}"))
    done = work(chosen.task(), plain)
    if done.solved:
        told = "; ".join(f"{THEMES[theme].name.to(language())}" for theme in chosen.themes) or "-"
        print(tr(f"Dificuldade {chosen.rating}. Temas: {told}", f"Rating {chosen.rating}. Themes: {told}"))
    return done.solved and not done.mistakes and not done.hints
