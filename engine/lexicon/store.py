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

All numbers are little-endian. The directory names each section's offset (from the end of the directory),
stored length (padding included), dtype, shape and the SHA-256 of its stored bytes. The sections lie end
to end, so every byte of the file is under exactly one checksum: ``open`` checks the header and the
directory (cheap, a few kilobytes), ``verify`` every byte. Sections are looked up by name and readers
ignore those they do not know, so later versions of the engine add tables without breaking the format.
"""

from __future__ import annotations

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

from engine.errors import DamagedTable, MissingTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

FORMAT_VERSION: Final = 1
MAGIC: Final = b"KIBITZ\r\n"
ALIGNMENT: Final = 64
EXTENSION: Final = ".kibitz"

_PREFIX = struct.Struct("<8sIIQ")  # what the directory's hash covers of the header
_HASH_AT = _PREFIX.size
_RESERVED_AT = _HASH_AT + 32
_LARGEST_DIRECTORY = 1 << 24  # a damaged length must not make us read gigabytes
_DTYPES = frozenset({"|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8"})


@dataclass(frozen=True, slots=True)
class SectionInfo:
    """Describe one section: its name, numpy dtype and shape, and where its stored bytes lie.

    ``offset`` counts from the end of the directory, ``stored`` includes the padding, ``sha256`` is theirs.
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
    """Write a table file in one step that either happens wholly or not at all.

    ``meta`` must be plain JSON. Sections are stored in the order given, as C-contiguous little-endian
    arrays of booleans, integers or floats. The bytes go to a temporary file in the same folder, are
    flushed to the disk and renamed, so a reader sees the old file or the new one, never a part of one.

    Raises ValueError for a dtype that the format does not hold, OSError when the disk refuses.
    """
    infos: list[SectionInfo] = []
    arrays: list[NDArray[Any]] = []
    end = 0
    for name, section in sections.items():
        array = np.asarray(section, order="C")
        if array.dtype.str not in _DTYPES:
            raise ValueError(f"section {name!r} has dtype {array.dtype}, which a table file does not hold")
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
    head = _header(meta, infos)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary_name = tempfile.mkstemp(
        prefix=temporary_prefix(path), suffix=".tmp", dir=path.parent
    )
    temporary = Path(temporary_name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(head)
            for array in arrays:
                stream.write(_bytes_of(array))
                stream.write(bytes(-array.nbytes % ALIGNMENT))
            stream.flush()
            os.fchmod(stream.fileno(), 0o644)  # mkstemp's 0600 would hide the table from other users
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _bytes_of(array: NDArray[Any]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data


def temporary_prefix(path: Path) -> str:
    """Return how the names of the temporary files begin that a write of this table file leaves if killed."""
    return f".{path.name}."


def _header(meta: Mapping[str, Any], infos: list[SectionInfo]) -> bytes:
    """Return header and directory, padded; the sections follow at once."""
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
    """Flush the folder's own entry, so that the rename outlives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class TableFile:
    """A table file, memory-mapped read-only, so that worker processes share its pages."""

    def __init__(
        self,
        path: Path,
        mapping: mmap.mmap,
        directory_sha256: str,
        meta: dict[str, Any],
        sections: dict[str, SectionInfo],
    ) -> None:
        self.path = path
        self.sha256 = directory_sha256  #: names the tables' contents: it covers every section's checksum
        self.meta = meta
        self.sections: Mapping[str, SectionInfo] = sections
        self._mapping = mapping
        self._data_at = len(mapping) - sum(info.stored for info in sections.values())

    @classmethod
    def open(cls, path: Path, *, verify: bool = False) -> TableFile:
        """Map a table file after checking its header and directory, and with ``verify`` every byte.

        Raises MissingTable when there is no such file, DamagedTable (naming what is wrong and the command
        that repairs it) when a check fails or another version of kibitz wrote it.
        """
        if sys.byteorder != "little":
            raise DamagedTable(
                f"{path}: table files need a little-endian processor", code="unsupported_processor"
            )
        try:
            with path.open("rb") as stream:
                if os.fstat(stream.fileno()).st_size < ALIGNMENT:
                    raise _damaged(path, "the file is shorter than its header")
                mapping = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError:
            raise MissingTable(
                f"{path}: there is no such table file; {repair(path)}", code="missing_table"
            ) from None
        except IsADirectoryError:
            raise _damaged(path, "it is a folder") from None
        except PermissionError:
            raise DamagedTable(f"{path}: no permission to read it", code="unreadable_table") from None
        try:
            table = cls._read(path, mapping)
        except BaseException:
            mapping.close()
            raise
        if verify:
            table.verify()
        return table

    @classmethod
    def _read(cls, path: Path, mapping: mmap.mmap) -> TableFile:
        magic, version, head, size = _PREFIX.unpack_from(mapping)
        if magic != MAGIC:
            raise _damaged(path, "it does not begin as a kibitz table does")
        if version != FORMAT_VERSION:
            raise _damaged(
                path,
                f"its format is version {version}, this kibitz reads {FORMAT_VERSION}",
                code="table_version",
            )
        if size != len(mapping):
            raise _damaged(path, f"it should have {size} bytes and has {len(mapping)}")
        if head % ALIGNMENT or not ALIGNMENT < head <= min(len(mapping), _LARGEST_DIRECTORY):
            raise _damaged(path, f"a directory of {head} bytes is impossible")
        stored_hash = mapping[_HASH_AT:_RESERVED_AT]
        if hashlib.sha256(mapping[:_HASH_AT] + mapping[_RESERVED_AT:head]).digest() != stored_hash:
            raise _damaged(path, "the checksum of its directory is wrong")
        # The checksum holds, so what follows was written by us: a fault here is a bug, not a bad disk.
        directory = json.loads(mapping[ALIGNMENT:head].rstrip(b"\0"))
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
                raise _damaged(path, f"section {info.name} does not lie where it should")
            end += info.stored
        if head + end != size:
            raise _damaged(path, "its sections do not fill it")
        return cls(path, mapping, stored_hash.hex(), directory["meta"], sections)

    def has(self, name: str) -> bool:
        """Tell whether the file holds the section."""
        return name in self.sections

    def section(self, name: str) -> NDArray[Any]:
        """Return a section as a read-only array over the mapping: nothing is copied.

        Raises MissingTable when the file does not hold it (built by an older kibitz, or without it).
        """
        info = self.sections.get(name)
        if info is None:
            raise MissingTable(
                f"{self.path}: the tables have no part {name!r}; {repair(self.path)}",
                code="missing_table_part",
            )
        count = math.prod(info.shape)
        if count == 0:
            return np.empty(info.shape, dtype=info.dtype)
        at = self._data_at + info.offset
        return np.frombuffer(self._mapping, dtype=info.dtype, count=count, offset=at).reshape(info.shape)

    def verify(self) -> None:
        """Check every byte of every section, padding included, against the directory's checksums.

        Raises DamagedTable naming the first section that differs. (The head was checked at opening.)
        """
        for info in self.sections.values():
            begin = self._data_at + info.offset
            with memoryview(self._mapping) as view, view[begin : begin + info.stored] as stored:
                if hashlib.sha256(stored).hexdigest() != info.sha256:
                    raise _damaged(self.path, f"the checksum of section {info.name} is wrong")

    def close(self) -> None:
        """Unmap the file, unless arrays over it are still alive: then it goes with the last of them."""
        try:
            self._mapping.close()
        except BufferError:
            return


def _damaged(path: Path, what: str, *, code: str = "damaged_table") -> DamagedTable:
    return DamagedTable(f"{path}: {what}; {repair(path)}", code=code)


def repair(path: Path) -> str:
    """Name the command that writes the table anew (a bundled list needs no ``--words``)."""
    return f"run: kibitz lexicon build {path.stem} (with --words FILE if the list is your own)"
