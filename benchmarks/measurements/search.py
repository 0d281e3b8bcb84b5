"""Times of word searches beside a simple search: a regular expression, and counting letters of every word."""

from __future__ import annotations

import re
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from engine import WordQuery, search_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine import Lexicon

# Common searches, then patterns on which a naive search is slow; their letters are in every Latin tile set.
QUERIES: Final[tuple[dict[str, str], ...]] = (
    {"tiles": "AEINRST"},
    {"tiles": "AEINRS?"},
    {"tiles": "AEINR??", "use": "some"},
    {"pattern": "?A*E"},
    {"pattern": "*INA*"},
    {"pattern": "*R", "tiles": "AEINRS?", "use": "some"},
    {"pattern": "*A*E*"},
    {"pattern": "*A*E*I*O*"},
    {"pattern": "*?*?*?*?*?*?*"},
    {"pattern": "*A*A*A*A*A*A*B"},
)


def search_times(
    lexicon: Lexicon, passes: int, progress: Callable[[int, int], None] = lambda done, total: None
) -> list[dict[str, Any]]:
    """Time each query by both searches, in turns; the least of the passes counts.

    Returns for each query: query, words (found), ms, plain_ms, ratio (plain_ms / ms). `progress` is called
    with the queries done and their total. Raises AssertionError if the searches find different numbers of
    words.
    """
    words = ["".join(map(_sign, word)) for word in lexicon.words()]
    rows = []
    for given in QUERIES:
        query = WordQuery.from_text(lexicon.tile_set.alphabet, **given)  # type: ignore[arg-type]
        ours = plain = float("inf")
        for _ in range(passes):
            began = time.perf_counter()
            found = search_words(lexicon, query, 50).total
            between = time.perf_counter()
            expected = plain_count(query, words)
            ours, plain = min(ours, between - began), min(plain, time.perf_counter() - between)
            if found != expected:
                raise AssertionError(f"{given}: {found} words instead of {expected}")
        rows.append(
            {
                "query": given,
                "words": found,
                "ms": round(1000 * ours, 3),
                "plain_ms": round(1000 * plain, 3),
                "ratio": round(plain / ours, 1),
            }
        )
        progress(len(rows), len(QUERIES))
    return rows


def plain_count(query: WordQuery, words: Sequence[str]) -> int:
    """Return the number of words that match a query, by testing every word."""
    pattern = None
    if query.pattern is not None:
        runs = ["".join(map(_signs, run)) for run in query.pattern.runs]
        pattern = re.compile(".*".join(runs))
    rack = Counter("".join(map(_sign, query.tiles.tiles))) if query.tiles is not None else None
    blanks = rack.pop(_sign(0), 0) if rack is not None else 0
    count = 0
    for word in words:
        if pattern is not None and not pattern.fullmatch(word):
            continue
        if rack is not None:
            if query.tiles is not None and query.use == "all" and len(word) != len(query.tiles):
                continue
            if (Counter(word) - rack).total() > blanks:
                continue
        count += 1
    return count


def _signs(place: bytes) -> str:
    """Return the expression of a place of a pattern: one character, a class of them, or any."""
    return f"[{''.join(map(_sign, place))}]" if place else "."


def _sign(code: int) -> str:
    """Return one character for a tile, which is not special in `re`."""
    return chr(0x4E00 + code)
