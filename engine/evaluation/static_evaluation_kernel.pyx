"""The static evaluator for kernels: learned leaves, and a rule for the empty bag.

The build compiles it for both geometries (geometry.h).
"""
from libc.stdint cimport int16_t, int32_t, uint32_t
from libc.string cimport memcpy

from engine.evaluation.evaluator_kernel cimport EvaluatorKernel
from engine.evaluation.leave_ranks cimport LeaveRanksStruct
from engine.evaluation.valuation cimport Situation, Valuer

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
    cdef object kept  # the array that own.values points into

    def __init__(self, const uint32_t[::1] base not None, const uint32_t[:, :, ::1] offset not None,
                 const int16_t[::1] values not None):
        """Take the ranks of a tile set's leaves (leave_ranks.py) and their values in hundredths of points."""
        if base.shape[0] != 8 or values.shape[0] != base[7] or offset.shape[0] * offset.shape[1] != 64 * 7:
            raise ValueError("the values are not those of the tile set")
        self.own.ranks.count = base[7]
        memcpy(self.own.ranks.base, &base[0], sizeof(self.own.ranks.base))
        memcpy(self.own.ranks.offset, &offset[0, 0, 0], sizeof(self.own.ranks.offset))
        self.kept = values
        self.own.values = &values[0]
        self.own.valuer.value_leaves = value_static_leaves
        self.valuer = &self.own.valuer
        self.brief = True


cdef class CombinedKernel(EvaluatorKernel):
    """Two evaluators for one thread: leaves without bingos, and the bingos to expect."""
    cdef CombinedValuer own
    cdef EvaluatorKernel plain
    cdef EvaluatorKernel bingos

    def __init__(self, EvaluatorKernel plain not None, EvaluatorKernel bingos not None):
        """Take the two."""
        self.plain = plain
        self.bingos = bingos
        self.own.plain = plain.valuer
        self.own.bingos = bingos.valuer
        self.own.valuer.value_leaves = value_combined_leaves
        self.valuer = &self.own.valuer
