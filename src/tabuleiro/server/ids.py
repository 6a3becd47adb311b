"""The addresses of what people share: who knows one may watch, and take a free seat, so nobody guesses them."""

import re
import secrets

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 12


_ID = re.compile(f"[{ID_LETTERS}]{{{ID_LENGTH}}}")


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
