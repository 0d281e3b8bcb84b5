"""The moves of static players, and simulations with them.

Read mover.pxi (the move with the most equity), candidates.pxi (the moves to compare), then rollout.pxi. The build
compiles this file for both geometries (geometry.h).
"""
from libc.stdint cimport INT32_MIN, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from engine.evaluation.evaluation_kernel cimport EvaluatorKernel
from engine.evaluation.valuation cimport Situation, Valuer
from engine.lexicon.tables cimport RACK_CAPACITY, SIDE
from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.loaded_board.loaded_board cimport Line, LoadedBoardStruct
from engine.movegen.internal_words_kernel cimport Generator
from engine.movegen.plays cimport Play, PlaySink, comes_before, lay_play
from engine.rules.game_rules cimport RulesKernel
from engine.search.mover cimport (
    EXCHANGE_MOVE, LEAVE_CAPACITY, MAX_BASE_PLAYS, PASS_MOVE, PLAY_MOVE, BasePlays, Choice, leave_sizes,
    leave_tiles, remove_played, sort_tiles,
)
from engine.search.rollout cimport (
    CODE_CAPACITY, FOUND_COLUMNS, FOUND_DOUBT, FOUND_ENDED, FOUND_LEAVE, FOUND_OPPONENT_BINGO,
    FOUND_OPPONENT_SCORE, FOUND_OWN_BINGO, FOUND_OWN_SCORE, FOUND_SPREAD, FOUND_WIN, LINE_SHIFT, PLAY_OUT_TURNS,
    SEATS, WIN_SCALE, Candidate, Rollout, final_spread, laid_squares, rollout_end, win_chance,
)
from engine.search.tile_order cimport (
    BAG_CAPACITY, Random, bag_count, draw_tile, fill_bag, game_random, next_random, random_below, return_tile,
)

include "mover.pxi"
include "candidates.pxi"
include "rollout.pxi"
