from engine.evaluation.evaluator_kernel cimport EvaluatorKernel
from engine.search.choosing_wide cimport Mover
from engine.selfplay.playing_wide cimport GameLoop

include "leave_sampling.pxi"
