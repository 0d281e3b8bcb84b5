"""The lists to study hold what they say, in their order, with true hooks, ranks and probabilities."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import pytest

from engine.errors import InvalidInput, NotFound
from engine.lexicon.build import build_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.queries.draw_probability import draw_probabilities
from engine.lexicon.queries.pattern import read_word
from engine.lexicon.queries.word_report import word_report
from engine.lexicon.word_study.bingo_stems import bingo_stems
from engine.lexicon.word_study.study_lists import STUDY_LISTS, StudyWord, study_list, study_words
from engine.rules import TileSet, tile_set
from tests.movegen.worlds import many_letters, random_words, word_list

AEON = ["AEON", "EUOI", "AERIE", "AUDIO", "EERIE", "MIAOU"]
TEXT = """
aa ab ad ae ai al qi qis qat qats talaq quit bra brad brads rad rads ads abs ax axe taxi cwm cwms
aeon aerie aerial eerie audio audios euoi miaou satin satins retinas retains nastier tisane seating
easting teasing panties patines sapient vainest nativest
"""


def lexicon_of(words: list[bytes], tiles: TileSet) -> Lexicon:
    return Lexicon(*build_lexicon(word_list(words), tiles, id="test"), "")


@pytest.fixture(scope="module")
def english() -> Lexicon:
    tiles = tile_set("english")
    return lexicon_of([tiles.alphabet.encode_word(word) for word in TEXT.split()], tiles)


def words_of(lexicon: Lexicon, name: str, *lengths: int) -> list[str]:
    return [found.word for found in study_words(study_list(name).select(lexicon, *lengths))]


@pytest.mark.parametrize("blanks", [0, 1, 3])
def test_the_probability_is_that_of_all_draws(blanks: int) -> None:
    tiles = TileSet.from_letters(
        [
            {"letter": "?", "count": blanks, "value": 0},
            {"letter": "A", "count": 4, "value": 1},
            {"letter": "B", "count": 2, "value": 3},
            {"letter": "C", "count": 0, "value": 3},
            {"letter": "D", "count": 1, "value": 9},
        ]
    )
    bag = [code for code, count in enumerate(tiles.counts) for _ in range(count)]
    for text in ("AB", "AAB", "ABBA", "CAB", "DDAB", "BBBB"):
        word = Counter(tiles.alphabet.encode_word(text))
        draws = [Counter(draw) for draw in combinations(bag, len(text))]
        forming = sum((word - draw).total() <= draw[0] for draw in draws)
        codes = np.frombuffer(tiles.alphabet.encode_word(text), np.uint8)[None]
        assert draw_probabilities(codes, tiles).tolist() == pytest.approx([forming / len(draws)], rel=1e-12)
    longer_than_the_bag = np.ones((1, tiles.total + 1), np.uint8)
    assert draw_probabilities(longer_than_the_bag, tiles).tolist() == [0]


@pytest.mark.parametrize("letters", [3, 33])
def test_words_are_described_as_in_their_reports(letters: int) -> None:
    tiles = many_letters(letters)
    words = sorted(random_words(Random(letters), (1, 2, letters), 120, 12))
    lexicon = lexicon_of(words, tiles)
    selections = study_list("words").select(lexicon)
    found = list(study_words(selections))
    assert len(found) == lexicon.word_count
    for word in found:
        codes = read_word(word.tiles, tiles.alphabet)
        report = word_report(lexicon, codes)
        assert word.word == report.word
        assert (word.length, word.score) == (report.length, report.score)
        assert (word.front_hooks, word.back_hooks) == (report.front_hooks, report.back_hooks)
        inner = report.inner_hooks
        assert (word.front, word.back) == ((inner.front, inner.back) if word.length > 2 else (False, False))
        assert word.alphagram == tiles.alphabet.text(sorted(codes))
    assert list(study_words(selections, 5, 40)) == found[5:40]
    by_length: dict[int, list[StudyWord]] = {}
    for word in found:
        by_length.setdefault(word.length, []).append(word)
    for same in by_length.values():
        assert [word.rank for word in same] == [
            1 + sum(other.probability > word.probability for other in same) for word in same
        ]
        assert same == sorted(same, key=lambda word: read_word(word.tiles, tiles.alphabet))


def test_each_list_holds_its_words(english: Lexicon) -> None:
    assert words_of(english, "twos") == ["AA", "AB", "AD", "AE", "AI", "AL", "AX", "QI"]
    assert words_of(english, "threes") == ["ABS", "ADS", "AXE", "BRA", "CWM", "QAT", "QIS", "RAD"]
    assert words_of(english, "hooks", 2, 3) == ["AB", "AD", "AX", "QI", "ADS", "BRA", "CWM", "QAT", "RAD"]
    assert words_of(english, "blocks", 2, 2) == ["AA", "AE", "AI", "AL"]
    assert words_of(english, "high", 2, 4) == ["AX", "QI", "AXE", "QAT", "QIS", "QATS", "QUIT", "TAXI"]
    assert words_of(english, "vowels") == ["AA", "AE", "AI", *AEON]
    assert words_of(english, "no-vowels") == ["CWM", "CWMS"]
    assert words_of(english, "q-without-u") == ["QI", "QAT", "QIS", "QATS", "TALAQ"]
    bingos = list(study_words(study_list("bingos").select(english)))
    assert [word.rank for word in bingos if word.length == 7] == [1, 1, 1, 4, 4, 4, 7, 7, 7, 7]
    assert [word.word for word in bingos][:3] == ["NASTIER", "RETAINS", "RETINAS"]
    assert words_of(english, "words", 9) == []
    assert words_of(english, "bingos", 6) == [
        *words_of(english, "bingos", 6, 6), *words_of(english, "bingos")
    ]  # fmt: skip
    assert words_of(english, "threes", 4) == words_of(english, "words", 4, 4)
    assert words_of(english, "bingos", 2, 2) == ["AE", "AI", "AD", "AL", "AA", "AB", "AX", "QI"]


def test_the_words_of_some_tiles_stay_together(english: Lexicon) -> None:
    (sevens,) = study_list("bingos").select(english, 7, 7)
    asked = [word.word for word in sevens.with_anagrams(4).study_words()]
    assert asked == ["NASTIER", "RETAINS", "RETINAS", "EASTING", "SEATING", "TEASING"]


def test_unknown_lists_and_impossible_lengths_are_refused(english: Lexicon) -> None:
    with pytest.raises(NotFound, match=r"there is no study list 'two'; .*twos"):
        study_list("two")
    with pytest.raises(InvalidInput, match="at least 5 and at most 4"):
        study_list("twos").select(english, 5, 4)
    catalan = tile_set("catalan")
    lexicon = lexicon_of([catalan.alphabet.encode_word("qui")], catalan)
    with pytest.raises(InvalidInput, match="catalan does not have the tiles Q and U"):
        study_list("q-without-u").select(lexicon)


def test_stems_are_ranked_by_their_useful_letters() -> None:
    tiles = many_letters(5)
    words = sorted(random_words(Random(5), (1, 2, 3, 4, 5), 400, 9))
    lexicon = lexicon_of(words, tiles)
    sevens = {word for word in words if len(word) == 7}
    useful: dict[bytes, dict[int, list[bytes]]] = {}
    for word in sorted(sevens):
        for letter in set(word):
            stem = bytearray(sorted(word))
            stem.remove(letter)
            useful.setdefault(bytes(stem), {}).setdefault(letter, []).append(word)
    found = bingo_stems(lexicon, 10**6)
    assert len(found) == len(useful) > 10
    spell = tiles.alphabet.word
    for stem in found:
        made = useful[tiles.alphabet.encode_word(stem.tiles)]
        assert stem.letter_count == len(made)
        assert stem.word_count == sum(map(len, made.values()))
        assert {one.letter: set(one.words) for one in stem.letters} == {
            spell([code]): set(map(spell, words)) for code, words in made.items()
        }
        assert stem.rank == 1 + sum(len(other) > len(made) for other in useful.values())
    order = [(-stem.letter_count, -stem.word_count, -stem.probability) for stem in found]
    assert order == sorted(order)
    assert bingo_stems(lexicon, 3) == found[:3]


def test_a_lexicon_of_short_words_has_no_stems(english: Lexicon) -> None:
    tiles = english.tile_set
    assert bingo_stems(lexicon_of([tiles.alphabet.encode_word("ab")], tiles), 5) == []
    stems = bingo_stems(english, 4)
    assert (stems[0].tiles, stems[0].letter_count, stems[0].word_count) == ("AEINST", 4, 10)


def test_every_list_has_an_id_of_its_own() -> None:
    assert len({one.id for one in STUDY_LISTS}) == len(STUDY_LISTS)
