"""The game records in a zip or tar archive, read one by one; nothing is unpacked to the disk.

Archives are untrusted: one that unpacks to more than EXPANSION times its size is refused, and at most
RECORD_BYTES_READ bytes of each record are read.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from contextlib import ExitStack
from functools import partial
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from engine import EngineError, InvalidInput, Text
from kibitz.archives.bounded_file import RECORD_BYTES_READ, BoundedFile, too_large

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

ENDINGS: Final = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
"""The names of archives inside a folder end in one of these; case does not matter."""

RECORD_ENDINGS: Final = (".gcg", ".json")
"""The names of records end in one of these, GCG and the JSON of Woogles; case does not matter."""

SUMMARY: Final = "summary.json"
"""The file of the totals of a batch, which is no record."""

EXPANSION: Final = 200
LEAST_LIMIT: Final = 64 << 20
"""An archive may unpack to EXPANSION times its size, but always to this many bytes."""

MAX_MEMBERS: Final = 1_000_000
"""The most files in one archive; each takes about a kilobyte of memory."""

_DECOMPRESS: Final[Mapping[bytes, Callable[..., Any]]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
}
"""The function that opens a compressed tar archive, by the first bytes of the file."""

_UNREADABLE: Final = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RecursionError,  # tarfile reads each of many long names inside the one before
)


class SourceRecord(NamedTuple):
    """A game record: its name, and its bytes, or why it cannot be read."""

    name: str
    data: bytes = b""
    error: EngineError | None = None


def is_archive_name(name: str) -> bool:
    """Return whether a file of this name counts as an archive."""
    return name.lower().endswith(ENDINGS)


def is_record_name(name: str) -> bool:
    """Return whether a file of this name counts as a game record."""
    return name.lower().endswith(RECORD_ENDINGS) and not name.endswith(SUMMARY)


def archive_members(path: Path, *, read: bool = True) -> Iterator[SourceRecord]:
    """Yield the records of an archive in the order they are stored; without `read` only their names.

    The last record has an empty name and an error if the archive turns out to be damaged or too large.
    Raises InvalidInput for an archive that is refused as a whole, and with the code "not_an_archive" for a
    file that is neither a zip nor a tar archive.
    """
    with ExitStack() as opened:
        file: IO[bytes] = opened.enter_context(path.open("rb"))
        limit = max(LEAST_LIMIT, EXPANSION * path.stat().st_size)
        try:
            if _is_zip(file):
                archive = opened.enter_context(zipfile.ZipFile(file))
                members = _zip_members(archive, _records(archive, limit), read=read)
            else:
                bounded = BoundedFile(_decompressed(file, opened), limit)
                tar = opened.enter_context(tarfile.open(fileobj=bounded, mode="r:"))  # type: ignore[call-overload]
                members = _tar_members(tar, bounded, read=read)
        except _UNREADABLE as error:
            raise InvalidInput(
                Text("{path} is neither a zip nor a tar archive", path=str(path)),
                code="not_an_archive",
                params={"path": str(path)},
            ) from error
        try:
            yield from members
        except EngineError as error:
            yield SourceRecord("", error=error)
        except _UNREADABLE as error:
            yield SourceRecord("", error=_damaged(error))


def _is_zip(file: IO[bytes]) -> bool:
    """Return whether a file is a zip archive, and not a tar archive with one at its end."""
    head = file.read(tarfile.BLOCKSIZE)
    if head[257:262] == b"ustar" or head.startswith(tuple(_DECOMPRESS)):
        return False
    return zipfile.is_zipfile(file)


def _records(archive: zipfile.ZipFile, limit: int) -> list[zipfile.ZipInfo]:
    listed = archive.infolist()
    _check_count(len(listed))
    records = [one for one in listed if is_record_name(one.filename) and not one.is_dir()]
    # The declared sizes can be trusted as a bound, because zipfile reads no further.
    if sum([min(one.file_size, RECORD_BYTES_READ) for one in records]) > limit:
        raise too_large(limit)
    return records


def _zip_members(
    archive: zipfile.ZipFile, records: Sequence[zipfile.ZipInfo], *, read: bool
) -> Iterator[SourceRecord]:
    for one in records:
        yield _member(one.filename, partial(_zip_data, archive, one), read=read)


def _zip_data(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> bytes:
    # The other methods decompress a chunk of any size at once.
    if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InvalidInput(
            Text("the record is compressed by an unusual method; pack it with deflate"),
            code="unsupported_compression",
        )
    if one.flag_bits & 1:
        raise InvalidInput(Text("the record is encrypted"), code="encrypted_record")
    with archive.open(one) as content:
        return content.read(RECORD_BYTES_READ)


def _tar_members(archive: tarfile.TarFile, content: BoundedFile, *, read: bool) -> Iterator[SourceRecord]:
    for count, one in enumerate(archive, 1):
        _check_count(count)
        if is_record_name(one.name) and not one.isdir():
            yield _member(one.name, partial(_tar_data, archive, one), read=read)
    # tarfile treats a damaged header as the end of the archive.
    content.seek(archive.offset)
    if content.read(tarfile.BLOCKSIZE).strip(b"\0"):
        raise tarfile.ReadError("damaged header")


def _tar_data(archive: tarfile.TarFile, one: tarfile.TarInfo) -> bytes:
    content = archive.extractfile(one) if one.isreg() else None
    if content is None:
        raise InvalidInput(Text("the record is a link or a device, not a file"), code="not_a_file")
    data = content.read(RECORD_BYTES_READ)
    if len(data) < min(one.size, RECORD_BYTES_READ):
        raise EOFError("unexpected end of data")
    return data


def _decompressed(file: IO[bytes], opened: ExitStack) -> IO[bytes]:
    file.seek(0)
    head = file.read(6)
    file.seek(0)
    for start, decompress in _DECOMPRESS.items():
        if head.startswith(start):
            found: IO[bytes] = opened.enter_context(decompress(file))
            return found
    return file


def _member(name: str, data: Callable[[], bytes], *, read: bool) -> SourceRecord:
    if not read:
        return SourceRecord(name)
    try:
        return SourceRecord(name, data())
    except EngineError as error:
        return SourceRecord(name, error=error)
    except (zipfile.BadZipFile, zlib.error) as error:  # the others of a zip archive can still be read
        return SourceRecord(name, error=_damaged(error))


def _damaged(error: BaseException) -> InvalidInput:
    reason = str(error) or type(error).__name__
    return InvalidInput(Text("the archive is damaged: {reason}", reason=reason), code="damaged_archive")


def _check_count(count: int) -> None:
    if count > MAX_MEMBERS:
        raise InvalidInput(
            Text("the archive has more than {most} files", most=MAX_MEMBERS), code="archive_too_large"
        )
