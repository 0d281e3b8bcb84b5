"""Return plays to Python as one array; included by every generator."""
from cpython.bytearray cimport PyByteArray_FromStringAndSize
from libc.stdint cimport uint64_t

from engine.movegen.plays cimport Play, PlaySink, shrink_plays

import numpy as np

cdef enum:
    FIRST_PLAYS = 4096  # plays that a sink has room for at the start, and again after each position


cdef object play_array(const Play *plays, uint64_t count, dtype):
    """Return a copy of some plays as an array of `dtype` (PLAY_DTYPE)."""
    if not count:
        return np.empty(0, dtype)
    # Half a microsecond faster than filling an empty array through a memory view.
    return np.frombuffer(PyByteArray_FromStringAndSize(<const char *> plays, count * sizeof(Play)), dtype)


cdef object listed_plays(PlaySink *sink, dtype):
    """Return the plays of a sink, and free the memory that most positions do not need.

    Raises OverflowError if there were more plays than the limit.
    """
    if sink.overflow:
        shrink_plays(sink, FIRST_PLAYS)
        raise OverflowError(f"more than {sink.limit} plays")
    plays = play_array(sink.plays, sink.count, dtype)
    shrink_plays(sink, FIRST_PLAYS)
    return plays
