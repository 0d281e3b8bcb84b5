"""The four fields of a CGP, written, and read at one go where nothing is wrong; see cgp_fields.pyi."""

from cpython.unicode cimport PyUnicode_GET_LENGTH, PyUnicode_READ_CHAR

from engine.position.filling cimport fill
from engine.position.position_kernel cimport held
from engine.position.tile_texts cimport TileTexts

from engine.position import Player, Rack

cdef enum:
    DIGITS = 6  # of a number at most


def read_fields(TileTexts texts not None, list fields not None, int side, int fewest, int most):
    cdef str text
    cdef bytes tiles
    if len(fields) < 4:
        raise ValueError("a CGP has at least four fields")
    cdef bytes squares = texts.read_board(<str?> fields[0], side)
    cdef list racks = [], scores = []
    cdef object zero_turns = read_number(<str?> fields[3])
    if squares is None or zero_turns is None:
        return None
    for text in (<str?> fields[1]).split("/", most):
        tiles = texts.read_rack(text)
        if tiles is None:
            return None
        racks.append(tiles)
    for text in (<str?> fields[2]).split("/", most):
        scores.append(read_number(text))
    if not fewest <= len(racks) <= most or len(scores) != len(racks) or None in scores:
        return None
    return squares, racks, scores, zero_turns


def seated(list racks not None, list scores not None, str last_move, int unseen, int rack_size, alphabet):
    cdef int index, elsewhere = 0
    cdef bytes tiles
    cdef bint all_seen
    cdef list players = []
    if len(scores) != len(racks):
        raise ValueError("a score for each rack")
    for index in range(1, <int> len(racks)):
        elsewhere += <int> len(<bytes?> racks[index])
    all_seen = elsewhere == unseen
    for index in range(<int> len(racks)):
        tiles, whole, known = racks[index], None, None
        if not index or all_seen or len(tiles) >= rack_size:
            whole = fill(Rack, (tiles, alphabet))
        elif tiles:
            known = fill(Rack, (tiles, alphabet))
        players.append(fill(Player, (scores[index], whole, known, None, last_move if index == 1 else None)))
    return tuple(players)


def write_fields(TileTexts texts not None, position):
    cdef object board = position.board, player, rack
    cdef list racks = [], scores = []
    for player in position.players:
        rack = held(player)
        racks.append("" if rack is None else texts.write_rack(rack.tiles))
        scores.append(str(player.score))
    return (
        f"{texts.write_board(board.squares, board.side)} {'/'.join(racks)} {'/'.join(scores)} "
        f"{position.zero_turns}"
    )


cdef object read_number(str text):
    """Return a whole number, None if a text is none or too long."""
    cdef Py_ssize_t at, length = PyUnicode_GET_LENGTH(text)
    cdef Py_ssize_t first = 1 if length and PyUnicode_READ_CHAR(text, 0) == u"-" else 0
    cdef int number = 0
    cdef Py_UCS4 char
    if not 0 < length - first <= DIGITS:
        return None
    for at in range(first, length):
        char = PyUnicode_READ_CHAR(text, at)
        if not u"0" <= char <= u"9":
            return None
        number = 10 * number + <int> char - 48
    return -number if first else number
