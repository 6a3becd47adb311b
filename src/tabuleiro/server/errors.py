"""Why a request is refused: a code for programs, a sentence in both languages for people, a status for HTTP."""

import re
from typing import Any

from tabuleiro.core import TabuleiroError
from tabuleiro.language import Text


class RefusedError(TabuleiroError):
    """Something that cannot be done, and changed nothing."""

    def __init__(self, code: str, text: Text, status: int = 400) -> None:
        super().__init__(text)
        self.code = code
        self.status = status


def code_of(error: TabuleiroError) -> str:
    """`illegal_move` for an `IllegalMoveError`."""
    if isinstance(error, RefusedError):
        return error.code
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__.removesuffix("Error")).lower()


def status_of(error: TabuleiroError) -> int:
    return error.status if isinstance(error, RefusedError) else 400


def as_json(error: TabuleiroError) -> dict[str, Any]:
    return {"code": code_of(error), "text": error.text._asdict()}


NO_SUCH_PLAY = RefusedError("no_such_play", Text("essa partida não existe", "there is no such game"), 404)
NOT_FOUND = RefusedError("not_found", Text("aqui não há nada", "there is nothing here"), 404)
FOREIGN_ORIGIN = RefusedError(
    "foreign_origin", Text("o pedido vem de outro sítio", "the request comes from another site"), 403
)
TOO_LARGE = RefusedError("too_large", Text("o pedido é demasiado grande", "the request is too large"), 413)
UNKNOWN_TOKEN = RefusedError(
    "unknown_token",
    Text("essa chave não existe ou foi anulada", "there is no such token, or it was revoked"),
    401,
)
UNREADABLE = RefusedError(
    "invalid_request", Text("não se entende o que foi pedido", "what was asked for cannot be understood"), 422
)
NOT_SAVED = RefusedError(
    "not_saved",
    Text("não foi possível guardar; tenta outra vez", "it could not be saved; please try again"),
    503,
)
BROKEN = RefusedError(
    "broken", Text("o servidor enganou-se; tenta outra vez", "the server made a mistake; try again"), 500
)
