"""Declarations of game_log.h, which describes the fields."""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from engine.lexicon.tables cimport RACK_CAPACITY
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
        uint8_t leave_count
        uint8_t rack[RACK_CAPACITY]
        uint8_t leave[RACK_CAPACITY]

    ctypedef struct GameLog:
        uint64_t seed
        uint64_t number
        int32_t ending
        int32_t final[2]
        int32_t left_count[2]
        uint8_t left[2][RACK_CAPACITY]
        int32_t turn_count
        TurnLog turns[TURN_CAPACITY]

    ctypedef struct GameResult:
        int32_t final[2]
        uint16_t turns[2]
        uint16_t exchanges[2]
        uint16_t passes[2]
        uint16_t bingos[2]
        int32_t middle[2]
        int32_t endgame[2]
        uint32_t ending

    GameResult game_result(const GameLog *log, int bingo_tiles)
