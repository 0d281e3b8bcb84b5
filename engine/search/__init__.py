"""Search: moves chosen by looking ahead, through simulation, pre-endgames and endgames.

Three functions of a position return results: `simulate` compares moves by rollouts, `PreendgameSolver.solve`
looks at every draw of the last tiles, `EndgameSolver.solve` proves what is best once the bag is empty.
`phase.phase_of` says which of them suits a bag. `search_player.SearchPlayer` and `levels.LevelPlayer` play by
them.

Open `simulation.py` first; its work is done by `search_kernel.pyx` (rollouts without the GIL) and
`allocation.py` (which candidates get more rollouts). `endgame/` and `preendgame/` have pages of their own. A
Budget limits any search by time and work; its Deadline can be cut by another thread.
"""

from engine.search.budget import Budget
from engine.search.deadline import Deadline
from engine.search.endgame import (
    EndgameProgress,
    EndgameProof,
    EndgameResult,
    EndgameSolver,
    prove_endgame,
)
from engine.search.levels import MAX_LEVEL
from engine.search.opponent import OPPONENT_MODELS
from engine.search.phase import AUTO, PHASES, PREENDGAME_OPPONENTS
from engine.search.preendgame import (
    Draw,
    PreendgameMove,
    PreendgameOptions,
    PreendgameProof,
    PreendgameResult,
    PreendgameSolver,
    prove_draws,
)
from engine.search.simulation import Simulated, Simulation, check_simulation, simulate
from engine.search.simulation_plan import SIMULATIONS, SimulationPlan
from engine.search.verdict import Verdict

__all__ = [
    "AUTO",
    "MAX_LEVEL",
    "OPPONENT_MODELS",
    "PHASES",
    "PREENDGAME_OPPONENTS",
    "SIMULATIONS",
    "Budget",
    "Deadline",
    "Draw",
    "EndgameProgress",
    "EndgameProof",
    "EndgameResult",
    "EndgameSolver",
    "PreendgameMove",
    "PreendgameOptions",
    "PreendgameProof",
    "PreendgameResult",
    "PreendgameSolver",
    "Simulated",
    "Simulation",
    "SimulationPlan",
    "Verdict",
    "check_simulation",
    "prove_draws",
    "prove_endgame",
    "simulate",
]
