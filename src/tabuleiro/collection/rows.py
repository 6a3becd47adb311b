"""A game as a row of a table: what was played and how it ended, without comments, clocks and variations."""

from typing import NamedTuple

from tabuleiro.language import Text
from tabuleiro.record import UNKNOWN, Game, Line, RecordError
from tabuleiro.record.text import RESULTS
from tabuleiro.record.tree import UNFINISHED


class Row(NamedTuple):
    game: str
    #: The options that differ from the defaults, in the order of their names.
    options: tuple[tuple[str, str], ...]
    #: A position string, or None for the standard start.
    start: str | None
    #: As people write them, a space between.
    moves: str
    #: `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: str
    #: Why the game ended; None where that is not said.
    termination: str | None
    #: Player1, Player2, Event, …
    tags: dict[str, str]

    @property
    def line(self) -> Line:
        return Line(self.game, self.options, self.start, tuple(self.moves.split()))


def row_of(game: Game) -> Row:
    """The main line of a game."""
    line = Line.of(game)
    return Row(
        line.game, line.options, line.start, " ".join(line.moves), game.result, game.termination, dict(game.tags)
    )


def game_of(row: Row) -> Game:
    """The game, every move and the end checked by the rules in Python."""
    game = row.line.replay()
    game.tags.update(row.tags)
    if row.result not in RESULTS and row.result != UNFINISHED:
        raise RecordError(
            Text(
                "o resultado é 1-0, 0-1, 1/2-1/2 ou * se a partida não acabou",
                "the result is 1-0, 0-1, 1/2-1/2, or * where the game did not end",
            )
        )
    if game.outcome is not None and game.result != row.result:
        told = game.position.tell_result(game.outcome)
        raise RecordError(
            Text(
                f"o resultado «{row.result}» contradiz as regras: {told.pt[:-1]} ({game.result})",
                f"the result “{row.result}” contradicts the rules: {told.en[:-1]} ({game.result})",
            )
        )
    if game.outcome is None and row.result != UNFINISHED:
        game.end(RESULTS[row.result], row.termination or UNKNOWN, recorded=True)
    return game
