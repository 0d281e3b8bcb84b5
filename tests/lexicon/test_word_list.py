"""Word lists of every encoding and habit: what is read, what is refused, and by which line."""

from __future__ import annotations

import gzip
import hashlib
import lzma
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput, WordListError
from engine.lexicon.word_lists.word_list import UnplayableLine, WordList, read_word_list
from engine.rules import Alphabet, TileSet, tile_set

if TYPE_CHECKING:
    from pathlib import Path

TWO_LETTER_TILES = TileSet.from_letters(
    [{"letter": letter, "count": 1, "value": 1} for letter in ("A", "B", "C", "É", "AB", "BCA", "ÉÉ")]
).alphabet


def alphabet(tiles: str) -> Alphabet:
    return tile_set(tiles).alphabet


def read(data: bytes | str, tiles: str = "english", encoding: str | None = None) -> WordList:
    raw = data.encode() if isinstance(data, str) else data
    return read_word_list(raw, alphabet(tiles), encoding=encoding, max_length=15)


def spelled(word_list: WordList, tiles: str) -> list[str]:
    return [alphabet(tiles).word(word) for word in word_list.words]


def test_words_are_sorted_codes() -> None:
    words = read("zoo\nCAB\nAbba\n")
    assert words.words.tolist() == [b"\1\2\2\1", b"\3\1\2", b"\x1a\x0f\x0f"]
    assert words.sha256 == hashlib.sha256(b"zoo\nCAB\nAbba\n").hexdigest()
    assert words.report.encoding == "utf-8"
    assert words.report.dropped == 0


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_blank_lines_and_blanks(line_end: str, last: bool) -> None:
    text = line_end.join(["  cab", "", "zoo\t", "ab1"]) + (line_end if last else "")
    words = read(text)
    assert spelled(words, "english") == ["CAB", "ZOO"]
    assert words.report.lines == 4
    assert words.report.unplayable_lines == (UnplayableLine(4, "ab1", "no tile for '1'"),)


def test_definitions_after_the_first_blank_are_skipped() -> None:
    """In a list of plain words a line of two words is a phrase, of which no part is a word."""
    text = "AA rough lava [n AAS]\n\nab\tan abdominal muscle\nzoo\nQI  a life force\n"
    words = read(text)
    assert spelled(words, "english") == ["AA", "AB", "QI", "ZOO"]
    assert (words.report.definitions, words.report.dropped) == (True, 0)
    plain = read("cab\nzoo\nad hoc\n")
    assert (spelled(plain, "english"), plain.report.definitions) == (["CAB", "ZOO"], False)


CZECH = ["ŽLUŤOUČKÝ", "KŮŇ", "ÚPĚL", "ĎÁBELSKÉ", "ÓDY", "ŘEČ", "ŠEĎ", "ŤUKÁ"]
SPANISH = ["AÑO", "PERRO", "CALLE", "CHICO", "ÁRBOL", "PINGÜINO"]
FRENCH = ["ÉTÉ", "ŒUVRE", "ÇA", "NAÏF"]
POLISH = ["ŻÓŁĆ", "GĘŚLĄ", "JAŹŃ"]


@pytest.mark.parametrize(
    ("encoding", "tiles", "words", "reported"),
    [
        ("utf-8", "czech", CZECH, "utf-8"),
        ("utf-8-sig", "czech", CZECH, "utf-8-sig"),
        ("utf-16", "czech", CZECH, "utf-16"),
        ("utf-16-le", "czech", CZECH, "utf-16-le"),
        ("utf-16-be", "spanish", SPANISH, "utf-16-be"),
        ("utf-32", "czech", CZECH, "utf-32"),
        ("cp1250", "czech", CZECH, "cp1250"),
        ("iso-8859-2", "czech", CZECH, "iso-8859-2"),
        ("cp1250", "polish", POLISH, "cp1250"),
        ("iso-8859-2", "polish", POLISH, "iso-8859-2"),
        ("latin-1", "spanish", SPANISH, "cp1252"),  # which agrees with it on every letter
        ("cp1252", "french", FRENCH, "cp1252"),
        ("cp1252", "german", ["GRÖSSE", "STRAßE", "ÜBEL"], "cp1252"),
    ],
)
@pytest.mark.parametrize("lower", [False, True])
def test_encodings_are_detected_or_given(
    encoding: str, tiles: str, words: list[str], reported: str, lower: bool
) -> None:
    text = "\n".join(word.lower() if lower else word for word in words)
    expected = sorted(alphabet(tiles).encode_word(word) for word in words)
    detected = read(text.encode(encoding), tiles)
    assert detected.words.tolist() == expected
    assert detected.report.encoding == reported
    assert read(text.encode(encoding), tiles, encoding).words.tolist() == expected


