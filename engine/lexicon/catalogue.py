"""The catalogue of lexicons: those bundled with kibitz, and those with tables in the data directory.

A bundled lexicon is a folder with `manifest.json` and a compressed word list; its tables are built on demand.
Any other lexicon is a table file; its word list is not stored.
"""

from __future__ import annotations

import re
import threading
import tomllib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from engine.errors import (
    DamagedTable,
    EngineError,
    InvalidInput,
    MissingTable,
    NotFound,
    WordListError,
    excerpt,
    known_names,
)
from engine.lexicon.build import build_lexicon, geometry_for
from engine.lexicon.build_lock import is_locked, locked, try_lock
from engine.lexicon.kernels import KERNELS
from engine.lexicon.lexicon import BUNDLED, Lexicon
from engine.lexicon.lexicon_entry import LexiconEntry, lexicon_entry
from engine.lexicon.manifest import MANIFEST, Manifest, manifest_of
from engine.lexicon.store import EXTENSION, temporary_prefix, write_table_file
from engine.lexicon.word_lists.word_list import WordList, read_word_list
from engine.messages import Text, message
from engine.rules import TileSet, tile_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon.word_lists.word_list import Progress

OPEN_LISTS = "open_lists.toml"
"""The file beside the bundled lexicons with a table for each list that can be built from dictionaries."""
_ID = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")


