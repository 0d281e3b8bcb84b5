from engine.loaded_board.board_wide cimport BoardKernel

include "valuing.pxi"
