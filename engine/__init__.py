"""The engine of kibitz: rules, positions, lexica, move generation, analysis.

Read from the bottom up: `rules`, `position`, `records` and `lexicon`, `loaded_board`, `movegen`, `analysis`.
A package imports only from floors below its own.  The names here are the engine's public interface.
"""

from importlib import import_module
from typing import TYPE_CHECKING

# Many names to a line, or this page would be three.
# fmt: off
from engine.analysis import (
    ENDGAME_NODES, EVALUATORS, SORTS, Analysis, AnalysisOptions, AnalysisRequest, Annotation,
    AnnotationHeading, AnnotationNote, AnnotationOptions, AnnotationSummary, Answer, EndgamePlan, EventNote,
    MoveReport, PreendgamePlan, SimulationProgress, Store, Timings, TurnNote, analyze, annotate,
    annotated_record, annotation_key, annotation_notes, annotation_simulation, answer, answer_key,
    check_request, is_cheap, turn_sentence)
from engine.analysis.hint import MOST_HINTS, Hint, hint
from engine.analysis.judge import PENALTIES_PER, Judgement, Ruling, judge_play, judge_words
from engine.analysis.leaf_values import LeaveReports, leave_reports
from engine.analysis.playing import TurnRequest, new_game, play_turn
from engine.analysis.playing_result import PlayedTurn
from engine.analysis.presolving import PREENDGAME_NODES, PREENDGAME_SAMPLE_NODES, as_known
from engine.errors import (
    DamagedTable, EngineError, Fault, InvalidInput, MissingTable, NotFound, TableNotReady, WordListError,
    printable, quoted)
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
    leaves, simd_paths)
from engine.movegen.perft import perft
from engine.position import (
    Board, Move, Play, Player, Position, Rack, board_svg, format_move, format_square, parse_coordinate,
    parse_move)
from engine.records import (
    Event, EventKind, GameRecord, GcgReading, LineFault, Replay, Turn, format_cgp, format_gcg, parse_cgp,
    parse_gcg, read_gcg, read_operations, replay_game)
from engine.rules import (
    CHALLENGE_RULES, BoardLayout, RuleSet, TileSet, board_layout, board_layout_ids, default_rule_set,
    rule_set, tile_set, tile_set_ids)
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
        LEVEL_PLAYERS, WORD_USES, CalibrationBin, Estimate, GameSetup, LeavePlan, LeaveTraining, Match,
        MatchScore, SelfPlay, WinPctTraining, calibration, first_endgames, game_positions, greedy_game,
        inference_quality, mean_error, played_games)
# fmt: on
PLAYERS = ("greedy", *EVALUATORS_AT_HAND)
"""The players of trainings, and of matches beside LEVEL_PLAYERS: each takes the move with the most equity."""


def __getattr__(name: str) -> object:
    if not name.startswith("_"):
        later = import_module("engine.selfplay")  # a server does not need it: some megabytes saved
        if name in later.__all__:
            return getattr(later, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
