"""Every game has a golden playthrough, and plays it exactly as written."""

from pathlib import Path

import pytest

from playthroughs import FOLDER, playthrough, read
from tabuleiro import GAMES


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_the_game_is_played_exactly_as_written(path: Path) -> None:
    written = path.read_text("utf-8")
    assert playthrough(*read(written)) == written


def test_every_game_has_a_playthrough() -> None:
    assert {path.stem.split("-")[0] for path in FOLDER.glob("*.txt")} == set(GAMES)
