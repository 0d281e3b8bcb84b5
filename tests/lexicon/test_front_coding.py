"""Front coding: every sorted list can be restored, and a damaged text is an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import WordListError
from engine.lexicon.word_lists.front_coding import HEADER, front_coded, front_decoded
from engine.lexicon.word_lists.word_list import read_word_list
from engine.rules import tile_set

TEXT = "cab\ncabs\ncaña\ncañas\n".encode()


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1), min_size=1))
def test_every_list_can_be_restored(words: list[str]) -> None:
    text = "".join(f"{word}\n" for word in [*words, words[-1] * 120]).encode()
    assert front_decoded(front_coded(text)) == text


def test_a_line_has_what_the_word_before_does_not_have() -> None:
    assert front_coded(TEXT) == HEADER + "!cab\n$s\n#ña\n&s\n".encode()


def test_a_word_list_may_be_front_coded() -> None:
    alphabet = tile_set("spanish").alphabet
    plain = read_word_list(TEXT, alphabet, max_length=15)
    coded = read_word_list(front_coded(TEXT), alphabet, max_length=15)
    assert coded.words.tolist() == plain.words.tolist()
    assert (coded.sha256, coded.report) == (plain.sha256, plain.report)
    assert len(plain.words) == 4


@pytest.mark.parametrize("coded", [b"", b"!a\n!b", b"!a\n#b\n", b"!a\n\n", b"! a\n\x1fb\n"])
def test_a_damaged_text_is_an_error(coded: bytes) -> None:
    with pytest.raises(WordListError, match="front-coded"):
        read_word_list(HEADER + coded, tile_set("english").alphabet, max_length=15)
