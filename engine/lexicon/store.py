"""The table file: one versioned, checksummed, memory-mapped file per lexicon.

A table file (extension ``.kibitz``) is a header, a directory and a run of sections::

    offset 0    8 bytes   magic, b"KIBITZ\\r\\n" (a text-mode copy breaks it visibly)
           8    u32       format version
          12    u32       bytes of header and directory together, a multiple of 64
          16    u64       size of the whole file
          24    32 bytes  SHA-256 of bytes 0..23 and of everything from 56 to the end of the directory
          56    8 bytes   zero
          64    directory canonical JSON {"meta": {...}, "sections": [...]}, zero-padded to a multiple of 64
          ...   sections  each on a 64-byte boundary, zero-padded to the next one

All numbers are little-endian. The directory gives each section's offset (from the end of the directory),
stored length (padding included), dtype, shape and the SHA-256 of its stored bytes. The sections lie end
to end, so exactly one checksum covers every byte, and `open` checks all of them, because the kernels do not
check what they read. Sections are found by name and readers ignore unknown ones, so later versions of the
engine can add tables without changing the format.

A file is written under a temporary name, made read-only and renamed. It must never be changed in place: a
process that has mapped it would read the change, and is killed if the file gets shorter.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import mmap
import os
import struct
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import DamagedTable, MissingTable, params_of
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from io import FileIO

    from numpy.typing import NDArray


FORMAT_VERSION: Final = 1
MAGIC: Final = b"KIBITZ\r\n"
ALIGNMENT: Final = 64
EXTENSION: Final = ".kibitz"

_PREFIX = struct.Struct("<8sIIQ")  # the part of the header that the checksum of the directory covers
_HASH_AT = _PREFIX.size
_RESERVED_AT = _HASH_AT + 32
_MAX_DIRECTORY = 1 << 24  # bytes; prevents reading gigabytes because of a damaged length
_CHUNK = 1 << 20  # bytes that are read and checked at a time
_DTYPES = frozenset({"|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8"})


@dataclass(frozen=True, slots=True)
class SectionInfo:
    """Describe one section: its name, numpy dtype and shape, and its place in the file.

    `offset` counts from the end of the directory; `stored` is the length with padding, `sha256` its checksum.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int
    stored: int
    sha256: str

    @property
    def bytes(self) -> int:
        """Return the bytes of the array itself, without its padding."""
        return int(np.dtype(self.dtype).itemsize) * math.prod(self.shape)


def write_table_file(path: Path, meta: Mapping[str, Any], sections: Mapping[str, NDArray[Any]]) -> None:
    """Write a table file in one step, as `write_file` does.

    ``meta`` must be plain JSON. Sections are stored in the order given, as C-contiguous little-endian
    arrays of booleans, integers or floats.

    Raises ValueError for a dtype that the format does not have, OSError if writing fails.
    """
    infos: list[SectionInfo] = []
    arrays: list[NDArray[Any]] = []
    end = 0
    for name, section in sections.items():
        array = np.asarray(section, order="C")
        if array.dtype.str not in _DTYPES:
            raise ValueError(f"section {name!r} has dtype {array.dtype}, which a table file cannot contain")
        digest = hashlib.sha256(_bytes_of(array))
        digest.update(bytes(-array.nbytes % ALIGNMENT))
        infos.append(
            SectionInfo(
                name=name,
                dtype=array.dtype.str,
                shape=array.shape,
                offset=end,
                stored=array.nbytes + -array.nbytes % ALIGNMENT,
                sha256=digest.hexdigest(),
            )
        )
        arrays.append(array)
        end += infos[-1].stored
    padded = [part for array in arrays for part in (_bytes_of(array), bytes(-array.nbytes % ALIGNMENT))]
    write_file(path, [_header(meta, infos), *padded])


