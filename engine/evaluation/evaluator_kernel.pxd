from engine.evaluation.valuation cimport Valuer


cdef class EvaluatorKernel:
    cdef Valuer *valuer  # set by the subclass, which owns it; NULL: equity is the score (greedy)
