"""The English list `club`: what its rule reads of a word, and the words by hand."""

from __future__ import annotations

import lzma
from dataclasses import replace

import pytest

from engine.lexicon.lexicon import BUNDLED
from lexicons.build_club import by_hand, club_words, weighed
from lexicons.club_rule import WEIGHTS, ClubRule, Sources, regular_bases

SIZES = {
    "bake": 10,
    "baker": 35,
    "bakers": 40,
    "outbake": 80,
    "bakings": 80,
    "colour": 20,
    "gare": 80,
    "gares": 80,
    "zoaea": 80,
}
SOURCES = Sources(
    sizes=SIZES,
    american=SIZES.keys() - {"colour"},
    wordnet={"bake", "baker"},
    agid={"bake", "bakes", "zoaea"},
    specialist=set(),
    common={"bake"},
    forms={"zoaea": ["zoea", "zoaea"]},
)
RULE = ClubRule(SOURCES)


def features(word: str, rule: ClubRule = RULE) -> set[str]:
    return {name for name, value in zip(WEIGHTS, rule.features(word), strict=True) if value}


def test_features_are_of_the_word_its_bases_and_its_family() -> None:
    assert "itself or its base in a list up to size 60" in features("bakers")
    assert "a word of its family in WordNet" in features("bakers")
    assert "ends in -ings" in features("bakings")
    assert "a common word with a usual prefix or suffix" in features("outbake")
    assert "itself or its base in no American or Canadian list" in features("colour")
    assert features("zoaea") == {"any word", "in AGID"}
    assert "has inflected forms, but is not supported" in features("gare")
    assert "has inflected forms, but is not supported" not in features("gares")


def test_common_words_are_selected_and_unsupported_ones_are_not() -> None:
    assert RULE.selects("bake")
    assert not RULE.selects("gare")
    assert not ClubRule(replace(SOURCES, agid=set())).selects("zoaea")


def test_words_of_two_letters_are_those_by_hand_and_no_others() -> None:
    sources = replace(SOURCES, sizes={**SIZES, "xy": 10, "aa": 80})
    words = club_words(ClubRule(sources))
    assert "xy" not in words
    assert {"bake", "baker", "app"} <= set(words)
    assert [word for word in words if len(word) == 2] == sorted(word for word in by_hand() if len(word) == 2)


@pytest.mark.parametrize(
    ("form", "base"),
    [("gares", "gare"), ("boxes", "box"), ("happier", "happy"), ("baking", "bake"), ("running", "run")],
)
def test_regular_bases(form: str, base: str) -> None:
    assert base in regular_bases(form)


def test_weights_follow_the_valid_words() -> None:
    weights = dict(zip(WEIGHTS, weighed(RULE, ["colour", "gare", "gares"]), strict=True))
    assert weights["itself or its base in no American or Canadian list"] > 0


def test_words_by_hand_have_a_dictionary_each() -> None:
    rows = [line.split("\t") for line in (BUNDLED / "club/by_hand.tsv").read_text("utf-8").splitlines()]
    assert {dictionary for _, dictionary in rows} == {"ENABLE", "Merriam-Webster"}
    words = [word for word, _ in rows]
    assert words == sorted(set(words), key=lambda word: (len(word), word))
    assert {len(word) for word in words} == {2, 3}


def test_the_bundled_list_has_the_words_by_hand() -> None:
    words = lzma.decompress((BUNDLED / "club/words.txt.xz").read_bytes()).decode().split()
    assert {word for word in words if len(word) == 2} == {word for word in by_hand() if len(word) == 2}
    assert {"aa", "ab", "ed", "qi", "bro", "app"} <= set(words)
    scowl = lzma.decompress((BUNDLED / "scowl80/words.txt.xz").read_bytes()).decode().split()
    assert {word for word in words if len(word) > 2} - set(by_hand()) <= set(scowl)
