"""The evaluators for kernels, and how Python calls them.

Read static_evaluation.pxi ("static" and "combined"), bingo_expectation.pxi (Heuri 1 to 6 and what they look up),
then valuing.pxi (from Python to an evaluator and back). The build compiles this file for both geometries
(geometry.h).
"""
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from engine.evaluation.bingo_expectation cimport (
    BINGO_LEVELS, FILTER_BITS, MAX_COPIES, BingoScratch, BingoTableStruct, Part, count_entries, find_entry,
    free_bingo_scratch, hash_key, load_delta, make_bingo_scratch,
)
from engine.evaluation.heuri cimport HeuriValuer, subtract_defence, value_heuri_leaves
from engine.evaluation.leave_ranks cimport LEAVE_TILES, LeaveRanksStruct
from engine.evaluation.valuation cimport Situation, Valuer
from engine.lexicon.tables cimport (
    LETTER_CAPACITY, RACK_CAPACITY, SIDE, LexiconTables, letter_mask, word_letters,
)
from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.loaded_board.loaded_board cimport BLANK_BIT, LoadedBoardStruct
from engine.movegen.internal_words_kernel cimport Generator
from engine.movegen.plays cimport Hand, Play, take_rack
from engine.rules.game_rules cimport RulesKernel

import numpy as np


cdef class EvaluatorKernel:
    """Hold an evaluator for one thread; the base class values every leave at 0 (greedy)."""

    @property
    def adjusts(self):
        return self.valuer != NULL and self.valuer.adjust_plays != NULL


include "static_evaluation.pxi"
include "bingo_expectation.pxi"
include "valuing.pxi"
