from engine.evaluation.evaluator_kernel cimport EvaluatorKernel
from engine.evaluation.valuation cimport Valuer
from engine.loaded_board.board_wide cimport BoardKernel
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.search.choosing_wide cimport Mover

include "playing.pxi"
