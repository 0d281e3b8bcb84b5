"""Bingo stems: six tiles that make a word of seven with many other letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

import numpy as np

from engine.lexicon.queries.draw_probability import draw_probabilities
from engine.lexicon.queries.word_arrays import codes_of, codes_of_length, spelled

if TYPE_CHECKING:
    from engine.lexicon.lexicon import Lexicon

STEM_TILES: Final = 6


@dataclass(frozen=True, slots=True)
class StemLetter:
    """Hold a useful letter of a stem."""

    letter: Annotated[str, "the letter"]
    words: Annotated[tuple[str, ...], "words of seven tiles that it makes with the stem"]


@dataclass(frozen=True, slots=True)
class BingoStem:
    """Hold a bingo stem: six letters, and the useful ones, each of which makes a word of seven with them.

    Ranks count from 1.
    """

    tiles: Annotated[str, "the six letters in the order of the tile set"]
    rank: Annotated[int, "its place by the number of useful letters; equal stems share one"]
    letter_count: Annotated[int, "number of useful letters"]
    word_count: Annotated[int, "number of words that it makes"]
    probability: Annotated[float, "probability, 0 to 1, to draw it from the full bag, blanks included"]
    letters: Annotated[tuple[StemLetter, ...], "the useful letters"]


def bingo_stems(lexicon: Lexicon, limit: int) -> list[BingoStem]:
    """Return the `limit` best bingo stems of a lexicon.

    A stem is a multiset of six letters without blanks. A letter is useful to it if the seven tiles are the
    letters of a word. Stems with more useful letters come first; of equally many, the one that makes more
    words, then the more probable, then the first in the alphabet.
    """
    if lexicon.max_length <= STEM_TILES:
        return []
    codes = codes_of_length(lexicon, STEM_TILES + 1)
    alphagrams, of_word, anagrams = np.unique(
        spelled(np.sort(codes, axis=1)), return_inverse=True, return_counts=True
    )
    tiles = codes_of(alphagrams)
    # Each alphagram without one of its tiles; without equal tiles it is the same stem, counted once.
    rests = [np.delete(tiles, at, axis=1) for at in range(STEM_TILES + 1)]
    repeated = np.diff(tiles, axis=1, prepend=np.uint8(0)) == 0
    fresh = ~repeated.T
    stems = np.concatenate([spelled(rest[new]) for rest, new in zip(rests, fresh, strict=True)])
    letters = np.concatenate([tiles[new, at] for at, new in enumerate(fresh)])
    classes = np.concatenate([np.flatnonzero(new) for new in fresh])
    names, of_stem, letter_counts = np.unique(stems, return_inverse=True, return_counts=True)
    word_counts = np.bincount(of_stem, weights=anagrams[classes]).astype(np.int64)
    probabilities = draw_probabilities(codes_of(names), lexicon.tile_set)
    best = np.lexsort((-probabilities, -word_counts, -letter_counts))[:limit]
    alphabet = lexicon.tile_set.alphabet
    order = np.argsort(of_stem, kind="stable")
    bounds = np.searchsorted(of_stem[order], np.stack([best, best + 1]))
    found = []
    for stem, first, end in zip(best.tolist(), *bounds.tolist(), strict=True):
        rows = order[first:end]
        useful = []
        for row in rows[np.argsort(letters[rows])].tolist():
            words = codes[of_word == classes[row]]
            made = tuple([alphabet.word(word.tobytes()) for word in words])
            useful.append(StemLetter(alphabet.letter(int(letters[row])), made))
        found.append(
            BingoStem(
                tiles=alphabet.text(names[stem]),
                rank=int((letter_counts > letter_counts[stem]).sum()) + 1,
                letter_count=int(letter_counts[stem]),
                word_count=int(word_counts[stem]),
                probability=float(probabilities[stem]),
                letters=tuple(useful),
            )
        )
    return found
