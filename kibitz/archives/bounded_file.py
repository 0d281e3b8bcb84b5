"""Read decompressed bytes, but not more of them than a limit: a small archive may unpack to terabytes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

from engine import MAX_GCG, InvalidInput, Text

if TYPE_CHECKING:
    from typing import IO

RECORD_BYTES_READ: Final = MAX_GCG + 1
"""How many bytes of a game record are read: one more than it may have, so that a longer one is refused."""

MAX_READ: Final = 16 << 20
"""The most bytes of one call: a header of an archive may claim any length."""


class BoundedFile:
    """Read a file, usually one that decompresses, up to a limit."""

    def __init__(self, file: IO[bytes], limit: int) -> None:
        """Take the file and the most bytes that may be read or skipped."""
        self._file = file
        self._limit = limit

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; raise InvalidInput (code "archive_too_large") beyond the limit."""
        if not 0 <= size <= MAX_READ:
            raise too_large(MAX_READ)
        self._check(self._file.tell() + size)
        return self._file.read(size)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place, counted from the beginning; raise InvalidInput beyond the limit."""
        self._check(offset)
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Return the place of the next byte."""
        return self._file.tell()

    def _check(self, place: int) -> None:
        if place > self._limit:
            raise too_large(self._limit)


def too_large(limit: int) -> InvalidInput:
    """Return the error for an archive that unpacks to more bytes than allowed."""
    return InvalidInput(
        Text("the archive unpacks to more than {limit} bytes, which is refused", limit=limit),
        code="archive_too_large",
        params={"limit": limit},
    )
