"""The games of the house: one line each. The game in `<id>.py` is the class `<Id>`."""

from importlib import import_module

from tabuleiro.core import Position, UnknownGameError, shorten
from tabuleiro.language import Text


def _load(name: str) -> type[Position]:
    game: type[Position] = getattr(import_module(f"tabuleiro.games.{name}"), name.capitalize())
    return game


GAMES: dict[str, type[Position]] = {
    name: _load(name)
    for name in (
        "avanco",
        "rastros",
        "hex",
        "semaforo",
        "ouri",
        "konane",
        "guerreiros",
        "abalone",
    )
}


def get(name: str) -> type[Position]:
    """The game of that id."""
    if name not in GAMES:
        known, asked = ", ".join(GAMES), shorten(name)
        raise UnknownGameError(
            Text(f"não há nenhum jogo «{asked}»; há: {known}", f"there is no game “{asked}”; there are: {known}")
        )
    return GAMES[name]
