"""Learned tables: where their files are, and which of them serves a lexicon.

Training and import write `learned/<lexicon>.<kind>.kibitz` in the data directory. Bundled tables are
`<kind>.kibitz.xz` in the folder of a word list, or `[<list>.]<kind>.kibitz.xz` in a folder without words that
is named after a tile set; the first use unpacks one into the data directory. A lexicon uses its own table,
else the bundled one that was learned with its words, else the finest bundled for its tile set; bundled tables
of another version are ignored. A table names the word list that it was learned with.
"""

from __future__ import annotations

import hashlib
import lzma
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.errors import DamagedTable, MissingTable
from engine.lexicon.manifest import manifest_of
from engine.lexicon.store import EXTENSION, TableFile, write_file
from engine.messages import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.lexicon import Lexicon

PACKED: Final = f"{EXTENSION}.xz"
REPAIR: Final = Text("train or import it again, or delete it")


@dataclass(frozen=True, slots=True)
class LearnedFile:
    """Hold the file of a learned table; `own`: whether it was learned with the word list of the lexicon."""

    file: TableFile
    own: bool

    @property
    def name(self) -> str:
        """The lexicon that the table was learned with, and the first digits of the table's checksum."""
        return f"{self.file.meta['lexicon']}/{self.file.sha256[:12]}"


def learned_meta(lexicon: Lexicon, kind: str, version: int) -> dict[str, Any]:
    """Return the metadata of every learned table: kind, version, lexicon and tile set."""
    return {
        "kind": kind,
        "version": version,
        "lexicon": lexicon.id,
        "word_list_sha256": lexicon.sha256,
        "tile_set": lexicon.tile_set.id,
        "tile_set_sha256": lexicon.tile_set.sha256,
    }


def own_path(lexicon: Lexicon, kind: str) -> Path:
    """Return the path of a lexicon's own table of a kind, whether or not it exists."""
    return lexicon.data_directory / "learned" / f"{lexicon.id}.{kind}{EXTENSION}"


def find_learned(lexicon: Lexicon, kind: str, version: int) -> LearnedFile | None:
    """Return the table of a kind that serves a lexicon, or None if there is none.

    Raises DamagedTable if the lexicon's own table is damaged, or of another version or word list.
    """
    path = own_path(lexicon, kind)
    if path.exists():
        file = TableFile.open(path, repair=REPAIR)
        _check(file.meta, kind, version, path)
        if file.meta["word_list_sha256"] != lexicon.sha256:
            raise DamagedTable(
                Text(
                    "{path} was learned with another word list than that of {lexicon}; {repair}",
                    path=str(path),
                    lexicon=lexicon.id,
                    repair=REPAIR,
                ),
                code="other_word_list",
            )
        return LearnedFile(file, own=True)
    default = None
    for packed in _bundled(lexicon, kind):
        if default is not None and manifest_of(packed.parent) is not None:
            continue  # the table of another list, and a finer one is the default
        file = _unpacked(packed, lexicon.data_directory)
        if file.meta["version"] != version:  # its numbers mean something else
            continue
        if file.meta["word_list_sha256"] == lexicon.sha256:
            return LearnedFile(file, own=True)
        if file.meta["tile_set_sha256"] == lexicon.tile_set.sha256:
            default = default or LearnedFile(file, own=False)
    return default


def _bundled(lexicon: Lexicon, kind: str) -> Iterator[Path]:
    """Yield the packed tables of a kind that may serve a lexicon; leave out those of other tile sets.

    The table of its list is first, then those of other bundled lists, the finest (largest) first, then those
    in the folder of its tile set.
    """
    found = []
    for path in lexicon.bundled.glob(f"*/*{kind}{PACKED}"):
        manifest = manifest_of(path.parent)
        own = manifest is not None and manifest.sha256 == lexicon.sha256
        if (manifest.tile_set if manifest else path.parent.name) == lexicon.tile_set.id:
            found.append((manifest is None, not own, -path.stat().st_size, path))
    for *_, path in sorted(found):
        yield path


def _check(meta: Mapping[str, Any], kind: str, version: int, path: Path) -> None:
    if meta.get("kind") != kind or meta.get("version") != version:
        raise DamagedTable(
            Text(
                "{path} is no table of {kind} of version {version}; {repair}",
                path=str(path),
                kind=kind,
                version=version,
                repair=REPAIR,
            ),
            code="table_version",
        )


def _unpacked(packed: Path, data_directory: Path) -> TableFile:
    """Open a packed table; unpack it into the data directory unless that was done before."""
    data = packed.read_bytes()
    name = f"{packed.parent.name}.{packed.name.removesuffix(PACKED)}-{hashlib.sha256(data).hexdigest()[:16]}"
    path = data_directory / "learned" / "bundled" / f"{name}{EXTENSION}"
    if path.exists():
        with suppress(DamagedTable, MissingTable):  # a damaged file is unpacked again
            return TableFile.open(path)
    try:
        contents = lzma.decompress(data)
    except lzma.LZMAError as error:
        raise DamagedTable(
            Text(
                "{path}: the file cannot be unpacked ({reason}); install kibitz again",
                path=str(packed),
                reason=str(error),
            ),
            code="damaged_table",
        ) from error
    try:
        write_file(path, [contents])
        return TableFile.open(path)
    except OSError:  # if the data directory cannot be written, the table is unpacked for this process only
        with tempfile.NamedTemporaryFile(suffix=EXTENSION) as stream:
            stream.write(contents)
            stream.flush()
            return TableFile.open(Path(stream.name))
