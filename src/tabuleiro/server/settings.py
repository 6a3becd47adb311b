"""Where the server keeps its data and what it talks to. Light: the command line reads it without loading the server."""

import json
import os
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tabuleiro.server.clock import time_of_start

DATABASE = "tabuleiro.sqlite3"
ENVIRONMENT = "TABULEIRO_SERVER"


def data_folder() -> Path:
    """The folder in which this system keeps the data of programs."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "tabuleiro"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "tabuleiro"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tabuleiro"


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder.resolve() / DATABASE}"


@dataclass(frozen=True)
class Settings:
    database: str
    redis: str | None = None
    #: The address at which other machines of the network reach this one, as `http://192.168.1.5:8000`.
    lan_address: str | None = None
    #: How many processes think for computer players.
    engine_workers: int = 1
    #: The names by which people reach this server, besides those that can only be its own.
    host_names: tuple[str, ...] = ()
    #: The days after which people who were not here, and games that nobody went on with, are forgotten; 0: never.
    keep_guests: int = 400
    keep_unfinished: int = 180
    #: The process that started this one as one of several.
    parent: int | None = None
    #: The file that the log is added to, if it is not standard error.
    log: str | None = None
    #: When this machine was started, in seconds since 1970: all processes of a server count the time from there.
    machine_started: float = field(default_factory=time_of_start)

    def to_environment(self) -> None:
        """Leave the settings where the processes that this one starts find them."""
        os.environ[ENVIRONMENT] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> "Settings":
        told = json.loads(os.environ[ENVIRONMENT])
        return cls(**{**told, "host_names": tuple(told["host_names"])})
