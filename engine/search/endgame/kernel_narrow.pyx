from engine.lexicon.tables_narrow cimport Tables
from engine.loaded_board.board_narrow cimport BoardKernel
from engine.movegen.internal_words_narrow cimport Generator

include "kernel.pxi"
