"""What is asked of every position, each at one go; see position_kernel.pyi."""

from cpython.long cimport PyLong_AsLongAndOverflow
from cpython.unicode cimport Py_UNICODE_ISSPACE
from libc.stdint cimport uint8_t

from engine.position.squares cimport SIDE_LIMIT, Counts, Island, count_tiles, reach

from engine.position.limits import MAX_PLAYERS, MAX_SCORE, MAX_TEXT, MAX_ZERO_TURNS, MIN_PLAYERS

cdef int FEWEST = MIN_PLAYERS
cdef int MOST = MAX_PLAYERS
cdef int SCORE = MAX_SCORE
cdef int ZERO_TURNS = MAX_ZERO_TURNS
cdef int LENGTH = MAX_TEXT


def is_sound(position):
    cdef tuple players = position.players
    cdef tuple full = position.tile_set.counts
    cdef bytes squares = position.board.squares
    cdef int side = position.board.side, size = <int> len(full) - 1, rack_size = position.rules.rack_size
    cdef int index, code, left, elsewhere = 0
    cdef Counts counts
    if position.layout.side != side or not 0 < side <= SIDE_LIMIT or len(squares) != side * side:
        return False
    if not FEWEST <= len(players) <= MOST or not within(position.zero_turns, 0, ZERO_TURNS):
        return False
    count_tiles(squares, side * side, &counts)
    if counts.highest > size or not hangs_together(squares, side, counts.total, position.layout.starts):
        return False
    left = position.tile_set.total - counts.total
    for index in range(<int> len(players)):
        if not is_player_sound(players[index], index, size, rack_size, &counts, &left, &elsewhere):
            return False
    if elsewhere > max(left, 0):
        return False
    for code in range(size + 1):
        if counts.of[code] > <int> full[code]:
            return False
    if not is_writable(position.lexicon_id):
        return False
    for name, value in position.operations:
        if not is_writable(f"{name} {value}"):
            return False
    return True


cpdef object held(object player):
    cdef object rack = player.rack, known = player.known_tiles
    return rack if rack is not None and (known is None or rack.tiles) else known


def bag_count(position):
    cdef tuple players = position.players
    cdef bytes squares = position.board.squares
    if not players:
        raise IndexError("a position without players has no bag")
    cdef object rack = players[0].rack, count
    cdef object left = position.tile_set.total - (len(squares) - squares.count(b"\0"))
    cdef Py_ssize_t index
    left = max(0, left if rack is None else left - len(rack.tiles))
    for index in range(1, len(players)):
        rack = players[index].rack
        count = players[index].tile_count
        if rack is not None:
            left -= len(rack.tiles)
        elif count is not None:
            left -= count
        else:
            left -= position.rules.rack_size
        left = max(0, left)
    return left


def canonical(position):
    cdef list lines = [
        f"kibitz position 1\nboard {position.board.squares.hex()}\n"
        f"layout {position.layout.identity}\ntile_set {position.tile_set.identity}\n"
        f"rules {position.rules.identity}\n"
        f"zero_turns {position.zero_turns}\nlexicon {position.lexicon_id!r}"
    ]
    for player in position.players:
        lines.append(
            f"player {player.score} [{rack_name(player.rack)}, {rack_name(player.known_tiles)}] "
            f"{player.tile_count!r} {player.last_move!r}"
        )
    for name, value in position.operations:
        lines.append(f"operation {name!r} {value!r}")
    return "\n".join(lines)


cdef str rack_name(object rack):
    return "None" if rack is None else repr(rack.tiles.hex())


cdef bint is_player_sound(
    object player, int index, int size, int rack_size, Counts *counts, int *left, int *elsewhere
) except -1:
    """Look at a player; add the tiles held to the counts, take the mover's rack from the tiles left, and add
    what another holds to those elsewhere."""
    cdef object rack = player.rack, known = player.known_tiles, count = player.tile_count
    cdef bytes whole = b"" if rack is None else rack.tiles
    cdef bytes part = b"" if known is None else known.tiles
    cdef object shown = held(player)
    cdef bytes tiles = b"" if shown is None else shown.tiles
    cdef int number = <int> len(tiles)
    cdef uint8_t code
    if len(whole) > rack_size or len(part) > rack_size or not within(player.score, -SCORE, SCORE):
        return False
    for code in tiles:
        if code > size:
            return False
        counts.of[code] += 1
    if rack is not None and known is not None and not is_part(part, whole):
        return False
    if count is not None and not within(count, number, number if rack is not None else rack_size):
        return False
    if index:
        elsewhere[0] += number if count is None else max(number, <int> count)
    else:
        left[0] -= <int> len(whole)
    return is_writable(player.last_move)


cdef bint within(object number, long least, long most) except -1:
    cdef int overflow = 0
    cdef long value = PyLong_AsLongAndOverflow(number, &overflow)
    return not overflow and least <= value <= most


cdef bint is_part(bytes part, bytes whole) except -1:
    """Tell whether ascending tiles are all among others."""
    cdef const uint8_t *codes = whole
    cdef Py_ssize_t place = 0, length = len(whole)
    cdef uint8_t code
    for code in part:
        while place < length and codes[place] < code:
            place += 1
        if place == length or codes[place] != code:
            return False
        place += 1
    return True


cdef bint hangs_together(bytes squares, int side, int total, tuple starts) except -1:
    """Tell whether there are no tiles, or more than one, all of which hang together with a covered start."""
    cdef const uint8_t *codes = squares
    cdef Island island
    cdef int row, column
    if not total:
        return True
    for row, column in starts:
        if codes[row * side + column]:
            return total > 1 and reach(codes, side, row * side + column, &island) == total
    return False


cdef bint is_writable(str text) except -1:
    """Tell whether a record can hold a text, or there is none: no ";", no control characters, no lone
    surrogates, not empty and not too long."""
    cdef Py_UCS4 char
    cdef bint blank = True
    if text is None:
        return True
    if len(text) > LENGTH:
        return False
    for char in text:
        if char < 0x20 or char == u";" or 0x7F <= char <= 0x9F or 0xD800 <= char <= 0xDFFF:
            return False
        if not Py_UNICODE_ISSPACE(char):
            blank = False
    return not blank
