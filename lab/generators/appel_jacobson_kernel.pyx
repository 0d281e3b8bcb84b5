from lab.tables.automaton_kernel cimport Automaton
from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.board_kernel cimport BoardKernel
from lab.generators.appel_jacobson cimport search_kernels_at

include "arc_search.pxi"
