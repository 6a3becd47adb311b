"""Our reader of frames says what the websockets library says, however the bytes are split."""

import os
import random
from collections import Counter
from collections.abc import Iterator

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, State
from websockets.server import ServerProtocol

from tabuleiro.server import frames
from tabuleiro.server.frames import BrokenError, Reader

LONGEST = 300
#: Kinds of frames, those that there are not among them.
KINDS = [0, 0, 1, 1, 1, 2, 8, 9, 10, 3, 15]


def frame(first: int, said: bytes, *, masked: bool = True, length: int | None = None) -> bytes:
    length = len(said) if length is None else length
    head = frames.head(0, length)
    mask = os.urandom(4) if masked else b""
    hidden = bytes(byte ^ mask[place % 4] for place, byte in enumerate(said)) if masked else said
    return bytes((first, head[1] | (0x80 if masked else 0))) + head[2:] + mask + hidden


def stream(chance: random.Random) -> bytes:
    """Frames, most of them sound, in an order that may be none."""
    said = b""
    for _ in range(chance.randrange(1, 12)):
        kind = chance.choice(KINDS[:-2]) if chance.random() < 0.97 else chance.choice(KINDS)
        size = chance.choice([0, 1, 2, 5, 30, 125, 126, 127, 200])
        text = chance.choice(["a", "é", "€", "𝄞"]).encode() * size
        text = text[:size] if chance.random() < 0.1 else text[: size // 4 * 4]
        if kind == frames.CLOSE:
            text = chance.choice([b"", b"\x03", (1000).to_bytes(2) + b"bye", (1005).to_bytes(2), b"\x0f\xa0\xff"])
        first = kind | (0x80 if kind >= 8 or chance.random() < 0.7 else 0)
        if chance.random() < 0.02:
            first ^= chance.choice([0x10, 0x40, 0x80])
        said += frame(first, text, masked=chance.random() < 0.98)
    return said


def by_the_library(pieces: Iterator[bytes]) -> tuple[list[tuple[int, bytes]], int | None]:
    """What was said, and the code with which the connection is to be closed if that was against the protocol."""
    protocol = ServerProtocol(max_size=LONGEST)
    protocol.state = State.OPEN
    protocol.parser = Protocol.parse(protocol)
    next(protocol.parser)
    heard: list[tuple[int, bytes]] = []
    kind, fragments = 0, b""
    for piece in pieces:
        protocol.receive_data(piece)
        for event in protocol.events_received():
            assert isinstance(event, Frame)
            if event.opcode in (Opcode.CLOSE, Opcode.PING, Opcode.PONG):
                heard.append((event.opcode, bytes(event.data)))
                continue
            kind, fragments = (event.opcode or kind), (fragments if event.opcode is Opcode.CONT else b"")
            fragments += bytes(event.data)
            if event.fin:
                heard.append((kind, fragments))
        if protocol.parser_exc is not None:
            assert protocol.close_sent is not None
            return heard, protocol.close_sent.code
    return heard, None


def by_us(pieces: Iterator[bytes]) -> tuple[list[tuple[int, bytes]], int | None]:
    reader = Reader(LONGEST)
    heard: list[tuple[int, bytes]] = []
    for piece in pieces:
        try:
            heard += reader.read(piece)
        except BrokenError as error:
            return heard, error.code
    return heard, None


def split(data: bytes, chance: random.Random) -> Iterator[bytes]:
    while data:
        size = chance.choice([1, 2, 3, 7, 50, len(data)])
        yield data[:size]
        data = data[size:]


def test_it_says_what_the_library_says() -> None:
    codes: Counter[int | None] = Counter()
    for seed in range(500):
        chance = random.Random(seed)
        said = stream(chance)
        expected = by_the_library(split(said, chance))
        for _ in range(3):
            assert by_us(split(said, chance)) == expected, seed
        codes[expected[1]] += 1
    assert min(codes[code] for code in (None, 1002, 1007, 1009)) > 5, codes


def test_messages_before_what_is_broken_are_heard() -> None:
    reader, heard = Reader(LONGEST), []
    with pytest.raises(BrokenError) as broken:
        for message in reader.read(frame(0x81, b"one") + frame(0x83, b"two") + frame(0x81, b"three")):
            heard.append(message)
    assert heard == [(frames.TEXT, b"one")] and broken.value.code == 1002
    assert reader.is_amid and [*reader.read(frame(0x81, b"four"))] == [], "nobody listens any more"


@pytest.mark.parametrize("length", [LONGEST + 1, 1 << 16, 1 << 40])
def test_a_message_too_long_is_refused_before_it_comes(length: int) -> None:
    with pytest.raises(BrokenError) as broken:
        list(Reader(LONGEST).read(frame(0x81, b"", length=length)))
    assert broken.value.code == 1009


def test_fragments_are_together_no_longer_than_a_message() -> None:
    reader = Reader(LONGEST)
    assert not [*reader.read(frame(0x01, b"a" * LONGEST))]
    with pytest.raises(BrokenError):
        list(reader.read(frame(0x80, b"a")))


def test_a_message_has_a_limited_number_of_fragments() -> None:
    """Empty fragments add nothing to the length of a message, and still take memory."""
    reader = Reader(LONGEST)
    assert not [*reader.read(frame(0x01, b"") + frame(0x00, b"") * (frames.MAX_FRAGMENTS - 2))]
    assert [*reader.read(frame(0x80, b"end"))] == [(frames.TEXT, b"end")], "as many as there may be"
    with pytest.raises(BrokenError) as broken:
        list(reader.read(frame(0x01, b"") + frame(0x00, b"") * frames.MAX_FRAGMENTS))
    assert broken.value.code == 1009


def test_a_short_text_is_known_at_once_and_nothing_else_is() -> None:
    for size in (0, 1, frames.SHORT):
        whole = frame(0x81, b"a" * size)
        assert frames.short_text(whole) == b"a" * size
        assert frames.short_text(whole[:-1]) is None and frames.short_text(whole + b"a") is None
    for other in (frame(0x81, b"a" * 126), frame(0x01, b"a"), frame(0x82, b"a"), frame(0x89, b"a"), frame(0xC1, b"a")):
        assert frames.short_text(other) is None
    assert frames.short_text(frame(0x81, b"aaaa", masked=False)) is None


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536])
def test_what_is_sent_begins_as_the_library_has_it(length: int) -> None:
    whole = Frame(Opcode.TEXT, b"a" * length).serialize(mask=False)
    assert whole.startswith(frames.head(frames.TEXT, length)) and len(whole) - length == len(
        frames.head(frames.TEXT, length)
    )
