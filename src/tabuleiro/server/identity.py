"""The identity behind a request: a guest's number, a role, a sign-in."""

from dataclasses import dataclass
from typing import Literal

from tabuleiro.server.log import Guest

Role = Literal["guest", "pupil", "arbiter", "teacher", "organiser"]


@dataclass(frozen=True)
class Who:
    """For whom a request acts."""

    #: None: no guest yet, and so nobody's cookie.
    guest: Guest | None
    role: Role = "guest"
    #: The number of the sign-in by which they act, if they signed in.
    sign_in: int | None = None
    #: How they signed in: by card, code, password or link.
    by: str | None = None
