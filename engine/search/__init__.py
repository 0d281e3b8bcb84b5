"""Choosing moves: the move an evaluator likes best, and what looking ahead adds to it.

board, rack, unseen tiles  ->  Mover.choose (kernel, no GIL)  ->  a play, an exchange or a pass
candidates, draws          ->  Simulator.run (kernel, no GIL), Race (the worse get no more)  ->  estimates
"""

from engine.search.budget import Budget
from engine.search.deadline import Deadline
from engine.search.endgame import ENDGAME_METHODS, EndgameProgress, EndgameResult, EndgameSolver
from engine.search.levels import MAX_LEVEL
from engine.search.movers import mover
from engine.search.opponent import OPPONENT_MODELS
from engine.search.phase import AUTO, PHASES, PREENDGAME_OPPONENTS
from engine.search.preendgame import PreendgameMove, PreendgameOptions, PreendgameResult, PreendgameSolver
from engine.search.simulation import (
    SIMULATIONS,
    Candidate,
    Simulated,
    Simulation,
    SimulationPlan,
    check_simulation,
    simulate,
)

__all__ = [
    "AUTO",
    "ENDGAME_METHODS",
    "MAX_LEVEL",
    "OPPONENT_MODELS",
    "PHASES",
    "PREENDGAME_OPPONENTS",
    "SIMULATIONS",
    "Budget",
    "Candidate",
    "Deadline",
    "EndgameProgress",
    "EndgameResult",
    "EndgameSolver",
    "PreendgameMove",
    "PreendgameOptions",
    "PreendgameResult",
    "PreendgameSolver",
    "Simulated",
    "Simulation",
    "SimulationPlan",
    "check_simulation",
    "mover",
    "simulate",
]
