"""The engine of kibitz: rules, positions, lexicons, move generation, evaluation, search, self-play, analysis.

The docstring of each package describes it, and `__all__` lists its public names, which can also be imported
from here. Users import the library `kibitz` instead. The order for reading is `rules` and `messages`,
`position`, `records` and `lexicon`, `loaded_board`, `movegen`, `evaluation`, `search`, `selfplay`,
`analysis`, `duplicate`, `library`. A package imports only from packages before it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.analysis import *
    from engine.duplicate import *
    from engine.errors import *
    from engine.evaluation import *
    from engine.lexicon import *
    from engine.loaded_board import *
    from engine.messages import *
    from engine.movegen import *
    from engine.position import *
    from engine.records import *
    from engine.rules import *
    from engine.search import *
    from engine.selfplay import (
        FEWEST_GAMES,
        LEVEL_PLAYERS,
        NORMAL_95,
        PLAYERS,
        WORD_USES,
        CalibrationBin,
        Estimate,
        GameControl,
        GameExecutor,
        GameSetup,
        GameWork,
        LeavePlan,
        LeaveTraining,
        Match,
        MatchProgress,
        MatchScore,
        PartPlayer,
        Played,
        SelfPlay,
        WinPctTraining,
        calibration,
        mean_error,
        share_interval,
    )
    from engine.version import VERSION as __version__  # noqa: N811 - the name is Python's

_PACKAGES = (
    "errors",
    "messages",
    "rules",
    "position",
    "records",
    "lexicon",
    "loaded_board",
    "movegen",
    "evaluation",
    "search",
    "analysis",
    "duplicate",
    "selfplay",
)
"""In this order, so that looking up a name imports no later package."""


def __getattr__(name: str) -> object:
    """Import packages until one has the public name, and return it."""
    if name == "__version__":  # importlib.metadata takes 20 ms to import
        return import_module("engine.version").VERSION
    if not name.startswith("_"):
        for package in _PACKAGES:
            found = import_module(f"engine.{package}")
            if name in found.__all__:
                return getattr(found, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
