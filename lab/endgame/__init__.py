"""Methods of the literature that solve endgames: slow, for comparison with the engine.

`solved_by("bstar", ...)` proves which move is best, by B* [Berliner1979] with planned bounds; "plans"
estimates values by Heuri's plans of exactly n half-moves [Heuri]. Open `bstar.py` or `plans.py`; both search
the positions of `engine/search/endgame/states.py` in Python. `comparison.py` says what the engine
proves of their answers.
"""

from lab.endgame.slow_search import METHODS, solved_by

__all__ = ["METHODS", "solved_by"]
