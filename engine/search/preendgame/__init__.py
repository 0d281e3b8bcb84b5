"""Pre-endgames: few tiles in the bag, so that every draw can be looked at, or a fair sample of them.

position, budget  ->  PreendgameSolver.solve  ->  PreendgameResult
"""

from engine.search.preendgame.opponents import OPPONENTS as PREENDGAME_OPPONENTS
from engine.search.preendgame.result import Draw, PreendgameMove, PreendgameResult
from engine.search.preendgame.solver import PreendgameOptions, PreendgameSolver

__all__ = [
    "PREENDGAME_OPPONENTS",
    "Draw",
    "PreendgameMove",
    "PreendgameOptions",
    "PreendgameResult",
    "PreendgameSolver",
]
