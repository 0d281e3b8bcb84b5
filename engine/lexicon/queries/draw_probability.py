"""The probability to draw the tiles of a word from the full bag, and ranks by it."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.rules import TileSet


def draw_probabilities(codes: NDArray[np.uint8], tiles: TileSet) -> NDArray[np.float64]:
    """Return the probability that n tiles drawn from the full bag form a word of n letters.

    `codes` are the tile codes of words of one length, (words, length); the result is (words,). Blanks stand
    for letters: a draw of length n forms the word if its letters are among those of the word and the other
    tiles are blanks. The draws are counted letter by letter as a product of polynomials whose exponent is the
    number of blanks needed; the counts are exact below 2**53.
    """
    words, length = codes.shape
    blanks = min(tiles.counts[0], length)
    ways = np.zeros((blanks + 1, words))  # by the number of blanks that the letters so far need
    ways[0] = 1
    for code in range(1, tiles.alphabet.size + 1):
        needed = (codes == code).sum(axis=1)
        if not needed.any():
            continue
        choices = np.array([float(comb(tiles.counts[code], n)) for n in range(length + 1)])
        longer = np.zeros_like(ways)
        for missing in range(blanks + 1):
            drawn = needed - missing
            factor = np.where(drawn >= 0, choices[drawn], 0.0)
            longer[missing:] += ways[: blanks + 1 - missing] * factor
        ways = longer
    of_blanks = np.array([[float(comb(tiles.counts[0], n))] for n in range(blanks + 1)])
    draws = max(1, comb(tiles.total, length))  # if the bag has fewer tiles than the word, none forms it
    total: NDArray[np.float64] = (ways * of_blanks).sum(axis=0) / draws
    return total


def probability_ranks(probabilities: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the rank of each probability, from 1 for the highest; equal ones share a rank."""
    descending = -np.sort(-probabilities)
    ranks: NDArray[np.int64] = np.searchsorted(-descending, -probabilities) + 1
    return ranks
