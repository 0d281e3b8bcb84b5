"""Describing plays: the words they make with their points, the tiles they lay down, what they leave.

It handles a few plays of an answer, as Python objects; nothing in it depends on the geometry of tables.
"""

from cpython.object cimport PyObject, PyTypeObject
from libc.stdint cimport int32_t, uint8_t

from engine.movegen.plays cimport ONE_TILE, Play

from engine.analysis.result import FormedWord, MoveReport, PlacedTile

cdef enum:
    BLANK = 0x80  # of a tile code: a blank stands for the letter
    LONGEST = 64  # squares of a line, with room to spare


cdef struct MovePlace:
    int row  # of the first square
    int column
    bint down
    uint8_t tiles[LONGEST]  # tile codes, 0 where a tile lies already


cdef tuple NOTHING = ()


cdef inline object made(type kind, dict fields):
    """Return an instance of a plain dataclass with all its fields, in their order, sooner than by its __init__."""
    one = (<PyTypeObject *> kind).tp_new(kind, <PyObject *> NOTHING, NULL)
    one.__dict__ = fields
    return one


cdef class PlayKernel:
    """Describe plays on one board; see describing.pyi."""

    cdef bytes squares_kept, values_kept, letters_kept, words_kept  # own the arrays below
    cdef const uint8_t* squares  # tile codes, row by row
    cdef const uint8_t* values  # points by letter code (index 0: a blank)
    cdef const uint8_t* letter_factors  # of each square
    cdef const uint8_t* word_factors  # of each square
    cdef int side
    cdef int bonus  # points for a bingo
    cdef int bingo_tiles  # tiles played at once that make one
    cdef bytes rack  # codes, ascending
    cdef tuple texts  # of each code as boards write it, by code with BLANK or without
    cdef tuple spelled  # of each code without BLANK, as words write it
    cdef bint plain  # all of these are single ASCII characters, so that they lie below as well
    cdef char letters[256]  # `spelled`, by code
    cdef char marks[256]  # `texts`, by code, but "." for 0
    cdef tuple across  # names of the squares, row number first
    cdef tuple down  # the same, column letter first

    def __init__(self, bytes squares, bytes values, bytes letter_factors, bytes word_factors, int side,
                 bytes rack, int bonus, int bingo_tiles, tuple texts, tuple spelled, tuple names):
        if not (0 < side <= LONGEST) or len(squares) != side * side:
            raise ValueError("the squares are those of no board")
        if len(values) != len(spelled) or len(texts) < 256 or len(spelled) > BLANK:
            raise ValueError("each letter needs its value and its texts")
        if len(letter_factors) != side * side or len(word_factors) != side * side:
            raise ValueError("each square needs its factors")
        self.squares_kept, self.values_kept = squares, values
        self.letters_kept, self.words_kept = letter_factors, word_factors
        self.squares, self.values = <const uint8_t*> <const char*> squares, <const uint8_t*> <const char*> values
        self.letter_factors = <const uint8_t*> <const char*> letter_factors
        self.word_factors = <const uint8_t*> <const char*> word_factors
        self.side = side
        self.rack, self.bonus, self.bingo_tiles = rack, bonus, bingo_tiles
        self.texts, self.spelled = texts, spelled
        self.across, self.down = names
        self.plain = True
        self.marks[0] = c"."
        for code in range(1, len(spelled)):
            self.letters[code] = self.single(spelled[code])
            self.marks[code] = self.single(texts[code])
            self.marks[BLANK | code] = self.single(texts[BLANK | code])

    cdef char single(self, str text) except? -1:
        """Return the only character of a text; where there is none, or another than ASCII, nothing is plain."""
        if len(text) == 1 and text[0] < u"\x80":
            return <char> <int> text[0]
        self.plain = False
        return 0

    def runs(self, int row, int column, bint down, tuple tiles):
        cdef uint8_t codes[LONGEST]
        return self.words(row, column, down, codes, taken(tiles, codes))

    cdef list words(self, int row, int column, bint down, const uint8_t *tiles, int length):
        """List the words that a play makes; see `runs` of describing.pyi."""
        cdef int along = self.side if down else 1
        cdef int across = 1 if down else self.side
        cdef int square = row * self.side + column
        cdef int points = 0, factor = 1, i, code, value
        cdef uint8_t letters[LONGEST]
        cdef list found
        if row < 0 or column < 0 or length > self.side - (row if down else column):
            raise ValueError("the play does not fit on the board")
        found = [None]
        for i in range(length):
            code = tiles[i]
            if code:
                value = self.value(code) * self.letter_factors[square]
                factor *= self.word_factors[square]
                self.crossing(found, square, code, value, across)
            else:
                code = self.squares[square]
                value = self.value(code)
            points += value
            letters[i] = code & ~BLANK
            square += along
        found[0] = (row, column, down, (<char *> letters)[:length], points * factor)
        return found

    cdef inline int value(self, int code) except -1:
        """Return the points of a tile: none for a blank, whatever it stands for."""
        if code & ~BLANK >= len(self.values_kept):
            raise ValueError("a tile is not of this tile set")
        return 0 if code & BLANK else self.values[code]

    cdef int crossing(self, list found, int square, int code, int value, int step) except -1:
        """Add the word through a new tile along `step` (1 across, side down), unless it stands alone."""
        cdef int place = square % self.side if step == 1 else square // self.side
        cdef int before = 0, after = 0, start, i, tile, points = value
        cdef uint8_t letters[LONGEST]
        while before < place and self.squares[square - (before + 1) * step]:
            before += 1
        while place + after < self.side - 1 and self.squares[square + (after + 1) * step]:
            after += 1
        if not before and not after:
            return 0
        start = square - before * step
        for i in range(before + after + 1):
            tile = code if i == before else self.squares[start + i * step]
            letters[i] = tile & ~BLANK
            if i != before:
                points += self.value(tile)
        found.append((start // self.side, start % self.side, step != 1,
                      (<char*> letters)[:before + after + 1], points * self.word_factors[square]))
        return 0

    def report(self, int row, int column, bint down, tuple tiles, rank, contains):
        cdef uint8_t codes[LONGEST]
        return self.told(row, column, down, codes, taken(tiles, codes), rank, contains)

    def reports(self, const uint8_t[::1] rows not None, list entries not None, letters not None,
                const int32_t[::1] values, const int32_t[::1] bingos, list chances):
        cdef Py_ssize_t total = rows.shape[0] // <Py_ssize_t> sizeof(Play), index
        cdef const Play *play
        cdef MovePlace place
        cdef list found = []
        cdef dict report
        cdef int number
        for number, (rank, index) in enumerate(entries):
            if not 0 <= index < total:
                raise IndexError(f"there is no play {index} among {total}")
            play = &(<const Play *> &rows[0])[index]
            self.lay(play, letters, &place)
            one = self.told(place.row, place.column, place.down, place.tiles, play.length, rank, None)
            report = one.__dict__
            if chances is not None:
                report["win_pct"] = chances[number]
            if values is not None:
                if play.leave >= values.shape[0] or (bingos is not None and play.leave >= bingos.shape[0]):
                    raise ValueError("the leaves of the plays have other numbers")
                report["equity"] = play.equity / 1000.0
                report["leave_value"] = values[play.leave] / 1000.0
                if bingos is not None:
                    report["bingo_expectation"] = bingos[play.leave] / 1000.0
                    report["is_fish"] = bingos[play.leave] > 1000 * <int> report["score"]
            found.append(one)
        return found

    cdef int lay(self, const Play *play, object letters, MovePlace *place) except -1:
        """Write where a play begins and what it lays down; `letters`: the letter indices of a word by its id."""
        cdef int side = self.side, i, code, square, step
        cdef bytes word = b""
        cdef const uint8_t *spelled
        place.down = play.line >= side
        place.row = play.start if place.down else play.line
        place.column = play.line - side if place.down else play.start
        if place.column >= side or place.row >= side or play.start + play.length > side:
            raise ValueError("the play does not fit on the board")
        if not play.word & ONE_TILE:
            word = letters(play.word)
            if len(word) < play.length:
                raise ValueError("the play is longer than its word")
        spelled = word
        square = place.row * side + place.column
        step = side if place.down else 1
        for i in range(play.length):
            code = 0
            if not self.squares[square]:
                code = (<int> (play.word & ~ONE_TILE) if play.word & ONE_TILE else spelled[i]) + 1
                if i < 32 and play.blanks >> i & 1:
                    code |= BLANK
            place.tiles[i] = <uint8_t> code
            square += step
        return 0

    cdef object told(self, int row, int column, bint down, const uint8_t *tiles, int length, rank, contains):
        """Describe a play; its words are valid if `contains` says so, or all of them if it is None."""
        cdef list runs = self.words(row, column, down, tiles, length)
        cdef list placed = [], words = []
        cdef int side = self.side, square = row * side + column, step = side if down else 1
        cdef int used = 0, score = 0, bonus, points, code, i
        cdef bytearray left = bytearray(self.rack)
        cdef tuple run
        for i in range(length):
            code = tiles[i]
            if code:
                used += 1
                placed.append(made(PlacedTile, {
                    "at": self.across[square], "letter": self.spelled[code & ~BLANK], "blank": (code & BLANK) != 0,
                }))
                code = 0 if code & BLANK else code
                if code in left:  # a phony of a compared move may use tiles the rack lacks
                    left.remove(code)
            square += step
        for run in runs:
            points = run[4]
            score += points
            words.append(made(FormedWord, {
                "word": self.word(run[3]),
                "at": (self.down if run[2] else self.across)[<int> run[0] * side + <int> run[1]],
                "score": points,
                "valid": contains is None or contains(run[3]),
            }))
        bonus = self.bonus if used == self.bingo_tiles else 0
        at = (self.down if down else self.across)[row * side + column]
        return made(MoveReport, {
            "rank": rank, "move": at + " " + self.shown(tiles, length), "kind": "play", "at": at,
            "direction": "down" if down else "across", "word": words[0].word,
            "placed": tuple(placed), "tiles_used": used, "score": score + bonus, "words": tuple(words),
            "bonus": bonus, "leave": self.leave(left), "is_bingo": used == self.bingo_tiles,
            "leave_value": None, "equity": None, "bingo_expectation": None, "is_fish": None, "win_pct": None,
            "sim": None, "endgame": None, "preendgame": None,
        })

    cdef str shown(self, const uint8_t *tiles, int length):
        """Write what a play lays down, "." for a square that is taken."""
        cdef char text[LONGEST]
        cdef int i
        if not self.plain:
            return "".join([self.texts[tiles[i]] if tiles[i] else "." for i in range(length)])
        for i in range(length):
            text[i] = self.marks[tiles[i]]
        return text[:length].decode("ascii")

    cdef str word(self, bytes letters):
        cdef char text[LONGEST]
        cdef const uint8_t *codes = letters
        cdef Py_ssize_t i
        if not self.plain:
            return "".join([self.spelled[codes[i]] for i in range(len(letters))])
        for i in range(len(letters)):
            text[i] = self.letters[codes[i]]
        return text[:len(letters)].decode("ascii")

    cdef str leave(self, bytearray left):
        cdef uint8_t code
        cdef int blanks = left.count(0)  # they have the lowest code, but are written last
        return "".join([self.texts[code] for code in left if code]) + "?" * blanks


cdef int taken(tuple tiles, uint8_t *codes) except -1:
    """Copy the tiles of a play; return how many squares they go over."""
    cdef int i, length = <int> len(tiles)
    if length > LONGEST:
        raise ValueError("the play does not fit on the board")
    for i in range(length):
        codes[i] = tiles[i]
    return length
