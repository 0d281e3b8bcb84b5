"""The engine of kibitz: rules, positions, lexicons, move generation, evaluation, search, self-play, analysis.

Each package says on its own page what it is and lists in `__all__` what it offers; all these names can be
imported from here as well. The library that users import is `kibitz`. Read from the bottom up: `rules`,
`position`, `records` and `lexicon`, `loaded_board`, `movegen`, `evaluation`, `search`, `selfplay`,
`analysis`, `library`. A package imports only from packages below its own.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from engine.version import VERSION as __version__  # noqa: N811 - the name is Python's

if TYPE_CHECKING:
    from engine.analysis import *
    from engine.errors import *
    from engine.evaluation import *
    from engine.lexicon import *
    from engine.loaded_board import *
    from engine.movegen import *
    from engine.position import *
    from engine.records import *
    from engine.rules import *
    from engine.search import *
    from engine.selfplay import (
        LEVEL_PLAYERS,
        PLAYERS,
        WORD_USES,
        CalibrationBin,
        Estimate,
        GameSetup,
        LeavePlan,
        LeaveTraining,
        Match,
        MatchProgress,
        MatchScore,
        SelfPlay,
        WinPctTraining,
        calibration,
        first_endgames,
        game_positions,
        greedy_game,
        inference_quality,
        mean_error,
        played_games,
    )

_PACKAGES = (
    "errors",
    "rules",
    "position",
    "records",
    "lexicon",
    "loaded_board",
    "movegen",
    "evaluation",
    "search",
    "analysis",
    "selfplay",
)
"""From the bottom up, so that a name loads no package above its own."""


def __getattr__(name: str) -> object:
    """Return a public name of a package, which is imported when it is first asked for."""
    if not name.startswith("_"):
        for package in _PACKAGES:
            found = import_module(f"engine.{package}")
            if name in found.__all__:
                return getattr(found, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
