"""A move that throws something away, with what is known of it."""

from functools import cached_property

from tabuleiro.core import Move, Position
from tabuleiro.language import Text
from tabuleiro.learn import truth
from tabuleiro.record import Node
from tabuleiro.search.base import Score, Worth


class Case:
    """`left` is what the move leaves whoever made it; `reply` an answer that is proven to hold the opponent to that,
    if one is known, and `score` what it is worth to whoever makes it, with its length where that is known."""

    def __init__(
        self, node: Node, move: Move, after: Position, left: Worth, reply: Move | None, score: Score | None
    ) -> None:
        self.node = node
        self.move = move
        self.after = after
        self.left = left
        self.reply = reply
        self.score = score
        #: Whether nothing is to be added to what was told.
        self.is_told = False

    @property
    def before(self) -> Position:
        return self.node.position

    @property
    def is_lost(self) -> bool:
        return self.left is Worth.LOSS

    @property
    def moves_again(self) -> bool:
        return self.after.turn is self.before.turn

    @cached_property
    def replied(self) -> Position | None:
        """The position after the opponent's answer."""
        return None if self.reply is None or self.moves_again else self.after.play(self.reply)

    @cached_property
    def name(self) -> str:
        return self.before.move_str(self.move)

    @cached_property
    def reply_name(self) -> str:
        return "" if self.reply is None else self.after.move_str(self.reply)

    @cached_property
    def ends_at_once(self) -> bool:
        """Whether the answer wins the game."""
        return self.reply is not None and not self.moves_again and truth.wins_at_once(self.after, self.reply)

    @cached_property
    def takes(self) -> int:
        """How many pieces or seeds the answer takes."""
        return 0 if self.reply is None or self.moves_again else truth.taken(self.after, self.reply)

    def answer(self) -> Text:
        """What the opponent answers, and what that leads to."""
        if self.moves_again or self.reply is None:
            return (
                Text("Se o adversário jogar bem, ganha.", "Playing well, your opponent wins.")
                if self.is_lost
                else Text(
                    "Se o adversário jogar bem, já só empatas.", "If your opponent plays well, you can only draw."
                )
            )
        reply = self.reply_name
        if self.ends_at_once:
            return Text(f"O adversário joga {reply} e ganha logo.", f"Your opponent plays {reply} and wins at once.")
        if self.is_lost and self.score is not None and self.score.plies is not None:
            moves = (self.score.plies + 1) // 2
            return Text(
                f"O adversário joga {reply} e ganha, o mais tardar na sua {moves}.ª jogada.",
                f"Your opponent plays {reply} and wins in at most {moves} moves.",
            )
        if self.is_lost:
            return Text(
                f"O adversário joga {reply} e, se continuar bem, ganha.",
                f"Your opponent plays {reply} and, playing well, wins.",
            )
        return Text(
            f"O adversário joga {reply} e, se continuar bem, empata.",
            f"Your opponent plays {reply} and, playing well, draws.",
        )
