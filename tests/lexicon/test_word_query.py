"""Every condition of a search finds what a look at each word of the list finds."""

from __future__ import annotations

import dataclasses
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.lexicon.build import build_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.queries.compared_list import ComparedList
from engine.lexicon.queries.pattern import Pattern
from engine.lexicon.queries.search import search_words
from engine.lexicon.queries.word_query import MEASURES, WordConditions, WordQuery
from engine.rules import tile_set
from tests.movegen.worlds import random_words, word_list

if TYPE_CHECKING:
    from engine.rules import TileSet

ENGLISH = tile_set("english")
LETTERS = "AEIQRSTUY"
CODES = tuple(map(ENGLISH.alphabet.code, LETTERS))
FEW = st.integers(0, 12)


def lexicon_of(words: list[str], tiles: TileSet = ENGLISH) -> Lexicon:
    codes = sorted({tiles.alphabet.encode_word(word) for word in words})
    return Lexicon(*build_lexicon(word_list(codes), tiles, id="test"), "")


@cache
def chance(word: str) -> Fraction:
    """Return the probability to draw a word, over all numbers of blanks for each letter."""
    needed = Counter(word)
    blanks = ENGLISH.counts[0]
    ways = 0
    for by_blank in product(*(range(count + 1) for count in needed.values())):
        if sum(by_blank) <= blanks:
            ways_here = comb(blanks, sum(by_blank))
            for (letter, count), missing in zip(needed.items(), by_blank, strict=True):
                ways_here *= comb(ENGLISH.counts[ENGLISH.alphabet.code(letter)], count - missing)
            ways += ways_here
    return Fraction(ways, comb(ENGLISH.total, len(word)))


def by_hand(words: list[str], other: list[str], asked: dict[str, Any]) -> list[str]:
    """Find words one at a time, by the definitions of docs/study.md."""
    listed = set(words)
    alphagrams = Counter("".join(sorted(word)) for word in words)

    def rank(word: str) -> int:
        same = (one for one in words if len(one) == len(word))
        return 1 + sum(chance(one) > chance(word) for one in same)

    def within(value: int, measure: str) -> bool:
        least, most = asked.get(f"min_{measure}"), asked.get(f"max_{measure}")
        return (least is None or value >= least) and (most is None or value <= most)

    def meets(word: str) -> bool:
        return (
            not Counter(asked.get("includes", "")) - Counter(word)
            and not set(asked.get("excludes", "")) & set(word)
            and asked.get("takes_prefix", "") + word in listed
            and word + asked.get("takes_suffix", "") in listed
            and ("in_lexicon" not in asked or word in other)
            and ("not_in_lexicon" not in asked or word not in other)
            and within(sum(letter in "AEIOU" for letter in word), "vowels")
            and within(sum(ENGLISH.values[ENGLISH.alphabet.code(letter)] for letter in word), "points")
            and within(alphagrams["".join(sorted(word))], "anagrams")
            and (not {"min_rank", "max_rank"} & set(asked) or within(rank(word), "rank"))
        )

    found = []
    for length in range(2, max(map(len, words)) + 1):
        fitting = sorted(word for word in words if len(word) == length and meets(word))
        likely = sorted(fitting, key=lambda word: (-chance(word), word))
        placed = [word for place, word in enumerate(likely, 1) if within(place, "place")]
        found += placed if asked.get("sort") == "probability" else sorted(placed)
    return found


few_letters = st.text(LETTERS, min_size=1, max_size=2)
conditions = st.fixed_dictionaries(
    {},
    optional={
        "includes": few_letters,
        "excludes": few_letters,
        "takes_prefix": few_letters,
        "takes_suffix": few_letters,
        "in_lexicon": st.just(True),
        "not_in_lexicon": st.just(True),
        "sort": st.sampled_from(("alphabet", "probability")),
        **{f"{side}_{measure}": FEW for measure in MEASURES for side in ("min", "max")},
    },
)


