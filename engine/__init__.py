"""The engine of kibitz: rules, positions, lexica, move generation, analysis.

Read from the bottom up: `rules`, `position`, `records` and `lexicon`, `loaded_board`, `movegen`, `analysis`.
A package imports only from floors below its own.  The names here are the engine's public interface.
"""

from engine.analysis import (
    EVALUATORS, SORTS, Analysis, AnalysisOptions, AnalysisRequest, Answer, MoveReport, Store, analyze, answer,
    answer_key,
)  # fmt: skip
from engine.analysis.hint import MOST_HINTS, Hint, hint
from engine.analysis.judge import PENALTIES_PER, Judgement, Ruling, judge_play, judge_words
from engine.errors import (
    DamagedTable, EngineError, Fault, InvalidInput, MissingTable, NotFound, WordListError, quoted,
)  # fmt: skip
from engine.evaluation.bingo_leaves import BingoFigures, bingo_figures
from engine.evaluation.evaluators import EVALUATORS_AT_HAND
from engine.evaluation.learned import own_path as learned_path
from engine.evaluation.leave_csv import leave_csv, read_leave_csv
from engine.evaluation.leave_table import LeaveTable, leave_table
from engine.evaluation.win_pct import WinPctTable, win_pct_table
from engine.lexicon import Lexicon
from engine.lexicon.catalogue import Catalogue, LexiconEntry
from engine.lexicon.figures import figures, threshold_entries
from engine.lexicon.multiset_timings import multiset_timings
from engine.lexicon.parts import part_names
from engine.lexicon.search import USES, FoundWord, Pattern, WordPage, WordQuery, read_word, search_words
from engine.lexicon.study import WordReport, word_report
from engine.lexicon.word_list import WordListReport
from engine.loaded_board import LoadedBoard
from engine.movegen import (
    ALL_GENERATOR_NAMES, GENERATOR_NAMES, NO_LOW_LEVEL, InternalWords, MoveGenerator, Plays, generator,
    leaves, simd_paths,
)  # fmt: skip
from engine.movegen.perft import perft
from engine.position import (
    Board, Play, Player, Position, Rack, format_move, format_square, parse_coordinate, parse_move,
)  # fmt: skip
from engine.records import (
    Event, EventKind, GameRecord, GcgReading, LineFault, Replay, Turn, format_cgp, format_gcg, parse_cgp,
    parse_gcg, read_gcg, read_operations, replay_game,
)  # fmt: skip
from engine.rules import (
    CHALLENGE_RULES, BoardLayout, RuleSet, TileSet, board_layout, board_layout_ids, default_rule_set,
    rule_set, tile_set, tile_set_ids,
)  # fmt: skip
from engine.selfplay import (
    GameSetup, LeavePlan, LeaveTraining, Match, WinPctTraining, calibration, greedy_game, mean_error,
)  # fmt: skip
from engine.selfplay import Bin as CalibrationBin
from engine.selfplay import Score as MatchScore
from engine.search.endgame import METHODS as ENDGAME_METHODS
from engine.search.endgame import Budget, EndgameResult, EndgameSolver
from engine.search.endgame import Progress as EndgameProgress
from engine.search.preendgame import OPPONENTS as PREENDGAME_OPPONENTS
from engine.search.preendgame import PreendgameMove, PreendgameOptions, PreendgameResult, PreendgameSolver
from engine.version import VERSION

__version__ = VERSION

PLAYERS = ("greedy", *EVALUATORS_AT_HAND)
"""The names of the players of matches and trainings: each takes the move with the most equity."""

__all__ = [
    "ALL_GENERATOR_NAMES", "CHALLENGE_RULES", "ENDGAME_METHODS", "EVALUATORS", "EVALUATORS_AT_HAND",
    "GENERATOR_NAMES", "MOST_HINTS", "NO_LOW_LEVEL", "PENALTIES_PER", "PLAYERS", "PREENDGAME_OPPONENTS",
    "SORTS", "USES", "Analysis", "AnalysisOptions", "AnalysisRequest", "Answer", "BingoFigures", "Board",
    "BoardLayout", "Budget", "CalibrationBin", "Catalogue", "DamagedTable", "EndgameProgress",
    "EndgameResult", "EndgameSolver", "EngineError", "Event", "EventKind", "Fault", "FoundWord",
    "GameRecord", "GameSetup", "GcgReading", "Hint", "InternalWords", "InvalidInput", "Judgement",
    "LeavePlan", "LeaveTable", "LeaveTraining", "Lexicon", "LexiconEntry", "LineFault", "LoadedBoard",
    "Match", "MatchScore", "MissingTable", "MoveGenerator", "MoveReport", "NotFound", "Pattern", "Play",
    "Player", "Plays", "Position", "PreendgameMove", "PreendgameOptions", "PreendgameResult",
    "PreendgameSolver", "Rack", "Replay", "RuleSet", "Ruling", "Store", "TileSet", "Turn", "WinPctTable",
    "WinPctTraining", "WordListError", "WordListReport", "WordPage", "WordQuery", "WordReport",
    "__version__", "analyze", "answer", "answer_key", "bingo_figures", "board_layout", "board_layout_ids",
    "calibration", "default_rule_set", "figures", "format_cgp", "format_gcg", "format_move",
    "format_square", "generator", "greedy_game", "hint", "judge_play", "judge_words", "learned_path",
    "leave_csv", "leave_table", "leaves", "mean_error", "multiset_timings", "parse_cgp", "parse_coordinate",
    "parse_gcg", "parse_move", "part_names", "perft", "quoted", "read_gcg", "read_leave_csv",
    "read_operations", "read_word", "replay_game", "rule_set", "search_words", "simd_paths",
    "threshold_entries", "tile_set", "tile_set_ids", "win_pct_table", "word_report",
]  # fmt: skip
