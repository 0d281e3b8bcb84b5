"""Requests seen before: the same bytes again need no second reading to find their answer."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from engine import Lexicon

REMEMBERED: Final = 4096
"""Bodies remembered; at some 350 bytes each, whatever their length."""


class Known(NamedTuple):
    """Name the answer of a body, and the lexicon that it was asked of."""

    key: str
    lexicon: Lexicon


class KnownRequests:
    """Remember which answer a body asks for, by its fingerprint; those not seen for longest go first.

    Only bodies that were read and found faultless are noted, so that what is known needs no checks again. An
    entry holds no answer: that lies in the cache, under its key, or has to be computed again.
    """

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._known: OrderedDict[bytes, Known] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._known)

    def find(self, body: bytes) -> Known | None:
        """Return what the very same bytes asked for before, if they are remembered."""
        fingerprint = _fingerprint(body)
        with self._lock:
            known = self._known.get(fingerprint)
            if known is not None:
                self._known.move_to_end(fingerprint)
        return known

    def note(self, body: bytes, known: Known) -> None:
        """Remember what a body asks for."""
        with self._lock:
            self._known[_fingerprint(body)] = known
            if len(self._known) > self._most:
                self._known.popitem(last=False)


def _fingerprint(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).digest()
