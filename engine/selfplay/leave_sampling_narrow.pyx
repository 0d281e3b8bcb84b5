from engine.evaluation.evaluator_kernel cimport EvaluatorKernel
from engine.search.choosing_narrow cimport Mover
from engine.selfplay.playing_narrow cimport GameLoop

include "leave_sampling.pxi"
