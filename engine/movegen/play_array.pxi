"""Return plays to Python as one array; included by every generator."""
from cpython.buffer cimport PyBuffer_FillInfo
from cpython.bytearray cimport PyByteArray_FromStringAndSize
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from engine.movegen.plays cimport Play, PlaySink

import numpy as np

cdef enum:
    FIRST_PLAYS = 4096     # plays that a new sink has room for, and the most that are copied for the caller
    SPARE_BLOCKS = 2       # blocks of plays that wait for their next use,
    SPARE_PLAYS = 1 << 18  # each with room for at most this many, 6 MB

cdef Play *spare_plays[SPARE_BLOCKS]
cdef uint64_t spare_capacities[SPARE_BLOCKS]
cdef int spares = 0


cdef class PlayBlock:
    """The memory of a long list of plays, owned by the arrays that show it; the last one returns it.

    Memory fresh from the system costs a page fault for every 170 plays, so a few blocks are reused.
    """
    cdef Play *plays
    cdef uint64_t capacity

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        PyBuffer_FillInfo(buffer, self, self.plays, <Py_ssize_t> (self.capacity * sizeof(Play)), False, flags)

    def __dealloc__(self):
        global spares
        if spares < SPARE_BLOCKS and self.capacity <= SPARE_PLAYS:
            spare_plays[spares] = self.plays
            spare_capacities[spares] = self.capacity
            spares += 1
        else:
            free(self.plays)


cdef int give_block(PlaySink *sink) except -1:
    """Give a sink a block of its own for its plays; whoever calls it has taken over the one before."""
    global spares
    cdef Play *plays
    if spares:
        spares -= 1
        sink.plays = spare_plays[spares]
        sink.capacity = spare_capacities[spares]
        return 0
    plays = <Play *> malloc(FIRST_PLAYS * sizeof(Play))
    if not plays:
        raise MemoryError
    sink.plays = plays
    sink.capacity = FIRST_PLAYS
    return 0


cdef object play_array(const Play *plays, uint64_t count, dtype):
    """Return a copy of some plays as an array of `dtype` (PLAY_DTYPE)."""
    if not count:
        return np.empty(0, dtype)
    # Half a microsecond faster than filling an empty array through a memory view.
    return np.frombuffer(PyByteArray_FromStringAndSize(<const char *> plays, count * sizeof(Play)), dtype)


cdef object listed_plays(PlaySink *sink, dtype):
    """Return the plays of a sink as an array of `dtype`.

    A short list is copied, so that it takes no more memory than it needs; a long one takes the block with it.
    Raises OverflowError if there were more plays than the limit.
    """
    cdef PlayBlock block
    cdef Play *plays = sink.plays
    cdef uint64_t capacity = sink.capacity
    if not sink.overflow and sink.count <= FIRST_PLAYS:
        return play_array(plays, sink.count, dtype)
    give_block(sink)
    block = PlayBlock.__new__(PlayBlock)
    block.plays = plays
    block.capacity = capacity
    if sink.overflow:
        raise OverflowError(f"more than {sink.limit} plays")
    return np.frombuffer(block, dtype, <Py_ssize_t> sink.count)
