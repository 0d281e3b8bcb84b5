"""Searching words finds what a slow look at every word finds, in order, page by page."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.lexicon.build import build_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.queries import pattern as patterns
from engine.lexicon.queries.pattern import Pattern, read_word
from engine.lexicon.queries.search import search_words
from engine.lexicon.queries.word_query import WordQuery
from engine.lexicon.queries.word_report import word_report
from engine.position import Rack
from engine.rules import TileSet, tile_set
from tests.movegen.worlds import many_letters, random_words, word_list

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue


def lexicon_of(words: list[bytes], tiles: TileSet, *, wide: bool = False) -> Lexicon:
    return Lexicon(*build_lexicon(word_list(words), tiles, id="test", wide=wide), "")


def fits(pattern: str, word: str) -> bool:
    """Say whether a word of one-letter tiles fits, by the definition, a letter at a time."""

    @cache
    def rest_fits(at: int, letter: int) -> bool:
        if at == len(pattern):
            return letter == len(word)
        if pattern[at] == "*":
            return any(rest_fits(at + 1, later) for later in range(letter, len(word) + 1))
        return letter < len(word) and pattern[at] in ("?", word[letter]) and rest_fits(at + 1, letter + 1)

    return rest_fits(0, 0)


def is_made(word: bytes, tiles: Rack, use: str) -> bool:
    held = Counter(tiles.tiles)
    blanks = held.pop(0, 0)
    return (Counter(word) - held).total() <= blanks and (use == "some" or len(word) == len(tiles))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    letters=st.sampled_from((1, 2, 5, 26, 32, 39, 63)),
    count=st.integers(1, 80),
    wide=st.booleans(),
)
def test_a_search_finds_what_the_definition_says(seed: int, letters: int, count: int, wide: bool) -> None:
    random = Random(seed)
    tiles = many_letters(letters)
    alphabet = tiles.alphabet
    used = tuple(sorted({1, letters, *(random.randint(1, letters) for _ in range(2))}))
    words = sorted(random_words(random, used, count, 16) or {bytes((1, 1))})
    lexicon = lexicon_of(words, tiles, wide=wide)
    for _ in range(25):
        word = alphabet.word(random.choice(words))
        pattern = None
        if random.random() < 0.8:
            pattern = "".join(random.choice((letter, letter, "?", "*", "*?", "")) for letter in word)
            pattern = pattern + random.choice(("", "*", "**")) or "*"
        rack = None
        if random.random() < 0.5:
            rack = Rack(bytes(random.choices((0, *used), k=random.randint(1, 12))))
        use = random.choice(("all", "some"))
        low = random.randint(2, 6)
        high = random.randint(low, 16)
        read = None if pattern is None else Pattern.from_text(pattern, alphabet)
        query = WordQuery(read, rack, use, low, high)
        expected = [
            one
            for one in sorted(words, key=lambda one: (len(one), one))
            if low <= len(one) <= high
            and (pattern is None or fits(pattern, alphabet.word(one)))
            and (rack is None or is_made(one, rack, use))
        ]
        page = search_words(lexicon, query, 1_000)
        assert [found.word for found in page.words] == list(map(alphabet.word, expected)), (pattern, rack)
        assert (page.total, page.cursor) == (len(expected), None)
        for found in page.words:
            laid = alphabet.tokenize(found.tiles)
            assert found.score == sum(0 if code & 0x80 else tiles.values[code] for code in laid)
            used = Counter(0 if code & 0x80 else code for code in laid)
            assert used <= Counter(alphabet.tokenize(found.word) if rack is None else rack.tiles)


@settings(max_examples=60, deadline=None)
@given(text=st.text("AB?*[]", max_size=12))
def test_a_pattern_means_the_same_written_anew(text: str) -> None:
    alphabet = many_letters(5).alphabet
    if re.sub(r"\[[AB]+\]", "", text).translate({ord(char): None for char in "AB?*"}):
        with pytest.raises(InvalidInput) as raised:
            Pattern.from_text(text, alphabet)
        assert raised.value.field == "pattern"
        return
    pattern = Pattern.from_text(text, alphabet)
    assert Pattern.from_text(pattern.text(alphabet), alphabet) == pattern
    assert not any(run and not any(run) for run in pattern.runs[1:-1])


class TestPages:
    WORDS = tuple(bytes((a, b, c)) for a in range(1, 6) for b in range(1, 6) for c in range(1, 6))

    def test_pages_of_every_size_contain_all_words(self) -> None:
        lexicon = lexicon_of([*self.WORDS, bytes((1, 2)), bytes((1, 1, 1, 1))], many_letters(5))
        query = WordQuery.from_text(lexicon.tile_set.alphabet, pattern="A*")
        whole = search_words(lexicon, query, 1_000)
        assert whole.total == len(whole.words) == 27
        for limit in (1, 2, 7, 26, 27, 28):
            found, cursor, pages = [], None, 0
            while pages == 0 or cursor is not None:
                page = search_words(lexicon, query, limit, cursor)
                found += page.words
                cursor, pages = page.cursor, pages + 1
                assert page.total == 27
                assert len(page.words) <= limit
            assert tuple(found) == whole.words
            assert pages == -(-27 // limit)

    def test_a_cursor_serves_only_the_search_that_gave_it(self) -> None:
        lexicon = lexicon_of(list(self.WORDS), many_letters(5))
        other = lexicon_of(list(self.WORDS[1:]), many_letters(5))
        alphabet = lexicon.tile_set.alphabet
        query = WordQuery.from_text(alphabet, pattern="A*")
        cursor = search_words(lexicon, query, 3).cursor
        assert cursor is not None
        same = WordQuery.from_text(alphabet, pattern="a**")
        assert search_words(lexicon, same, 3, cursor).words[0].word == "AAD"
        refused = [
            (other, query, cursor),
            (lexicon, WordQuery.from_text(alphabet, pattern="B*"), cursor),
            (lexicon, WordQuery.from_text(alphabet, pattern="A*", max_length=9), cursor),
            *((lexicon, query, text) for text in ("", "x", "é", cursor[:-1], cursor + "AAAA", "A" * 16)),
        ]
        for where, what, text in refused:
            with pytest.raises(InvalidInput) as raised:
                search_words(where, what, 3, text)
            assert (raised.value.code, raised.value.field) == ("bad_cursor", "cursor")


class TestWords:
    @pytest.fixture
    def spanish(self) -> Lexicon:
        tiles = tile_set("spanish")
        listed = ["chico", "chicos", "hico", "lloro", "loro", "oro", "perro", "coche", "ochos", "chocho"]
        return lexicon_of([tiles.alphabet.encode_word(word) for word in listed], tiles)

    def test_tiles_of_two_letters_are_one_tile(self, spanish: Lexicon) -> None:
        alphabet = spanish.tile_set.alphabet

        def found(**query: str) -> list[str]:
            return [
                one.tiles for one in search_words(spanish, WordQuery.from_text(alphabet, **query), 99).words
            ]

        assert found(pattern="?ico") == ["[CH]ICO", "HICO"]
        assert found(pattern="ch*") == found(pattern="[ch]*") == ["[CH]ICO", "[CH]O[CH]O", "[CH]ICOS"]
        assert found(pattern="[C][H]*") == found(pattern="*c?o") == []
        assert found(pattern="*O") == ["ORO", "[CH]ICO", "[CH]O[CH]O", "HICO", "LORO", "[LL]ORO", "PE[RR]O"]
        assert found(tiles="?ico") == ["[ch]ICO", "hICO"]
        assert found(tiles="[ll]oro") == ["[LL]ORO"]
        assert found(tiles="lloro") == []

    def test_a_report_knows_hooks_and_anagrams(self, spanish: Lexicon) -> None:
        alphabet = spanish.tile_set.alphabet
        report = word_report(spanish, read_word("Oro", alphabet))
        assert (report.word, report.valid, report.length, report.score) == ("ORO", True, 3, 3)
        assert (report.front_hooks, report.back_hooks) == (("L", "LL"), ())
        inner = word_report(spanish, read_word("[ch]icos", alphabet))
        assert (inner.tiles, inner.inner_hooks.front, inner.inner_hooks.back) == ("[CH]ICOS", False, True)
        assert word_report(spanish, read_word("loro", alphabet)).inner_hooks.front
        assert not word_report(spanish, read_word("[C][H]ICO", alphabet)).valid
        phony = word_report(spanish, read_word("choc", alphabet))
        assert (phony.valid, phony.back_hooks, phony.anagrams) == (False, (), ())
        assert word_report(spanish, read_word("ocho", alphabet)).back_hooks == ("S",)
        assert word_report(spanish, read_word("orol", alphabet)).anagrams == ("LORO",)

    def test_what_is_no_word_is_refused_by_name(self, spanish: Lexicon) -> None:
        alphabet = spanish.tile_set.alphabet
        for text in ("W", "A?", "*", "[CH", "CH]", "[W]", "[]", "1", "a b", "\ud800", "[?]", "\0"):
            with pytest.raises(InvalidInput) as raised:
                read_word(text, alphabet)
            assert (raised.value.code, raised.value.field) == ("unknown_letter", "word")
        with pytest.raises(InvalidInput, match="longer than"):
            read_word("A" * 129, alphabet)

    def test_queries_that_make_no_sense(self) -> None:
        with pytest.raises(InvalidInput, match="at least 5 and at most 4"):
            WordQuery(min_length=5, max_length=4)
        with pytest.raises(InvalidInput, match="known: all, some"):
            WordQuery(use="none")


def test_every_word_of_the_bundled_list_says_of_itself_what_is_known(bundled: Catalogue) -> None:
    """Known facts of English, and the hooks of a sample against the list itself."""
    lexicon = bundled.open("scowl80")
    alphabet = lexicon.tile_set.alphabet
    query = WordQuery.from_text(alphabet, tiles="AEINRST")
    assert {"NASTIER", "RETAINS", "STAINER"} & {one.word for one in search_words(lexicon, query, 99).words}
    listed = set(map(alphabet.word, lexicon.words()))
    for word in Random(3).sample(sorted(listed), 150):
        report = word_report(lexicon, alphabet.encode_word(word))
        assert report.valid
        assert report.front_hooks == tuple(one for one in alphabet.letters if one + word in listed)
        assert report.back_hooks == tuple(one for one in alphabet.letters if word + one in listed)
        assert report.inner_hooks.front == (word[1:] in listed)
        assert report.inner_hooks.back == (word[:-1] in listed)
    by_letters = Counter("".join(sorted(word)) for word in listed)
    for word in ("RETAINS", "CARE", "STOP", "QUIZ"):
        anagrams = word_report(lexicon, alphabet.encode_word(word)).anagrams
        assert len(anagrams) == by_letters["".join(sorted(word))] - 1
        assert all(sorted(one) == sorted(word) for one in anagrams)


def test_no_pattern_compares_more_columns_than_a_word_has_squared(
    bundled: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work of hostile patterns is bounded: letters looked at, not time."""
    lexicon = bundled.open("scowl80")
    alphabet = lexicon.tile_set.alphabet
    looked: list[int] = []
    stands_at = patterns._stands_at

    def counted(columns, run, start):  # type: ignore[no-untyped-def]
        looked.append(columns.shape[1] * sum(1 for code in run if code))
        return stands_at(columns, run, start)

    monkeypatch.setattr(patterns, "_stands_at", counted)
    hostile = ["*e" * 7 + "*", "*?*" * 20, "*e?" * 5 + "*", "*s*" * 4, "*ee" * 4 + "*", "e*" * 15, "*" * 128]
    for text in hostile:
        looked.clear()
        query = WordQuery.from_text(alphabet, pattern=text)
        search_words(lexicon, query, 10)
        longest = lexicon.max_length
        bound = lexicon.word_count * longest * longest / 4
        assert sum(looked) <= bound


def test_blanks_around_a_word_are_ignored() -> None:
    alphabet = tile_set("english").alphabet
    assert read_word(" Qi\n", alphabet) == read_word("QI", alphabet)
