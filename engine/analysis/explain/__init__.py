"""Explanations: why the best move is best, and what another move loses, as data and in sentences.

`explain` (`explain.py`) compares moves and returns an `Explanation` (`explanation.py`). The replies of the
opponent are sampled by `replies.py`; the sentences are in `sentences.py`, in the languages of
`engine.messages`.
"""

from engine.analysis.explain.explain import Explaining, explain
from engine.analysis.explain.explanation import (
    Contrast,
    ExplainedMove,
    Explanation,
    PremiumSquare,
    Reply,
    Sentence,
    SquareContrast,
    TileShare,
    explained_move,
)

__all__ = [
    "Contrast",
    "ExplainedMove",
    "Explaining",
    "Explanation",
    "PremiumSquare",
    "Reply",
    "Sentence",
    "SquareContrast",
    "TileShare",
    "explain",
    "explained_move",
]
