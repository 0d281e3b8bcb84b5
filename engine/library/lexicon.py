"""A lexicon that is opened by its name, and that knows its words as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self

from engine.errors import InvalidInput
from engine.lexicon import Catalogue
from engine.lexicon import Lexicon as Tables
from engine.library.data_folder import default_data_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Lexicon(Tables):
    """Hold the words that count, over one tile set.

    `"QI" in lexicon` looks a word up, `len` counts the words, and iteration yields them by length. `id` is
    the name to open it by, `tile_set` the letters with their values.
    """

    @classmethod
    def open(
        cls,
        name: str | Path,
        *,
        data: str | Path | None = None,
        progress: Callable[[str, float], None] | None = None,
    ) -> Self:
        """Open a lexicon by its name, such as "scowl80", or by the path of a table file.

        The table of a lexicon that comes with kibitz is built at the first use, which takes seconds.
        `progress` is then called with the name of each step and the share of it that is done. `data` is the
        folder of the tables, by default `default_data_folder()`. Raises NotFound for an unknown name,
        MissingTable for a path without a file, DamagedTable for a file that fails its checks.
        """
        if isinstance(name, Path):
            return super().open(name)
        catalogue = Catalogue(Path(data) if data is not None else default_data_folder())
        catalogue.ensure(name, progress)
        return super().open(catalogue.table_path(name.lower()))

    def __contains__(self, word: object) -> bool:
        """Tell whether a text is a word; upper and lower case are the same. Never raises."""
        if not isinstance(word, str):
            return False
        try:
            return self.contains(self.tile_set.alphabet.encode_word(word))
        except InvalidInput:
            return False

    def __len__(self) -> int:
        return self.word_count

    def __iter__(self) -> Iterator[str]:
        """Yield the words: the shortest first, and those of one length by their letters in order."""
        return map(self.tile_set.alphabet.word, self.words())

    def __repr__(self) -> str:
        return f"Lexicon({self.id!r}, {self.word_count:,} words)"
