"""Files of the user: boards and tile sets, texts that are not UTF-8, and files that are replaced at once."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from engine import (
    BoardLayout,
    InvalidInput,
    Text,
    TileSet,
    board_layout,
    board_layout_ids,
    excerpt,
    tile_set,
    tile_set_ids,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

Equipment = TypeVar("Equipment", BoardLayout, TileSet)


def read_layout(value: str) -> BoardLayout:
    """Return a board by its id, or read it from a file: a value that contains "/" or ends in .txt."""
    return _read(value, board_layout_ids(), ".txt", board_layout, BoardLayout.from_text)


def read_tile_set(value: str) -> TileSet:
    """Return a tile set by its id, or read it from a file: a value that contains "/" or ends in .csv."""
    return _read(value, tile_set_ids(), ".csv", tile_set, TileSet.from_csv)


def _read(
    value: str,
    known: Collection[str],
    suffix: str,
    find: Callable[[str], Equipment],
    parse: Callable[[str, str], Equipment],
) -> Equipment:
    path = Path(value)
    if value in known or not ("/" in value or path.suffix.lower() == suffix):
        return find(value)
    name = file_id(path)
    text = read_text(path)
    with faults_of(path):
        return parse(text, f"own-{name}" if name in known else name)


@contextmanager
def faults_of(where: Path | str) -> Iterator[None]:
    """Name a file, or a place in it, in the InvalidInput that is raised for its contents."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(
            Text("{where}: {fault}", where=str(where), fault=error.message),
            code=error.code,
            faults=error.faults,
        ) from None


def input_lines() -> Iterator[tuple[str, str]]:
    """Yield the lines of standard input that are not empty, each with its place as `faults_of` takes it."""
    for number, line in enumerate(sys.stdin, 1):
        if line.strip():
            yield f"line {number}", line.strip()


def file_id(path: Path) -> str:
    """Return the id of a board or tile set of a file: its name as an operation of a CGP can hold it."""
    return re.sub(r"[^a-z0-9_-]+", "-", path.stem.lower()) or "custom"


def read_text(path: Path) -> str:
    """Return the text of a file in UTF-8, with or without a byte order mark; raise InvalidInput."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            Text(
                "{path} is not a text in UTF-8: byte {byte} cannot be read",
                path=str(path),
                byte=error.start + 1,
            ),
            code="bad_encoding",
            params={"text": excerpt(str(path)), "byte": error.start + 1},
        ) from None


def write_atomically(path: Path, data: bytes) -> None:
    """Write to a temporary file, then rename it into place; an interruption leaves the old file."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:  # its file name is the temporary one
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
