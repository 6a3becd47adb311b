"""Why a request is refused: a code for programs, a sentence in both languages for people, a status for HTTP."""

import re
from typing import Any, NamedTuple

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text


class Refusal(NamedTuple):
    """Why something cannot be done, to be told."""

    code: str
    text: Text
    status: int = 400

    def as_json(self) -> dict[str, Any]:
        return {"code": self.code, "text": self.text._asdict()}


class RefusedError(TabuleiroError):
    """Something that cannot be done, and changed nothing.

    Refusals that are told in many places are kept below, errors never: one that is raised again and again would hold on
    to everything that was going on each time.
    """

    def __init__(self, code: str, text: Text, status: int = 400) -> None:
        super().__init__(text)
        self._code = code
        self._status = status

    @property
    def refusal(self) -> Refusal:
        return Refusal(self._code, self.text, self._status)


def refusal_of(error: TabuleiroError) -> Refusal:
    """An `IllegalMoveError` is told as `illegal_move`."""
    if isinstance(error, RefusedError):
        return error.refusal
    code = re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__.removesuffix("Error")).lower()
    return Refusal(code, error.text)


NO_SUCH_SESSION = Refusal("no_such_session", Text("essa partida não existe", "there is no such game"), 404)
NOT_FOUND = Refusal("not_found", Text("aqui não há nada", "there is nothing here"), 404)
NOT_ALLOWED = Refusal("method", Text("isso não se pode fazer aqui", "that cannot be done here"), 405)
FOREIGN_ORIGIN = Refusal(
    "foreign_origin", Text("o pedido vem de outro sítio", "the request comes from another site"), 403
)
UNKNOWN_HOST = Refusal(
    "unknown_host",
    Text(
        "este servidor não responde por esse nome (veja --host-names)",
        "this server does not answer to that name (see --host-names)",
    ),
    421,
)
TOO_LARGE = Refusal("too_large", Text("o pedido é demasiado grande", "the request is too large"), 413)
TOO_MANY_REQUESTS = Refusal(
    "too_many_requests",
    Text("são demasiados pedidos; espera um pouco", "too many requests; please wait a little"),
    429,
)
SIGN_IN_FIRST = Refusal("sign_in", Text("primeiro tens de entrar", "sign in first"), 401)
UNKNOWN_TOKEN = Refusal(
    "unknown_token",
    Text("essa chave não existe ou foi anulada", "there is no such token, or it was revoked"),
    401,
)
UNREADABLE = Refusal(
    "invalid_request", Text("não percebo o que foi pedido", "what was asked for cannot be understood"), 422
)
NOT_SAVED = Refusal(
    "not_saved",
    Text("não foi possível guardar; tenta outra vez", "it could not be saved; please try again"),
    503,
)
DATABASE_AWAY = Refusal(
    "database_away",
    Text("a base de dados não responde; tenta daqui a pouco", "the database does not answer; try again soon"),
    503,
)
NO_BOTS = Refusal("bot", Text("um robô não faz robôs", "a bot makes no bots"), 403)
BROKEN = Refusal("broken", Text("o servidor enganou-se; tenta outra vez", "the server made a mistake; try again"), 500)
