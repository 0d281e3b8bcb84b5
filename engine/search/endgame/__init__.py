"""Endgames: the bag is empty and both racks are known, so that the best play can be proven.

`EndgameSolver(lexicon).solve(position, budget)` returns an `EndgameResult`: a move, its value and proven
bounds, and the best line. Open `solver.py` first, which describes the search; its kernel is
`endgame_kernel.pyx`. `problem.py` says when an endgame ends. The methods of the literature, B* and Heuri's
plans, are in plain Python (`bstar.py`, `plans.py`) and serve for comparison.
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
