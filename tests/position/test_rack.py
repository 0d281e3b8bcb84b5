"""Racks are multisets of tiles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.position import BLANK_FLAG, Rack
from engine.rules import tile_set
from tests.position.strategies import racks
from tests.rules.strategies import foreign_text, tile_sets

ENGLISH = tile_set("english").alphabet
CATALAN = tile_set("catalan").alphabet


def test_a_rack_has_no_order() -> None:
    rack = Rack.from_text("?SEA?", ENGLISH)
    assert rack == Rack.from_text("A?E?S", ENGLISH)
    assert rack.tiles == bytes([0, 0, 1, 5, 19])
    assert rack.text(ENGLISH) == "AES??"
    assert len(rack) == 5
    counts = rack.counts(26)
    assert (len(counts), counts[0], counts[1], counts[2]) == (27, 2, 1, 0)
    assert Rack.from_text("", ENGLISH) == Rack()


def test_tiles_of_two_characters() -> None:
    assert Rack.from_text("[QU]A[L·L]", CATALAN).text(CATALAN) == "A[L·L][QU]"
    assert len(Rack.from_text("[QU]A[L·L]", CATALAN)) == 3


@given(tile_sets, st.data())
def test_round_trip(tiles, data) -> None:
    rack = data.draw(racks(tiles.alphabet.size, 20))
    text = rack.text(tiles.alphabet)
    assert Rack.from_text(text, tiles.alphabet) == rack
    assert text.rstrip("?").count("?") == 0


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("AB1", "in the rack, '1' is not a tile"),
        ("ABc", "in the rack, 'c' is not a tile; a blank is written '?'"),
        ("A B", "in the rack, ' ' is not a tile"),
        ("A.", "in the rack, '.' is not a tile"),
        ("\ud800", r"in the rack, '\ud800' is not a tile"),
        ("A" * 100_000, "is too long for a rack"),
    ],
)
def test_faults_are_named(text: str, named: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Rack.from_text(text, ENGLISH, "players/1/rack")
    assert named in str(caught.value)
    assert caught.value.field == "players/1/rack"
    str(caught.value).encode()


def test_codes_must_be_those_of_tiles() -> None:
    for code in (64, BLANK_FLAG | 1, 255):
        with pytest.raises(InvalidInput):
            Rack(bytes([1, code]))


@given(tile_sets, foreign_text)
def test_any_text_is_a_rack_or_invalid_input(tiles, text) -> None:
    try:
        Rack.from_text(text, tiles.alphabet)
    except InvalidInput as error:
        str(error).encode()
