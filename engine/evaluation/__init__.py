"""The value of a move beyond its score: learned leaves, the bingos to expect, win%.

`Evaluator` (evaluators.py) values the leaves of a position by any of the evaluators: "static" looks them up
in a `LeaveTable`, "heuri1" to "heuri6" compute the bingos to expect, "combined" adds the latter
to values learned without bingos. `WinPctTable` holds how often the player on turn wins, by spread and unseen
tiles.

Where to begin: `evaluators.py`; for kernels `valuation.h`, the interface of all evaluators.
"""

from engine.evaluation.bingo_leaves import BingoFigures, bingo_figures, make_bingo_files
from engine.evaluation.evaluators import LEAVE_EVALUATORS, learned_tables
from engine.evaluation.learned import own_path as learned_path
from engine.evaluation.leave_csv import leave_csv, read_leave_csv
from engine.evaluation.leave_graph import leave_graph, read_leave_graph
from engine.evaluation.leave_table import LeaveTable, leave_table
from engine.evaluation.win_pct import WinPctTable, win_pct_table
from engine.evaluation.word_frequency import WordFrequencies

__all__ = [
    "LEAVE_EVALUATORS",
    "BingoFigures",
    "LeaveTable",
    "WinPctTable",
    "WordFrequencies",
    "bingo_figures",
    "learned_path",
    "learned_tables",
    "leave_csv",
    "leave_graph",
    "leave_table",
    "make_bingo_files",
    "read_leave_csv",
    "read_leave_graph",
    "win_pct_table",
]
