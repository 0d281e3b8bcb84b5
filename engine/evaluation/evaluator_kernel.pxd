from engine.evaluation.valuation cimport Valuer


cdef class EvaluatorKernel:
    cdef Valuer *valuer  # set by the subclass, which owns it; NULL: equity is the score (greedy)
    cdef bint brief  # set by the subclass if all leaves of a rack are valued within microseconds
