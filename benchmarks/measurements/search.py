"""The search of words against the plain way: a regular expression, and counting the letters of every word."""

from __future__ import annotations

import re
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from engine import WordQuery, search_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine import Lexicon

# Everyday searches, then patterns on which a careless search is slow. Letters that every Latin tile set has.
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
    """Time each query both ways, in turns; the least of the passes, in milliseconds.

    Returns one object a query: query, words (found), ms, plain_ms, ratio (plain_ms / ms). `progress` is
    called with the queries done and their number. Raises AssertionError if the two ways do not find equally
    many.
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
    """Count the words that fit, one after the other, in the simplest way."""
    pattern = None
    if query.pattern is not None:
        runs = ["".join(_sign(code) if code else "." for code in run) for run in query.pattern.runs]
        pattern = re.compile(".*".join(runs))
    held = Counter("".join(map(_sign, query.tiles.tiles))) if query.tiles is not None else None
    blanks = held.pop(_sign(0), 0) if held is not None else 0
    count = 0
    for word in words:
        if pattern is not None and not pattern.fullmatch(word):
            continue
        if held is not None:
            if query.tiles is not None and query.use == "all" and len(word) != len(query.tiles):
                continue
            if (Counter(word) - held).total() > blanks:
                continue
        count += 1
    return count


def _sign(code: int) -> str:
    """Return one character for a tile of any letters, none of them special in `re`."""
    return chr(0x4E00 + code)
