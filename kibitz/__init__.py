"""Scrabble-like crossword games in Python: every legal play, the best move, and whole games.

>>> import kibitz
>>> lexicon = kibitz.Lexicon.open("club")
>>> kibitz.Position.opening(lexicon, "AEINRST").plays()[0]
Play('8B ANESTRI', 66)

Begin with `Lexicon`, `Position` and `Game`; docs/library.md teaches the rest in ten minutes. Every error is
an `EngineError`. Each name is imported at its first use. `kibitz.duplicate` has games of duplicate. The
command line is `kibitz.cli`; `kibitz.archives` reads and reports folders of game records, `kibitz.cluster`
shares long work among machines.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.analysis import (
        Analysis,
        Annotation,
        Explanation,
        Hint,
        Judged,
        Judgement,
    )
    from engine.data_folder import default_data_folder
    from engine.errors import (
        AmbiguousMove,
        DamagedTable,
        EngineError,
        IllegalMove,
        InvalidInput,
        MissingTable,
        NotFound,
    )
    from engine.library import (
        Game,
        Lexicon,
        Position,
        analyze,
        annotate,
        best_move,
        hint,
        judge,
        simulate,
        solve_endgame,
        solve_preendgame,
    )
    from engine.position import (
        Board,
        Exchange,
        GameResult,
        Move,
        Pass,
        Play,
        Player,
        Rack,
        board_svg,
    )
    from engine.records import (
        GameRecord,
        Replay,
        format_gcg,
        parse_gcg,
        replay_game,
    )
    from engine.rules import (
        BoardLayout,
        RuleSet,
        TileSet,
        TimeControl,
        board_layout,
        rule_set,
        tile_set,
    )
    from engine.search import Budget
    from engine.version import VERSION as __version__  # noqa: N811 - the name is Python's

__all__ = [
    "AmbiguousMove",
    "Analysis",
    "Annotation",
    "Board",
    "BoardLayout",
    "Budget",
    "DamagedTable",
    "EngineError",
    "Exchange",
    "Explanation",
    "Game",
    "GameRecord",
    "GameResult",
    "Hint",
    "IllegalMove",
    "InvalidInput",
    "Judged",
    "Judgement",
    "Lexicon",
    "MissingTable",
    "Move",
    "NotFound",
    "Pass",
    "Play",
    "Player",
    "Position",
    "Rack",
    "Replay",
    "RuleSet",
    "TileSet",
    "TimeControl",
    "__version__",
    "analyze",
    "annotate",
    "best_move",
    "board_layout",
    "board_svg",
    "default_data_folder",
    "format_gcg",
    "hint",
    "judge",
    "parse_gcg",
    "replay_game",
    "rule_set",
    "simulate",
    "solve_endgame",
    "solve_preendgame",
    "tile_set",
]


_PACKAGES = (
    "engine.errors",
    "engine.data_folder",
    "engine.rules",
    "engine.library",
    "engine.position",
    "engine.records",
    "engine.analysis",
    "engine.search",
)
"""Where the names are, in the order of search: `Lexicon` and `Position` are those of the library."""


def __getattr__(name: str) -> object:
    """Import a public name at its first use."""
    if name == "__version__":
        return import_module("engine.version").VERSION
    if name in __all__:
        for package in _PACKAGES:
            module = import_module(package)
            if hasattr(module, name):
                globals()[name] = getattr(module, name)
                return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
