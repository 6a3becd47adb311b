"""Cards: the long token of a QR code, the short code that is read aloud, and what is kept of each.

A token has 128 random bits, so its plain hash tells nothing. A short code has 29, which anybody with a copy of the
database could try through in a second; so what is kept is keyed with a secret that is not in the database, nor in its
copies: a file beside it that only its owner may read.
"""

import contextlib
import hashlib
import hmac
import os
import secrets
from pathlib import Path

import sqlalchemy as sa

from tabuleiro.server.settings import data_folder

#: No two look or sound much alike on paper, and without vowels no code is a word.
LETTERS = "BCDFGHJKMNPQRSTVWXYZ23456789"
#: Letters of a person's code, and of a class's.
CODE_LENGTH, CLASS_CODE_LENGTH = 6, 4
SECRET = "secret.key"


def new_token() -> str:
    """128 random bits."""
    return secrets.token_urlsafe(16)


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def new_code(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def read_code(text: str) -> str:
    """A code as somebody typed it.

    >>> read_code(" k7m-4pq ")
    'K7M4PQ'
    """
    return "".join(letter for letter in text.upper() if letter in LETTERS)


def code_hash(secret: bytes, stream: str, code: str) -> str:
    """What is kept of a short code, which counts in one class or championship only."""
    return hmac.new(secret, f"{stream} {code}".encode(), hashlib.sha256).hexdigest()


def folder_of(database: str) -> Path:
    """Where what belongs to a database, and is not in it, lies: the folder of one that is a file, else the data folder.
    Machines that share a database must have the same files there."""
    url = sa.make_url(database)
    is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(str(url.database)).parent if is_file else data_folder()


def load_secret(database: str) -> bytes:
    """The secret of this server, made when it is first wanted."""
    file = folder_of(database) / SECRET
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        # Written aside and then given its name: nobody finds half a secret, and of two who begin at once one wins.
        aside = file.with_name(f"{SECRET}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(secrets.token_bytes(32))
            opened.flush()
            os.fsync(opened.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(aside, file)
        aside.unlink()
    return file.read_bytes()
