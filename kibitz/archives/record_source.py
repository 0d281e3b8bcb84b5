"""The game records of a folder or an archive, always in the same order, or a single record.

A record is named by its path below the folder or in the archive. The records of a folder are ordered by name;
archives in it count as folders. The records of an archive have the order in which they are stored.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from engine import EngineError, InvalidInput, Text
from kibitz.archives.archive_members import (
    SUMMARY,
    SourceRecord,
    archive_members,
    is_archive_name,
    is_record_name,
)
from kibitz.archives.bounded_file import RECORD_BYTES_READ
from kibitz.archives.turns_file import PARTIAL_TURNS_FILE, TURNS_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_NAME: Final = 200
MAX_PATH: Final = 1000
"""The longest name of a file or folder, and the longest path, in bytes of UTF-8."""

ANNOTATION_ENDING: Final = ".ndjson"
"""The name of an annotation is that of the record with this appended."""

_OUTPUT_FILES: Final = ([SUMMARY], [TURNS_FILE], [PARTIAL_TURNS_FILE])
"""The other files of the output folder: no folder of records may have such a name."""


class RecordSource:
    """The records of a folder or an archive, or one record; `names`: all, in their order, those that cannot
    be read too."""

    def __init__(self, path: Path) -> None:
        """List the records; raise InvalidInput (code "not_an_archive") for a file that is no archive."""
        self._path = path
        self.names = [record.name for record in self._records(read=False)]

    def records(self) -> Iterator[SourceRecord]:
        """Read and yield the records."""
        return self._records(read=True)

    def _records(self, *, read: bool) -> Iterator[SourceRecord]:
        if self._path.is_file() and is_record_name(self._path.name):
            yield _file(self._path, _utf8(self._path.name), read=read)
            return
        if not self._path.is_dir():
            yield from _archived(self._path, "", read=read)
            return
        for path in sorted(path for path in self._path.rglob("*") if path.is_file()):
            name = path.relative_to(self._path).as_posix()
            if is_record_name(name):
                yield _name_refusal(name, "") or _file(path, name, read=read)
            elif is_archive_name(name):
                try:
                    yield from _archived(path, f"{name}/", read=read)
                except EngineError as error:
                    yield SourceRecord(_utf8(name), error=error)


def _file(path: Path, name: str, *, read: bool) -> SourceRecord:
    if not read:
        return SourceRecord(name)
    try:
        with path.open("rb") as file:
            return SourceRecord(name, file.read(RECORD_BYTES_READ))
    except OSError as error:
        return SourceRecord(name, error=_unreadable(error))


def _archived(path: Path, prefix: str, *, read: bool) -> Iterator[SourceRecord]:
    seen: set[str] = set()
    for member in archive_members(path, read=read):
        if not member.name:  # the archive is damaged from here on
            yield SourceRecord(_utf8(prefix.rstrip("/") or path.name), error=member.error)
            return
        name = prefix + "/".join([part for part in PurePosixPath(member.name).parts if part != "/"])
        duplicate = _duplicate_refusal(name) if name in seen else None
        seen.add(name)
        yield _name_refusal(name, member.name) or duplicate or member._replace(name=name)


def _name_refusal(name: str, given: str) -> SourceRecord | None:
    """Return the refusal of a record whose annotation cannot be saved under its name, None if it can.

    `given`: the name in an archive, "" for a file.
    """
    parts = name.split("/")
    sizes = [len(_utf8(part).encode()) for part in parts]
    fits = min(sizes) > 0 and max(sizes) <= MAX_NAME and sum(sizes) + len(parts) <= MAX_PATH
    folders = [part.lower() for part in parts[:-1]]
    taken = any(part.endswith(ANNOTATION_ENDING) for part in folders) or folders[:1] in _OUTPUT_FILES
    if fits and not taken and ".." not in parts and "\0" not in name and name == _utf8(name):
        return None
    shown = _utf8(given or name)[:MAX_PATH]
    return SourceRecord(
        shown, error=InvalidInput(Text("no annotation can have this name"), code="bad_record_name")
    )


def _duplicate_refusal(name: str) -> SourceRecord:
    return SourceRecord(
        name, error=InvalidInput(Text("the archive has another record of this name"), code="duplicate_record")
    )


def _unreadable(error: OSError) -> InvalidInput:
    return InvalidInput(error.strerror or str(error), code="unreadable_file")


def _utf8(name: str) -> str:
    """Return a name as it is, except for bytes that are not UTF-8, which are written as escapes."""
    return name.encode("utf-8", "backslashreplace").decode()
