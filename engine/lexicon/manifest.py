"""The manifest of a bundled lexicon: `manifest.json` in its folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """Describe a bundled lexicon: its word list, source and licence, and the checksum of its text.

    `about`: in a line, for which games the list is good.
    """

    id: str
    name: str
    about: str
    language: str
    tile_set: str
    words_file: str
    encoding: str
    word_count: int
    sha256: str
    source: str
    source_url: str
    licence: str

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """Read a `manifest.json`, which must have exactly these fields."""
        return cls(**json.loads(path.read_text("utf-8")))


def manifest_of(folder: Path) -> Manifest | None:
    """Return the manifest in a folder, None if there is none."""
    path = folder / MANIFEST
    return Manifest.read(path) if path.is_file() else None
