"""The puzzles of the eight games, for whoever writes programs: `from tabuleiro import puzzles`.

>>> from tabuleiro import puzzles
>>> puzzle = puzzles.find_puzzle("rastros", 1)
>>> sorted(puzzle.position().move_str(move) for move in puzzle.task().answer) == sorted(puzzle.answer.split())
True
"""

from tabuleiro.learn.puzzles import THEMES, Puzzle, Theme, find_puzzle, puzzles_of

__all__ = ["THEMES", "Puzzle", "Theme", "find_puzzle", "puzzles_of"]
