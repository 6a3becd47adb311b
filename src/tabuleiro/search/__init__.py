"""Engines that search for moves. `base` says what one is; `native`, `mcts` and `reference` are three."""

from tabuleiro.search.base import Analysis, Engine, EngineError, Limit, Running, Score, ScoredLine
from tabuleiro.search.mcts import MctsEngine
from tabuleiro.search.native import AlphaBetaEngine, ProofEngine
from tabuleiro.search.reference import ReferenceEngine

__all__ = [
    "AlphaBetaEngine",
    "Analysis",
    "Engine",
    "EngineError",
    "Limit",
    "MctsEngine",
    "ProofEngine",
    "ReferenceEngine",
    "Running",
    "Score",
    "ScoredLine",
]
