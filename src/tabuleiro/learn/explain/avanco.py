"""Avanço: how many steps each side is from arriving."""

from tabuleiro.core import Player
from tabuleiro.games.avanco import SYMBOL, Avanco
from tabuleiro.language import Text
from tabuleiro.learn.explain.case import Case


def facts(case: Case) -> list[Text]:
    after = case.after
    assert isinstance(after, Avanco)
    if case.ends_at_once:
        return []
    said: list[Text] = []
    if case.takes:
        said.append(
            Text(
                f"O adversário responde {case.reply_name} e captura.",
                f"Your opponent answers {case.reply_name} and captures.",
            )
        )
    mine, theirs = (_steps(after, player) for player in (case.before.turn, after.turn))
    said.append(
        Text(
            f"A tua peça mais adiantada está a {_count(mine).pt} de chegar; a do adversário, a {_count(theirs).pt}, "
            "e é ele quem joga.",
            f"Your foremost piece is {_count(mine).en} from arriving; your opponent's is {_count(theirs).en}, "
            "and they are to move.",
        )
    )
    return said


def _steps(position: Avanco, player: Player) -> int:
    """The fewest steps that a player's foremost piece needs."""
    size = position.options.size
    rows = [cell // size for cell, piece in enumerate(position.board) if piece == SYMBOL[player]]
    return min((size - 1 - row if player is Player.ONE else row) for row in rows)


def _count(steps: int) -> Text:
    return Text("1 passo", "1 step") if steps == 1 else Text(f"{steps} passos", f"{steps} steps")
