"""Tiles as bytes of codes: counted, put in order, and looked at for islands; see squares.pyi."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t
from libc.string cimport memset

from engine.position.squares cimport SIDE_LIMIT, Counts, Island, count_tiles, reach


def tile_counts(bytes squares not None, int size):
    cdef Counts counts
    cdef int code
    count_tiles(squares, <int> len(squares), &counts)
    return tuple([counts.of[code] for code in range(size + 1)])


def unseen(tuple full not None, bytes squares not None, bytes rack not None):
    cdef Counts counts
    cdef int code
    cdef uint8_t tile
    count_tiles(squares, <int> len(squares), &counts)
    for tile in rack:
        counts.of[tile] += 1
    return tuple([<int> full[code] - counts.of[code] for code in range(min(<int> len(full), 256))])


def ordered(bytes tiles not None):
    cdef const uint8_t *codes = tiles
    cdef Py_ssize_t place, length = len(tiles)
    cdef size_t counts[256]
    cdef uint8_t *put
    cdef int code
    cdef bytes sorted_tiles
    for place in range(1, length):
        if codes[place] < codes[place - 1]:
            break
    else:
        return tiles
    memset(counts, 0, sizeof(counts))
    for place in range(length):
        counts[codes[place]] += 1
    sorted_tiles = PyBytes_FromStringAndSize(NULL, length)
    put = <uint8_t *> <char *> sorted_tiles
    for code in range(256):
        memset(put, code, counts[code])
        put += counts[code]
    return sorted_tiles


def parts(bytes tiles not None):
    cdef object number = 1
    cdef Py_ssize_t run = 0, place, length = len(tiles)
    for place in range(length):
        run += 1
        if place + 1 == length or tiles[place + 1] != tiles[place]:
            number *= run + 1
            run = 0
    return number


def loose(bytes squares not None, int side, int start):
    cdef const uint8_t *codes = squares
    cdef Island island
    cdef int square
    if not 0 < side <= SIDE_LIMIT or len(squares) != side * side:
        raise ValueError("the squares are those of no board")
    if not 0 <= start < side * side or not codes[start]:
        raise ValueError("there is no tile to start from")
    reach(squares, side, start, &island)
    return [
        square
        for square in range(side * side)
        if codes[square] and not island.reached[square // side] >> (square % side) & 1
    ]
