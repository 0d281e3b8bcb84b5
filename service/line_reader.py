"""Read lines from a pipe, until its end or until something else ends the reading."""

from __future__ import annotations

import os
import select
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHUNK: Final = 1 << 16


class LineReader:
    """The lines of a file descriptor; of a line longer than `limit` bytes, the first `limit` + 1."""

    def __init__(self, descriptor: int, limit: int) -> None:
        self.stopped = False
        self._descriptor = descriptor
        self._limit = limit
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._waker, False)

    def __iter__(self) -> Iterator[bytes]:
        """Yield every line without its end."""
        poller = select.poll()
        poller.register(self._descriptor, select.POLLIN)
        poller.register(self._woken, select.POLLIN)
        line = bytearray()
        while chunk := self._read(poller):
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
        """End the reading at once; a handler of signals and any thread may call it."""
        self.stopped = True
        with suppress(BlockingIOError):  # it is woken already
            os.write(self._waker, b"\n")

    def _read(self, poller: select.poll) -> bytes:
        poller.poll()
        return b"" if self.stopped else os.read(self._descriptor, _CHUNK)

    def _extend(self, line: bytearray, part: bytes) -> None:
        line += part[: self._limit + 1 - len(line)]
