"""Declarations of game_log.h: the fields are described there."""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from engine.movegen.plays cimport Play


cdef extern from "game_log.h" nogil:
    const int TURN_CAPACITY
    const int HOPELESS_TURNS

    ctypedef struct TurnLog:
        Play play
        int32_t equity
        int32_t score_before[2]
        uint16_t bag_before
        uint8_t seat
        uint8_t kind
        uint8_t rack_count
        uint8_t kept_count
        uint8_t rack[7]
        uint8_t kept[7]

    ctypedef struct GameLog:
        uint64_t seed
        uint64_t number
        int32_t ending
        int32_t final[2]
        int32_t left_count[2]
        uint8_t left[2][7]
        int32_t turn_count
        TurnLog turns[1024]

    ctypedef struct GameResult:
        int32_t final[2]
        uint16_t turns[2]
        uint16_t exchanges[2]
        uint16_t passes[2]
        uint16_t bingos[2]
        uint32_t ending

    GameResult summed_up(const GameLog *log, int bingo_tiles)
