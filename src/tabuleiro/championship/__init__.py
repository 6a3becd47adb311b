"""Championships of board games: registration, draws, pairings, results, standings; pure, over a log of events.

`Championship` is the state that replaying events gives; `decisions` works out the next one. `file` alone touches the
disk. `docs/championship.md` tells how an event is run with it.
"""

from tabuleiro.championship.championship import Championship
from tabuleiro.championship.events import Comparison, Decision, Event, RefusedError, compare

__all__ = ["Championship", "Comparison", "Decision", "Event", "RefusedError", "compare"]
