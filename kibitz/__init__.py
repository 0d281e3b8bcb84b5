"""Scrabble-like crossword games in Python: every legal play, the best move, and whole games.

>>> import kibitz
>>> lexicon = kibitz.Lexicon.open("scowl80")
>>> kibitz.Position.opening(lexicon, "AEINRST").plays()[0]
Play('8B ANESTRI', 66)

Begin with `Lexicon`, `Position` and `Game`; docs/library.md teaches the rest in ten minutes. Every error is
an `EngineError`. Names that need the search kernels or the record readers are imported at their first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING

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
from engine.position import (
    Board,
    Exchange,
    Pass,
    Player,
    Rack,
    board_svg,
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
from engine.version import VERSION as __version__  # noqa: N811 - the name is Python's

if TYPE_CHECKING:
    from engine.analysis import (
        Analysis,
        Annotation,
        Explanation,
        Hint,
        Judgement,
        MoveReport,
    )
    from engine.library import (
        Game,
        GameResult,
        Lexicon,
        Limit,
        Move,
        Play,
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
    from engine.records import (
        GameRecord,
        Replay,
        format_gcg,
        parse_gcg,
        replay_game,
    )

__all__ = [
    "AmbiguousMove",
    "Analysis",
    "Annotation",
    "Board",
    "BoardLayout",
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
    "Judgement",
    "Lexicon",
    "Limit",
    "MissingTable",
    "Move",
    "MoveReport",
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


def __getattr__(name: str) -> object:
    """Import a public name at its first use."""
    if name in __all__:
        for package in ("engine.records", "engine.library", "engine.analysis"):
            module = import_module(package)
            if name in module.__all__:
                globals()[name] = getattr(module, name)
                return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
