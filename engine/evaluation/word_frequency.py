"""How often each word is formed in games that the engine plays against itself.

A word is as rare as the number of games in which it is formed once, as a main or a crossing word. A player is
taken to know the words up to some rarity. Frequency of play says which words decide games, not which
ones people use: a long everyday word is formed as seldom as a strange one of the same letters.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.evaluation.learned import find_learned, learned_meta
from engine.lexicon.store import write_table_file

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon

KIND: Final = "words"
VERSION: Final = 1


class WordFrequencies:
    """Hold how often each word was formed (`counts`, by word id) in a number of games.

    `player`, `seed`: those of the games; `name`: lexicon and checksum.
    """

    def __init__(
        self, counts: NDArray[np.uint32], *, games: int, player: str, seed: int, name: str = ""
    ) -> None:
        self.counts = counts
        self.games = games
        self.player = player
        self.seed = seed
        self.name = name

    def known(self, rarity: int) -> NDArray[np.bool_]:
        """Return for each word id whether the word is formed at least once in `rarity` games."""
        known: NDArray[np.bool_] = self.counts.astype(np.int64) * rarity >= self.games
        return known

    def save(self, path: Path, lexicon: Lexicon) -> None:
        """Write the table to a file, atomically, bound to a lexicon's word list."""
        games = {"games": self.games, "player": self.player, "seed": self.seed}
        write_table_file(path, {**games, **learned_meta(lexicon, KIND, VERSION)}, {"counts": self.counts})


@lru_cache(maxsize=8)
def find_word_frequencies(lexicon: Lexicon) -> WordFrequencies | None:
    """Return the frequencies of a lexicon's words, None if they were not counted with its own list.

    Raises DamagedTable for a table of the lexicon that is damaged or of another word list.
    """
    found = find_learned(lexicon, KIND, VERSION)
    if found is None or not found.own:
        return None
    counts = np.zeros(lexicon.word_count, np.uint32)
    # The ids begin with the shortest words: tables for larger boards only add longer ones.
    counted = found.file.section("counts")[: lexicon.word_count]
    counts[: len(counted)] = counted
    meta = found.file.meta
    return WordFrequencies(
        counts, games=meta["games"], player=meta["player"], seed=meta["seed"], name=found.name
    )
