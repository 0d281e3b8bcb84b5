from engine.lexicon.tables_wide cimport Tables
from engine.loaded_board.board_wide cimport BoardKernel
from engine.movegen.internal_words_wide cimport Generator

include "kernel.pxi"
