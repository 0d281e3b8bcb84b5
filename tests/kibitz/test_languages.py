"""Analyses in the middle of a game, in each language whose open list is built on this computer."""

from __future__ import annotations

import os
from itertools import takewhile

import pytest

import kibitz
from tests.conftest import shared_folder
from tests.lexicons.test_two_letter_words import FLAGGED, expected_words

LANGUAGES = {
    "danish": "da",
    "dutch": "nl",
    "french": "fr",
    "polish": "pl",
    "portuguese": "pt",
    "romanian": "ro",
    "scowl80": "",
    "spanish": "",
}
"""The lexicons, with the code of the language in the file of two-letter words, if it has them."""


def built(name: str) -> kibitz.Lexicon:
    """Open the lexicon in the data folder of the user; skip the test if it is not built there."""
    folder = os.environ.get("KIBITZ_DATA") or kibitz.default_data_folder()
    try:
        return kibitz.Lexicon.open(f"{folder}/tables/{name}.kibitz")
    except kibitz.EngineError as error:
        pytest.skip(f"needs the tables of {name}: {error}")


def two_letter_words(lexicon: kibitz.Lexicon, code: str) -> set[str]:
    """Return those that another program took from the same dictionary, else those of the lexicon itself."""
    shared = shared_folder()
    path = shared and shared / "open_lists" / "two_letter_lists.txt"
    if code and path and path.exists():
        words, end = expected_words(path, code)
        if end == "\U0010ffff":
            return set(words) | FLAGGED.get(lexicon.id, set())
    encode = lexicon.tile_set.alphabet.encode_word
    return set(takewhile(lambda word: len(encode(word)) == 2, lexicon))


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_the_best_plays_form_words_of_the_list(name: str, seed: int) -> None:
    lexicon = built(name)
    alphabet = lexicon.tile_set.alphabet
    pairs = two_letter_words(lexicon, LANGUAGES[name])
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
