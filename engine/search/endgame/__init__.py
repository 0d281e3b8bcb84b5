"""Endgames: the bag is empty and both racks are known, so that the best play can be proven.

`EndgameSolver(lexicon).solve(position, budget)` returns an `EndgameResult`: a move, its value and proven
bounds, and the best line. Open `solver.py` first, which describes the search; `spread_search.py` steers it,
and its kernel is `endgame_kernel.pyx`. `problem.py` says when an endgame ends, `proof.py`
writes certificates of values.
"""

from engine.search.endgame.proof import EndgameProof, prove_endgame
from engine.search.endgame.result import EndgameResult, LineMove
from engine.search.endgame.solver import DEFAULT_TABLE_MB, EndgameSolver
from engine.search.endgame.spread_search import Progress as EndgameProgress

__all__ = [
    "DEFAULT_TABLE_MB",
    "EndgameProgress",
    "EndgameProof",
    "EndgameResult",
    "EndgameSolver",
    "LineMove",
    "prove_endgame",
]
