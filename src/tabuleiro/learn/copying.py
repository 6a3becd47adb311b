"""Winning by copying: complete what can be completed, else answer with the symmetrical move."""

from tabuleiro.core import Move, Position
from tabuleiro.learn.truth import wins_at_once


def copied(before: Position, move: Move, after: Position, strategy: str) -> Move | None:
    """The move in `after` that is symmetrical to a move in `before`; None where there is none."""
    cells = before.geometry.symmetries[strategy]
    image = tuple(cells[cell] for cell in before.clicks(move))
    return next((answer for answer in after.legal_moves() if after.clicks(answer) == image), None)


def answers(before: Position, move: Move, after: Position, strategy: str) -> list[Move]:
    """What the strategy plays after a move: any move that wins at once, else the copy, if it can be made."""
    winning = [answer for answer in after.legal_moves() if wins_at_once(after, answer)]
    if winning:
        return winning
    copy = copied(before, move, after, strategy)
    return [] if copy is None else [copy]


def why_it_fails(start: Position, strategy: str, most: int) -> tuple[str, ...] | None:
    """A line in which who moves second copies and does not win; None where copying wins against everything. Raises
    `TimeoutError` where there are more positions than `most`."""
    won: set[Position] = set()

    def fails(position: Position, line: tuple[str, ...]) -> tuple[str, ...] | None:
        if position in won:
            return None
        if len(won) >= most:
            raise TimeoutError
        pupil = position.turn.other
        for move in position.legal_moves():
            after = position.play(move)
            made = (*line, position.move_str(move))
            outcome = after.outcome()
            if outcome is None:
                if after.turn is not pupil:
                    return made
                played = answers(position, move, after, strategy)
                if not played:
                    return made
                made = (*made, after.move_str(played[0]))
                after = after.play(played[0])
                outcome = after.outcome()
            if outcome is None:
                failed = fails(after, made) if after.turn is not pupil else made
                if failed is not None:
                    return failed
            elif outcome.winner is not pupil:
                return made
        won.add(position)
        return None

    return fails(start, ())
