"""Puzzles: positions mined by the solvers, with a goal of which every right answer is known.

>>> from tabuleiro import puzzles
>>> puzzle = puzzles.puzzles_of("semaforo")[0]
>>> puzzle.ref, puzzle.task().goal.kind
('puzzle/semaforo/0001', 'win')
"""

from tabuleiro.learn.puzzles.puzzle import Puzzle
from tabuleiro.learn.puzzles.store import find_puzzle, puzzles_of
from tabuleiro.learn.puzzles.themes import THEMES, Theme

__all__ = ["THEMES", "Puzzle", "Theme", "find_puzzle", "puzzles_of"]
