"""Pre-endgames: one to six tiles in the bag, so that every draw or a random sample of draws can be examined.

`PreendgameSolver(lexicon).solve(position, budget)` returns a `PreendgameResult`: the moves by how often they
win. Open `solver.py` first. `worlds.py` lists what the player on turn cannot see, `perfect.py` answers
questions about positions in which everything is known, `opponents.py` holds the models of the opponent,
`ranking.py` compares the candidates, and `sampling.py` handles the larger bags.
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
