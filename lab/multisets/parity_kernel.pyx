"""The tables of the Parity-Exceedance Representation, its operations, and their timing.

Built once: nothing here depends on the geometry.  parity_exceedance.h describes the representation.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

import numpy as np

cdef extern from "parity_exceedance.h" nogil:
    const int ID_BITS

    ctypedef struct CarrySlot:
        uint64_t mask
        uint64_t id

    ctypedef struct ParityTables:
        const CarrySlot *carries
        const uint64_t *sums
        const uint64_t *differences
        uint64_t parity_mask
        int32_t parity_bits
        int32_t carry_bits
        int32_t triad_bits

    ctypedef struct Counters:
        uint64_t limbs[4]

    ctypedef struct Planes32:
        uint32_t planes[4]

    ctypedef struct Planes64:
        uint64_t planes[4]

    uint64_t carry_slot(const ParityTables *t, uint64_t mask)
    uint64_t triad_key(uint64_t carry, uint64_t a, uint64_t b)
    uint64_t triad_slot(const ParityTables *t, uint64_t key)
    uint64_t parity_sum(const ParityTables *t, uint64_t x, uint64_t y)
    uint64_t parity_difference(const ParityTables *t, uint64_t y, uint64_t x)
    bint parity_included(const ParityTables *t, uint64_t x, uint64_t y)

cdef extern from "multiset_timings.h" nogil:
    const int LOOP_COUNT

    ctypedef struct Operands:
        const ParityTables *tables
        const uint64_t *code_x
        const uint64_t *code_y
        const uint64_t *key_x
        const uint64_t *key_y
        const Counters *counters_x
        const Counters *counters_y
        const Planes32 *planes32_x
        const Planes32 *planes32_y
        const Planes64 *planes64_x
        const Planes64 *planes64_y
        int32_t limbs

    ctypedef struct TimedLoop:
        const char *name
        uint64_t (*overlapped)(const Operands *o, int64_t count, uint64_t zero) noexcept nogil
        uint64_t (*chained)(const Operands *o, int64_t count, uint64_t zero) noexcept nogil

    const TimedLoop *timed_loops

MAX_EXCEEDANCES = (1 << ID_BITS) - 1


cdef int table_bits(Py_ssize_t entries):
    """Return the size of a table, as a power of two, that is at most 60 % full."""
    cdef int bits = 3
    while (<Py_ssize_t> 1 << bits) * 3 < entries * 5:
        bits += 1
    return bits


cdef class ParityKernel:
    """The carry-mask table and the feasible-triad table of one lexicon, and what they answer in constant time."""
    cdef ParityTables tables
    cdef object arrays   # the arrays that `tables` points to

    def __init__(self, int parity_bits, const uint64_t[::1] carry_masks not None,
                 const uint64_t[::1] carry_ids not None, const uint64_t[:, ::1] triads not None):
        """Take the exceedances without repeated letters, as masks with their ids, and the triads: rows of
        (carry, a, b, carry + a + b), all of them ids from 1 to MAX_EXCEEDANCES."""
        cdef ParityTables *t = &self.tables
        cdef Py_ssize_t i
        cdef uint64_t slot, key
        t.parity_bits = parity_bits
        t.parity_mask = (<uint64_t> 1 << parity_bits) - 1
        t.carry_bits = table_bits(carry_masks.shape[0])
        t.triad_bits = table_bits(triads.shape[0])
        cdef uint64_t[:, ::1] carries = np.zeros((1 << t.carry_bits, 2), np.uint64)
        cdef uint64_t[::1] sums = np.zeros(1 << t.triad_bits, np.uint64)
        cdef uint64_t[::1] differences = np.zeros(1 << t.triad_bits, np.uint64)
        self.arrays = (carries, sums, differences)
        t.carries = <const CarrySlot *> &carries[0, 0]
        t.sums = &sums[0]
        t.differences = &differences[0]
        for i in range(carry_masks.shape[0]):
            slot = carry_slot(t, carry_masks[i])
            while carries[slot, 1]:
                slot = (slot + 1) & ((<uint64_t> 1 << t.carry_bits) - 1)
            carries[slot, 0] = carry_masks[i]
            carries[slot, 1] = carry_ids[i]
        for i in range(triads.shape[0]):
            key = triad_key(triads[i, 0], triads[i, 1], triads[i, 2])
            self._insert(sums, key, triads[i, 3])
            key = triad_key(triads[i, 0], triads[i, 1], triads[i, 3])
            self._insert(differences, key, triads[i, 2])

    cdef void _insert(self, uint64_t[::1] table, uint64_t key, uint64_t answer) noexcept:
        cdef uint64_t slot = triad_slot(&self.tables, key)
        while table[slot]:
            slot = (slot + 1) & ((<uint64_t> 1 << self.tables.triad_bits) - 1)
        table[slot] = key << ID_BITS | answer

    @property
    def table_bytes(self):
        """Size of the three tables in bytes."""
        return (sizeof(CarrySlot) << self.tables.carry_bits) + (<size_t> 16 << self.tables.triad_bits)

    def sum(self, uint64_t x, uint64_t y):
        """Return the code of the multisum, 0 if it is not feasible."""
        return parity_sum(&self.tables, x, y)

    def difference(self, uint64_t y, uint64_t x):
        """Return the code of y less x, 0 if y does not hold x."""
        return parity_difference(&self.tables, y, x)

    def included(self, uint64_t x, uint64_t y):
        """Tell whether y holds x."""
        return parity_included(&self.tables, x, y)

    def time_forms(self, codes, keys, counters, planes, int limbs, int passes):
        """Time every form on pairs of multisets; returns {loop: (sum of its results, [ns a turn], [ns chained])}.

        `codes` and `keys` are (2, pairs) uint64, `counters` and `planes` (2, pairs, 4) uint64: the first row of
        each the left operands.  Each list has an entry a pass; the loops take turns within a pass.
        """
        cdef const uint64_t[:, ::1] code_view = codes
        cdef const uint64_t[:, ::1] key_view = keys
        cdef const uint64_t[:, :, ::1] counter_view = counters
        cdef const uint64_t[:, :, ::1] plane_view = planes
        cdef const uint32_t[:, :, ::1] narrow_view = (planes & 0xFFFFFFFF).astype(np.uint32)
        cdef int64_t count = code_view.shape[1]
        cdef Operands o
        cdef uint64_t result
        cdef int i
        o.tables = &self.tables
        o.code_x, o.code_y = &code_view[0, 0], &code_view[1, 0]
        o.key_x, o.key_y = &key_view[0, 0], &key_view[1, 0]
        o.counters_x = <const Counters *> &counter_view[0, 0, 0]
        o.counters_y = <const Counters *> &counter_view[1, 0, 0]
        o.planes32_x = <const Planes32 *> &narrow_view[0, 0, 0]
        o.planes32_y = <const Planes32 *> &narrow_view[1, 0, 0]
        o.planes64_x = <const Planes64 *> &plane_view[0, 0, 0]
        o.planes64_y = <const Planes64 *> &plane_view[1, 0, 0]
        o.limbs = limbs
        found = {}
        for _ in range(passes):
            for i in range(LOOP_COUNT):
                name = timed_loops[i].name.decode()
                if name not in found:
                    found[name] = [0, [], []]
                began = now()
                with nogil:
                    result = timed_loops[i].overlapped(&o, count, 0)
                ended = now()
                found[name][0] = result
                found[name][1].append((ended - began) / count)
                began = now()
                with nogil:
                    result = timed_loops[i].chained(&o, count, 0)
                ended = now()
                found[name][2].append((ended - began) / count)
                if result != found[name][0]:
                    raise AssertionError(name)
        return found


cdef int64_t now() noexcept:
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return <int64_t> t.tv_sec * 1000000000 + t.tv_nsec
