"""What neural nets see of a game and how they name its moves. Training is in `training/`, outside the package."""

from tabuleiro.nn.planes import View

__all__ = ["View"]
