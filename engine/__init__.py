"""The engine of kibitz: rules, positions, lexica, move generation, analysis.

Read from the bottom up: `rules`, `position`, `records` and `lexicon`, `loaded_board`, `movegen`, `analysis`.
A package imports only from floors below its own.  The names here are the engine's public interface.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from engine.analysis import (
    ENDGAME_NODES, EVALUATORS, SORTS, Analysis, AnalysisOptions, AnalysisRequest, Annotation,
    AnnotationHeading, AnnotationNote, AnnotationOptions, AnnotationSummary, Answer, EndgamePlan, EventNote,
    MoveReport, PreendgamePlan, SimulationProgress, Store, Timings, TurnNote, analyze, annotate,
    annotated_record, annotation_key, annotation_notes, annotation_simulation, answer, answer_key,
    is_cheap, turn_sentence,
)  # fmt: skip
from engine.analysis.hint import MOST_HINTS, Hint, hint
from engine.analysis.judge import PENALTIES_PER, Judgement, Ruling, judge_play, judge_words
from engine.analysis.leaf_values import LeaveReports, leave_reports
from engine.analysis.playing import TurnRequest, new_game, play_turn
from engine.analysis.playing_result import PlayedTurn
from engine.errors import (
    DamagedTable, EngineError, Fault, InvalidInput, MissingTable, NotFound, WordListError, quoted,
)  # fmt: skip
from engine.evaluation.bingo_leaves import BingoFigures, bingo_figures, make_bingo_files
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
    Board, Move, Play, Player, Position, Rack, format_move, format_square, parse_coordinate, parse_move,
)  # fmt: skip
from engine.records import (
    Event, EventKind, GameRecord, GcgReading, LineFault, Replay, Turn, format_cgp, format_gcg, parse_cgp,
    parse_gcg, read_gcg, read_operations, replay_game,
)  # fmt: skip
from engine.rules import (
    CHALLENGE_RULES, BoardLayout, RuleSet, TileSet, board_layout, board_layout_ids, default_rule_set,
    rule_set, tile_set, tile_set_ids,
)  # fmt: skip
from engine.search import OPPONENT_MODELS, SIMULATIONS, Simulated, SimulationPlan
from engine.search.levels import MOST_LEVELS
from engine.search.budget import Budget
from engine.search.deadline import Deadline
from engine.search.endgame import ENDGAME_METHODS, EndgameProgress, EndgameResult, EndgameSolver
from engine.search.phase import AUTO, PHASES, PREENDGAME_OPPONENTS
from engine.search.preendgame import PreendgameMove, PreendgameOptions, PreendgameResult, PreendgameSolver
from engine.version import VERSION as __version__  # noqa: N811 - the name is Python's

if TYPE_CHECKING:
    from engine.selfplay import (
        LEVEL_PLAYERS, WORD_USES, CalibrationBin, Estimate, GameSetup, LeavePlan, LeaveTraining,
        Match, MatchScore, SelfPlay, WinPctTraining, calibration, first_endgames, game_positions,
        greedy_game, inference_quality, mean_error, played_games,
    )  # fmt: skip

_LATER = "engine.selfplay"  # a server does not need it: some megabytes saved

PLAYERS = ("greedy", *EVALUATORS_AT_HAND)
"""The players of trainings, and of matches beside LEVEL_PLAYERS: each takes the move with the most equity."""


def __getattr__(name: str) -> object:
    if name in __all__:
        return getattr(import_module(_LATER), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "ALL_GENERATOR_NAMES", "AUTO", "CHALLENGE_RULES", "ENDGAME_METHODS", "ENDGAME_NODES", "EVALUATORS",
    "EVALUATORS_AT_HAND", "GENERATOR_NAMES", "LEVEL_PLAYERS", "MOST_HINTS", "MOST_LEVELS", "NO_LOW_LEVEL",
    "OPPONENT_MODELS", "PENALTIES_PER", "PHASES", "PLAYERS", "PREENDGAME_OPPONENTS", "SIMULATIONS", "SORTS",
    "USES", "WORD_USES", "Analysis", "AnalysisOptions", "AnalysisRequest", "Annotation",
    "AnnotationHeading", "AnnotationNote", "AnnotationOptions", "AnnotationSummary", "Answer",
    "BingoFigures", "Board", "BoardLayout", "Budget", "CalibrationBin", "Catalogue", "DamagedTable",
    "Deadline", "EndgamePlan", "EndgameProgress", "EndgameResult", "EndgameSolver", "EngineError",
    "Estimate", "Event", "EventKind", "EventNote", "Fault", "FoundWord", "GameRecord", "GameSetup",
    "GcgReading", "Hint", "InternalWords", "InvalidInput", "Judgement", "LeavePlan", "LeaveReports",
    "LeaveTable", "LeaveTraining", "Lexicon", "LexiconEntry", "LineFault", "LoadedBoard", "Match",
    "MatchScore", "MissingTable", "Move", "MoveGenerator", "MoveReport", "NotFound", "Pattern", "Play",
    "PlayedTurn", "Player", "Plays", "Position", "PreendgameMove", "PreendgameOptions", "PreendgamePlan",
    "PreendgameResult", "PreendgameSolver", "Rack", "Replay", "RuleSet", "Ruling", "SelfPlay", "Simulated",
    "SimulationPlan", "SimulationProgress", "Store", "TileSet", "Timings", "Turn", "TurnNote",
    "TurnRequest", "WinPctTable", "WinPctTraining", "WordListError", "WordListReport", "WordPage",
    "WordQuery", "WordReport", "__version__", "analyze", "annotate", "annotated_record", "annotation_key",
    "annotation_notes", "annotation_simulation", "answer", "answer_key", "bingo_figures", "board_layout",
    "board_layout_ids", "calibration", "default_rule_set", "figures", "first_endgames", "format_cgp",
    "format_gcg", "format_move", "format_square", "game_positions", "generator", "greedy_game", "hint",
    "inference_quality", "is_cheap", "judge_play", "judge_words", "learned_path", "leave_csv",
    "leave_reports", "leave_table", "leaves", "make_bingo_files", "mean_error", "multiset_timings",
    "new_game", "parse_cgp", "parse_coordinate", "parse_gcg", "parse_move", "part_names", "perft",
    "play_turn", "played_games", "quoted", "read_gcg", "read_leave_csv", "read_operations", "read_word",
    "replay_game", "rule_set", "search_words", "simd_paths", "threshold_entries", "tile_set",
    "tile_set_ids", "turn_sentence", "win_pct_table", "word_report",
]  # fmt: skip
