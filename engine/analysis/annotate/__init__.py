"""Annotations of recorded games: for each turn the move played, the best move, and what was lost.

Begin with `annotation.py`: `annotate` returns an `Annotation`, `annotation_notes` its parts one by one. The
parts are in `notes.py`. `judgement.py` judges a turn (`turn_case.py`): by the equity of its moves, by
simulation, with an empty bag by an endgame search, and at the end of the game by `game_end.py`, as
`options.py` says. `mistake_index.py` adds up the mistakes of a game. `turn_explanation.py` says why a turn
lost what it lost, `luck.py` how much better the draw was than the average draw, `vocabulary.py` which words
the players know. `annotated_record` adds the notes to the record.
"""

from engine.analysis.annotate.annotated_record import NOTE_PREFIX, annotated_record, turn_sentence
from engine.analysis.annotate.annotation import annotate, annotation_notes, annotation_of
from engine.analysis.annotate.mistake_index import MISTAKE_POINTS, MISTAKES
from engine.analysis.annotate.notes import (
    Annotation,
    AnnotationHeading,
    AnnotationNote,
    AnnotationSummary,
    EventNote,
    LineNote,
    PlayerSummary,
    TurnJudgement,
    TurnNote,
)
from engine.analysis.annotate.options import (
    ENDGAME_NODES,
    KNOWN_RARITY,
    MAX_KNOWN_RARITY,
    AnnotationOptions,
    annotation_key,
    annotation_simulation,
)
from engine.analysis.annotate.vocabulary import WordKnowledge

__all__ = [
    "ENDGAME_NODES",
    "KNOWN_RARITY",
    "MAX_KNOWN_RARITY",
    "MISTAKES",
    "MISTAKE_POINTS",
    "NOTE_PREFIX",
    "Annotation",
    "AnnotationHeading",
    "AnnotationNote",
    "AnnotationOptions",
    "AnnotationSummary",
    "EventNote",
    "LineNote",
    "PlayerSummary",
    "TurnJudgement",
    "TurnNote",
    "WordKnowledge",
    "annotate",
    "annotated_record",
    "annotation_key",
    "annotation_notes",
    "annotation_of",
    "annotation_simulation",
    "turn_sentence",
]
