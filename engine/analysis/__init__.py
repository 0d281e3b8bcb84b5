"""What the engine thinks of a position, a move or a game: a typed request in, a typed result out.

Begin with `analyze` (`analyze.py`): it takes an `AnalysisRequest` (`request.py`) and returns an `Analysis`
(`report.py`), whose moves `ranking.py` puts in order and `findings.py` searches; `explain` says why the best
is best. `answer` does the same with encoded bytes and a `Store` that caches
them. The other questions have a module each: `annotate`, `hint`, `judge`, `leaves`, `opponent_rack` and
`play`. Nothing here depends on a web framework, Redis or environment variables.
"""

from engine.analysis.analyze import analyze, answer, answer_key, check_request
from engine.analysis.annotate import (
    ENDGAME_NODES,
    KNOWN_RARITY,
    MAX_KNOWN_RARITY,
    MISTAKE_POINTS,
    MISTAKES,
    NOTE_PREFIX,
    Annotation,
    AnnotationHeading,
    AnnotationNote,
    AnnotationOptions,
    AnnotationSummary,
    EventNote,
    LineNote,
    PlayerSummary,
    TurnJudgement,
    TurnNote,
    WordKnowledge,
    annotate,
    annotated_record,
    annotation_key,
    annotation_notes,
    annotation_of,
    annotation_simulation,
    turn_sentence,
)
from engine.analysis.explain import Contrast, ExplainedMove, Explanation, PremiumSquare, Reply, TileShare
from engine.analysis.findings import Progress, SearchProgress, SimulationProgress, as_proven
from engine.analysis.game_lexicon import (
    lexicon_warnings,
    named_lexicon,
    operation_warnings,
    record_lexicon,
)
from engine.analysis.hint import HINT_MS, MAX_HINT_LEVEL, Hint, hint, hint_request, hint_sentences
from engine.analysis.judge import Judgement, Ruling, judge_play, judge_words
from engine.analysis.judged import EndgameReport, Judged
from engine.analysis.leaves import LeaveReports, leave_reports
from engine.analysis.legality import MoveFault
from engine.analysis.opponent_rack import LikelyLeave, OpponentRack, TileOdds, opponent_rack
from engine.analysis.plans import (
    ONE_TILE_NODES,
    PREENDGAME_NODES,
    PREENDGAME_SAMPLE_NODES,
    EndgamePlan,
    PreendgamePlan,
)
from engine.analysis.play import GameEnd, NextTurn, PlayedTurn, PlayerReport, TurnRequest, TurnTime, play_turn
from engine.analysis.report import (
    Analysis,
    Answer,
    Comparison,
    LexiconReference,
    Notice,
    Phony,
    Provenance,
    Timings,
)
from engine.analysis.request import (
    EVALUATORS,
    SORTS,
    AnalysisOptions,
    AnalysisRequest,
    Store,
)

__all__ = [
    "ENDGAME_NODES",
    "EVALUATORS",
    "HINT_MS",
    "KNOWN_RARITY",
    "MAX_HINT_LEVEL",
    "MAX_KNOWN_RARITY",
    "MISTAKES",
    "MISTAKE_POINTS",
    "NOTE_PREFIX",
    "ONE_TILE_NODES",
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
    "Comparison",
    "Contrast",
    "EndgamePlan",
    "EndgameReport",
    "EventNote",
    "ExplainedMove",
    "Explanation",
    "GameEnd",
    "Hint",
    "Judged",
    "Judgement",
    "LeaveReports",
    "LexiconReference",
    "LikelyLeave",
    "LineNote",
    "MoveFault",
    "NextTurn",
    "Notice",
    "OpponentRack",
    "Phony",
    "PlayedTurn",
    "PlayerReport",
    "PlayerSummary",
    "PreendgamePlan",
    "PremiumSquare",
    "Progress",
    "Provenance",
    "Reply",
    "Ruling",
    "SearchProgress",
    "SimulationProgress",
    "Store",
    "TileOdds",
    "TileShare",
    "Timings",
    "TurnJudgement",
    "TurnNote",
    "TurnRequest",
    "TurnTime",
    "WordKnowledge",
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
    "hint_request",
    "hint_sentences",
    "judge_play",
    "judge_words",
    "leave_reports",
    "lexicon_warnings",
    "named_lexicon",
    "operation_warnings",
    "opponent_rack",
    "play_turn",
    "record_lexicon",
    "turn_sentence",
]
