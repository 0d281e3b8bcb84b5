"""What the catalogue lists about a lexicon, from its manifest and from the head of its table file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.errors import DamagedTable, MissingTable
from engine.lexicon.store import read_head
from engine.messages import Text

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon.manifest import Manifest


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """Describe a lexicon of the catalogue. `path` is its table file, which exists if `built`."""

    id: str
    name: str
    tile_set: str
    word_count: int
    sha256: str
    bundled: bool
    built: bool
    path: Path
    about: str = ""  #: for which games the list is good, in a line
    language: str = ""
    source: str = ""
    licence: str = ""
    table_bytes: int = 0
    table_sha256: str = ""
    problem: str = ""  #: why the table file cannot be used, "" if it can


def lexicon_entry(lexicon_id: str, path: Path, manifest: Manifest | None) -> LexiconEntry:
    """Return the entry of a lexicon with a table file at `path`, which need not exist.

    `manifest`: that of a bundled lexicon, None for any other.
    """
    meta: dict[str, Any] = {}
    size, table_sha256, problem = 0, "", ""
    try:
        head = read_head(path)
    except MissingTable:
        pass
    except DamagedTable as error:
        problem = error.message
    else:
        meta, table_sha256, size = head.meta, head.sha256, head.size
    if manifest is not None and meta and meta["word_list_sha256"] != manifest.sha256:
        problem = Text(
            "its table was built from another word list; run: kibitz lexicon build {lexicon}",
            lexicon=lexicon_id,
        )
    return LexiconEntry(
        id=lexicon_id,
        name=manifest.name if manifest else str(meta.get("name", "")),
        tile_set=manifest.tile_set if manifest else str(meta.get("tile_set_id", "")),
        word_count=manifest.word_count if manifest else int(meta.get("word_count", 0)),
        sha256=manifest.sha256 if manifest else str(meta.get("word_list_sha256", "")),
        bundled=manifest is not None,
        built=bool(meta) and not problem,
        path=path,
        about=manifest.about if manifest else "",
        language=manifest.language if manifest else str(meta.get("language", "")),
        source=manifest.source if manifest else str(meta.get("source", "")),
        licence=manifest.licence if manifest else str(meta.get("licence", "")),
        table_bytes=size,
        table_sha256=table_sha256,
        problem=problem,
    )
