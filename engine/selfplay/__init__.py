"""Self-play: games that the engine plays by itself, matches, and what is learned from games.

`Match` plays two players against each other, `LeaveTraining` and `WinPctTraining` learn the tables of leaves
and of win%, `SelfPlay` counts results and words. All of them play games in `game_loop_kernel.pyx` without the
GIL; players who search choose their moves in Python (`seats.py`). The games are played in parts (`parts.py`),
by threads or by an executor on other machines. Open `games.py` first, then `match.py`.
"""

from engine.selfplay.choice_quality import ChoiceQuality, choice_quality
from engine.selfplay.empty_bag import first_endgames, game_positions, played_games
from engine.selfplay.games import Game, GameSetup, game_loop, play_game
from engine.selfplay.greedy_games import greedy_game
from engine.selfplay.inference_fit import fit_inference
from engine.selfplay.inference_quality import inference_quality
from engine.selfplay.leave_training import LeavePlan, LeaveTraining
from engine.selfplay.match import Estimate, Match, MatchProgress, MatchScore
from engine.selfplay.parts import GameControl, GameExecutor, GameWork, PartPlayer, Played
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
    "ChoiceQuality",
    "Estimate",
    "Game",
    "GameControl",
    "GameExecutor",
    "GameSetup",
    "GameWork",
    "LeavePlan",
    "LeaveTraining",
    "Match",
    "MatchProgress",
    "MatchScore",
    "PartPlayer",
    "Played",
    "SelfPlay",
    "Turn",
    "WinPctTraining",
    "calibration",
    "choice_quality",
    "first_endgames",
    "fit_inference",
    "game_loop",
    "game_positions",
    "greedy_game",
    "inference_quality",
    "mean_error",
    "play_game",
    "played_games",
]
