"""Tables that follow from a lexicon alone but take seconds to make: kept in a file, made at first use.

They lie in `derived/<lexicon>.<kind>.kibitz` of the data directory, and are bound to the word list, the tile
set and the version of what makes them. A file that is damaged or belongs to another list is made anew, for
nothing in it was learned; a data directory that cannot be written costs the time at every start, no more.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from engine.errors import DamagedTable, MissingTable
from engine.lexicon.build import TABLES_VERSION
from engine.lexicon.store import EXTENSION, TableFile, write_table_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon

    Made = tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]

_making: Final = threading.RLock()


def derived_path(lexicon: Lexicon, kind: str) -> Path:
    """Return where a lexicon's derived tables of a kind lie, whether or not they exist."""
    return lexicon.data_directory / "derived" / f"{lexicon.id}.{kind}{EXTENSION}"


def derived(lexicon: Lexicon, kind: str, version: int, make: Callable[[], Made]) -> Made:
    """Return (figures, arrays) of a kind, memory-mapped from their file, else made by `make` and written.

    `figures`: plain JSON; `version` changes when `make` does. Every byte of the file is checked.
    """
    with _making:
        path, bound = derived_path(lexicon, kind), _bound(lexicon, kind, version)
        with suppress(DamagedTable, MissingTable, OSError):
            file = TableFile.open(path, verify=True)
            if {name: file.meta.get(name) for name in bound} == bound:
                return file.meta["figures"], {name: file.section(name) for name in file.sections}
        figures, arrays = make()
        with suppress(OSError):
            write_table_file(path, {**bound, "figures": dict(figures)}, arrays)
        return figures, arrays


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
