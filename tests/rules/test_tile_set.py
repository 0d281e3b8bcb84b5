"""Tile sets hold the facts of their games, and refuse what no game could be."""

from __future__ import annotations

import pytest
from hypothesis import given

from engine.errors import InvalidInput, NotFound
from engine.rules import TileSet, tile_set, tile_set_ids
from tests.rules.strategies import foreign_text, letter_items

TOTALS = {
    "catalan": 100,
    "czech": 100,
    "danish": 100,
    "dutch": 102,
    "english": 100,
    "english_super": 200,
    "english_wwf": 104,
    "french": 102,
    "german": 102,
    "italian": 120,
    "norwegian": 100,
    "polish": 100,
    "portuguese": 120,
    "romanian": 100,
    "slovene": 100,
    "spanish": 100,
    "swedish": 100,
}

# The number of distinct racks of 7, 6, ... 1 tiles ([Heuri], appendix; the third French one corrected).
DISTINCT_RACKS = {
    "english": [3_199_724, 737_311, 148_150, 25_254, 3_509, 373, 27],
    "spanish": [4_167_929, 947_972, 186_939, 31_056, 4_170, 424, 29],
    "french": [2_954_029, 693_825, 141_878, 24_562, 3_457, 371, 27],
}


def test_all_tile_sets_are_there() -> None:
    assert tile_set_ids() == tuple(sorted(TOTALS))


@pytest.mark.parametrize(("name", "total"), TOTALS.items())
def test_totals(name: str, total: int) -> None:
    tiles = tile_set(name)
    assert tiles.id == name
    assert tiles.total == sum(tiles.counts) == total
    assert len(tiles.counts) == len(tiles.values) == len(tiles.is_vowel) == tiles.alphabet.size + 1
    assert tiles.counts[0] == {"english_super": 4, "portuguese": 3}.get(name, 2)
    assert tiles.values[0] == 0
    assert tiles is tile_set(name)


def test_english_tiles() -> None:
    english = tile_set("english")
    code = english.alphabet.code
    assert (english.counts[code("E")], english.values[code("E")], english.is_vowel[code("E")]) == (
        12,
        1,
        True,
    )
    assert (english.counts[code("Q")], english.values[code("Q")], english.is_vowel[code("Q")]) == (
        1,
        10,
        False,
    )


@pytest.mark.parametrize(("name", "racks"), DISTINCT_RACKS.items())
def test_the_bag_deals_the_printed_number_of_racks(name: str, racks: list[int]) -> None:
    ways = [1] + [0] * 7
    for count in tile_set(name).counts:
        ways = [sum(ways[max(0, held - count) : held + 1]) for held in range(8)]
    assert ways[:0:-1] == racks


def with_tiles(tiles: TileSet) -> list[str]:
    """Return the lines of the tiles that are in the bag."""
    return [line for line in tiles.canonical().splitlines() if line.split(",")[1] != "0"]


def test_the_data_files_are_the_facts_beside_the_project(shared_data) -> None:
    for path in sorted((shared_data / "tiles").glob("*.csv")):
        theirs = TileSet.from_csv(path.read_text(encoding="utf-8"), path.stem)
        assert with_tiles(theirs) == with_tiles(tile_set(path.stem))


def test_canonical_text_and_hash() -> None:
    english = tile_set("english")
    assert english.canonical().startswith("?,2,0,0\nA,9,1,1\nB,2,3,0\n")
    again = TileSet.from_csv("letter,count,value,is_vowel\n" + english.canonical(), "english")
    assert again == english
    assert hash(again) == hash(english)
    renamed = TileSet.from_csv("letter,count,value,is_vowel\n" + english.canonical(), "mine")
    assert renamed.sha256 == english.sha256
    assert renamed != english
    assert len({tile_set(name).sha256 for name in tile_set_ids()}) == len(tile_set_ids())


@pytest.mark.parametrize(
    "name", ["", "klingon", "English", "../english", "english.csv", "\ud800", "x" * 100_000]
)
def test_an_unknown_tile_set_is_not_found(name: str) -> None:
    with pytest.raises(NotFound, match="known: catalan, czech") as caught:
        tile_set(name)
    assert caught.value.code == "unknown_tile_set"
    str(caught.value).encode()


