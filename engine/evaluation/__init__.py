"""What a move is worth: leaves, bingo expectation, win percentage.

valuation.h is the form in which kernels ask every evaluator.
"""

from engine.evaluation.bingo_leaves import BingoFigures, bingo_figures, make_bingo_files
from engine.evaluation.evaluators import EVALUATORS_AT_HAND
from engine.evaluation.learned import own_path as learned_path
from engine.evaluation.leave_csv import leave_csv, read_leave_csv
from engine.evaluation.leave_table import LeaveTable, leave_table
from engine.evaluation.win_pct import WinPctTable, win_pct_table

__all__ = [
    "EVALUATORS_AT_HAND",
    "BingoFigures",
    "LeaveTable",
    "WinPctTable",
    "bingo_figures",
    "learned_path",
    "leave_csv",
    "leave_table",
    "make_bingo_files",
    "read_leave_csv",
    "win_pct_table",
]
