"""A lexicon that is opened by its name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self

from engine.data_folder import default_data_folder
from engine.lexicon import Catalogue
from engine.lexicon import Lexicon as Tables
from engine.lexicon.store import EXTENSION

if TYPE_CHECKING:
    from collections.abc import Callable


class Lexicon(Tables):
    """A list of valid words, spelled with the letters of a tile set; open one with `Lexicon.open`.

    `"QI" in lexicon` looks a word up, `len(lexicon)` counts the words, and iteration yields them, the
    shortest first. `id`: the name to open it by; `tile_set`: the tiles with their points.
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

        A text that contains a "/" or ends in ".kibitz" is a path. The lexicons bundled with kibitz are
        scowl80 (English), danish, dutch, french, polish, portuguese, romanian and spanish. The table of each
        is built at its first use, which takes seconds, for the long lists of Romanian and Polish minutes.
        `progress`: called with the name of each step of the build and the completed share of it; `data`: the
        folder of the tables, by default `default_data_folder()`. Raises NotFound for an unknown name, saying
        how to build your own lexicon, MissingTable if there is no file at a path, and DamagedTable for
        a file that fails its checks.
        """
        if isinstance(name, Path) or "/" in name or name.endswith(EXTENSION):
            return super().open(Path(name))
        found = Catalogue(Path(data) if data is not None else default_data_folder()).ensure(name, progress)
        lexicon = cls.__new__(cls)
        vars(lexicon).update(vars(found))  # its tables are open and checked
        return lexicon
