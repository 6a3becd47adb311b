"""What somebody who learns a game is called, by the lessons they have done."""

from typing import Any

from tabuleiro.language import Text

#: The lessons of a game that must be done for each rank.
RANKS: dict[int, Text] = {
    1: Text("Principiante", "Beginner"),
    4: Text("Aprendiz", "Apprentice"),
    7: Text("Estratega", "Strategist"),
    10: Text("Especialista", "Expert"),
}


def rank_of(done: int) -> dict[str, Any] | None:
    """The rank of somebody who has done so many lessons; None before the first."""
    reached = [number for number in RANKS if number <= done]
    return RANKS[reached[-1]]._asdict() if reached else None
