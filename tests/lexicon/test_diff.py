"""Two lists differ in exactly the words and hooks in which they do by the definitions."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.lexicon.build import build_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.queries.compared_list import ComparedList
from engine.lexicon.queries.diff import DIFF_PARTS, HookChange, lexicon_diff
from engine.lexicon.queries.word_report import word_report
from engine.lexicon.word_lists.word_list import read_word_list
from engine.rules import TileSet, tile_set
from tests.movegen.worlds import many_letters, random_words, word_list


def lexicon_of(words: list[bytes], tiles: TileSet, name: str) -> Lexicon:
    return Lexicon(*build_lexicon(word_list(words), tiles, id=name), "")


def compared(text: str, tiles: TileSet, name: str = "list", max_length: int = 15) -> ComparedList:
    words = read_word_list(text.encode(), tiles.alphabet, max_length=max_length)
    return ComparedList.of_word_list(words, name, tiles, max_length)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), letters=st.sampled_from((2, 5, 33)), shared=st.floats(0, 1))
def test_a_diff_is_what_the_definition_says(seed: int, letters: int, shared: float) -> None:
    random = Random(seed)
    tiles = many_letters(letters)
    words = sorted(random_words(random, (1, 2, letters), 60, 12))
    old = [word for word in words if random.random() < 0.5 + shared / 2] or words[:1]
    new = [word for word in words if random.random() < 0.5 + shared / 2] or words[-1:]
    before, after = lexicon_of(old, tiles, "old"), lexicon_of(new, tiles, "new")
    found = lexicon_diff(ComparedList.of_lexicon(before), ComparedList.of_lexicon(after))

    spell = tiles.alphabet.word
    order = sorted(set(old) | set(new), key=lambda word: (len(word), word))
    assert list(found.words("added")) == [spell(word) for word in order if word in {*new} - {*old}]
    assert list(found.words("gone")) == [spell(word) for word in order if word in {*old} - {*new}]
    changes = []
    for word in (word for word in order if word in {*old} & {*new}):
        then, now = word_report(before, word), word_report(after, word)
        differing = [
            tuple(letter for letter in getattr(one, end) if letter not in getattr(other, end))
            for one, other in ((now, then), (then, now))
            for end in ("front_hooks", "back_hooks")
        ]
        if any(differing):
            changes.append(HookChange(spell(word), *differing))
    assert list(found.hook_changes()) == changes
    assert [(one.old, one.new) for one in found.lengths] == [
        (sum(len(word) == one.length for word in set(old)), sum(len(word) == one.length for word in set(new)))
        for one in found.lengths
    ]
    for part in DIFF_PARTS:
        everything = list(found.words(part))
        assert found.count(part) == len(everything)
        assert list(found.words(part, 2, 5)) == everything[2:5]
    assert list(found.hook_changes(1, 3)) == changes[1:3]


def test_a_file_is_compared_with_a_lexicon() -> None:
    spanish = tile_set("spanish")
    encode = spanish.alphabet.encode_word
    lexicon = lexicon_of([encode(word) for word in ("chico", "chica", "ica", "ico")], spanish, "old")
    found = lexicon_diff(ComparedList.of_lexicon(lexicon), compared("CHICO\nicó\nrica\nico\nica", spanish))
    assert list(found.words("added")) == ["RICA"]
    assert list(found.words("gone")) == ["CHICA"]
    assert list(found.hook_changes()) == [HookChange("ICA", ("R",), (), ("CH",), ())]


def test_lists_of_different_tile_sets_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"tile sets differ \(english and english_super\)") as caught:
        lexicon_diff(compared("aa", tile_set("english")), compared("aa", tile_set("english_super")))
    assert caught.value.code == "tile_set_mismatch"


def test_words_that_a_list_could_not_have_are_not_compared() -> None:
    english = tile_set("english")
    long, short = compared("AB\nABCDE", english, max_length=26), compared("AB\nCD", english, max_length=4)
    found = lexicon_diff(long, short)
    assert (found.max_length, list(found.words("gone")), list(found.words("added"))) == (4, [], ["CD"])
    assert lexicon_diff(short, long).count("added") == 0
