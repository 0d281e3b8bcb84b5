"""The facade of the engine: a typed request in, a typed answer out.

`analyze` gives an `Analysis`; `answer` gives its encoded bytes and keeps them, with the loaded board, in
a `Store` that the caller brings. No web framework, no Redis, no environment is known here.
"""

from engine.analysis.facade import analyze, answer, answer_key
from engine.analysis.request import (
    EVALUATORS,
    SORTS,
    AnalysisOptions,
    AnalysisRequest,
    Store,
)
from engine.analysis.result import (
    Analysis,
    Answer,
    Comparison,
    Effort,
    Ending,
    FormedWord,
    LexiconReference,
    MoveFault,
    MoveReport,
    Phony,
    PlacedTile,
    PositionReport,
    Provenance,
    Simulated,
    Timings,
)
from engine.analysis.solving import EndgamePlan

__all__ = [
    "EVALUATORS",
    "SORTS",
    "Analysis",
    "AnalysisOptions",
    "AnalysisRequest",
    "Answer",
    "Comparison",
    "Effort",
    "EndgamePlan",
    "Ending",
    "FormedWord",
    "LexiconReference",
    "MoveFault",
    "MoveReport",
    "Phony",
    "PlacedTile",
    "PositionReport",
    "Provenance",
    "Simulated",
    "Store",
    "Timings",
    "analyze",
    "answer",
    "answer_key",
]
