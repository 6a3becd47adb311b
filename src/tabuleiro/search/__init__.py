"""Engines: who finds moves. `base` says what an engine is, `native` and `reference` are engines."""

from tabuleiro.search.base import Analysis, AsyncEngine, Engine, EngineError, Limit, Line, Running, Score
from tabuleiro.search.native import AlphaBetaEngine, ProofEngine
from tabuleiro.search.reference import ReferenceEngine

__all__ = [
    "AlphaBetaEngine",
    "Analysis",
    "AsyncEngine",
    "Engine",
    "EngineError",
    "Limit",
    "Line",
    "ProofEngine",
    "ReferenceEngine",
    "Running",
    "Score",
]
