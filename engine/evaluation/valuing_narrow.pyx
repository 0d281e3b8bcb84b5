from engine.loaded_board.board_narrow cimport BoardKernel

include "valuing.pxi"
