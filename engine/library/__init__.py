"""The classes and functions that `import kibitz` adds to the packages below.

Begin with `position.py`: a `Position` knows its lexicon. Then read `game.py`: a `Game` is a list of steps,
each from one `State` (`state.py`) to the next, and a state holds a `Position`. The functions are in
`analysis.py`.
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
    "hint",
    "judge",
    "simulate",
    "solve_endgame",
    "solve_preendgame",
]
