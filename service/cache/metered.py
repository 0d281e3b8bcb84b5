"""A cache that counts: hits, misses, bytes, what Redis gave, its failures, and whether it is held back."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from service.cache.interface import BackEnd
    from service.observability.counts import Counts


class MeteredCache:
    """Pass every call on to `inner` and count it."""

    def __init__(self, inner: BackEnd, counts: Counts) -> None:
        self.inner = inner
        self._counts = counts
        self._state: tuple[int, int, int, bool] | None = None
        self._told = Lock()

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key, or None."""
        values = self.inner.get_many(keys)
        found = [len(value) for value in values if value is not None]
        counts = self._counts
        if found:
            counts.cache_values.add("hit", amount=len(found))
            counts.cache_bytes.add("read", amount=sum(found))
        if len(found) < len(values):
            counts.cache_values.add("miss", amount=len(values) - len(found))
        self._tell_state()
        return values

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Pass the entries on."""
        self.inner.put_many(entries)
        self._counts.cache_bytes.add("written", amount=sum(map(len, entries.values())))
        self._tell_state()

    def claim(self, key: str, seconds: float) -> bool:
        """Pass the question on."""
        return self.inner.claim(key, seconds)

    def release(self, key: str) -> None:
        """Pass the claim back."""
        self.inner.release(key)

    def _tell_state(self) -> None:
        counts = self._counts
        if self._seen() == self._state:
            return
        with self._told:  # or two threads would count the same failure
            size, fetched, failures, held_back = state = self._seen()
            _, fetched_before, failures_before, _ = self._state or (0, 0, 0, False)
            self._state = state
            counts.cache_held.put(value=size)
            counts.breaker_open.put(value=held_back)
            if fetched != fetched_before:
                counts.cache_fetched.add(amount=fetched - fetched_before)
            if failures != failures_before:
                counts.cache_failures.add(amount=failures - failures_before)

    def _seen(self) -> tuple[int, int, int, bool]:
        inner = self.inner
        return inner.size, inner.fetched, inner.failures, inner.held_back
