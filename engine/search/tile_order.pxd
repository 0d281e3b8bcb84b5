"""Declarations of tile_order.h, which describes the fields."""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t


cdef extern from "tile_order.h" nogil:
    const int BAG_CAPACITY

    ctypedef struct Random:
        uint64_t state

    ctypedef struct Bag:
        uint8_t tiles[BAG_CAPACITY]
        int32_t first
        int32_t end

    uint64_t next_random(Random *random)
    uint32_t random_below(Random *random, uint32_t bound)
    Random game_random(uint64_t seed, uint64_t number)
    int bag_count(const Bag *bag)
    void fill_bag(Bag *bag, const uint8_t *counts, int letter_count, Random *random)
    uint8_t draw_tile(Bag *bag, int seat)
    void return_tile(Bag *bag, uint8_t tile, Random *random)
