"""The addresses of what people share: who knows one may watch, and take a free seat, so nobody guesses them."""

import secrets

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 12


def new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
