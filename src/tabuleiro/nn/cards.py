"""The nets of the package: one file a net in `models/`, and beside it a card that says whence it comes and how it did.

A card is JSON: the game; `boards`, the sets of options under which the net plays at level 10, each an object of some
options as texts (what it leaves out may be anything); how it was made (`data`, `games`, `minutes`, `command`); and
`matches`, by which it came into the package, as `training/nets/gate.py` writes them.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tabuleiro.core import Options

FOLDER = Path(__file__).parent / "models"


@dataclass(frozen=True)
class Model:
    """A net and its card."""

    path: Path
    card: Mapping[str, Any]

    @property
    def game(self) -> str:
        game: str = self.card["game"]
        return game

    def plays(self, options: Options) -> bool:
        """Whether it has won its place under these options."""
        return any(board.items() <= options.items().items() for board in self.card["boards"])


@cache
def models() -> tuple[Model, ...]:
    return tuple(
        Model(card.with_suffix(".onnx"), json.loads(card.read_text("utf-8"))) for card in sorted(FOLDER.glob("*.json"))
    )


def model_for(game: str, options: Options) -> Model | None:
    return next((model for model in models() if model.game == game and model.plays(options)), None)
