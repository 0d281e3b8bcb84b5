from engine.lexicon.tables_wide cimport Tables
from engine.loaded_board.board_wide cimport BoardKernel

include "bingo_expectation.pxi"
