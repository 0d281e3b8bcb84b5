"""The in-process back end: least recently used entries go first, bounded in bytes."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from service.cache.interface import State

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# What one entry costs beside its bytes: two objects and a slot of the table, measured roughly.
ENTRY_OVERHEAD = 300


class MemoryStore:
    """Keep entries of this process up to `capacity` bytes (keys and overhead counted); 0 keeps none."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._entries: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    @property
    def size(self) -> int:
        """Return the bytes held, overhead included."""
        return self._size

    def state(self) -> State:
        """Tell the bytes held."""
        return State(self._size)

    def __len__(self) -> int:
        return len(self._entries)

    def get_many(self, keys: Sequence[str], *, soon_made: bool = False) -> list[bytes | None]:
        """Return the value of each key, or None; what is found becomes the most recently used."""
        with self._lock:
            found = [self._entries.get(key) for key in keys]
            for key, value in zip(keys, found, strict=True):
                if value is not None:
                    self._entries.move_to_end(key)
        return found

    def put_many(self, entries: Mapping[str, bytes], *, soon_made: bool = False) -> None:
        """Keep the entries, dropping the least recently used ones beyond the capacity."""
        with self._lock:
            for key, value in entries.items():
                self._drop(key)
                if _cost(key, value) <= self._capacity:
                    # A copy, which takes just its size: an encoder writes into a larger block and cuts it, so
                    # that what is kept would have holes between as large as itself.
                    self._entries[key] = bytes(memoryview(value))
                    self._size += _cost(key, value)
            while self._size > self._capacity:
                self._drop(next(iter(self._entries)))

    def claim(self, key: str, seconds: float) -> bool:
        """Return True: no other process sees this store, and within this one SingleFlight sees to it."""
        return True

    def release(self, key: str) -> None:
        """Do nothing."""

    def settle(self, seconds: float = 1.0) -> bool:
        """Return True: there are no others."""
        return True

    def _drop(self, key: str) -> None:
        value = self._entries.pop(key, None)
        if value is not None:
            self._size -= _cost(key, value)


def _cost(key: str, value: bytes) -> int:
    return len(key) + len(value) + ENTRY_OVERHEAD
