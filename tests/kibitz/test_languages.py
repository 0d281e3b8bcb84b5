"""Analyses in the middle of a game, in each language whose open list is built on this computer."""

from __future__ import annotations

import os
from itertools import takewhile

import pytest

import kibitz
from lexicons.dictionaries import open_list
from tests.conftest import shared_folder
from tests.lexicons.test_two_letter_words import expected_words

LANGUAGES = {
    "danish": True,
    "dutch": True,
    "french": True,
    "polish": True,
    "portuguese": True,
    "romanian": True,
    "scowl80": False,
    "spanish": False,
}
"""The lexicons, and whether the file of two-letter words has theirs."""


def built(name: str) -> kibitz.Lexicon:
    """Open the lexicon in the data folder of the user; skip the test if it is not built there."""
    folder = os.environ.get("KIBITZ_DATA") or kibitz.default_data_folder()
    try:
        return kibitz.Lexicon.open(f"{folder}/tables/{name}.kibitz")
    except kibitz.EngineError as error:
        pytest.skip(f"needs the tables of {name}: {error}")


def two_letter_words(lexicon: kibitz.Lexicon, *, listed: bool) -> set[str]:
    """Return those that another program took from the same dictionary, else those of the lexicon itself."""
    shared = shared_folder()
    path = shared and shared / "open_lists" / "two_letter_lists.txt"
    if listed and path and path.exists():
        words, end = expected_words(path, open_list(lexicon.id))
        if end == "\U0010ffff":
            return words
    encode = lexicon.tile_set.alphabet.encode_word
    return set(takewhile(lambda word: len(encode(word)) == 2, lexicon))


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_the_best_plays_form_words_of_the_list(name: str, seed: int) -> None:
    lexicon = built(name)
    alphabet = lexicon.tile_set.alphabet
    pairs = two_letter_words(lexicon, listed=LANGUAGES[name])
    game = kibitz.Game(lexicon, seed=seed)
    for _ in range(9):
        game.play(game.position.plays()[0])
    moves = kibitz.analyze(game.position).moves[:5]
    assert len(moves) == 5
    for move in moves:
        for formed in move.words:
            word = alphabet.word(formed.tiles)
            assert word in lexicon
            if len(formed.tiles) == 2:
                assert word in pairs
