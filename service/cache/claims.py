"""Single flight across workers and machines: who finds no answer claims it, and the others wait for it.

A claim is a lock with a short life in the cache. It outlives the storing of the answer a little, or whoever
looked for the answer just before and for the claim just after would compute it once more. If the one who
computes dies, the others wait for as long as the claim lives, and then compute.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from service.cache.interface import Cache

CLAIM_SECONDS: Final = 2.0
"""Life of a claim. What takes longer is computed by more than one; it belongs to the jobs."""

_FIRST_NAP: Final = 0.001
_LONGEST_NAP: Final = 0.02

_STALE_SECONDS: Final = 0.1
"""How old a look may be when a claim succeeds; a claim outlives the storing of its answer by more."""


class ClaimedAnswer:
    """Look at a cache for one answer: the first key of `get_many` is its name.

    A store for `engine.answer`, made for each call, and closed by `with`: an answer that was claimed but not
    put (an error, a result that may not be kept) is given free.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._claimed: str | None = None
        self.waited = False
        """Whether another process was computing the answer."""

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key, or None; waits while another process computes the first one."""
        cache, key = self._cache, keys[0]
        looked = time.monotonic()
        values = cache.get_many(keys)
        nap = _FIRST_NAP
        give_up = looked + 1.25 * CLAIM_SECONDS
        while values[0] is None and not cache.claim(key, CLAIM_SECONDS):
            self.waited = True
            if time.monotonic() > give_up:
                return values
            time.sleep(nap)
            nap = min(2 * nap, _LONGEST_NAP)
            looked = time.monotonic()
            values = cache.get_many(keys)
        if values[0] is None and time.monotonic() - looked > _STALE_SECONDS:
            # On a busy machine another may have claimed, stored and been forgotten since the look.
            values = cache.get_many(keys)
            if values[0] is not None:
                self.waited = True
                cache.release(key)
        if values[0] is None:
            self._claimed = key
        return values

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Keep the entries."""
        self._cache.put_many(entries)
        if self._claimed in entries:
            self._claimed = None

    def __enter__(self) -> ClaimedAnswer:
        return self

    def __exit__(self, *_: object) -> None:
        if self._claimed is not None:
            self._cache.release(self._claimed)