def test_letters_of_a_caller() -> None:
    tiles = TileSet.from_letters(
        [{"letter": "Á", "count": 3, "value": 2}, {"letter": "CH", "count": 1}, {"letter": "?", "count": 1}]
    )
    assert tiles.id == "custom"
    assert tiles.counts == (1, 3, 1)
    assert tiles.values == (0, 2, 0)
    assert tiles.is_vowel == (False, True, False)
    assert TileSet.from_letters([{"letter": "A", "count": 1, "is_vowel": False}]).is_vowel == (False, False)


@given(letter_items)
def test_any_good_letters_are_read_back(items) -> None:
    items = [*items, {"letter": "Z'", "count": 1, "value": 3}]
    tiles = TileSet.from_letters(items[-63:], "mine")
    assert TileSet.from_csv("letter,count,value,is_vowel\n" + tiles.canonical(), "mine") == tiles


A = {"letter": "A", "count": 1, "value": 1}


@pytest.mark.parametrize(
    ("items", "code", "named"),
    [
        ([], "no_letters", "1 to 63 letters"),
        ([{"letter": "?", "count": 2}], "no_letters", "1 to 63 letters"),
        ([A, A], "letter_twice", "A occurs twice"),
        ([A, {"letter": "?", "count": 1}, {"letter": "?", "count": 1}], "letter_twice", "'?' occurs twice"),
        ([{**A, "count": 64}], "bad_count", "count of A must be 0 to 63"),
        ([{**A, "count": -1}], "several_faults", "count of A must be 0 to 63"),
        ([{**A, "count": 10**5000}], "several_faults", "count of A must be 0 to 63"),
        ([{**A, "value": 100}], "bad_value", "value of A must be 0 to 99"),
        ([{**A, "value": -1}], "bad_value", "value of A must be 0 to 99"),
        ([A, {"letter": "?", "count": 1, "value": 1}], "bad_value", "value of the blank must be 0"),
        ([{**A, "count": 0}], "bad_total", "1 to 400 tiles, not 0"),
        ([{**A, "letter": first, "count": 63} for first in "ABCDEFG"], "bad_total", "not 441"),
        ([{**A, "count": 1.0}], "bad_tile_set", "count of the tile 'A' is not a whole number"),
        ([{**A, "count": True}], "bad_tile_set", "count of the tile 'A' is not a whole number"),
        ([{**A, "value": "1"}], "bad_tile_set", "value of the tile 'A' is not a whole number"),
        ([{"letter": "A"}], "bad_tile_set", "count of the tile 'A' is not a whole number"),
        ([{"count": 1}], "bad_letter", "tile 1 has no letter"),
        ([{**A, "letter": 7}], "bad_letter", "tile 1 has no letter"),
        ([{**A, "letter": "\ud800"}], "bad_letter", r"'\ud800' is not a letter"),
        ([{**A, "points": 1}], "bad_tile_set", "'points' is not a field"),
        ([{**A, "letter": "ABCD"}], "bad_letter", "'ABCD' has 4 characters"),
        ([A] * 100_000, "several_faults", ""),
    ],
)
def test_impossible_letters_are_refused(items, code: str, named: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        TileSet.from_letters(items)
    if len(items) < 1000:
        assert caught.value.code == code
        assert named in str(caught.value)
    str(caught.value).encode()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "letter;count;value\nA;1;1",
        "letter,count,value,is_vowel\nA,1",
        "letter,count,value,is_vowel\nA,1,1,1,1",
        "letter,count,value,is_vowel\nA,x,1,1",
        "letter,count,value,is_vowel\nA,-1,1,1",
        "letter,count,value,is_vowel\nA,٣,1,1",
        "letter,count,value,is_vowel\nA," + "9" * 5000 + ",1,1",
        'letter,count,value,is_vowel\n"A',
        "letter,count,value,is_vowel\n\x00,1,1,1",
    ],
)
def test_unreadable_files_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        TileSet.from_csv(text, "mine")


def test_a_bad_line_is_named() -> None:
    with pytest.raises(InvalidInput, match="line 3 of the tile set is unreadable: 'x' is not a number"):
        TileSet.from_csv("letter,count,value,is_vowel\nA,1,1,1\nB,x,1,0\n", "mine")


@given(foreign_text)
def test_any_text_is_a_tile_set_or_invalid_input(text) -> None:
    for csv in (text, "letter,count,value,is_vowel\n" + text, f"letter,count,value,is_vowel\n{text},1,1,1\n"):
        try:
            TileSet.from_csv(csv, "mine")
        except InvalidInput as error:
            str(error).encode()
