"""Requests seen before: the same bytes, or the same JSON in other bytes, are not read a second time.

A request has two names: one of its very bytes, and one of its normal form, which all bodies share whose JSON
says the same.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Lexicon

REMEMBERED: Final = 4096
"""Names remembered; at some 350 bytes each, whatever the length of the bodies."""


def name_of_bytes(body: bytes) -> bytes:
    """Return the name of a body by its very bytes."""
    return blake2b(body, digest_size=16).digest()


def name_of_document(document: Any) -> bytes:
    """Return the name of what a body says, whatever the order of its keys, its blanks and its escapes.

    `document` is what `read_json` made of the body. Two that differ in any value, or in its type (1, 1.0 and
    true), never share a name: orjson reads no NaN, no infinity and no lone surrogates, and writes every
    number so that it is read back the same; `read_json` has refused keys that stand twice.
    """
    return name_of_bytes(orjson.dumps(document, option=orjson.OPT_SORT_KEYS))


class Known(NamedTuple):
    """Name the answer to a request, and the lexicon that it was asked of."""

    key: str
    lexicon: Lexicon


class KnownRequests:
    """Remember which answer a request asks for, by its names; those not seen for longest go first.

    Only requests that were read and found faultless are noted, so that what is known needs no checks again.
    An entry holds no answer: that lies in the cache, under its key, or has to be computed again.
    """

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._known: OrderedDict[bytes, Known] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._known)

    def find(self, name: bytes) -> Known | None:
        """Return what the request of this name asked for before, if it is remembered."""
        with self._lock:
            known = self._known.get(name)
            if known is not None:
                self._known.move_to_end(name)
        return known

    def note(self, names: Iterable[bytes], known: Known) -> None:
        """Remember what the request of these names asks for."""
        with self._lock:
            for name in names:
                self._known[name] = known
                self._known.move_to_end(name)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
