"""Cursors of pages: where the next page begins, bound to what is paged."""

from __future__ import annotations

import base64
import hashlib
from typing import Final

from engine.errors import InvalidInput
from engine.messages import Text

_DIGEST_BYTES: Final = 9
_OFFSET_BYTES: Final = 3


def write_cursor(offset: int, subject: str) -> str:
    """Return the cursor of the page that begins at `offset` of the results of `subject`."""
    raw = _digest(subject) + offset.to_bytes(_OFFSET_BYTES, "big")
    return base64.urlsafe_b64encode(raw).decode("ascii")


def read_cursor(text: str | None, subject: str) -> int:
    """Return the offset that a cursor holds, 0 for None.

    Raises InvalidInput (code "bad_cursor") for a cursor that was not written for `subject`.
    """
    if text is None:
        return 0
    try:
        raw = base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True)
    except ValueError:
        raw = b""
    if len(raw) != _DIGEST_BYTES + _OFFSET_BYTES or raw[:_DIGEST_BYTES] != _digest(subject):
        raise InvalidInput(
            Text("the cursor was not given for this request to this lexicon"),
            code="bad_cursor",
            field="cursor",
        )
    return int.from_bytes(raw[_DIGEST_BYTES:], "big")


def _digest(subject: str) -> bytes:
    return hashlib.sha256(subject.encode()).digest()[:_DIGEST_BYTES]
