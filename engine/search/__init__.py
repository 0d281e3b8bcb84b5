"""Choosing moves: the move an evaluator likes best, and what looking ahead adds to it.

board, rack, unseen tiles  ->  Mover.choose (kernel, no GIL)  ->  a play, an exchange or a pass
candidates, draws          ->  Simulator.run (kernel, no GIL), Race (the worse get no more)  ->  estimates
"""

from engine.search.movers import mover
from engine.search.opponent import OPPONENT_MODELS
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
    "OPPONENT_MODELS",
    "SIMULATIONS",
    "Candidate",
    "Simulated",
    "Simulation",
    "SimulationPlan",
    "check_simulation",
    "mover",
    "simulate",
]
