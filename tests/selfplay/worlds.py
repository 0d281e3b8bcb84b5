"""Small lexicons: few tiles and made-up words, so that most racks have plays."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from engine.rules import TileSet
from tests.movegen.worlds import many_letters, open_lexicon

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon import Lexicon


def few_tiles(size: int, count: int) -> TileSet:
    """Return a tile set of `size` letters with `count` tiles of each, and a blank."""
    full = many_letters(size)
    items = [{"letter": "?", "count": 1, "value": 0}]
    items += [
        {"letter": letter, "count": count, "value": full.values[code]}
        for code, letter in enumerate(full.alphabet.letters, start=1)
    ]
    return TileSet.from_letters(items, f"few{size}")


def playable(folder: Path, tiles: TileSet) -> Lexicon:
    """Return a lexicon of made-up words in which most racks can play, so that games come to their ends."""
    random = Random(3)
    letters = range(1, tiles.alphabet.size + 1)
    words = {bytes(random.choices(letters, k=2)) for _ in range(len(letters) ** 2 // 2)}
    words |= {bytes(random.choices(letters, k=random.randint(3, 7))) for _ in range(4000)}
    (folder / "tables").mkdir(exist_ok=True)
    return open_lexicon(folder / "tables", tiles.id, tiles, sorted(words))
