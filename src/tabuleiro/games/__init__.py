"""The games of the house: one line each."""

from tabuleiro.core import Position, UnknownGameError, shorten
from tabuleiro.games.abalone import Abalone
from tabuleiro.games.avanco import Avanco
from tabuleiro.games.guerreiros import Guerreiros
from tabuleiro.games.hex import Hex
from tabuleiro.games.konane import Konane
from tabuleiro.games.ouri import Ouri
from tabuleiro.games.rastros import Rastros
from tabuleiro.games.semaforo import Semaforo
from tabuleiro.language import Text

GAMES: dict[str, type[Position]] = {
    game.id: game
    for game in (
        Avanco,
        Rastros,
        Hex,
        Semaforo,
        Ouri,
        Konane,
        Guerreiros,
        Abalone,
    )
}  # fmt: skip


def get(name: str) -> type[Position]:
    """The game of that id."""
    if name not in GAMES:
        known = ", ".join(GAMES)
        raise UnknownGameError(
            Text(
                f"não há nenhum jogo «{shorten(name)}»; há: {known}",
                f"there is no game “{shorten(name)}”; there are: {known}",
            )
        )
    return GAMES[name]