class Catalogue:
    """Find, build and open lexicons: the bundled ones, and those of a data directory."""

    def __init__(self, data_directory: Path, *, bundled: Path = BUNDLED) -> None:
        self.data_directory = data_directory
        self.tables = data_directory / "tables"
        self.bundled = bundled
        self._open: dict[str, Lexicon] = {}
        self._file_ids: dict[str, tuple[int, int] | None] = {}
        self._lock = threading.Lock()

    def manifest(self, lexicon_id: str) -> Manifest | None:
        """Return the manifest of a bundled lexicon, None for any other id."""
        return manifest_of(self.bundled / lexicon_id) if _ID.fullmatch(lexicon_id) else None

    def bundled_ids(self) -> list[str]:
        """Return the ids of the bundled lexicons, in alphabetical order."""
        return sorted(path.parent.name for path in self.bundled.glob(f"*/{MANIFEST}"))

    def table_path(self, lexicon_id: str) -> Path:
        """Return the path of the table file of a lexicon, which need not exist."""
        return self.tables / f"{lexicon_id}{EXTENSION}"

    def _lock_path(self, lexicon_id: str) -> Path:
        return self.tables / f".{lexicon_id}.lock"

    def entries(self) -> list[LexiconEntry]:
        """List all lexicons by id: the bundled ones, built or not, and every table file.

        An entry of a table with a damaged header has a `problem`; no error is raised. The complete table is
        checked when it is opened.
        """
        ids = set(self.bundled_ids())
        ids |= {path.stem for path in self.tables.glob(f"*{EXTENSION}") if _ID.fullmatch(path.stem)}
        return [lexicon_entry(one, self.table_path(one), self.manifest(one)) for one in sorted(ids)]

    def opened(self, lexicon_id: str) -> Lexicon | None:
        """Return a lexicon that is open, None for any other; reads no file."""
        return self._open.get(lexicon_id.lower())

    def open(self, lexicon_id: str) -> Lexicon:
        """Open a lexicon and check every byte of its table file; later calls return the same object.

        Case does not matter (TWL06 is twl06). Raises NotFound (code "unknown_lexicon") naming the existing
        lexicons, MissingTable for a bundled lexicon that is not built, DamagedTable for a file that fails its
        checks.
        """
        if (found := self.opened(lexicon_id)) is not None:
            return found  # without the lock: opening another lexicon may take a second
        key = lexicon_id.lower()
        with self._lock:
            lexicon = self._open.get(key)
            if lexicon is None:
                lexicon = self._open[key] = self._opened(key, shown=lexicon_id)
                self._file_ids[key] = self._file_id(key)
            return lexicon

    def verify_open(self) -> None:
        """Check the table files of the open lexicons: close a damaged one, reopen a replaced one.

        The next `open` of a closed lexicon raises DamagedTable until its file is repaired.
        """
        with self._lock:
            for key in list(self._open):
                file_id = self._file_id(key)
                try:
                    lexicon = self._opened(key, shown=key)
                except EngineError:
                    del self._open[key]
                    continue
                if file_id != self._file_ids[key]:
                    self._open[key], self._file_ids[key] = lexicon, file_id

    def _file_id(self, lexicon_id: str) -> tuple[int, int] | None:
        """Return device and inode of a table file, which identify the file; None without one."""
        try:
            found = self.table_path(lexicon_id).stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _opened(self, lexicon_id: str, *, shown: str) -> Lexicon:
        manifest = self.manifest(lexicon_id)
        if manifest is None and not (_ID.fullmatch(lexicon_id) and self.table_path(lexicon_id).exists()):
            known = [entry.id for entry in self.entries()]
            own_id = lexicon_id if _ID.fullmatch(lexicon_id) else "ID"
            template = message(
                "there is no lexicon '{name}'; {names}; to build one from a word list, run: {command}"
            )
            command = f"kibitz lexicon build --words FILE --tiles SET --id {own_id}"
            if lexicon_id in self._open_lists():
                template = message(
                    "there is no lexicon '{name}'; {names}; "
                    "to build it from a dictionary of this system, run: {command}"
                )
                command = f"kibitz lexicon fetch {lexicon_id}"
            raise NotFound(
                Text(template, name=excerpt(shown), names=known_names(shown, known), command=command),
                code="unknown_lexicon",
                field="lexicon",
                params={"name": excerpt(shown), "known": known, "command": command},
            )
        lexicon = Lexicon.open(self.table_path(lexicon_id))
        if manifest is not None and lexicon.sha256 != manifest.sha256:
            raise DamagedTable(
                Text(
                    "{path} was built from another word list than the bundled one; run: kibitz "
                    "lexicon build {lexicon}",
                    path=str(self.table_path(lexicon_id)),
                    lexicon=lexicon_id,
                ),
                code="other_word_list",
            )
        lexicon.bundled = self.bundled
        return lexicon

    def _open_lists(self) -> Iterable[str]:
        """Return the ids of the lists that `kibitz lexicon fetch` builds from dictionaries of the system."""
        try:
            return tomllib.loads((self.bundled / OPEN_LISTS).read_text("utf-8"))
        except FileNotFoundError:
            return ()

    def is_building(self, lexicon_id: str) -> bool:
        """Return whether any process is building the table of a lexicon."""
        return is_locked(self._lock_path(lexicon_id))

    def claim_requested_build(self) -> int | None:
        """Return a descriptor of the lock that lets servers build one table at a time, None if taken.

        The process holds the lock until it closes the descriptor or ends. Raises OSError if the data
        directory cannot be written.
        """
        return try_lock(self.tables / "requested_build.lock")

    def ensure(self, lexicon_id: str, progress: Progress | None = None) -> Lexicon:
        """Open a lexicon; build the table of a bundled one if it is missing, outdated or damaged.

        If several processes call it at once, one builds and the others wait. Raises what `open` and `build`
        raise. A damaged table of a list that is not bundled raises DamagedTable.
        """
        key = lexicon_id.lower()
        manifest = self.manifest(key)
        if manifest is None:
            return self.open(lexicon_id)
        try:
            return self.open(key)
        except (MissingTable, DamagedTable):
            pass
        with locked(self._lock_path(key), progress):
            try:
                return self.open(key)  # another process may have built it meanwhile
            except (MissingTable, DamagedTable):
                self._build_bundled(manifest, progress)
        return self.open(key)

    def build(self, lexicon_id: str, progress: Progress | None = None, *, wide: bool = False) -> WordList:
        """Build the table of a bundled lexicon again, `wide` for boards of up to 26 squares; return its list.

        Raises NotFound if it is not bundled, WordListError if the list has another checksum than the
        manifest.
        """
        key = lexicon_id.lower()
        manifest = self.manifest(key)
        if manifest is None:
            bundled = [entry.id for entry in self.entries() if entry.bundled]
            raise NotFound(
                Text(
                    "'{name}' is not bundled with kibitz (bundled: {known}); to build your own list, "
                    "give --words FILE, --tiles SET and --id ID",
                    name=excerpt(lexicon_id),
                    known=bundled,
                ),
                code="unknown_lexicon",
                field="lexicon",
            )
        with locked(self._lock_path(key), progress):
            return self._build_bundled(manifest, progress, wide=wide)

    def own_id(self, lexicon_id: str) -> str:
        """Return an id for a list of the user's own, in lower case.

        Raises InvalidInput for an id that is not 1 to 64 characters of a-z 0-9 _ . - or is that of a bundled
        lexicon.
        """
        key = lexicon_id.lower()
        if not _ID.fullmatch(key):
            raise InvalidInput(
                Text(
                    "'{name}' is not a lexicon id: 1 to 64 characters of a-z, 0-9, '_', '.', '-', "
                    "the first a letter or a digit",
                    name=excerpt(lexicon_id),
                ),
                code="bad_lexicon_id",
                field="id",
            )
        if self.manifest(key) is not None:
            raise InvalidInput(
                Text("{name} is bundled with kibitz; give your list another id", name=key),
                code="bundled_lexicon_id",
                field="id",
            )
        return key

    def build_from(
        self,
        words: Path | WordList,
        tiles: TileSet,
        *,
        lexicon_id: str,
        name: str = "",
        encoding: str | None = None,
        wide: bool = False,
        origin: Mapping[str, str] = MappingProxyType({}),
        progress: Progress | None = None,
    ) -> WordList:
        """Build the table of any word list; return the list with its report.

        `words` is a file, or a list that was read. `origin` may have the keys language, source and licence,
        which are stored in the table.

        Raises InvalidInput as `own_id` does, WordListError for the list.
        """
        key = self.own_id(lexicon_id)
        with locked(self._lock_path(key), progress):
            return self._build(words, tiles, key, name, encoding, wide=wide, origin=origin, progress=progress)

    def _build_bundled(
        self, manifest: Manifest, progress: Progress | None, *, wide: bool = False
    ) -> WordList:
        return self._build(
            self.bundled / manifest.id / manifest.words_file,
            tile_set(manifest.tile_set),
            manifest.id,
            manifest.name,
            manifest.encoding,
            wide=wide,
            expected=manifest.sha256,
            progress=progress,
        )

    def _build(
        self,
        words: Path | WordList,
        tiles: TileSet,
        lexicon_id: str,
        name: str,
        encoding: str | None,
        *,
        wide: bool = False,
        expected: str = "",
        origin: Mapping[str, str] = MappingProxyType({}),
        progress: Progress | None,
    ) -> WordList:
        """Read, build and write, inside the build lock."""
        if isinstance(words, WordList):
            word_list = words
        else:
            longest = KERNELS[geometry_for(tiles, 1, wide=wide)].tables.SIDE_CAPACITY
            word_list = read_word_list(
                words, tiles.alphabet, encoding=encoding, max_length=longest, progress=progress
            )
        if expected and word_list.sha256 != expected:
            raise WordListError(
                Text("{path} is not the list of its manifest: sha256 differs", path=str(words)),
                code="other_word_list",
            )
        meta, sections = build_lexicon(
            word_list, tiles, id=lexicon_id, name=name, wide=wide, progress=progress
        )
        meta |= origin
        self._write(lexicon_id, meta, sections, progress)
        return word_list

    def _write(
        self,
        lexicon_id: str,
        meta: Mapping[str, Any],
        sections: Mapping[str, NDArray[Any]],
        progress: Progress | None,
    ) -> None:
        """Replace a table file, inside the build lock."""
        path = self.table_path(lexicon_id)
        for leftover in self.tables.glob(f"{temporary_prefix(path)}*.tmp"):
            leftover.unlink(missing_ok=True)  # of a killed build: inside the lock no other build is running
        if progress is not None:
            progress("write", 0.0)
        write_table_file(path, meta, sections)
        if progress is not None:
            progress("write", 1.0)
        with self._lock:
            self._open.pop(lexicon_id, None)
