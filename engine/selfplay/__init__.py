"""Self-play: games that the engine plays by itself, matches, and what is learned from games.

`Match` plays two players against each other, `LeaveTraining` and `WinPctTraining` learn the tables of leaves
and of win%, `SelfPlay` counts the words of games. All of them play games in `selfplay_kernel.pyx` without the
GIL; players who search choose their moves in Python (`seats.py`). The games are played in parts (`parts.py`),
by threads or by an executor on other machines. Open `games.py` first, then `match.py`.
"""

from engine.selfplay.estimate import FEWEST_GAMES, NORMAL_95, Estimate, share_interval
from engine.selfplay.games import GameSetup, PlayedGame, game_loop, play_game
from engine.selfplay.leave_training import LeavePlan, LeaveTraining
from engine.selfplay.match import Match, MatchProgress, MatchScore
from engine.selfplay.parts import GameControl, GameExecutor, GameWork, PartPlayer, Played
from engine.selfplay.players import BEST_PLAYER, LEVEL_PLAYERS, PLAYERS
from engine.selfplay.self_play import WORD_USES, SelfPlay
from engine.selfplay.win_pct_training import CalibrationBin, WinPctTraining, calibration, mean_error

__all__ = [
    "BEST_PLAYER",
    "FEWEST_GAMES",
    "LEVEL_PLAYERS",
    "NORMAL_95",
    "PLAYERS",
    "WORD_USES",
    "CalibrationBin",
    "Estimate",
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
    "PlayedGame",
    "SelfPlay",
    "WinPctTraining",
    "calibration",
    "game_loop",
    "mean_error",
    "play_game",
    "share_interval",
]
