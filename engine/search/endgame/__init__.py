"""Endgames: the bag is empty, both racks are known, and what is best can be proven.

position, budget  ->  EndgameSolver.solve  ->  EndgameResult
"""

from engine.search.endgame.result import EndgameResult, LineMove
from engine.search.endgame.solver import DEFAULT_TABLE_MB, EndgameSolver
from engine.search.endgame.solver import METHODS as ENDGAME_METHODS
from engine.search.endgame.solver import Progress as EndgameProgress

__all__ = [
    "DEFAULT_TABLE_MB",
    "ENDGAME_METHODS",
    "EndgameProgress",
    "EndgameResult",
    "EndgameSolver",
    "LineMove",
]
