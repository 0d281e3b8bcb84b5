"""Derived tables: computed from a lexicon alone, in seconds, at the first use, and then read from a file.

They are in `derived/<lexicon>.<kind>.kibitz` of the data directory, bound to the word list, the tile set and
the version of the code that computes them. A file that is damaged or belongs to another list is computed
again, since nothing in it was learned. If the data directory cannot be written, every start computes them.
When several processes start together, one computes a file; the others wait for its lock and then read it.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections import defaultdict
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from engine.errors import DamagedTable, MissingTable
from engine.lexicon.build import TABLES_VERSION
from engine.lexicon.store import EXTENSION, TableFile, write_table_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon

    Derived = tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]

_making: Final[defaultdict[Path, threading.RLock]] = defaultdict(threading.RLock)
_starting: Final = threading.Lock()
_threads: Final[dict[Path, threading.Thread]] = {}


def derived_path(lexicon: Lexicon, kind: str) -> Path:
    """Return the path of a lexicon's derived tables of a kind, whether or not it exists."""
    return lexicon.data_directory / "derived" / f"{lexicon.id}.{kind}{EXTENSION}"


def derived(lexicon: Lexicon, kind: str, version: int, make: Callable[[], Derived]) -> Derived:
    """Return (figures, arrays) of a kind, memory-mapped from their file; without a file, compute and write
    them.

    `make`: computes them; `version`: changes with `make`; `figures`: plain JSON. Every byte of the file is
    checked.
    """
    path, bound = derived_path(lexicon, kind), _bound(lexicon, kind, version)
    found = _found(path, bound)  # before the lock, so that a complete file is read without waiting
    if found is not None:
        return found
    with _making[path], _file_lock(path):
        found = _found(path, bound)
        if found is not None:
            return found
        figures, arrays = make()
        with suppress(OSError):
            write_table_file(path, {**bound, "figures": dict(figures)}, arrays)
        return figures, arrays


def made_within(lexicon: Lexicon, kind: str, make: Callable[[], object], seconds: float) -> bool:
    """Run `make` in another thread, unless it already runs; return whether it ends within some seconds.

    The thread continues after that time. Errors of `make` are ignored here, because the next use of the
    tables calls it again and raises them.
    """
    path = derived_path(lexicon, kind)

    def run() -> None:
        with suppress(Exception):
            make()

    with _starting:
        thread = _threads.get(path)
        if thread is None or not thread.is_alive():
            thread = _threads[path] = threading.Thread(target=run, name=f"making {path.name}")
            thread.start()
    thread.join(max(0.0, seconds))
    return not thread.is_alive()


def _found(path: Path, bound: Mapping[str, Any]) -> Derived | None:
    """Return (figures, arrays) of a file, None if it does not exist, is damaged, or is bound to other
    inputs."""
    with suppress(DamagedTable, MissingTable, OSError):
        file = TableFile.open(path)
        if {name: file.meta.get(name) for name in bound} == bound:
            return file.meta["figures"], {name: file.section(name) for name in file.sections}
    return None


@contextmanager
def _file_lock(path: Path) -> Iterator[None]:
    """Hold the lock of a file, if its folder can be written; the system releases it if the process dies."""
    descriptor = -1
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.with_name(f".{path.stem}.lock")
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _bound(lexicon: Lexicon, kind: str, version: int) -> dict[str, Any]:
    """Return what a file must have been computed from."""
    return {
        "kind": kind,
        "version": version,
        "lexicon": lexicon.id,
        "word_list_sha256": lexicon.sha256,
        "tile_set_sha256": lexicon.tile_set.sha256,
        "geometry": lexicon.geometry,
        "tables_version": TABLES_VERSION,
    }
