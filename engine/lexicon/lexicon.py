"""An open lexicon: its words and the tables that the kernels read."""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from engine.errors import DamagedTable, InvalidInput
from engine.lexicon.build import TABLES_VERSION, open_tables
from engine.lexicon.kernels import KERNELS
from engine.lexicon.store import TableFile, build_command
from engine.messages import Text
from engine.rules import TileSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from engine.lexicon.tables_kernel import Tables

BUNDLED: Final = Path(__file__).parents[2] / "lexicons"
"""The folder of the bundled lexicons, beside the engine both in a checkout and in an installation."""

_CODE_OF_INDEX = bytes(min(index + 1, 255) for index in range(256))
_INDEX_OF_CODE = bytes(max(code - 1, 0) for code in range(256))


class Lexicon:
    """The words of one list over one tile set, with their Internal-Words tables; immutable.

    `"QI" in lexicon` looks a word up, `len(lexicon)` counts the words, and iteration yields them, the
    shortest first. `id`: the name to open it by; `tile_set`: the tiles with their points.

    The methods take and return words as bytes of tile codes 1..n. The id of a word is its rank by length,
    then alphagram, then letters (all in tile-set order). Three checksums identify a lexicon: `sha256` that of
    the text of the word list, `content_sha256` that of the words that can be played and the tile set, and
    `table_sha256` that of the table file. Saved work, which must survive a rebuild of the tables, uses
    `content_sha256`.
    """

    def __init__(
        self, meta: Mapping[str, Any], sections: Mapping[str, NDArray[Any]], table_sha256: str
    ) -> None:
        """Open the sections of `build.build_lexicon`; raise ValueError if they do not fit together."""
        if meta["tables_version"] != TABLES_VERSION:
            raise ValueError(f"its tables are version {meta['tables_version']}, not {TABLES_VERSION}")
        self.id: str = meta["id"]
        self.name: str = meta["name"]
        self.sha256: str = meta["word_list_sha256"]
        self.table_sha256 = table_sha256
        self.content_sha256: str = _content_sha256(meta)
        self.geometry: str = meta["geometry"]
        self.kernels = KERNELS[self.geometry]
        self.max_length: int = meta["max_length"]
        self.word_count: int = meta["word_count"]
        self.tile_set = TileSet.from_canonical(meta["tile_set"], meta["tile_set_id"])
        self._sections = sections
        self.tables: Tables = open_tables(sections, meta)
        self.data_directory = Path(os.devnull)  # contains the folders of learned and derived tables
        self.bundled = BUNDLED

    @classmethod
    def open(cls, path: Path) -> Self:
        """Check every byte of a table file, and map it into memory.

        Raises MissingTable if there is no file, DamagedTable (with the command that repairs it) if it fails
        its checks.
        """
        file = TableFile.open(path)
        try:
            lexicon = cls(file.meta, {name: file.section(name) for name in file.sections}, file.sha256)
        except (ValueError, KeyError) as error:
            command = build_command(path)
            raise DamagedTable(
                Text("{path}: {reason}; {repair}", path=str(path), reason=str(error), repair=command),
                code="damaged_table",
            ) from error
        lexicon.data_directory = path.parent.parent
        return lexicon

    def __contains__(self, word: object) -> bool:
        """Return whether a text is a word, in upper or lower case. Never raises."""
        if not isinstance(word, str):
            return False
        try:
            return self.contains(self.tile_set.alphabet.encode_word(word))
        except InvalidInput:
            return False

    def __len__(self) -> int:
        return self.word_count

    def __iter__(self) -> Iterator[str]:
        """Yield the words: the shortest first, equally long ones in the order of the alphabet."""
        return map(self.tile_set.alphabet.word, self.words())

    def __repr__(self) -> str:
        return f"Lexicon({self.id!r}, {self.word_count:,} words)"

    def section(self, name: str) -> NDArray[Any]:
        """Return a section of the tables as a read-only array; raise KeyError if there is none."""
        return self._sections[name]

    @cached_property
    def counts_by_length(self) -> dict[int, int]:
        """The number of words by length in tiles."""
        starts: NDArray[np.uint32] = self._sections["length_starts"]
        return {n: int(starts[n + 1] - starts[n]) for n in range(2, self.max_length + 1)}

    def contains(self, word: bytes) -> bool:
        """Return whether tile codes 1..n spell a word; codes of blanks are not allowed."""
        return 0 not in word and self.tables.find(word.translate(_INDEX_OF_CODE)) >= 0

    def word(self, id: int) -> bytes:  # noqa: A002
        """Return the tile codes of the word with an id; raise IndexError for an unknown id."""
        return self.tables.letters(id).translate(_CODE_OF_INDEX)

    def words(self) -> Iterator[bytes]:
        """Yield every word in the order of the ids."""
        return map(self.word, range(self.word_count))


def _content_sha256(meta: Mapping[str, Any]) -> str:
    """Return a checksum of words and tile set, the same for every table that is built from them.

    The limit of the word length is part of it, because a table of another geometry may hold longer words.
    """
    names = ("word_list_sha256", "word_count", "max_length", "tile_set_id", "tile_set")
    return hashlib.sha256("\n".join([str(meta[name]) for name in names]).encode()).hexdigest()
