from engine.evaluation.valuation cimport Valuer


cdef class EvaluatorKernel:
    cdef Valuer *valuer  # set by the subclass, which owns it; NULL means that equity is the score (greedy)
    cdef bint brief      # set by the subclass if valuing a rack takes only microseconds
