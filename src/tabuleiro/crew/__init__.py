"""Who does much work: this process, several of it, or the machines of a Ray cluster.

Work is a `Job`, done in units. What comes of a unit depends on the job and the unit alone, their seeds among them; so
the results are the same whoever does them, in whichever order they are finished.

`base.py` what a crew and a job are, and how units are shared out · `processes.py` · `cluster.py` Ray
"""

from tabuleiro.core import TabuleiroError
from tabuleiro.crew.base import Crew, CrewError, Each, Finished, Here, Job, Shared
from tabuleiro.crew.cluster import RayCrew
from tabuleiro.crew.processes import Processes
from tabuleiro.language import Text

__all__ = ["Crew", "CrewError", "Each", "Finished", "Here", "Job", "Processes", "RayCrew", "Shared", "gather"]


def gather(processes: int | None = None, ray: str | None = None) -> Crew:
    """The crew that a person asks for: so many processes (one of them: this one), or so many workers of the Ray cluster
    at an address, as many as it has processors if nobody says."""
    if processes is not None and processes < 1:
        raise TabuleiroError(Text("é preciso pelo menos um processo", "at least one process is needed"))
    if ray is not None:
        return RayCrew(ray, processes)
    return Here() if processes is None or processes == 1 else Processes(processes)
