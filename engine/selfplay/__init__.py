"""Games that the engine plays by itself, and what is learned from them.

evaluators, seed, number  ->  GameLoop (kernel, no GIL)  ->  Game, Match, LeaveTraining, WinPctTraining
"""

from engine.selfplay.empty_bag import first_endgame, first_endgames
from engine.selfplay.games import Game, GameSetup, game_loop, play_game
from engine.selfplay.greedy_games import Turn, greedy_game
from engine.selfplay.leave_training import LeavePlan, LeaveTraining
from engine.selfplay.match import Match, Score
from engine.selfplay.win_pct_training import Bin, WinPctTraining, calibration, mean_error

__all__ = [
    "Bin",
    "Game",
    "GameSetup",
    "LeavePlan",
    "LeaveTraining",
    "Match",
    "Score",
    "Turn",
    "WinPctTraining",
    "calibration",
    "first_endgame",
    "first_endgames",
    "game_loop",
    "greedy_game",
    "mean_error",
    "play_game",
]
