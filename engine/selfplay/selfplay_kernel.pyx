"""Whole games without the GIL, and what training samples in them.

Read game_loop.pxi, then leave_sampling.pxi. The build compiles this file for both geometries (geometry.h).
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from engine.evaluation.evaluation_kernel cimport EvaluatorKernel
from engine.evaluation.leave_ranks cimport NO_RANK, LeaveRanksStruct, rank_leaves
from engine.evaluation.valuation cimport Valuer
from engine.lexicon.tables cimport LETTER_CAPACITY, RACK_CAPACITY, SIDE, find_word
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.movegen.plays cimport Play, lay_play
from engine.rules.game_rules cimport CONTINUES, GIVEN_UP, WENT_OUT, add_ending, game_ending
from engine.search.mover cimport (
    EXCHANGE_MOVE, LEAVE_CAPACITY, PASS_MOVE, PLAY_MOVE, Choice, remove_played, sort_tiles,
)
from engine.search.search_kernel cimport Mover
from engine.search.tile_order cimport (
    Bag, Random, bag_count, draw_tile, fill_bag, game_random, random_below, return_tile,
)
from engine.selfplay.game_log cimport (
    HOPELESS_TURNS, TURN_CAPACITY, GameLog, GameResult, TurnLog, game_result,
)

import numpy as np

include "game_loop.pxi"
include "leave_sampling.pxi"
