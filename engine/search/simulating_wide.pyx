from engine.evaluation.evaluator_kernel cimport EvaluatorKernel
from engine.loaded_board.board_wide cimport BoardKernel
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.search.choosing_wide cimport Mover
from engine.search.mover cimport Standing
from engine.search.simulation cimport Candidate, Rollout
from engine.search.tile_order cimport Random

include "simulating.pxi"
