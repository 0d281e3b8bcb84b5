"""The kernel that reads the fields of a CGP, held against the careful reader."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.position.board_text import tile_texts
from engine.records import format_cgp
from engine.records.cgp import MAX_PLAYERS, MIN_PLAYERS, Fields, _Game, _read_carefully
from engine.records.cgp_fields import read_fields, seated
from engine.rules import board_layout, default_rule_set, tile_set
from tests.position.strategies import positions

ENGLISH = _Game(tile_set("english"), board_layout("standard15"), default_rule_set("english"))
EMPTY = "/".join(["15"] * 15)
pieces = st.sampled_from(
    ["A", "a", "?", "/", "-", "+", "0", "7", "123456", "[A]", "[", "\u0663", "Я", ".", ""]
)


def read(fields: list[str], game: _Game) -> Fields | None:
    return read_fields(tile_texts(game.tile_set.alphabet), fields, game.layout.side, MIN_PLAYERS, MAX_PLAYERS)


def expected(fields: list[str], game: _Game) -> Fields | None:
    try:
        return _read_carefully(fields, game)
    except InvalidInput:
        return None


@settings(deadline=None)
@given(positions(), st.data())
def test_what_is_read_at_once_is_what_careful_reading_gives(position, data) -> None:
    game = _Game(position.tile_set, position.layout, position.rules)
    fields = format_cgp(position).split()[:4]
    assert expected(fields, game) == read(fields, game) is not None
    which = data.draw(st.integers(0, 3))
    text = fields[which]
    at, cut = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 3))
    fields[which] = text[:at] + "".join(data.draw(st.lists(pieces, max_size=3))) + text[at + cut :]
    found = read(fields, game)
    if found is not None or all(len(rack) <= 16 for rack in fields[1].split("/")):
        assert found == expected(fields, game)


@pytest.mark.parametrize(
    ("racks", "scores", "zero_turns", "found"),
    [
        ("BA?/", "-3/000012", "0", ([b"\0\1\2", b""], [-3, 12], 0)),
        ("/A/B/[C]", "1/2/3/-999999", "-0", ([b"", b"\1", b"\2", b"\3"], [1, 2, 3, -999_999], 0)),
        ("A", "1/2", "0", None),
        ("A/B", "1", "0", None),
        ("A/B", "1/2/3", "0", None),
        ("////", "1/2/3/4/5", "0", None),
        ("A/b", "1/2", "0", None),
        ("A/B", "1/", "0", None),
        ("A/B", "1/1234567", "0", None),
        ("A/B", "1/-", "0", None),
        ("A/B", "1/+2", "0", None),
        ("A/B", "1/2", "1_0", None),
        ("A/B", "1/2", "\u0663", None),
        ("A" * 17 + "/B", "1/2", "0", None),
    ],
)
def test_racks_and_numbers(racks: str, scores: str, zero_turns: str, found) -> None:
    read_now = read([EMPTY, racks, scores, zero_turns], ENGLISH)
    assert read_now == (None if found is None else (bytes(225), *found))


def test_too_few_fields_are_refused() -> None:
    texts = tile_texts(tile_set("english").alphabet)
    with pytest.raises(ValueError, match="at least four"):
        read_fields(texts, [], 15, 2, 4)
    with pytest.raises(ValueError, match="a score for each"):
        seated([b"", b""], [0], None, 0, 7, None)
