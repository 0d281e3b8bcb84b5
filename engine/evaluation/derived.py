"""Tables that follow from a lexicon alone but take seconds to make: kept in a file, made at first use.

They lie in `derived/<lexicon>.<kind>.kibitz` of the data directory, and are bound to the word list, the tile
set and the version of what makes them. A file that is damaged or belongs to another list is made anew, for
nothing in it was learned; a data directory that cannot be written costs the time at every start, no more.
Processes that start together make a file once: the others wait for its lock, then find it there.
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

    Made = tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]

_making: Final[defaultdict[Path, threading.RLock]] = defaultdict(threading.RLock)
_starting: Final = threading.Lock()
_beside: Final[dict[Path, threading.Thread]] = {}


def derived_path(lexicon: Lexicon, kind: str) -> Path:
    """Return where a lexicon's derived tables of a kind lie, whether or not they exist."""
    return lexicon.data_directory / "derived" / f"{lexicon.id}.{kind}{EXTENSION}"


def derived(lexicon: Lexicon, kind: str, version: int, make: Callable[[], Made]) -> Made:
    """Return (figures, arrays) of a kind, memory-mapped from their file, else made by `make` and written.

    `figures`: plain JSON; `version` changes when `make` does. Every byte of the file is checked.
    """
    path, bound = derived_path(lexicon, kind), _bound(lexicon, kind, version)
    found = _found(path, bound)  # without the lock: nobody waits for tables of others
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
    """Run `make` in a thread beside, unless one runs already, wait so long, and tell whether it is over.

    It goes on after that, so that a later call finds it done. What `make` raises is not told: whoever needs
    the tables asks for them then, and meets it.
    """
    path = derived_path(lexicon, kind)

    def run() -> None:
        with suppress(Exception):
            make()

    with _starting:
        thread = _beside.get(path)
        if thread is None or not thread.is_alive():
            thread = _beside[path] = threading.Thread(target=run, name=f"making {path.name}")
            thread.start()
    thread.join(max(0.0, seconds))
    return not thread.is_alive()


def _found(path: Path, bound: Mapping[str, Any]) -> Made | None:
    """Return (figures, arrays) of a file, None if it is not there, is damaged, or of something else."""
    with suppress(DamagedTable, MissingTable, OSError):
        file = TableFile.open(path)
        if {name: file.meta.get(name) for name in bound} == bound:
            return file.meta["figures"], {name: file.section(name) for name in file.sections}
    return None


@contextmanager
def _file_lock(path: Path) -> Iterator[None]:
    """Hold the lock of a file, if its folder can be written; the system lets go of it if the process dies."""
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
    """Return what a file says of where it comes from; ids of words follow from list, geometry and tables."""
    return {
        "kind": kind,
        "version": version,
        "lexicon": lexicon.id,
        "word_list_sha256": lexicon.sha256,
        "tile_set_sha256": lexicon.tile_set.sha256,
        "geometry": lexicon.geometry,
        "tables_version": TABLES_VERSION,
    }
