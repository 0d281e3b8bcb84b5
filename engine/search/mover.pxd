"""Declarations of mover.h, which describes the fields."""
from libc.stdint cimport int32_t, uint8_t

from engine.lexicon.tables cimport RACK_CAPACITY
from engine.movegen.plays cimport Play


cdef extern from "mover.h" nogil:
    const int LEAVE_CAPACITY
    const int PLAY_MOVE
    const int EXCHANGE_MOVE
    const int PASS_MOVE

    const int MAX_BASE_PLAYS

    ctypedef struct BasePlays:
        Play plays[MAX_BASE_PLAYS]
        int32_t count
        int32_t exhausted
        int32_t is_wanted

    ctypedef struct Choice:
        Play play
        int32_t equity
        uint8_t kind
        uint8_t leave_count
        uint8_t leave[RACK_CAPACITY]

    int leave_tiles(const uint8_t *tiles, int count, int number, uint8_t *leave)
    void leave_sizes(const uint8_t *tiles, int count, uint8_t *sizes)
    int remove_played(const uint8_t *tiles, int count, const uint8_t *played, int played_count, uint8_t *leave)
    void sort_tiles(uint8_t *tiles, int count)
