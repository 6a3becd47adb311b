"""What stays in memory takes no more room than it needs."""

import tracemalloc

from tabuleiro.server.kept import kept_json


def test_what_is_kept_takes_the_room_of_its_text() -> None:
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        kept = [kept_json({"ply": ply, "text": "a1", "player": 1}) for ply in range(1000)]
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert taken < 3 * sum(map(len, kept)) + 50_000
