"""Pre-endgames: one to six tiles in the bag, so that every draw or a random sample of draws can be examined.

`PreendgameSolver(lexicon).solve(position, budget)` returns a `PreendgameResult`: the moves by how often they
win. Open `solver.py` first. `worlds.py` lists what the player on turn cannot see, `perfect.py` answers
questions about positions in which everything is known, `opponents.py` holds the models of the opponent,
`ranking.py` compares the candidates, `sampling.py` handles the larger bags, and `proof.py`
writes certificates.
"""

from engine.search.preendgame.proof import PreendgameProof, prove_draws
from engine.search.preendgame.result import Draw, PreendgameMove, PreendgameResult
from engine.search.preendgame.solver import PreendgameOptions, PreendgameSolver

__all__ = [
    "Draw",
    "PreendgameMove",
    "PreendgameOptions",
    "PreendgameProof",
    "PreendgameResult",
    "PreendgameSolver",
    "prove_draws",
]
