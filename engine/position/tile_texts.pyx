"""Tiles as text and back, the faultless ones: boards as CGP has them, racks, tiles unseen; see tile_texts.pyi."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport (
    PyUnicode_4BYTE_KIND,
    PyUnicode_FromKindAndData,
    PyUnicode_GET_LENGTH,
    PyUnicode_READ_CHAR,
)
from libc.stdint cimport uint8_t
from libc.string cimport memset

cdef enum:
    BLANK = 0x80  # of a tile code: a blank stands for the letter
    RACK_LIMIT = 16  # tiles; a longer rack is no rack, and left to careful reading


cdef class TileTexts:
    def __init__(self, dict notation not None, tuple texts not None):
        cdef int code
        cdef Py_ssize_t place
        cdef str text
        if len(texts) != 256:
            raise ValueError("there is one text for each of 256 codes")
        self.notation = notation
        memset(self.codes, NO_TILE, sizeof(self.codes))
        for text, tile in notation.items():
            if len(text) == 1 and ord(text) < KNOWN:
                self.codes[<Py_UCS4> ord(text)] = tile
        for code in range(256):
            text = texts[code]
            if len(text) > LONGEST:
                raise ValueError(f"{text} is too long for a tile")
            self.lengths[code] = <uint8_t> len(text)
            for place in range(len(text)):
                self.texts[code][place] = text[place]

    cpdef bytes read_board(self, str text, int side):
        cdef bytes squares
        cdef uint8_t *codes
        cdef Py_ssize_t at = 0, length
        cdef int row = 0, column = 0, run = 0, code
        cdef bint counting = False  # the last character was a digit, of `run`
        cdef Py_UCS4 char
        if text is None or side <= 0:
            return None
        squares = PyBytes_FromStringAndSize(NULL, side * side)
        codes = <uint8_t *> <char *> squares
        memset(codes, 0, side * side)
        length = PyUnicode_GET_LENGTH(text)
        while at < length:
            char = PyUnicode_READ_CHAR(text, at)
            if u"0" <= char <= u"9":
                if not counting and char == u"0":
                    return None
                run = 10 * run + <int> char - 48
                counting = True
                if run > side - column:
                    return None
                at += 1
                continue
            column += run
            run = 0
            counting = False
            if char == u"/":
                if column != side or row + 1 >= side:
                    return None
                row += 1
                column = 0
                at += 1
                continue
            code = self.read_tile(text, &at)
            if code == NO_TILE or not code or column >= side:
                return None
            codes[row * side + column] = <uint8_t> code
            column += 1
        return squares if column + run == side and row == side - 1 else None

    cpdef bytes read_rack(self, str text):
        cdef uint8_t tiles[RACK_LIMIT]
        cdef Py_ssize_t at = 0, length
        cdef int number = 0, place, code
        if text is None:
            return None
        length = PyUnicode_GET_LENGTH(text)
        while at < length:
            code = self.read_tile(text, &at)
            if code & BLANK or number == RACK_LIMIT:
                return None
            place = number
            while place and tiles[place - 1] > code:
                tiles[place] = tiles[place - 1]
                place -= 1
            tiles[place] = <uint8_t> code
            number += 1
        return (<char *> tiles)[:number]

    cpdef str write_board(self, bytes squares, int side):
        cdef const uint8_t *codes = squares
        cdef Py_UCS4 *text
        cdef Py_ssize_t used = 0
        cdef int row, column, run = 0
        if side <= 0 or len(squares) != side * side:
            raise ValueError("the squares are those of no board")
        text = allocated(side * side * LONGEST + side)
        try:
            for row in range(side):
                if row:
                    text[used] = u"/"
                    used += 1
                for column in range(side):
                    if not codes[row * side + column]:
                        run += 1
                        continue
                    used += write_number(run, text + used)
                    run = 0
                    used += self.write_tile(codes[row * side + column], text + used)
                used += write_number(run, text + used)
                run = 0
            return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, text, used)
        finally:
            PyMem_Free(text)

    cpdef str write_rack(self, bytes tiles):
        cdef Py_UCS4 *text = allocated(len(tiles) * LONGEST)
        cdef Py_ssize_t used = 0
        cdef int blanks = 0
        cdef uint8_t code
        try:
            for code in tiles:
                if code:
                    used += self.write_tile(code, text + used)
                else:
                    blanks += 1
            while blanks:
                used += self.write_tile(0, text + used)
                blanks -= 1
            return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, text, used)
        finally:
            PyMem_Free(text)

    def write_counted(self, tuple counts not None):
        cdef Py_UCS4 *text
        cdef Py_ssize_t used = 0, number, total = 0
        cdef int place, code, size = <int> min(len(counts), 256)
        for code in range(size):
            number = counts[code]
            total += max(number, 0)
        text = allocated(total * LONGEST)
        try:
            for place in range(size):
                code = place + 1 if place + 1 < size else 0  # blanks last
                number = counts[code]
                while number > 0:
                    used += self.write_tile(code, text + used)
                    number -= 1
            return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, text, used)
        finally:
            PyMem_Free(text)

    cdef int read_tile(self, str text, Py_ssize_t *at) except -1:
        """Return the tile that begins at a place of a text, and move the place past it; NO_TILE if none does."""
        cdef Py_ssize_t end, start = at[0]
        cdef Py_UCS4 char = PyUnicode_READ_CHAR(text, start)
        if char != u"[":
            at[0] = start + 1
            return self.codes[char] if char < KNOWN else NO_TILE
        for end in range(start + 1, min(start + LONGEST, PyUnicode_GET_LENGTH(text))):
            if PyUnicode_READ_CHAR(text, end) == u"]":
                at[0] = end + 1
                return self.notation.get(text[start:end + 1], NO_TILE)
        at[0] = start + 1
        return NO_TILE

    cdef Py_ssize_t write_tile(self, int code, Py_UCS4 *to) noexcept:
        """Write a tile; return its characters."""
        cdef int place
        for place in range(self.lengths[code]):
            to[place] = self.texts[code][place]
        return self.lengths[code]


cdef Py_UCS4 *allocated(Py_ssize_t length) except NULL:
    cdef Py_UCS4 *text = <Py_UCS4 *> PyMem_Malloc((length or 1) * sizeof(Py_UCS4))
    if text == NULL:
        raise MemoryError
    return text


cdef int write_number(int number, Py_UCS4 *to) noexcept:
    """Write a number of empty squares, of one or two digits, but not 0; return its characters."""
    if not number:
        return 0
    if number < 10:
        to[0] = 48 + number
        return 1
    to[0] = 48 + number // 10
    to[1] = 48 + number % 10
    return 2