def write_file(path: Path, parts: Iterable[bytes | memoryview]) -> None:
    """Write a read-only file atomically.

    The bytes are written to a temporary file in the same folder and flushed to the disk; then the file is
    renamed. A reader sees the old file or the new one, never a part. Raises OSError if writing fails.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary_name = tempfile.mkstemp(
        prefix=temporary_prefix(path), suffix=".tmp", dir=path.parent
    )
    temporary = Path(temporary_name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            for part in parts:
                stream.write(part)
            stream.flush()
            os.fchmod(stream.fileno(), 0o444)  # every user can read it, and no one changes it by mistake
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _bytes_of(array: NDArray[Any]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data


def temporary_prefix(path: Path) -> str:
    """Return the beginning of the names of the temporary files for a table file."""
    return f".{path.name}."


def _header(meta: Mapping[str, Any], infos: list[SectionInfo]) -> bytes:
    """Return header and directory with padding."""
    rows = [
        {
            "name": info.name,
            "dtype": info.dtype,
            "shape": list(info.shape),
            "offset": info.offset,
            "stored": info.stored,
            "sha256": info.sha256,
        }
        for info in infos
    ]
    text = json.dumps({"meta": dict(meta), "sections": rows}, **_CANONICAL).encode()
    directory = text + bytes(-len(text) % ALIGNMENT)
    length = ALIGNMENT + len(directory)
    prefix = _PREFIX.pack(MAGIC, FORMAT_VERSION, length, length + sum(info.stored for info in infos))
    reserved = bytes(ALIGNMENT - _RESERVED_AT)
    digest = hashlib.sha256(prefix + reserved + directory).digest()
    return prefix + digest + reserved + directory


_CANONICAL: Final[dict[str, Any]] = {
    "sort_keys": True,
    "separators": (",", ":"),
    "ensure_ascii": True,
    "allow_nan": False,
}


def _sync_folder(folder: Path) -> None:
    """Flush the folder, so that the rename survives a power failure."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@dataclass(frozen=True, slots=True)
class TableHead:
    """Hold the header and directory of a table file.

    `sha256` identifies the contents, because it covers the checksums of the sections. The sections begin at
    byte `data_at`; the file has `size` bytes.
    """

    meta: dict[str, Any]
    sections: Mapping[str, SectionInfo]
    sha256: str
    size: int
    data_at: int


class TableFile:
    """A table file, memory-mapped read-only, so that processes share its pages."""

    def __init__(self, path: Path, mapping: mmap.mmap, head: TableHead) -> None:
        self.path = path
        self.sha256 = head.sha256
        self.meta = head.meta
        self.sections = head.sections
        self._mapping = mapping
        self._data_at = head.data_at

    @classmethod
    def open(cls, path: Path, *, repair: str = "") -> TableFile:
        """Check every byte of a table file, and map it.

        `repair` says in messages how to rebuild the file, by default with `kibitz lexicon build`. The check
        reads the file before it is mapped, so that a file that shrinks meanwhile raises an error.

        Raises MissingTable if there is no such file, DamagedTable (naming the fault and the repair) if a
        check fails or another version of kibitz wrote the file.
        """
        problem = _Problem(path, repair or build_command(path))
        with _opened(problem) as stream:
            head = _read_head(stream, problem)
            _check_sections(stream, head, problem)
            try:
                mapping = mmap.mmap(stream.fileno(), head.size, access=mmap.ACCESS_READ)
            except ValueError:
                raise problem.damaged(Text("it shrank while it was read")) from None
        return cls(path, mapping, head)

    def has(self, name: str) -> bool:
        """Return whether the file has the section."""
        return name in self.sections

    def section(self, name: str) -> NDArray[Any]:
        """Return a section as a read-only array over the mapping, without a copy.

        Raises MissingTable if the file does not have it.
        """
        info = self.sections.get(name)
        if info is None:
            raise MissingTable(
                Text(
                    "{path}: the tables have no part '{part}'; {repair}",
                    path=str(self.path),
                    part=name,
                    repair=build_command(self.path),
                ),
                code="missing_table_part",
            )
        count = math.prod(info.shape)
        if count == 0:
            return np.empty(info.shape, dtype=info.dtype)
        at = self._data_at + info.offset
        return np.frombuffer(self._mapping, dtype=info.dtype, count=count, offset=at).reshape(info.shape)

    def close(self) -> None:
        """Unmap the file; if arrays over it still exist, it is unmapped with the last of them."""
        try:
            self._mapping.close()
        except BufferError:
            return


def build_command(path: Path) -> Text:
    """Return the command that builds the table again."""
    return Text(
        "run: kibitz lexicon build {lexicon} (with --words FILE if the list is your own; kibitz lexicon "
        "fetch if it was fetched)",
        lexicon=path.stem,
    )


