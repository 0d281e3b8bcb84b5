"""Boards are read from rows, from CGP and from lists of tiles, and written back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.position import BLANK_FLAG, EMPTY, Board, format_coordinate, format_square
from engine.rules import tile_set
from tests.position.strategies import boards
from tests.rules.strategies import foreign_text, tile_sets

ENGLISH = tile_set("english").alphabet
SPANISH = tile_set("spanish").alphabet
EMPTY_ROWS = ["." * 15] * 15


def english(text: str) -> Board:
    return Board.from_text(text, ENGLISH, 15)


def test_what_a_board_holds() -> None:
    board = english("7AbR4C/" + "/".join(["15"] * 14))
    assert board[0, 7] == 1
    assert board[0, 8] == BLANK_FLAG | 2
    assert board[0, 14] == 3
    assert board[14, 0] == EMPTY
    assert board.tile_count == 4
    assert not board.is_empty
    counts = board.tile_counts(26)
    assert len(counts) == 27
    assert (counts[0], counts[1], counts[2], counts[3], counts[18]) == (1, 1, 0, 1, 1)
    assert sum(counts) == 4
    assert sorted(board.tiles()) == [0, 1, 3, 18]
    assert Board.empty(15).is_empty
    assert board == english("7AbR4C/" + "/".join(["15"] * 14))


def test_rows_and_cgp_say_the_same() -> None:
    rows = ["..[CH]a[ll]..........", *EMPTY_ROWS[1:]]
    board = Board.from_rows(rows, SPANISH, 15)
    assert board == Board.from_text("2[CH]a[ll]10/" + "/".join(["15"] * 14), SPANISH, 15)
    assert board.rows(SPANISH) == rows
    assert Board.from_rows([row.replace(".", " ") for row in rows], SPANISH, 15) == board


@given(tile_sets, st.data())
def test_round_trips(tiles, data) -> None:
    alphabet = tiles.alphabet
    board = data.draw(boards(alphabet.size))
    assert Board.from_text(board.text(alphabet), alphabet, board.side) == board
    assert Board.from_rows(board.rows(alphabet), alphabet, board.side) == board
    places = [(*divmod(place, board.side), code) for place, code in enumerate(board.squares) if code]
    items = [
        (
            format_coordinate(row, column, down=data.draw(st.booleans())),
            alphabet.word([code]) if data.draw(st.booleans()) else alphabet.text([code & 0x7F]),
            code >= BLANK_FLAG,
        )
        for row, column, code in data.draw(st.permutations(places))
    ]
    assert Board.from_tiles(items, alphabet, board.side) == board
    assert Board.empty(board.side).with_tiles(places) == board


def test_accents_typed_apart_are_joined() -> None:
    czech = tile_set("czech").alphabet
    rows = ["C\u030c" + "." * 14, *EMPTY_ROWS[1:]]
    board = Board.from_rows(rows, czech, 15)
    assert board[0, 0] == czech.code("Č")
    assert Board.from_text("C\u030c14/" + "/".join(["15"] * 14), czech, 15) == board
    assert Board.from_tiles([("1A", "C\u030c", False)], czech, 15) == board


def test_letters_of_tile_lists() -> None:
    board = Board.from_tiles([("8D", "q", False), ("E8", "[CH]", True), ("8F", "ch", False)], SPANISH, 15)
    assert board.rows(SPANISH)[7] == "...q[ch][ch]........."


@pytest.mark.parametrize(
    ("row", "code", "named"),
    [
        ("14", "bad_row_width", "row 1 of the board is 14 squares wide; it must be 15"),
        ("16", "bad_row_width", "row 1 of the board is 16 squares wide; it must be 15"),
        ("7A6", "bad_row_width", "row 1 of the board is 14 squares wide"),
        ("", "bad_row_width", "row 1 of the board is 0 squares wide"),
        ("999999999", "bad_empty_run", "row 1 of the board holds '999999999', which is not a run of 1 to 15"),
        ("9" * 150, "bad_empty_run", "not a run of 1 to 15 empty squares"),
        ("9" * 5000, "bad_row_width", "row 1 of the board is 5000 characters long"),
        ("27", "bad_empty_run", "holds '27'"),
        ("0A14", "bad_empty_run", "holds '0'"),
        ("015", "bad_empty_run", "holds '015'"),
        ("7A07", "bad_empty_run", "holds '07'"),
        ("٣A13", "unknown_tile", "'٣' at 1A is not a tile"),
        ("7.7", "unknown_tile", "'.' at 1H is not a tile"),
        ("7?7", "unknown_tile", "'?' at 1H is not a tile"),
        ("7Ñ7", "unknown_tile", "'Ñ' at 1H is not a tile"),
        ("[CH]14", "unknown_tile", "'[CH]' at 1A is not a tile"),
        ("7[7", "unknown_tile", "'[' at 1H is not a tile"),
        ("7\ud8007", "unknown_tile", r"'\ud800' at 1H is not a tile"),
        ("7\x007", "unknown_tile", r"'\x00' at 1H is not a tile"),
        ("A" * 20, "bad_row_width", "row 1 of the board is 20 squares wide"),
    ],
)
def test_faults_of_a_row_are_named(row: str, code: str, named: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        english("/".join([row] + ["15"] * 14))
    assert caught.value.code == code
    assert named in str(caught.value)
    assert caught.value.field.startswith("board/0")
    str(caught.value).encode()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "has 1 rows; it must have 15"),
        ("/".join(["15"] * 14), "has 14 rows; it must have 15"),
        ("/".join(["15"] * 16), "has 16 rows; it must have 15"),
        ("/" * 100_000, "has more than 26 rows; it must have 15"),
    ],
)
def test_the_number_of_rows(text: str, named: str) -> None:
    with pytest.raises(InvalidInput, match=named) as caught:
        english(text)
    assert caught.value.code == "bad_row_count"


def test_a_slash_in_a_row_is_no_row_end() -> None:
    with pytest.raises(InvalidInput, match="'/' at 1H is not a tile"):
        Board.from_rows(["......./.......", *EMPTY_ROWS[1:]], ENGLISH, 15)
    with pytest.raises(InvalidInput, match="row 1 of the board is 31 squares wide"):
        Board.from_rows(["." * 15 + "/" + "." * 15, *EMPTY_ROWS[2:], ""], ENGLISH, 15)
    with pytest.raises(InvalidInput, match="'5' at 1A"):
        Board.from_rows(["5" + "." * 10, *EMPTY_ROWS[1:]], ENGLISH, 15)


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        Board.from_rows(["1" + "." * 14, "." * 14, *EMPTY_ROWS[2:14], "." * 14 + "é"], ENGLISH, 15)
    assert [fault.field for fault in caught.value.faults] == ["board/0/0", "board/1", "board/14/14"]
    with pytest.raises(InvalidInput) as caught:
        Board.from_rows(["!" * 15] * 15, ENGLISH, 15)
    assert len(caught.value.faults) == 50


@pytest.mark.parametrize(
    ("items", "code", "field"),
    [
        ([("8P", "A", False)], "off_board", "board/0/at"),
        ([("", "A", False)], "bad_coordinate", "board/0/at"),
        ([("8D", "A", False), ("D8", "B", False)], "square_twice", "board/1/at"),
        ([("8D", "?", True)], "unknown_tile", "board/0/letter"),
        ([("8D", "", False)], "unknown_tile", "board/0/letter"),
        ([("8D", "AB", False)], "unknown_tile", "board/0/letter"),
        ([("8D", "\ud800", False)], "unknown_tile", "board/0/letter"),
        ([("8D", "A" * 100_000, False)], "unknown_tile", "board/0/letter"),
    ],
)
def test_faults_of_tile_lists_are_named(items, code: str, field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Board.from_tiles(items, ENGLISH, 15)
    assert (caught.value.code, caught.value.field) == (code, field)
    str(caught.value).encode()


def test_tiles_are_added_to_empty_squares_only() -> None:
    board = Board.empty(15).with_tiles([(7, 7, 1), (7, 8, 2)])
    with pytest.raises(InvalidInput, match="the square 8H is occupied"):
        board.with_tiles([(7, 7, 3)])
    for row, column in [(15, 0), (0, 15), (-1, 0), (0, -1)]:
        with pytest.raises(InvalidInput, match="off the board of 15 x 15"):
            board.with_tiles([(row, column, 3)])
    assert format_square(7, 7) == "8H"


@pytest.mark.parametrize(("side", "squares"), [(9, 81), (27, 729), (15, 224), (15, 226)])
def test_a_board_has_a_size(side: int, squares: int) -> None:
    with pytest.raises(InvalidInput, match="10 to 26 rows"):
        Board(side, bytes(squares))


@given(tile_sets, foreign_text)
def test_any_text_is_a_board_or_invalid_input(tiles, text) -> None:
    readers = [
        lambda: Board.from_text(text, tiles.alphabet, 15),
        lambda: Board.from_text("/".join([text] + ["15"] * 14), tiles.alphabet, 15),
        lambda: Board.from_rows([text] * 15, tiles.alphabet, 15),
        lambda: Board.from_rows([text, *EMPTY_ROWS[1:]], tiles.alphabet, 15),
        lambda: Board.from_tiles([(text, text, True), ("8D", text, False)], tiles.alphabet, 15),
    ]
    for reader in readers:
        try:
            reader()
        except InvalidInput as error:
            str(error).encode()
