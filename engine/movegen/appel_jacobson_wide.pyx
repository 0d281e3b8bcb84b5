from engine.lexicon.automaton_wide cimport Automaton
from engine.lexicon.tables_wide cimport Tables
from engine.loaded_board.board_wide cimport BoardKernel
from engine.movegen.appel_jacobson cimport search_kernels_at

include "arc_search.pxi"
