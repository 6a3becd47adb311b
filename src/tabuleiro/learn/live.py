"""What is drawn on the board of a lesson anew after each move: `live: region dominoes`."""

from tabuleiro.core import Position, shorten
from tabuleiro.diagrams import Field, RulebookError
from tabuleiro.language import Text

#: What can be drawn, and the only game that has it; None where all have.
#: - `values`: what each move is worth, where that is proven.
#: - `safe`: the moves after which the opponent cannot win at once.
#: - `region`: the cells that the marker can still reach, and how many there are.
#: - `dominoes`: as many dominoes as fit on these cells and the marker's own.
LIVE: dict[str, str | None] = {"values": None, "safe": None, "region": "rastros", "dominoes": "rastros"}


def read_live(game: type[Position], field: Field | None) -> tuple[str, ...]:
    if field is None:
        return ()
    names = tuple(field.value.split())
    known = [name for name, only in LIVE.items() if only in (None, game.id)]
    for name in names:
        if name not in known:
            listed = ", ".join(known)
            raise RulebookError(
                Text(f"«{shorten(name)}» não é nenhum destes: {listed}", f"“{shorten(name)}” is not one of {listed}"),
                field.line,
            )
    return names
