"""What all evaluators' kernels are to their callers: the address of a Valuer, kept alive by this object."""


cdef class EvaluatorKernel:
    """Hold one thread's evaluator; this one values every leave at nothing (greedy)."""

    @property
    def adjusts(self):
        return self.valuer != NULL and self.valuer.adjust_plays != NULL