def a_few(asked: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return some of the conditions, so that words are left to find, without limits that cross."""
    kept = {name: asked[name] for name in random.sample(sorted(asked), min(len(asked), random.randint(1, 3)))}
    for measure in MEASURES:
        least, most = f"min_{measure}", f"max_{measure}"
        if least in kept and most in kept and kept[least] > kept[most]:
            kept[least], kept[most] = kept[most], kept[least]
    return kept


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(1, 70),
    many=st.lists(conditions, min_size=6, max_size=12),
)
def test_a_search_finds_what_a_look_at_each_word_finds(
    seed: int, count: int, many: list[dict[str, Any]]
) -> None:
    random = Random(seed)
    spelled = ENGLISH.alphabet.word
    words = sorted({spelled(word) for word in random_words(random, CODES, count, 5)} | {"AS", "SA"})
    words += [word + "S" for word in words if len(word) < 6 and random.random() < 0.3]
    words = sorted(set(words))
    other = [*random.sample(words, len(words) // 2), "QUAY"]
    lexicon, listed = lexicon_of(words), ComparedList.of_lexicon(lexicon_of(other))
    for asked in many:
        kept = a_few(asked, random)
        expected = by_hand(words, other, kept)
        lists = {name: listed for name in ("in_lexicon", "not_in_lexicon") if name in kept}
        query = WordQuery.from_text(ENGLISH.alphabet, **{**kept, **lists})
        page = search_words(lexicon, query, 1_000)
        assert ([found.word for found in page.words], page.total) == (expected, len(expected)), kept
        limit = random.randint(1, 5)
        first = search_words(lexicon, query, limit)
        assert first.words == page.words[:limit]
        if first.cursor is not None:
            assert search_words(lexicon, query, limit, first.cursor).words == page.words[limit : 2 * limit]


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    places=st.lists(
        st.one_of(
            st.sampled_from(("?", "*", *LETTERS)),
            st.builds("[{}{}]".format, st.sampled_from(("", "^")), st.text(LETTERS, min_size=1, max_size=4)),
        ),
        min_size=1,
        max_size=5,
    ),
)
def test_a_class_fits_its_letters(seed: int, places: list[str]) -> None:
    random = Random(seed)
    words = sorted(ENGLISH.alphabet.word(word) for word in random_words(random, CODES, 60, 5)) or ["AS"]
    lexicon = lexicon_of(words)
    pattern = "".join(places)
    query = WordQuery.from_text(ENGLISH.alphabet, pattern)
    expected = [word for word in words if fits(places, word)]
    found = search_words(lexicon, query, 1_000).words
    assert [one.word for one in found] == sorted(expected, key=lambda word: (len(word), word))
    read = Pattern.from_text(pattern, ENGLISH.alphabet)
    assert Pattern.from_text(read.text(ENGLISH.alphabet), ENGLISH.alphabet) == read


def fits(places: list[str], word: str) -> bool:
    """Say whether a word fits places, a letter at a time."""
    if not places:
        return not word
    first, *rest = places
    if first == "*":
        return any(fits(rest, word[start:]) for start in range(len(word) + 1))
    if not word:
        return False
    if first.startswith("[^"):
        here = word[0] not in first[2:-1]
    else:
        here = first == "?" or word[0] in first.strip("[]")
    return here and fits(rest, word[1:])


def test_brackets_are_a_tile_where_the_set_has_it_and_else_a_class() -> None:
    spanish = tile_set("spanish")
    lexicon = lexicon_of(["chico", "hico", "cico", "pico", "lico"], spanish)

    def found(pattern: str) -> list[str]:
        query = WordQuery.from_text(spanish.alphabet, pattern)
        return [one.tiles for one in search_words(lexicon, query, 99).words]

    assert found("[CH]ico") == ["[CH]ICO"]
    assert found("[C H]ico") == found("[hc]ico") == ["CICO", "HICO"]
    assert found("[pch]ico") == found("[P CH]ico") == ["[CH]ICO", "PICO"]
    assert found("[^ch]ico") == ["CICO", "HICO", "LICO", "PICO"]
    english = ENGLISH.alphabet
    assert Pattern.from_text("[CH]", english) == Pattern.from_text("[h c]", english)
    for text in ("[C H]?", "[CH][H C][^L LL]*[Ñ]"):
        read = Pattern.from_text(text, spanish.alphabet)
        assert Pattern.from_text(read.text(spanish.alphabet), spanish.alphabet) == read


@pytest.mark.parametrize(
    "text", ["[]", "[^]", "[ ]", "[A?]", "[A*]", "[A1]", "[^^A]", "[A", "A]", "[\ud800]", "[[A]]",
             "[^ABCDEFGHIJKLMNOPQRSTUVWXYZ]", "[\0]"],
)  # fmt: skip
def test_a_class_that_names_no_letters_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        Pattern.from_text(text, ENGLISH.alphabet)
    assert (raised.value.code, raised.value.field) == ("unknown_letter", "pattern")


@pytest.mark.parametrize(
    ("asked", "code", "field"),
    [
        ({"includes": "A?"}, "unknown_letter", "includes"),
        ({"excludes": "1"}, "unknown_letter", "excludes"),
        ({"takes_prefix": "\ud800"}, "unknown_letter", "takes_prefix"),
        ({"takes_suffix": "A" * 200}, "too_long", "takes_suffix"),
        ({"sort": "length"}, "unknown_sort", "sort"),
        *(({f"min_{one}": 3, f"max_{one}": 2}, "limits_cross", f"min_{one}") for one in MEASURES),
    ],
)
def test_conditions_that_make_no_sense(asked: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        WordQuery.from_text(ENGLISH.alphabet, **asked)
    assert (raised.value.code, raised.value.field) == (code, field)


def test_a_list_of_another_tile_set_is_refused() -> None:
    other = ComparedList.of_lexicon(lexicon_of(["chico"], tile_set("spanish")))
    for name in ("in_lexicon", "not_in_lexicon"):
        query = WordQuery.from_text(ENGLISH.alphabet, **{name: other})  # type: ignore[arg-type]
        with pytest.raises(InvalidInput) as raised:
            search_words(lexicon_of(["AS"]), query, 9)
        assert (raised.value.code, raised.value.field) == ("tile_set_mismatch", name)


def test_a_cursor_knows_the_list_that_it_was_given_for() -> None:
    lexicon = lexicon_of(["AS", "AT", "SEA"])
    lists = [ComparedList.of_lexicon(lexicon_of(words)) for words in (["AS", "AT"], ["AS", "AT", "TAR"])]
    queries = [WordQuery(in_lexicon=listed) for listed in lists]
    cursor = search_words(lexicon, queries[0], 1).cursor
    assert search_words(lexicon, queries[0], 1, cursor).words[0].word == "AT"
    with pytest.raises(InvalidInput, match="cursor"):
        search_words(lexicon, queries[1], 1, cursor)


def test_the_text_form_has_the_names_of_the_query() -> None:
    names = {field.name for field in dataclasses.fields(WordQuery)}
    assert names == {"pattern", "in_lexicon", "not_in_lexicon", *WordConditions.__annotations__}
