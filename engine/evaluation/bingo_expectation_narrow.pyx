from engine.lexicon.tables_narrow cimport Tables
from engine.loaded_board.board_narrow cimport BoardKernel

include "bingo_expectation.pxi"
