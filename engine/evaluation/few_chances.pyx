"""Win% after a few moves: what WinChances.after works out of arrays, to the last bit.

Nothing in it depends on the geometry of tables.
"""

from libc.math cimport rint
from libc.stdint cimport uint16_t

cdef extern from *:
    """
    /* The value between two by the straight line; each product is rounded by itself, as numpy rounds it. */
    static double between(double below, double above, double part)
    {
        volatile double first = below * (1 - part), second = above * part;
        return first + second;
    }
    """
    double between(double below, double above, double part) nogil


def few_chances(const uint16_t[:, ::1] table not None, list moves not None, int spread, int bag, int held,
                int going_out, double scale):
    cdef int middle = <int> table.shape[1] // 2  # the column of no spread
    cdef double at, part, chance
    cdef int score, equity, placed, row, low
    cdef list found = []
    cdef tuple move
    if table.shape[0] < 1 or middle < 1:
        raise ValueError("the table is empty")
    for move in moves:
        score, equity, placed = move[0], move[1], move[2]
        if not bag and placed == held:
            chance = spread + score + going_out
            chance = 100.0 if chance > 0 else 0.0 if chance < 0 else 50.0
        else:
            row = min(max(bag + held - placed, 0), <int> table.shape[0] - 1)
            at = -(spread + (equity / 1000.0 if bag else <double> score))
            at = min(max(at + middle, 0.0), 2.0 * middle)
            low = min(<int> at, 2 * middle - 1)
            part = at - low
            chance = 100 * (1 - between(table[row, low], table[row, low + 1], part) / scale)
        found.append(rint(100 * chance) / 100)
    return found
