"""The library: positions that know their lexicon, games that hold their state, and what to ask about them.

This is what `import kibitz` offers beyond the packages below, none of which needs it. Open `position.py`
first, then `game.py`: a `Game` is a list of steps from one `State` (`state.py`) to the next, and each state
holds a `Position`. `analysis.py` holds the functions.
"""

from engine.library.analysis import (
    analyze,
    annotate,
    best_move,
    hint,
    judge,
    simulate,
    solve_endgame,
    solve_preendgame,
)
from engine.library.data_folder import default_data_folder
from engine.library.game import Game
from engine.library.lexicon import Lexicon
from engine.library.limit import Limit
from engine.library.moves import Move, Play
from engine.library.position import Position
from engine.library.result import GameResult

__all__ = [
    "Game",
    "GameResult",
    "Lexicon",
    "Limit",
    "Move",
    "Play",
    "Position",
    "analyze",
    "annotate",
    "best_move",
    "default_data_folder",
    "hint",
    "judge",
    "simulate",
    "solve_endgame",
    "solve_preendgame",
]
