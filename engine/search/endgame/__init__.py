"""Endgames: the bag is empty, both racks are known, and what is best can be proven.

    position, budget  ->  EndgameSolver.solve  ->  EndgameResult
"""
from engine.search.endgame.result import EndgameResult, LineMove
from engine.search.endgame.solver import Budget, EndgameSolver, Progress

__all__ = ["Budget", "EndgameResult", "EndgameSolver", "LineMove", "Progress"]