@dataclass(frozen=True, slots=True)
class _Problem:
    """Build the errors of one table file, each with its repair."""

    path: Path
    repair: str

    def damaged(self, what: Text, *, code: str = "damaged_table") -> DamagedTable:
        """Return the error; the values in `what` are among its params."""
        values = {"path": str(self.path), "reason": what, "repair": self.repair}
        detail = Text("{path}: {reason}; {repair}", **values)
        return DamagedTable(detail, code=code, params={**values, **params_of(what)})


@contextlib.contextmanager
def _opened(problem: _Problem) -> Iterator[FileIO]:
    """Open a table file; turn errors of the system into errors of the engine."""
    path = problem.path
    try:
        with path.open("rb", buffering=0) as stream:
            yield stream
    except FileNotFoundError:
        raise MissingTable(
            Text("{path}: there is no such table file; {repair}", path=str(path), repair=problem.repair),
            code="missing_table",
        ) from None
    except IsADirectoryError:
        raise problem.damaged(Text("it is a folder")) from None
    except PermissionError:
        raise DamagedTable(
            Text("{path}: no permission to read it", path=str(path)), code="unreadable_table"
        ) from None


def read_head(path: Path) -> TableHead:
    """Read and check the header and directory of a table file, without its sections.

    Raises what `TableFile.open` raises.
    """
    problem = _Problem(path, build_command(path))
    with _opened(problem) as stream:
        return _read_head(stream, problem)


def _read_head(stream: FileIO, problem: _Problem) -> TableHead:
    if sys.byteorder != "little":
        raise DamagedTable(
            Text("{path}: table files need a little-endian processor", path=str(problem.path)),
            code="unsupported_processor",
        )
    present = os.fstat(stream.fileno()).st_size
    start = stream.read(ALIGNMENT)
    if len(start) < ALIGNMENT:
        raise problem.damaged(Text("the file is shorter than its header"))
    magic, version, length, size = _PREFIX.unpack_from(start)
    if magic != MAGIC:
        raise problem.damaged(Text("it is not a kibitz table"))
    if version != FORMAT_VERSION:
        raise problem.damaged(
            Text(
                "its format is version {version}, this kibitz reads {known}",
                version=version,
                known=FORMAT_VERSION,
            ),
            code="table_version",
        )
    if size != present:
        raise problem.damaged(
            Text("it should have {expected} bytes and has {bytes}", expected=size, bytes=present)
        )
    if length % ALIGNMENT or not ALIGNMENT < length <= min(size, _MAX_DIRECTORY):
        raise problem.damaged(Text("a directory of {bytes} bytes is impossible", bytes=length))
    head = start + stream.read(length - ALIGNMENT)
    stored_hash = head[_HASH_AT:_RESERVED_AT]
    if hashlib.sha256(head[:_HASH_AT] + head[_RESERVED_AT:]).digest() != stored_hash:
        raise problem.damaged(Text("the checksum of its directory is wrong"))
    # The checksum is right, so kibitz wrote this; a fault from here on would be a bug of kibitz.
    directory = json.loads(head[ALIGNMENT:].rstrip(b"\0"))
    sections = {
        row["name"]: SectionInfo(
            name=row["name"],
            dtype=row["dtype"],
            shape=tuple(row["shape"]),
            offset=row["offset"],
            stored=row["stored"],
            sha256=row["sha256"],
        )
        for row in directory["sections"]
    }
    end = 0
    for info in sections.values():
        if info.offset != end or info.dtype not in _DTYPES or info.bytes > info.stored:
            raise problem.damaged(Text("section {section} is in the wrong place", section=info.name))
        end += info.stored
    if length + end != size:
        raise problem.damaged(Text("its sections do not fill it"))
    return TableHead(directory["meta"], sections, stored_hash.hex(), size, length)


def _check_sections(stream: FileIO, head: TableHead, problem: _Problem) -> None:
    """Check every byte after the head, padding included; the stream is at the first section."""
    chunk = memoryview(bytearray(_CHUNK))
    for info in head.sections.values():
        digest, left = hashlib.sha256(), info.stored
        while left and (count := _read_into(stream, chunk[:left], problem)):
            digest.update(chunk[:count])
            left -= count
        if left or digest.hexdigest() != info.sha256:
            raise problem.damaged(Text("the checksum of section {section} is wrong", section=info.name))


def _read_into(stream: FileIO, buffer: memoryview, problem: _Problem) -> int:
    try:
        return stream.readinto(buffer)
    except OSError as error:
        raise problem.damaged(Text("reading it failed ({reason})", reason=str(error.strerror))) from error
