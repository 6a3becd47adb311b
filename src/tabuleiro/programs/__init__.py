"""Other programs as engines: `protocol` has the messages of the Universal Game Interface, `client` the engines that
speak it, UCI and GTP to a `process`."""

from tabuleiro.programs.client import GtpEngine, ProgramEngine, UciEngine, UgiEngine

__all__ = ["GtpEngine", "ProgramEngine", "UciEngine", "UgiEngine"]
