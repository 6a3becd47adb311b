"""The nets that alpha-beta judges by, their first layer kept up to date move by move: one file a net in `nets/`.

Beside each lies its card, a JSON file: the game; `boards`, the sets of options under which the net has won its place,
each an object of some options as texts (what it leaves out may be anything); how it was made, and its matches.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from tabuleiro import _native
from tabuleiro.core import Position

FOLDER = Path(__file__).parent / "nets"


@cache
def cards() -> dict[Path, Any]:
    """The cards of the package, by the files of their nets."""
    return {card.with_suffix(".nnue"): json.loads(card.read_text("utf-8")) for card in sorted(FOLDER.glob("*.json"))}


@cache
def _read(game: str, path: Path) -> _native.Tables:
    return _native.NNUE[game](path.read_bytes())


def net_for(position: Position) -> _native.Tables | None:
    """The net that serves a game under its options."""
    options = position.options.items().items()
    for path, card in cards().items():
        if card["game"] == position.id and any(board.items() <= options for board in card["boards"]):
            return _read(position.id, path)
    return None