def test_a_byte_order_mark_is_not_a_letter_even_if_the_encoding_is_given() -> None:
    assert spelled(read(b"\xef\xbb\xbfcab", encoding="UTF8"), "english") == ["CAB"]


def test_digraphs_are_one_tile_and_accents_fall() -> None:
    words = read("perro\ncalle\nchico\nárbol\nñandú\nacción", "spanish")
    lengths = {alphabet("spanish").word(word): len(word) for word in words.words}
    assert lengths == {"PERRO": 4, "CALLE": 4, "CHICO": 4, "ARBOL": 5, "ÑANDU": 5, "ACCION": 6}


def test_catalan_typings_of_one_tile_are_duplicates() -> None:
    words = read("paral·lel\nparal.lel\nparal-lel\nparaŀlel\nquè\nany", "catalan")
    assert spelled(words, "catalan") == ["ANY", "PARAL·LEL", "QUE"]
    assert [len(word) for word in words.words] == [2, 7, 2]
    assert words.report.duplicates == 3


def test_combining_accents_are_composed() -> None:
    assert read("an\u0303o", "spanish").words.tolist() == read("año", "spanish").words.tolist()


def test_case_and_accent_duplicates_are_counted() -> None:
    words = read("été\nETE\nÉté\nete\nbon", "french")
    assert (words.report.words, words.report.duplicates) == (2, 3)


def test_unplayable_lines_are_counted_by_reason_and_named() -> None:
    text = "walk\nkiwi\ncasa\nno way\nx\naño\nextraordinariamente\nrock'n'roll\n"
    report = read(text, "spanish").report
    assert report.unplayable == {"no tile for 'K'": 2, "no tile for 'W'": 1, "no tile for ' '": 1}
    assert (report.words, report.too_short, report.too_long) == (2, 1, 1)
    assert report.dropped == 6
    assert [(line.line, line.text) for line in report.unplayable_lines] == [
        (1, "walk"),
        (2, "kiwi"),
        (4, "no way"),
        (5, "x"),
        (7, "extraordinariamente"),
        (8, "rock'n'roll"),
    ]
    assert report.unplayable_lines[3].reason == "too short"
    assert report.unplayable_lines[4].reason == "longer than 15 tiles"


def test_half_of_a_two_letter_tile_is_named() -> None:
    report = read("quan\nqatar", "catalan").report
    assert report.unplayable == {"no tile for 'Q'": 1}


