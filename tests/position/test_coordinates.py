"""Coordinates name a square and a direction."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.position import format_coordinate, format_square, parse_coordinate
from tests.rules.strategies import foreign_text


def test_row_first_is_across() -> None:
    assert parse_coordinate("8D", 15) == (7, 3, False)
    assert parse_coordinate("D8", 15) == (7, 3, True)
    assert parse_coordinate("15o", 15) == (14, 14, False)
    assert parse_coordinate("z26", 26) == (25, 25, True)
    assert format_square(7, 3) == "8D"


@given(
    st.integers(10, 26).flatmap(lambda side: st.tuples(st.just(side), *[st.integers(0, side - 1)] * 2)),
    st.booleans(),
)
def test_round_trip(place, down) -> None:
    side, row, column = place
    assert parse_coordinate(format_coordinate(row, column, down), side) == (row, column, down)


@pytest.mark.parametrize(
    "text", ["", "8", "D", "08D", "0A", "A0", "8DD", "D8D", "８D", "٣A", "8Ä", "8D ", "8D\n", "-1A"]
)
def test_what_is_no_coordinate(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not a square") as caught:
        parse_coordinate(text, 15, "tiles/0/at")
    assert caught.value.code == "bad_coordinate"
    assert caught.value.field == "tiles/0/at"


@pytest.mark.parametrize("text", ["16A", "A16", "8P", "p8", "99Z"])
def test_off_the_board(text: str) -> None:
    with pytest.raises(InvalidInput, match=f"'{text}' is off the board of 15 x 15") as caught:
        parse_coordinate(text, 15)
    assert caught.value.code == "off_board"


@given(foreign_text)
def test_any_text_is_a_coordinate_or_invalid_input(text) -> None:
    try:
        row, column, _ = parse_coordinate(text, 15)
    except InvalidInput as error:
        str(error).encode()
    else:
        assert 0 <= row < 15
        assert 0 <= column < 15
