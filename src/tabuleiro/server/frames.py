"""Frames of WebSockets (RFC 6455) as a server reads and writes them, without extensions."""

from collections.abc import Iterator
from struct import Struct

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C where that was built

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
#: The first bit of a frame: its message ends with it. The first bit of a length: the frame is masked.
LAST = MASKED = 0x80
#: The longest frame whose length one byte says, and the longest that says how a connection goes.
SHORT = 125
#: Maximum number of frames of one message. Without it, empty fragments would grow the memory of a connection for ever,
#: since they do not count towards the length of their message.
MAX_FRAGMENTS = 64
#: The codes with which a connection may be closed, besides those from 3000 to 4999.
CODES = {1000, 1001, 1002, 1003, *range(1007, 1015)}
#: The heads of longer ones.
_LONG, _LONGER = Struct("!BBH").pack, Struct("!BBQ").pack
#: Nothing was said about why.
NO_CODE = 1005


class BrokenError(Exception):
    """What was sent is against the protocol: the connection must be closed, with this code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Reader:
    """Reads messages from bytes that come in pieces of any size."""

    def __init__(self, longest: int) -> None:
        """`longest`: the bytes that a message may have."""
        self._longest = longest
        #: What came of a frame that is not whole.
        self._unread = bytearray()
        #: The message of which some fragments came: of which kind it is.
        self._kind: int | None = None
        self._fragments: list[bytes] = []
        self._size = 0
        #: The other side has said its last word, or one that it must not say: what follows means nothing.
        self._is_over = False

    @property
    def is_amid(self) -> bool:
        """Whether a message has begun that is not whole, or none will follow."""
        return bool(self._unread) or self._kind is not None or self._is_over

    def read(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """The messages that are whole now, and what was said of the connection itself, each with its kind. Raises
        `BrokenError` after those before what is against the protocol."""
        self._unread += data
        while not self._is_over:
            try:
                frame = self._frame()
                if frame is None:
                    return
                message = self._message(*frame)
            except BrokenError:
                self._is_over = True
                raise
            if message is not None:
                self._is_over = message[0] == CLOSE
                yield message
        self._unread.clear()

    def _frame(self) -> tuple[int, bytes] | None:
        """The first byte of the next frame, and what it says; None while that has not come."""
        unread = self._unread
        if len(unread) < 2:
            return None
        if unread[0] & 0x0F not in (CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG):
            raise BrokenError(1002, "invalid opcode")
        if not unread[1] & MASKED:
            raise BrokenError(1002, "incorrect masking")
        length, start = unread[1] & ~MASKED, 2
        if length > SHORT:
            start = 4 if length == 126 else 10
            if len(unread) < start:
                return None
            length = int.from_bytes(unread[2:start])
        if length > self._longest - self._size:
            raise BrokenError(1009, "message too long")
        end = start + 4 + length
        if len(unread) < end:
            return None
        first, said = unread[0], apply_mask(bytes(unread[start + 4 : end]), bytes(unread[start : start + 4]))
        del unread[:end]
        return first, said

    def _message(self, first: int, said: bytes) -> tuple[int, bytes] | None:
        """What has become whole by a frame."""
        kind, is_last = first & 0x0F, bool(first & LAST)
        if first & 0x70:
            raise BrokenError(1002, "reserved bits must be 0")
        if kind >= CLOSE:
            if len(said) > SHORT:
                raise BrokenError(1002, "control frame too long")
            if not is_last:
                raise BrokenError(1002, "fragmented control frame")
            if kind == CLOSE:
                code_of(said)
                if self._kind is not None:
                    raise BrokenError(1002, "incomplete fragmented message")
            return kind, said
        if (kind == CONTINUATION) != (self._kind is not None):
            expected = "unexpected" if kind == CONTINUATION else "expected a"
            raise BrokenError(1002, f"{expected} continuation frame")
        if self._kind is None:
            if is_last:
                return kind, said
            self._kind = kind
        self._fragments.append(said)
        self._size += len(said)
        if len(self._fragments) > MAX_FRAGMENTS:
            raise BrokenError(1009, "too many fragments")
        if not is_last:
            return None
        whole = self._kind, b"".join(self._fragments)
        self._kind, self._fragments, self._size = None, [], 0
        return whole


def short_text(data: bytes) -> bytes | None:
    """What a text message says that is short, and whole, and all of `data`, as nearly all are; None for all else."""
    length = len(data) - 6  # less the head and the mask
    if not 0 <= length <= SHORT or data[0] != LAST | TEXT or data[1] != MASKED | length:
        return None
    said: bytes = apply_mask(data[6:], data[2:6])
    return said


def code_of(said: bytes) -> tuple[int, str]:
    """The code and the reason of a connection that is closed."""
    if not said:
        return NO_CODE, ""
    if len(said) < 2:
        raise BrokenError(1002, "close frame too short")
    code = int.from_bytes(said[:2])
    try:
        reason = said[2:].decode()
    except UnicodeDecodeError:
        raise BrokenError(1007, "invalid UTF-8") from None
    if code not in CODES and not 3000 <= code < 5000:
        raise BrokenError(1002, "invalid status code")
    return code, reason


def head(kind: int, length: int) -> bytes:
    """How a message of a kind begins that is sent in one frame."""
    if length <= SHORT:
        return bytes((LAST | kind, length))
    return _LONG(LAST | kind, 126, length) if length < 1 << 16 else _LONGER(LAST | kind, 127, length)


def closing(code: int, reason: str = "") -> bytes:
    """The frame that closes a connection."""
    said = code.to_bytes(2) + reason.encode()
    return head(CLOSE, len(said)) + said