def test_the_report_counts_all_unplayable_lines_and_names_a_hundred() -> None:
    report = read("cab\n" + "a1\n" * 250).report
    assert report.unplayable == {"no tile for '1'": 250}
    assert len(report.unplayable_lines) == 100
    assert report.unplayable_lines[-1].line == 101


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_compressed_lists(compress: object, tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_bytes(compress(b"cab\nzoo\n"))  # type: ignore[operator]
    words = read_word_list(path, alphabet("english"), max_length=15)
    assert spelled(words, "english") == ["CAB", "ZOO"]
    assert words.sha256 == hashlib.sha256(b"cab\nzoo\n").hexdigest()
    path.write_bytes(compress(b"cab\nzoo\n")[:-9])  # type: ignore[operator]
    with pytest.raises(WordListError, match="data are damaged or incomplete"):
        read_word_list(path, alphabet("english"), max_length=15)


@pytest.mark.parametrize(
    ("data", "encoding", "message"),
    [
        (b"cab\nzo\xffo\n", "utf-8", "line 2 is not text in UTF-8: see byte 6 of the file"),
        ("žluť\nkůň\nřeka\n".encode() + b"\xffab\n", None, "line 4 is not text in UTF-8, though most"),
        (b"cab\nab\xe9\n", "ascii", "line 2 is not text in ASCII"),
        ("cab\nzoo".encode("utf-16-le")[:-1], "utf-16-le", "line 2 is not text in UTF-16-LE"),
        (b"cab\n\0\0\0zoo\n", "utf-8", "line 2 contains a zero byte"),
        (b"cab", "klingon", "there is no text encoding 'klingon'"),
        (b"cab", "rot13", "not text in ROT-13"),
        (b"cab", "hex", "not text in HEX"),
        (b"", None, "the word list is empty"),
        (b"\n\n  \n", None, "the word list is empty"),
        (b"12\nab7\n", None, "line 1, '12': no tile for '1'"),
        (bytes(range(256)), None, "zero byte"),
    ],
)
def test_bad_lists_are_refused_by_line(data: bytes, encoding: str | None, message: str) -> None:
    with pytest.raises(WordListError, match=message):
        read(data, encoding=encoding)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.txt", tmp_path):
        with pytest.raises(WordListError, match="cannot read the word list"):
            read_word_list(path, alphabet("english"), max_length=15)


def test_progress_goes_from_stage_to_stage() -> None:
    seen: list[tuple[str, float]] = []
    read_word_list(b"cab", alphabet("english"), max_length=15, progress=lambda *step: seen.append(step))
    assert [stage for stage, _ in seen] == ["decode", "spell", "sort", "sort"]
    assert seen[-1][1] == 1.0


WORLDS = {
    **{tiles: alphabet(tiles) for tiles in ("english", "spanish", "catalan", "czech", "german", "polish")},
    "odd": TWO_LETTER_TILES,
}
LETTERS = "abcqlnyuhrABCLQLNYUHRñçéěůßœæáÉŁøĿŀ·.-' 1\u0301\u030c\u200b\ufeffıİǰﬁ😀"


@given(
    world=st.sampled_from(sorted(WORLDS)),
    lines=st.lists(
        st.text(LETTERS, max_size=12) | st.text(st.characters(codec="utf-8"), max_size=12),
        min_size=1,
        max_size=8,
    ),
)
def test_the_fast_path_spells_as_encode_word_does(world: str, lines: list[str]) -> None:
    """`encode_word` is the rule; the reader's whole-text passes must never differ from it."""
    tiles = WORLDS[world]
    # The first line is plain, for a byte-order mark there would be no part of the text; and most lines are
    # without a blank, since the list would else carry definitions.
    lines = [*len(lines) * ["aa"], *(line for line in lines if not any(mark in line for mark in "\n\r\0"))]
    expected: set[bytes] = set()
    refused: set[int] = set()
    for number, line in enumerate(lines, 1):
        try:
            word = tiles.encode_word(line.strip())
        except InvalidInput:
            refused.add(number)
            continue
        if 2 <= len(word) <= 15:
            expected.add(word)
        elif word:
            refused.add(number)
    text = "\n".join(lines).encode()
    words = read_word_list(text, tiles, encoding="utf-8", max_length=15)
    assert words.words.tolist() == sorted(expected)
    assert {line.line for line in words.report.unplayable_lines} == refused


@pytest.mark.parametrize(
    ("list_file", "tiles", "count"),
    [
        ("twl06", "english", 178_691),
        ("nwl23", "english", 196_601),
        ("file2017", "spanish", 639_293),
        ("scowl80", "english", 247_763),
    ],
    indirect=["list_file"],
)
@pytest.mark.long
def test_every_word_of_a_complete_list_is_playable(list_file: Path, tiles: str, count: int) -> None:
    words = read_word_list(list_file, alphabet(tiles), max_length=15)
    assert (len(words.words), words.report.dropped, words.report.duplicates) == (count, 0, 0)
