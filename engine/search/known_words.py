"""The plays of a player who does not know all words: those that form known words only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.movegen.plays import ONE_TILE
from engine.position import Play

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.movegen import Plays
    from engine.position import Move, Position


class KnownWords:
    """Hold which words of a lexicon a player knows, by word id."""

    def __init__(self, lexicon: Lexicon, known: NDArray[np.bool_]) -> None:
        self._lexicon, self._known = lexicon, known

    def adding(self, words: Iterable[bytes]) -> KnownWords:
        """Return the same with some words more, given by their tile codes; ignore those of no lexicon."""
        known = self._known.copy()
        known[[found for word in words if (found := self._find(word)) >= 0]] = True
        return KnownWords(self._lexicon, known)

    def allow(self, position: Position, move: Move) -> bool:
        """Return whether a move of a position forms known words only; one that is no play forms none."""
        if not isinstance(move, Play):
            return True
        found = [self._find(word.letters) for word in position.words(move)]
        return all(one >= 0 and self._known[one] for one in found)

    def plays(self, position: Position, plays: Plays, order: NDArray[np.intp]) -> Iterator[int]:
        """Yield the plays of an order, by their indices, that form known words only."""
        words = plays.array["word"]
        one_tile = words >= ONE_TILE
        likely = one_tile | self._known[np.where(one_tile, 0, words)]
        for index in order[likely[order]].tolist():
            if self.allow(position, plays.move(index)):
                yield index

    def _find(self, word: bytes) -> int:
        """Return the id of a word, -1 if the lexicon lacks it."""
        return self._lexicon.tables.find(bytes([code - 1 for code in word]))
