"""The classes and functions that `import kibitz` adds to the packages below.

Begin with `position.py`: a `Position` knows its lexicon. Then read `game.py`: a `Game` is a list of steps
(`steps.py`), each from one `GameState` of `engine.position` to the next. The functions are in `analysis.py`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
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
    from engine.library.position import Position
    from engine.library.seat_view import SeatView, SeenEnd, SeenTurn, bad_view
    from engine.library.seats import YOU

__all__ = [
    "YOU",
    "Game",
    "Lexicon",
    "Position",
    "SeatView",
    "SeenEnd",
    "SeenTurn",
    "analyze",
    "annotate",
    "bad_view",
    "best_move",
    "hint",
    "judge",
    "simulate",
    "solve_endgame",
    "solve_preendgame",
]

_MODULES: Final = {
    "YOU": "seats",
    "Game": "game",
    "Lexicon": "lexicon",
    "Position": "position",
    "SeatView": "seat_view",
    "SeenEnd": "seat_view",
    "SeenTurn": "seat_view",
    "bad_view": "seat_view",
}
"""The modules of names; those of all others are in `analysis`. A `Lexicon` alone takes no search kernels."""


def __getattr__(name: str) -> object:
    """Import a public name at its first use."""
    if name in __all__:
        return getattr(import_module(f"engine.library.{_MODULES.get(name, 'analysis')}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
