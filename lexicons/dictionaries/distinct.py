"""The distinct lines of a text that is too large for a set in memory."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PARTS: Final = 32


def distinct_lines(lines: Iterable[str]) -> Iterator[set[str]]:
    """Yield the distinct lines in PARTS sets; a line is not empty and has no line end.

    Lines are written to temporary files. A hash chooses the file of a line, so equal lines share a file.
    """
    with ExitStack() as stack:
        files = [
            stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n"))
            for _ in range(PARTS)
        ]
        for line in lines:
            files[hash(line) % PARTS].write(f"{line}\n")
        for file in files:
            file.seek(0)
            yield {*file.read().split("\n")} - {""}
