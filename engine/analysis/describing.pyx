"""Describing plays: the words they make with their points, the tiles they lay down, what they leave.

It handles a few plays of an answer, as Python objects; nothing in it depends on the geometry of tables.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.object cimport PyObject, PyTypeObject
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.math cimport rint
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy, memset, strlen

from engine.movegen.play_reading cimport BLANK, LONGEST, Laid, lay
from engine.movegen.plays cimport Play

from engine.analysis.result import FormedWord, MoveReport, PlacedTile

cdef enum:
    ROOM = 16384  # bytes of the text of an answer's moves, as a rule


cdef struct Word:
    int row  # of the first letter
    int column
    bint down
    int length
    int score  # points, premiums included
    uint8_t letters[LONGEST]  # letter codes, 1 the first


cdef struct Text:
    char *start
    Py_ssize_t used  # bytes written
    Py_ssize_t room  # bytes there


cdef int begin(Text *text) except -1:
    text.used, text.room = 0, ROOM
    text.start = <char *> PyMem_Malloc(ROOM)
    if text.start == NULL:
        raise MemoryError
    return 0


cdef int put_bytes(Text *text, const char *what, Py_ssize_t length) except -1:
    cdef char *moved
    if text.used + length > text.room:
        moved = <char *> PyMem_Realloc(text.start, 2 * (text.used + length))
        if moved == NULL:
            raise MemoryError
        text.start, text.room = moved, 2 * (text.used + length)
    memcpy(text.start + text.used, what, length)
    text.used += length
    return 0


cdef inline int put(Text *text, const char *what) except -1:
    return put_bytes(text, what, strlen(what))


cdef inline int put_text(Text *text, str what) except -1:
    """Write a text that needs no escapes: letters and the names of squares."""
    cdef Py_ssize_t length
    cdef const char *encoded = PyUnicode_AsUTF8AndSize(what, &length)
    return put_bytes(text, encoded, length)


cdef int put_number(Text *text, long long number) except -1:
    cdef char digits[24]
    cdef int at = sizeof(digits)
    cdef bint negative = number < 0
    cdef unsigned long long left = -<unsigned long long> number if negative else number
    while True:
        at -= 1
        digits[at] = <char> (48 + left % 10)
        left //= 10
        if not left:
            break
    if negative:
        at -= 1
        digits[at] = c"-"
    return put_bytes(text, digits + at, sizeof(digits) - at)


cdef int put_decimal(Text *text, long long number, int places) except -1:
    """Write number / 10 ** places as the shortest text of that float: 38.0, 38.5, -0.25."""
    cdef char digits[8]
    cdef long long scale = 1, part
    cdef int i, length = places
    for _ in range(places):
        scale *= 10
    if number < 0:
        put(text, b"-")
        number = -number
    put_number(text, number // scale)
    part = number % scale
    digits[0] = c"."
    for i in range(places, 0, -1):
        digits[i] = <char> (48 + part % 10)
        part //= 10
    while length > 1 and digits[length] == c"0":
        length -= 1
    return put_bytes(text, digits, length + 1)


cdef tuple NOTHING = ()


cdef inline object made(type kind, dict fields):
    """Return an instance of a plain dataclass with all its fields, in their order, sooner than by its __init__."""
    one = (<PyTypeObject *> kind).tp_new(kind, <PyObject *> NOTHING, NULL)
    one.__dict__ = fields
    return one


cdef class Listing:
    """The plays to describe, with what they are worth; see describing.pyi."""

    cdef const uint8_t[::1] rows
    cdef list entries  # (rank, index)
    cdef object letters  # letter indices of a word by its id
    cdef const int32_t[::1] values  # of each leave, millipoints
    cdef const int32_t[::1] bingos
    cdef list chances  # win% of each entry

    def __init__(self, const uint8_t[::1] rows not None, list entries not None, letters not None,
                 const int32_t[::1] values, const int32_t[::1] bingos, list chances):
        self.rows, self.entries, self.letters = rows, entries, letters
        self.values, self.bingos, self.chances = values, bingos, chances
        if chances is not None and len(chances) != len(entries):
            raise ValueError("each play needs its chance")

    def __len__(self):
        return len(self.entries)

    cdef const Play *play(self, Py_ssize_t number) except NULL:
        cdef Py_ssize_t total = self.rows.shape[0] // <Py_ssize_t> sizeof(Play), index = self.entries[number][1]
        cdef const Play *play
        if not 0 <= index < total:
            raise IndexError(f"there is no play {index} among {total}")
        play = &(<const Play *> &self.rows[0])[index]
        if self.values is not None and play.leave >= self.values.shape[0]:
            raise ValueError("the leaves of the plays have other numbers")
        if self.bingos is not None and play.leave >= self.bingos.shape[0]:
            raise ValueError("the leaves of the plays have other numbers")
        return play


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

    def runs(self, int row, int column, bint down, tuple tiles):
        cdef uint8_t codes[LONGEST]
        cdef Word words[LONGEST + 1]
        cdef Word *word
        cdef list found = []
        cdef int i
        for i in range(self.words(row, column, down, codes, taken(tiles, codes), words)):
            word = &words[i]
            letters = (<char *> word.letters)[:word.length]
            found.append((word.row, word.column, word.down != 0, letters, word.score))
        return found

    cdef int words(self, int row, int column, bint down, const uint8_t *tiles, int length, Word *words) except -1:
        """Write the words that a play makes, the main word first; return how many there are."""
        cdef int along = self.side if down else 1
        cdef int across = 1 if down else self.side
        cdef int square = row * self.side + column
        cdef int points = 0, factor = 1, count = 1, i, code, value
        if row < 0 or column < 0 or length > self.side - (row if down else column):
            raise ValueError("the play does not fit on the board")
        for i in range(length):
            code = tiles[i]
            if code:
                value = self.value(code) * self.letter_factors[square]
                factor *= self.word_factors[square]
                count += self.crossing(&words[count], square, code, value, across)
            else:
                code = self.squares[square]
                value = self.value(code)
            points += value
            words[0].letters[i] = code & ~BLANK
            square += along
        words[0].row, words[0].column, words[0].down = row, column, down
        words[0].length, words[0].score = length, points * factor
        return count

    cdef inline int value(self, int code) except -1:
        """Return the points of a tile: none for a blank, whatever it stands for."""
        if code & ~BLANK >= len(self.values_kept):
            raise ValueError("a tile is not of this tile set")
        return 0 if code & BLANK else self.values[code]

    cdef int crossing(self, Word *word, int square, int code, int value, int step) except -1:
        """Write the word through a new tile along `step` (1 across, side down); 0 if the tile stands alone."""
        cdef int place = square % self.side if step == 1 else square // self.side
        cdef int before = 0, after = 0, start, i, tile, points = value
        while before < place and self.squares[square - (before + 1) * step]:
            before += 1
        while place + after < self.side - 1 and self.squares[square + (after + 1) * step]:
            after += 1
        if not before and not after:
            return 0
        start = square - before * step
        for i in range(before + after + 1):
            tile = code if i == before else self.squares[start + i * step]
            word.letters[i] = tile & ~BLANK
            if i != before:
                points += self.value(tile)
        word.row, word.column, word.down = start // self.side, start % self.side, step != 1
        word.length, word.score = before + after + 1, points * self.word_factors[square]
        return 1

    def report(self, int row, int column, bint down, tuple tiles, rank, contains):
        cdef uint8_t codes[LONGEST]
        return self.told(row, column, down, codes, taken(tiles, codes), rank, contains)

    def reports(self, Listing listing not None):
        cdef Py_ssize_t number, leave
        cdef const Play *play
        cdef Laid place
        cdef list found = []
        cdef dict report
        for number in range(len(listing.entries)):
            play = listing.play(number)
            lay(play, listing.letters, self.squares, self.side, &place)
            rank = listing.entries[number][0]
            one = self.told(place.row, place.column, place.down, place.tiles, play.length, rank, None)
            report = one.__dict__
            if listing.chances is not None:
                report["win_pct"] = listing.chances[number]
            if listing.values is not None:
                leave = play.leave
                report["equity"] = play.equity / 1000.0
                report["leave_value"] = listing.values[leave] / 1000.0
                if listing.bingos is not None:
                    report["bingo_expectation"] = listing.bingos[leave] / 1000.0
                    report["is_fish"] = listing.bingos[leave] > 1000 * <int> report["score"]
            found.append(one)
        return found

    def json(self, Listing listing not None):
        cdef Text text
        cdef Py_ssize_t number
        begin(&text)
        try:
            put(&text, b"[")
            for number in range(len(listing.entries)):
                if number:
                    put(&text, b",")
                self.write(&text, listing, number)
            put(&text, b"]")
            return PyBytes_FromStringAndSize(text.start, text.used)
        finally:
            PyMem_Free(text.start)

    cdef int write(self, Text *text, Listing listing, Py_ssize_t number) except -1:
        """Write a play as JSON: a MoveReport, field by field."""
        cdef const Play *play = listing.play(number)
        cdef Laid place
        cdef Word words[LONGEST + 1]
        cdef int count, i, code, score = 0, used = 0, bonus
        lay(play, listing.letters, self.squares, self.side, &place)
        count = self.words(place.row, place.column, place.down, place.tiles, play.length, words)
        for i in range(count):
            score += words[i].score
        for i in range(play.length):
            used += place.tiles[i] != 0
        bonus = self.bonus if used == self.bingo_tiles else 0
        put(text, b'{"rank":')
        put_number(text, listing.entries[number][0])
        put(text, b',"move":"')
        self.put_at(text, &words[0])
        put(text, b" ")
        for i in range(play.length):
            code = place.tiles[i]
            if code:
                put_text(text, self.texts[code])
            else:
                put(text, b".")
        put(text, b'","kind":"play","at":"')
        self.put_at(text, &words[0])
        put(text, b'","direction":"down","word":"' if place.down else b'","direction":"across","word":"')
        self.put_word(text, &words[0])
        put(text, b'","placed":[')
        self.put_placed(text, &place, play.length)
        put(text, b'],"tiles_used":')
        put_number(text, used)
        put(text, b',"score":')
        put_number(text, score + bonus)
        put(text, b',"words":[')
        for i in range(count):
            put(text, b',{"word":"' if i else b'{"word":"')
            self.put_word(text, &words[i])
            put(text, b'","at":"')
            self.put_at(text, &words[i])
            put(text, b'","score":')
            put_number(text, words[i].score)
            put(text, b',"valid":true}')
        put(text, b'],"bonus":')
        put_number(text, bonus)
        put(text, b',"leave":"')
        self.put_leave(text, &place, play.length)
        put(text, b'","is_bingo":true' if used == self.bingo_tiles else b'","is_bingo":false')
        self.put_worth(text, listing, number, score + bonus)
        put(text, b',"sim":null,"endgame":null,"preendgame":null}')
        return 0

    cdef int put_placed(self, Text *text, Laid *place, int length) except -1:
        cdef int square = place.row * self.side + place.column, step = self.side if place.down else 1
        cdef int i, code
        cdef bint later = False
        for i in range(length):
            code = place.tiles[i]
            if code:
                put(text, b',{"at":"' if later else b'{"at":"')
                put_text(text, self.across[square])
                put(text, b'","letter":"')
                put_text(text, self.spelled[code & ~BLANK])
                put(text, b'","blank":true}' if code & BLANK else b'","blank":false}')
                later = True
            square += step
        return 0

    cdef int put_at(self, Text *text, const Word *word) except -1:
        put_text(text, (self.down if word.down else self.across)[word.row * self.side + word.column])
        return 0

    cdef int put_word(self, Text *text, const Word *word) except -1:
        cdef int i
        for i in range(word.length):
            put_text(text, self.spelled[word.letters[i]])
        return 0

    cdef int put_leave(self, Text *text, const Laid *place, int length) except -1:
        """Write the tiles of the rack that are left, blanks last."""
        cdef int left[256]
        cdef int i, code
        cdef uint8_t tile
        memset(left, 0, sizeof(left))
        for tile in self.rack:
            left[tile] += 1
        for i in range(length):
            code = place.tiles[i]
            if code:
                left[0 if code & BLANK else code] -= 1
        for code in range(1, <int> len(self.spelled)):
            for _ in range(left[code]):
                put_text(text, self.texts[code])
        for _ in range(left[0]):
            put(text, b"?")
        return 0

    cdef int put_worth(self, Text *text, Listing listing, Py_ssize_t number, int score) except -1:
        cdef const Play *play = listing.play(number)
        if listing.values is None:
            put(text, b',"leave_value":null,"equity":null')
        else:
            put(text, b',"leave_value":')
            put_decimal(text, listing.values[play.leave], 3)
            put(text, b',"equity":')
            put_decimal(text, play.equity, 3)
        if listing.values is None or listing.bingos is None:
            put(text, b',"bingo_expectation":null,"is_fish":null')
        else:
            put(text, b',"bingo_expectation":')
            put_decimal(text, listing.bingos[play.leave], 3)
            put(text, b',"is_fish":true' if listing.bingos[play.leave] > 1000 * score else b',"is_fish":false')
        put(text, b',"win_pct":')
        if listing.chances is None:
            put(text, b"null")
        else:  # a whole number of hundredths
            put_decimal(text, <long long> rint(100 * <double> listing.chances[number]), 2)
        return 0

    cdef object told(self, int row, int column, bint down, const uint8_t *tiles, int length, rank, contains):
        """Describe a play; its words are valid if `contains` says so, or all of them if it is None."""
        cdef Word made_words[LONGEST + 1]
        cdef Word *word
        cdef list placed = [], words = []
        cdef int side = self.side, square = row * side + column, step = side if down else 1
        cdef int used = 0, score = 0, bonus, code, i
        cdef bytearray left = bytearray(self.rack)
        cdef int count = self.words(row, column, down, tiles, length, made_words)
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
        for i in range(count):
            word = &made_words[i]
            score += word.score
            words.append(made(FormedWord, {
                "word": self.letters_of(word),
                "at": (self.down if word.down else self.across)[word.row * side + word.column],
                "score": word.score,
                "valid": contains is None or contains((<char *> word.letters)[:word.length]),
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
        cdef int i
        return "".join([self.texts[tiles[i]] if tiles[i] else "." for i in range(length)])

    cdef str letters_of(self, const Word *word):
        cdef int i
        return "".join([self.spelled[word.letters[i]] for i in range(word.length)])

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
