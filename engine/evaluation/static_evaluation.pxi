"""The evaluators "static" and "combined"; static_evaluation.h holds their rules.

Included by evaluation_kernel.pyx.
"""

cdef extern from "static_evaluation.h" nogil:
    ctypedef struct StaticValuer:
        Valuer valuer
        LeaveRanksStruct ranks
        const int16_t *values

    ctypedef struct CombinedValuer:
        Valuer valuer
        Valuer *plain
        Valuer *bingos

    void value_combined_leaves(Valuer *self, const Situation *situation, int32_t *values)
    void value_static_leaves(Valuer *self, const Situation *situation, int32_t *values)


cdef class StaticKernel(EvaluatorKernel):
    """The static evaluator for one thread."""
    cdef StaticValuer own
    cdef object array  # own.values points into it

    def __init__(self, const uint32_t[::1] base not None, const uint32_t[:, :, ::1] offset not None,
                 const int16_t[::1] values not None):
        """Take the ranks of a tile set's leaves (leave_ranks.py) and their values in hundredths of points."""
        if (base.shape[0] != LEAVE_TILES + 2 or values.shape[0] != base[LEAVE_TILES + 1]
                or offset.shape[0] * offset.shape[1] != LETTER_CAPACITY * (LEAVE_TILES + 1)):
            raise ValueError("the values are not those of the tile set")
        self.own.ranks.count = base[LEAVE_TILES + 1]
        memcpy(self.own.ranks.base, &base[0], sizeof(self.own.ranks.base))
        memcpy(self.own.ranks.offset, &offset[0, 0, 0], sizeof(self.own.ranks.offset))
        self.array = values
        self.own.values = &values[0]
        self.own.valuer.value_leaves = value_static_leaves
        self.valuer = &self.own.valuer
        self.brief = True


cdef class CombinedKernel(EvaluatorKernel):
    """The sum of two evaluators for one thread: leaves without bingos, and the bingos to expect."""
    cdef CombinedValuer own
    cdef EvaluatorKernel plain
    cdef EvaluatorKernel bingos

    def __init__(self, EvaluatorKernel plain not None, EvaluatorKernel bingos not None):
        """Take the evaluator of leaves without bingos and that of the bingos."""
        self.plain = plain
        self.bingos = bingos
        self.own.plain = plain.valuer
        self.own.bingos = bingos.valuer
        self.own.valuer.value_leaves = value_combined_leaves
        self.valuer = &self.own.valuer
