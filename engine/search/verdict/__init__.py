"""What is known of the outcome of a move, and in which order moves stand.

`win_range.WinRange` holds a win% or the range in which it is proven to lie. `endgame.EndgameVerdicts` says
what is proven of the moves of an endgame, and which is best.
"""

from engine.search.verdict.endgame import EndgameVerdicts
from engine.search.verdict.win_range import UNPROVEN, WinRange

__all__ = ["UNPROVEN", "EndgameVerdicts", "WinRange"]
