"""The protocol of the WebSockets, exchange by exchange, as recorded (`exchanges.py` says how)."""

from collections import Counter

import pytest

from server.exchanges import FILE, SCENES, as_line, recorded

LINES = FILE.read_text("utf-8").splitlines()


@pytest.mark.parametrize("play", SCENES, ids=lambda play: play.__name__)
def test_the_exchanges_are_those_recorded(play: object) -> None:
    name = play.__name__  # type: ignore[attr-defined]
    expected = [line for line in LINES if line.startswith(f'{{"scene":"{name}"')]
    assert [as_line(exchange) for exchange in recorded([play])] == expected  # type: ignore[list-item]


def test_there_are_enough_of_every_kind() -> None:
    assert len(LINES) >= 200
    kinds = Counter(
        kind for kind in ("/ws/v1/me", "sessions", "championships", "votes") for line in LINES if kind in line
    )
    assert min(kinds.values()) > 3 and len(kinds) == 4
