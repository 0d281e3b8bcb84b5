"""Flash cards ask for what they say, and their answers are what a look at the whole list finds."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.lexicon.build import build_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.queries.word_query import WordQuery
from engine.lexicon.word_study.flash_cards import CARD_KINDS, card_kind, flash_card, questions
from engine.rules import TileSet, tile_set
from tests.movegen.worlds import many_letters, random_words, word_list


def lexicon_of(words: list[bytes], tiles: TileSet) -> Lexicon:
    return Lexicon(*build_lexicon(word_list(sorted(words)), tiles, id="test"), "")


def answers(words: list[bytes], kind: str, asked: bytes) -> list[bytes]:
    if kind == "anagrams":
        return sorted(word for word in words if sorted(word) == sorted(asked))
    if kind == "hooks":
        return sorted(word for word in words if asked in (word[1:], word[:-1]))
    return sorted(word for word in words if word[:-1] == asked)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), letters=st.sampled_from((2, 4, 32)), count=st.integers(1, 60))
def test_every_word_is_asked_for_and_every_answer_known(seed: int, letters: int, count: int) -> None:
    random = Random(seed)
    tiles = many_letters(letters)
    words = sorted(random_words(random, (1, 2, letters), count, 6) or {bytes((1, 1))})
    lexicon = lexicon_of(words, tiles)
    for kind in CARD_KINDS:
        found = list(questions(lexicon, kind, WordQuery()))
        assert len(set(found)) == len(found)
        asked = {
            "anagrams": lambda word: bytes(sorted(word)),
            "hooks": bytes,
            "beginnings": lambda word: word[:-1],
        }
        expected = {asked[kind](word) for word in words}
        cards = [flash_card(lexicon, question) for question in found]
        seen = {bytes(tiles.alphabet.tokenize(question.strip("_?"))) for question in found}
        assert seen == {word for word in expected if answers(words, kind, word)}
        for card, question in zip(cards, found, strict=True):
            word = bytes(tiles.alphabet.tokenize(question.strip("_?")))
            assert (card.question, card.kind, card_kind(question)) == (question, kind, kind)
            assert sorted(card.answers) == answers(words, kind, word)


def test_tiles_of_two_letters_are_one_tile() -> None:
    tiles = tile_set("spanish")
    words = ["chico", "chicos", "hico", "ochic"]
    lexicon = lexicon_of([tiles.alphabet.encode_word(word) for word in words], tiles)
    text = tiles.alphabet.text

    def card(question: str) -> tuple[str, list[str]]:
        found = flash_card(lexicon, question)
        return found.question, [text(word) for word in found.answers]

    assert card("chico") == card("[ch]oic") == ("C[CH]IO", ["[CH]ICO", "O[CH]IC"])
    assert card("_chico_") == ("_[CH]ICO_", ["[CH]ICOS"])
    assert card("Chic?") == ("[CH]IC?", ["[CH]ICO"])
    assert card("zzz") == ("ZZZ", [])


@pytest.mark.parametrize("question", ["A1", "_A", "A?B", "??A", "\ud800", "_A1_", "A" * 200, "=1+1", "A\0"])
def test_what_asks_nothing_is_refused(question: str) -> None:
    lexicon = lexicon_of([bytes((1, 19))], tile_set("english"))
    with pytest.raises(InvalidInput) as raised:
        flash_card(lexicon, question)
    assert (raised.value.code in ("unknown_letter", "too_long"), raised.value.field) == (True, "question")


@pytest.mark.parametrize("question", ["", " ", "_", "__", "?", "_?", "A", "_A_" * 9])
def test_a_question_without_words_has_no_answer(question: str) -> None:
    lexicon = lexicon_of([bytes((1, 19))], tile_set("english"))
    with suppress(InvalidInput):
        assert [len(word) for word in flash_card(lexicon, question).answers] in ([], [2])
