"""Read lines from a pipe, until its end or until something else ends the reading."""

from __future__ import annotations

import os
import select
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

POLL_SECONDS: Final = 0.25
"""The longest time until a reader notices that it was stopped."""

_CHUNK: Final = 1 << 16


class LineReader:
    """The lines of a file descriptor; of a line longer than `limit` bytes, the first `limit` + 1."""

    def __init__(self, descriptor: int, limit: int) -> None:
        self.stopped = False
        self._descriptor = descriptor
        self._limit = limit

    def __iter__(self) -> Iterator[bytes]:
        """Yield every line without its end."""
        line = bytearray()
        while chunk := self._read():
            *ends, beginning = chunk.split(b"\n")
            for end in ends:
                self._extend(line, end)
                if self.stopped:
                    return
                yield bytes(line)
                line.clear()
            self._extend(line, beginning)
        if line and not self.stopped:
            yield bytes(line)

    def stop(self) -> None:
        """End the reading soon; a handler of signals and any thread may call it."""
        self.stopped = True

    def _read(self) -> bytes:
        """Return the next bytes, none at the end or when the reading was stopped."""
        poller = select.poll()
        poller.register(self._descriptor, select.POLLIN)
        while not self.stopped:
            if poller.poll(1_000 * POLL_SECONDS):
                return os.read(self._descriptor, _CHUNK)
        return b""

    def _extend(self, line: bytearray, part: bytes) -> None:
        line += part[: self._limit + 1 - len(line)]
