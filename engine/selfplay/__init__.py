"""Games that the engine plays by itself, and what is learned from them.

evaluators, seed, number  ->  GameLoop (kernel, no GIL)  ->  Game, Match, SelfPlay
                                                         LeaveTraining, WinPctTraining
"""

from engine.selfplay.empty_bag import first_endgames, game_positions, played_games
from engine.selfplay.games import Game, GameSetup, game_loop, play_game
from engine.selfplay.greedy_games import greedy_game
from engine.selfplay.inference_quality import inference_quality
from engine.selfplay.leave_training import LeavePlan, LeaveTraining
from engine.selfplay.match import Estimate, Match, MatchProgress, MatchScore
from engine.selfplay.players import BEST_PLAYER, LEVEL_PLAYERS, PLAYERS
from engine.selfplay.replaying import Turn
from engine.selfplay.self_play import WORD_USES, SelfPlay
from engine.selfplay.win_pct_training import CalibrationBin, WinPctTraining, calibration, mean_error

__all__ = [
    "BEST_PLAYER",
    "LEVEL_PLAYERS",
    "PLAYERS",
    "WORD_USES",
    "CalibrationBin",
    "Estimate",
    "Game",
    "GameSetup",
    "LeavePlan",
    "LeaveTraining",
    "Match",
    "MatchProgress",
    "MatchScore",
    "SelfPlay",
    "Turn",
    "WinPctTraining",
    "calibration",
    "first_endgames",
    "game_loop",
    "game_positions",
    "greedy_game",
    "inference_quality",
    "mean_error",
    "play_game",
    "played_games",
]
