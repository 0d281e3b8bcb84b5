"""Boards as bytes, one tile code a square: as text and back, counted, and looked at for islands.

Everything here is done once for every request, so it is done in C; see squares.pyi.
"""

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memset

cdef enum:
    BLANK = 0x80  # of a tile code: a blank stands for the letter
    SIDE_LIMIT = 64  # squares of a line, with room to spare
    SQUARE_LIMIT = SIDE_LIMIT * SIDE_LIMIT


def read_text(str text not None, dict codes not None, int side):
    cdef uint8_t squares[SQUARE_LIMIT]
    cdef int row = 0, column = 0, run = 0
    cdef bint counting = False  # the last character was a digit, of `run`
    cdef Py_UCS4 char
    cdef object code
    if not 0 < side <= SIDE_LIMIT:
        return None
    memset(squares, 0, side * side)
    for char in text:
        if u"0" <= char <= u"9":
            if not counting and char == u"0":
                return None
            run = 10 * run + <int> char - 48
            counting = True
            if run > side - column:
                return None
            continue
        if counting:
            column += run
            run = 0
            counting = False
        if char == u"/":
            if column != side or row + 1 >= side:
                return None
            row += 1
            column = 0
            continue
        code = codes.get(char)
        if code is None or column >= side:
            return None
        squares[row * side + column] = <uint8_t> <int> code
        column += 1
    if column + run != side or row != side - 1:
        return None
    return (<char *> squares)[:side * side]


def write_text(bytes squares not None, tuple texts not None, int side):
    cdef const uint8_t *codes = squares
    cdef int row, column, run = 0
    cdef list parts = []
    check(squares, side)
    for row in range(side):
        if row:
            parts.append("/")
        for column in range(side):
            code = codes[row * side + column]
            if not code:
                run += 1
                continue
            if run:
                parts.append(str(run))
                run = 0
            parts.append(texts[code])
        if run:
            parts.append(str(run))
            run = 0
    return "".join(parts)


def tile_counts(bytes squares not None, int size):
    cdef uint16_t counts[256]
    cdef int code
    count(squares, counts)
    return tuple([counts[code] for code in range(size + 1)])


def unseen(tuple full not None, bytes squares not None, bytes rack not None):
    cdef uint16_t counts[256]
    cdef int code
    cdef uint8_t tile
    count(squares, counts)
    for tile in rack:
        counts[tile] += 1
    return tuple([<int> full[code] - counts[code] for code in range(min(<int> len(full), 256))])


def loose(bytes squares not None, int side, int start):
    cdef uint8_t reached[SQUARE_LIMIT]
    cdef uint16_t stack[SQUARE_LIMIT]
    cdef const uint8_t *codes = squares
    cdef int count = 1, square, column
    check(squares, side)
    if not 0 <= start < side * side or not codes[start]:
        raise ValueError("there is no tile to start from")
    memset(reached, 0, side * side)
    stack[0] = <uint16_t> start
    reached[start] = 1
    while count:
        count -= 1
        square = stack[count]
        column = square % side
        if column:
            count += reach(square - 1, codes, reached, stack + count)
        if column < side - 1:
            count += reach(square + 1, codes, reached, stack + count)
        if square >= side:
            count += reach(square - side, codes, reached, stack + count)
        if square < side * (side - 1):
            count += reach(square + side, codes, reached, stack + count)
    return [square for square in range(side * side) if codes[square] and not reached[square]]


cdef int reach(int square, const uint8_t *codes, uint8_t *reached, uint16_t *top) noexcept nogil:
    """Put a square on the stack if a tile lies there that was not reached before; return how many were put."""
    if not codes[square] or reached[square]:
        return 0
    reached[square] = 1
    top[0] = <uint16_t> square
    return 1


cdef int check(bytes squares, int side) except -1:
    if not 0 < side <= SIDE_LIMIT or len(squares) != side * side:
        raise ValueError("the squares are those of no board")
    return 0


cdef void count(bytes squares, uint16_t *counts):
    """Count tiles by code: given blanks are blanks again, and empty squares none."""
    cdef uint8_t code
    memset(counts, 0, 256 * sizeof(uint16_t))
    for code in squares:
        if code:
            counts[0 if code & BLANK else code] += 1
