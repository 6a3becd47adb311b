"""The arguments that commands share, and how they become a game."""

import dataclasses
import os
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabuleiro.cli.speech import both, language, tr
from tabuleiro.core import (
    OptionError,
    Options,
    Position,
    TabuleiroError,
    UnknownGameError,
    default_note,
    option_values,
    shorten,
    value_name,
)
from tabuleiro.games import GAMES
from tabuleiro.language import Text

if TYPE_CHECKING:
    from tabuleiro.record import Game


def complete_game(incomplete: str) -> list[str]:
    return [name for name in GAMES if name.startswith(incomplete)]


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=both("O jogo, como em «tabuleiro games».", "The game, as in “tabuleiro games”."),
        autocompletion=complete_game,
        show_default=False,
    ),
]
PositionOption = Annotated[
    str | None,
    typer.Option("--position", metavar="P", help=both("Começa nesta posição.", "Begin in this position.")),
]
PlayOption = Annotated[
    str,
    typer.Option("--play", metavar="M M …", help=both("Faz primeiro estas jogadas.", "Play these moves first.")),
]
OptionOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="K=V",
        help=both(
            "Uma opção do jogo, como size=8; pode repetir-se. «--option help» diz as que há.",
            "An option of the game, as size=8; may be repeated. “--option help” tells which there are.",
        ),
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help=both("Escreve JSON.", "Write JSON."))]
PlainOption = Annotated[
    bool,
    typer.Option(
        "--plain",
        help=both(
            "Só texto simples, sem desenhos nem cores: bom para leitores de ecrã.",
            "Plain text without drawings or colours: good for screen readers.",
        ),
    ),
]


def find_game(name: str) -> type[Position]:
    """The game of that name, case and accents aside; for a wrong name, the nearest one is suggested."""
    letters = unicodedata.normalize("NFKD", name[:40].casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    if plain in GAMES:
        return GAMES[plain]
    given = shorten(name)
    if near := get_close_matches(plain, GAMES, n=1, cutoff=0.5):
        raise UnknownGameError(
            Text(
                f"não há nenhum jogo «{given}»; querias dizer {near[0]}?",
                f"there is no game “{given}”; did you mean {near[0]}?",
            )
        )
    known = ", ".join(GAMES)
    raise UnknownGameError(
        Text(f"não há nenhum jogo «{given}»; há: {known}", f"there is no game “{given}”; there are: {known}")
    )


#: What is said instead of an option to be told which there are.
HELP_WORDS = ("help", "ajuda", "?")


def option_lines(game: type[Position]) -> list[str]:
    """The options of a game, each with its values as they are typed and what they mean."""
    lines = []
    for field in dataclasses.fields(game.options_type):
        lines.append(f"--option {field.name}=…  {field.metadata['help'].to(language())}")
        lines.append(f"  {'; '.join(_described(field))}")
    return lines or [tr("Este jogo não tem opções.", "This game has no options.")]


def _described(field: "dataclasses.Field[Any]") -> list[str]:
    """Every value as it is typed, with its name where it has another, and where the default comes from."""
    described: list[str] = []
    for value in option_values(field):
        name = value_name(field, value).to(language())
        named = value if name == value else f"{value}: {name}"
        described.append(named if described else f"{named} ({default_note(field).to(language())})")
    return described


def read_options(game: type[Position], pairs: list[str] | None) -> Options:
    """The options of a game, from `name=value` texts."""
    values: dict[str, str] = {}
    if pairs and pairs[-1].lower() in HELP_WORDS:
        print("\n".join(option_lines(game)))
        raise typer.Exit
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals:
            raise OptionError(
                Text(
                    f"escreve a opção como nome=valor, não «{shorten(pair)}»",
                    f"write an option as name=value, not “{shorten(pair)}”",
                )
            )
        if name in values:
            raise OptionError(
                Text(f"a opção «{shorten(name)}» aparece duas vezes", f"option “{shorten(name)}” is given twice")
            )
        values[name] = value
    return game.options_type.parse(values)


def read_line(name: str, pairs: list[str] | None, position: str | None, moves: str = "") -> "Game":
    """The line of play that the arguments describe; rules that look back apply to it."""
    from tabuleiro.record import Line

    game = find_game(name)
    return Line.from_texts(game.id, read_options(game, pairs).changed(), position, moves.split()).replay()


@contextmanager
def naming(file: str) -> Iterator[None]:
    """What is wrong inside is told with the name of the file."""
    try:
        yield
    except TabuleiroError as error:
        name = shorten(file, 200)
        raise TabuleiroError(Text(f"{name}: {error.text.pt}", f"{name}: {error.text.en}")) from error


def file_path(text: str) -> Path:
    """The path of a file named by a person."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        text = "\0"
    if not text or "\0" in text:
        raise TabuleiroError(Text("isso não é um nome de ficheiro", "that is not the name of a file"))
    return Path(text)
