from engine.lexicon.anagrams_wide cimport Strings
from engine.lexicon.tables_wide cimport Tables
from engine.loaded_board.board_wide cimport BoardKernel

include "anagram.pxi"
