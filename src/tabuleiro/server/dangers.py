"""What the opponent could do at once: who sees the board sees it at a glance, a screen reader must be told."""

import dataclasses

from tabuleiro.core import Move, Player, Position
from tabuleiro.geometry import Cell


def _after_passing(position: Position, player: Player) -> Position:
    """The position with a player's opponent to move."""
    return position if position.turn is player.other else dataclasses.replace(position, turn=player.other)


def attacked(position: Position, player: Player) -> list[Cell]:
    """The cells of a player whose pieces or seeds the opponent could capture at once."""
    theirs = _after_passing(position, player)
    found: set[Cell] = set()
    for move in theirs.legal_moves():
        found |= _captured(theirs, move, player)
    return sorted(found)


def winning(position: Position, player: Player) -> list[str]:
    """The moves with which a player's opponent could win at once."""
    theirs = _after_passing(position, player)
    ends = ((theirs.move_str(move), theirs.play(move).outcome()) for move in theirs.legal_moves())
    return [text for text, end in ends if end is not None and end.winner is player.other]


def _captured(position: Position, move: Move, player: Player) -> set[Cell]:
    """The cells of the player who does not move that a move captures."""
    motions = position.motions(move)
    colour = position.colour(player)
    houses = {cell for owner, cells in position.geometry.owned if owner == colour for cell in cells}
    if houses:
        # Seeds leave the house that is played, and those that are captured.
        return {origin for origin, _ in motions if origin in houses}
    before = {cell for cell, piece in position.pieces().items() if piece.colour == colour is not None}
    after = {cell for cell, piece in position.play(move).pieces().items() if piece.colour == colour is not None}
    if len(after) >= len(before):
        return set()
    # What is pushed travels and is still there; what is captured does not travel.
    left, reached = {origin for origin, _ in motions}, {target for _, target in motions}
    return {cell for cell in before - left if cell not in after or cell in reached}
