"""The base class of all evaluators' kernels: an object that owns a Valuer (valuation.h)."""


cdef class EvaluatorKernel:
    """Hold an evaluator for one thread; the base class values every leave at 0 (greedy)."""

    @property
    def adjusts(self):
        return self.valuer != NULL and self.valuer.adjust_plays != NULL
