from engine.lexicon.automaton_narrow cimport Automaton
from engine.lexicon.tables_narrow cimport Tables
from engine.loaded_board.board_narrow cimport BoardKernel
from engine.movegen.appel_jacobson cimport search_kernels_at

include "arc_search.pxi"
