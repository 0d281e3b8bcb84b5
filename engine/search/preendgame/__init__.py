"""Pre-endgames: few tiles in the bag, so that every draw can be looked at, or a fair sample of them.

position, budget  ->  PreendgameSolver.solve  ->  PreendgameResult
"""

from engine.search.preendgame.result import Draw, PreendgameMove, PreendgameResult
from engine.search.preendgame.solver import PreendgameOptions, PreendgameSolver

__all__ = [
    "Draw",
    "PreendgameMove",
    "PreendgameOptions",
    "PreendgameResult",
    "PreendgameSolver",
]
