"""The facade of the engine: a typed request in, a typed answer out.

`analyze` returns an `Analysis`; `answer` returns its encoded bytes and caches them, with the loaded board, in
a `Store` that the caller passes. No web framework, no Redis, no environment is known here.
"""

from engine.analysis.annotated_record import annotated_record, turn_sentence
from engine.analysis.annotation import (
    ENDGAME_NODES,
    AnnotationOptions,
    annotate,
    annotation_key,
    annotation_notes,
    annotation_simulation,
)
from engine.analysis.annotation_result import (
    MISTAKES,
    Annotation,
    AnnotationHeading,
    AnnotationNote,
    AnnotationSummary,
    EventNote,
    TurnNote,
)
from engine.analysis.facade import analyze, answer, answer_key, check_request
from engine.analysis.hint import MOST_HINTS, Hint, hint
from engine.analysis.judge import PENALTIES_PER, Judgement, Ruling, judge_play, judge_words
from engine.analysis.leaf_values import LeaveReports, leave_reports
from engine.analysis.playing import TurnRequest, new_game, play_turn
from engine.analysis.playing_result import PlayedTurn
from engine.analysis.presolving import (
    PREENDGAME_NODES,
    PREENDGAME_SAMPLE_NODES,
    PreendgamePlan,
    as_known,
)
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
    BagDraw,
    Comparison,
    Effort,
    Ending,
    FormedWord,
    LexiconReference,
    MoveFault,
    MoveReport,
    Notice,
    Phony,
    PlacedTile,
    PositionReport,
    Preending,
    Provenance,
    Timings,
)
from engine.analysis.searched import Progress, SearchProgress, SimulationProgress
from engine.analysis.solving import EndgamePlan

__all__ = [
    "ENDGAME_NODES",
    "EVALUATORS",
    "MISTAKES",
    "MOST_HINTS",
    "PENALTIES_PER",
    "PREENDGAME_NODES",
    "PREENDGAME_SAMPLE_NODES",
    "SORTS",
    "Analysis",
    "AnalysisOptions",
    "AnalysisRequest",
    "Annotation",
    "AnnotationHeading",
    "AnnotationNote",
    "AnnotationOptions",
    "AnnotationSummary",
    "Answer",
    "BagDraw",
    "Comparison",
    "Effort",
    "EndgamePlan",
    "Ending",
    "EventNote",
    "FormedWord",
    "Hint",
    "Judgement",
    "LeaveReports",
    "LexiconReference",
    "MoveFault",
    "MoveReport",
    "Notice",
    "Phony",
    "PlacedTile",
    "PlayedTurn",
    "PositionReport",
    "PreendgamePlan",
    "Preending",
    "Progress",
    "Provenance",
    "Ruling",
    "SearchProgress",
    "SimulationProgress",
    "Store",
    "Timings",
    "TurnNote",
    "TurnRequest",
    "analyze",
    "annotate",
    "annotated_record",
    "annotation_key",
    "annotation_notes",
    "annotation_simulation",
    "answer",
    "answer_key",
    "as_known",
    "check_request",
    "hint",
    "judge_play",
    "judge_words",
    "leave_reports",
    "new_game",
    "play_turn",
    "turn_sentence",
]
