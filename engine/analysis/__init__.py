"""What the engine thinks of a position, a move or a game: a typed request in, a typed result out.

Begin with `analyze` (`analyze.py`): it takes an `AnalysisRequest` (`request.py`) and returns an `Analysis`
(`report.py`), whose moves `ranking.py` puts in order, `findings.py` searches and `move_report.py` describes;
`explain` says why the best is best. `answer` does the same with encoded bytes and a `Store` that caches
them. The other questions have a module each: `annotate`, `hint`, `judge`, `leaves` and `play`. Nothing here
depends on a web framework, Redis or environment variables.
"""

from engine.analysis.analyze import analyze, answer, answer_key, check_request
from engine.analysis.annotate import (
    ENDGAME_NODES,
    MISTAKES,
    NOTE_PREFIX,
    Annotation,
    AnnotationHeading,
    AnnotationNote,
    AnnotationOptions,
    AnnotationSummary,
    EventNote,
    PlayerSummary,
    TurnNote,
    annotate,
    annotated_record,
    annotation_key,
    annotation_notes,
    annotation_of,
    annotation_simulation,
    turn_sentence,
)
from engine.analysis.explain import Explanation
from engine.analysis.findings import Progress, SearchProgress, SimulationProgress, as_proven
from engine.analysis.hint import HINT_MS, MAX_HINT_LEVEL, Hint, hint, hint_of, hint_request
from engine.analysis.hint_text import hint_sentences
from engine.analysis.judge import Judgement, Ruling, judge_play, judge_words
from engine.analysis.leaves import LeaveReports, leave_reports
from engine.analysis.plans import (
    PREENDGAME_NODES,
    PREENDGAME_SAMPLE_NODES,
    EndgamePlan,
    PreendgamePlan,
)
from engine.analysis.play import new_game, play_turn
from engine.analysis.report import (
    Analysis,
    Answer,
    BagDraw,
    Comparison,
    Effort,
    EndgameReport,
    FormedWord,
    LexiconReference,
    MoveFault,
    MoveReport,
    Notice,
    Phony,
    PlacedTile,
    PositionReport,
    PreendgameReport,
    Provenance,
    Timings,
    win_range_text,
)
from engine.analysis.request import (
    EVALUATORS,
    SORTS,
    AnalysisOptions,
    AnalysisRequest,
    Store,
)
from engine.analysis.search_state import SearchState, search_state
from engine.analysis.turn_report import PlayedTurn
from engine.analysis.turn_request import TurnRequest, TurnTime

__all__ = [
    "ENDGAME_NODES",
    "EVALUATORS",
    "HINT_MS",
    "MAX_HINT_LEVEL",
    "MISTAKES",
    "NOTE_PREFIX",
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
    "EndgameReport",
    "EventNote",
    "Explanation",
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
    "PlayerSummary",
    "PositionReport",
    "PreendgamePlan",
    "PreendgameReport",
    "Progress",
    "Provenance",
    "Ruling",
    "SearchProgress",
    "SearchState",
    "SimulationProgress",
    "Store",
    "Timings",
    "TurnNote",
    "TurnRequest",
    "TurnTime",
    "analyze",
    "annotate",
    "annotated_record",
    "annotation_key",
    "annotation_notes",
    "annotation_of",
    "annotation_simulation",
    "answer",
    "answer_key",
    "as_proven",
    "check_request",
    "hint",
    "hint_of",
    "hint_request",
    "hint_sentences",
    "judge_play",
    "judge_words",
    "leave_reports",
    "new_game",
    "play_turn",
    "search_state",
    "turn_sentence",
    "win_range_text",
]
