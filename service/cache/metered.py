"""A cache that counts: hits, misses, bytes, what Redis gave, its failures, and whether it is held back."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from service.cache.interface import State

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from service.cache.interface import BackEnd
    from service.observability.counts import Counts


class MeteredCache:
    """Pass every call on to `inner` and count it."""

    def __init__(self, inner: BackEnd, counts: Counts) -> None:
        self.inner = inner
        self._counts = counts
        self._state = State()
        self._told = Lock()

    def get_many(self, keys: Sequence[str], *, soon_made: bool = False) -> list[bytes | None]:
        """Return the value of each key, or None."""
        values = self.inner.get_many(keys, soon_made=soon_made)
        found = [len(value) for value in values if value is not None]
        counts = self._counts
        if found:
            counts.cache_values.add("hit", amount=len(found))
            counts.cache_bytes.add("read", amount=sum(found))
        if len(found) < len(values):
            counts.cache_values.add("miss", amount=len(values) - len(found))
        self._tell_state()
        return values

    def put_many(self, entries: Mapping[str, bytes], *, soon_made: bool = False) -> None:
        """Pass the entries on."""
        self.inner.put_many(entries, soon_made=soon_made)
        self._counts.cache_bytes.add("written", amount=sum(map(len, entries.values())))
        self._tell_state()

    def claim(self, key: str, seconds: float) -> bool:
        """Pass the question on."""
        return self.inner.claim(key, seconds)

    def release(self, key: str) -> None:
        """Pass the claim back."""
        self.inner.release(key)

    def settle(self, seconds: float = 1.0) -> bool:
        """Pass the question on."""
        return self.inner.settle(seconds)

    def _tell_state(self) -> None:
        if self.inner.state() == self._state:
            return
        counts = self._counts
        with self._told:  # or two threads would count the same failure
            before = self._state
            now = self._state = self.inner.state()
            if now.size != before.size:
                counts.cache_held.put(value=now.size)
            if now.held_back != before.held_back:
                counts.breaker_open.put(value=now.held_back)
            if now.fetched != before.fetched:
                counts.cache_fetched.add(amount=now.fetched - before.fetched)
            if now.failures != before.failures:
                counts.cache_failures.add(amount=now.failures - before.failures)
