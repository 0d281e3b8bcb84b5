"""What is soon made goes to Redis, and is asked of it, only while that is worth it.

To ask Redis for an answer that it lacks costs about as much processor as it saves where Redis has it, if the
answer takes no search and no delta set; and to store it costs half as much again. So it is worth it while
half of what is asked for is there: with several workers that get the same requests. What is new everywhere,
an archive that is scored once, is made without a word to Redis, but for a sample that tells when that
changes: the same one in every process, or none would find there what another had stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from service.cache.interface import Cache

LEAST_SHARE: Final = 0.5
"""The share of questions that must be answered by a value."""

SAMPLE: Final = 16
"""One of so many keys is stored and asked for all the same."""

_LOOKS: Final = 32
"""Over how many questions the share is taken, roughly: the older ones fade."""


class Worth:
    """Tell whether a key is worth a word to Redis, by what was found there of late; at first every one is."""

    def __init__(self) -> None:
        self._share = 1.0

    def __call__(self, key: str) -> bool:
        """Tell whether to ask for the key, or to store it."""
        return self._share >= LEAST_SHARE or in_sample(key)

    def note(self, *, found: bool) -> None:
        """Take note of what a question came to."""
        self._share += ((1.0 if found else 0.0) - self._share) / _LOOKS


def in_sample(key: str) -> bool:
    """Tell whether a key is of the sample."""
    return crc32(key.encode()) % SAMPLE == 0


class SoonMade:
    """A store for `engine.answer` where the answer takes no longer to make than to ask for."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key, or None."""
        return self._cache.get_many(keys, soon_made=True)

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Keep the entries."""
        self._cache.put_many(entries, soon_made=True)
