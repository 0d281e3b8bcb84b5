"""Texts without brackets are read as tiles in every way there is, in a fixed order and within a bound."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.rules import tile_set
from engine.rules.alphabet import NOTATION_TOKEN, Alphabet
from engine.rules.readings import MAX_READINGS, readings, unreadable
from tests.rules.strategies import tile_sets

if TYPE_CHECKING:
    from collections.abc import Mapping

SPANISH = tile_set("spanish").alphabet
CATALAN = tile_set("catalan").alphabet


def read(text: str, alphabet: Alphabet, *, longest: bool) -> list[str]:
    """Return the readings of a text as texts in which every tile stands apart."""
    tokens = NOTATION_TOKEN.findall(text)
    return [
        " ".join(alphabet.text([code]).strip("[]") for code in codes)
        for codes in readings(tokens, alphabet.spellings, longest=longest)
    ]


@pytest.mark.parametrize(
    ("text", "alphabet", "longest_first"),
    [
        ("CHICO", SPANISH, ["CH I C O", "C H I C O"]),
        ("[CH]ICO", SPANISH, ["CH I C O"]),
        ("[C]HICO", SPANISH, ["C H I C O"]),
        ("C[H]ICO", SPANISH, ["C H I C O"]),
        ("chICO", SPANISH, ["ch I C O", "c h I C O"]),
        ("cHICO", SPANISH, ["c H I C O"]),
        ("CARRO", SPANISH, ["C A RR O", "C A R R O"]),
        ("LLL", SPANISH, ["LL L", "L LL", "L L L"]),
        ("ANYS", CATALAN, ["A NY S"]),
        ("QUI", CATALAN, ["QU I"]),
        ("COL·LEGI", CATALAN, ["C O L·L E G I"]),
        ("COL-LEGI", CATALAN, ["C O L·L E G I"]),
        ("COĿLEGI", CATALAN, ["C O L·L E G I"]),
        ("coŀlegi", CATALAN, ["c o l·l e g i"]),
        ("CO[L.L]EGI", CATALAN, ["C O L·L E G I"]),
        ("CO[l\u2022l]EGI", CATALAN, ["C O l·l E G I"]),
        ("", SPANISH, [""]),
        ("Y", CATALAN, []),
        ("A·A", CATALAN, []),
    ],
)
def test_readings(text: str, alphabet: Alphabet, longest_first: list[str]) -> None:
    assert read(text, alphabet, longest=True) == longest_first
    single_first = read(text, alphabet, longest=False)
    assert sorted(single_first) == sorted(longest_first)
    assert [len(one.split()) for one in single_first] == sorted(
        (len(one.split()) for one in single_first), reverse=True
    )


def test_a_dot_is_a_tile_of_the_board_before_it_is_part_of_a_tile() -> None:
    table: Mapping[str, int] = {**CATALAN.spellings, ".": 999}
    found = list(readings(list("AL.LA"), table, longest=True))
    code = CATALAN.spellings
    assert found == [
        (code["A"], code["L"], 999, code["L"], code["A"]),
        (code["A"], code["[L·L]"], code["A"]),
    ]


@pytest.mark.parametrize(
    ("text", "token"),
    [("CH1CO", "1"), ("[XX]A", "[XX]"), ("ANYY", "Y"), ("AY", "Y"), ("L·", "·"), ("AQ", "Q")],
)
def test_what_is_no_tile_is_named(text: str, token: str) -> None:
    tokens = NOTATION_TOKEN.findall(text)
    assert not list(readings(tokens, CATALAN.spellings, longest=True))
    assert unreadable(tokens, CATALAN.spellings) == token
    with pytest.raises(InvalidInput) as caught:
        CATALAN.tokenize(text)
    assert caught.value.params == {"text": token}


def test_the_number_of_readings_is_bounded() -> None:
    tokens = list("L" * 400)
    found = list(readings(tokens, SPANISH.spellings, longest=True))
    assert len(found) == MAX_READINGS == len(set(found))


@given(tile_sets, st.data())
def test_every_reading_spells_the_text_and_the_first_is_that_of_word_lists(tiles, data) -> None:
    alphabet = tiles.alphabet
    codes = data.draw(st.lists(st.integers(1, alphabet.size), min_size=1, max_size=8))
    word = alphabet.word(codes)
    found = list(readings(list(word), alphabet.spellings, longest=True))
    assert all(alphabet.word(one) == word for one in found)
    assert len(set(found)) == len(found)
    if len(found) < MAX_READINGS:
        assert tuple(codes) in found
    assert found[0] == tuple(alphabet.encode_word(word))


@given(st.text("CHLRNYQU·.-[]ao ", max_size=30))
def test_any_text_has_readings_or_a_fault(text: str) -> None:
    tokens = NOTATION_TOKEN.findall(text)
    for alphabet in (SPANISH, CATALAN):
        found = list(islice(readings(tokens, alphabet.spellings, longest=False), 3))
        if found:
            assert alphabet.tokenize(text) == list(found[0])
        else:
            assert unreadable(tokens, alphabet.spellings) in tokens
