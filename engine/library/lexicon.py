"""A lexicon that is opened by its name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self

from engine.data_folder import default_data_folder
from engine.lexicon import Catalogue, ComparedList, FoundWord, WordQuery, search_words
from engine.lexicon import Lexicon as Tables
from engine.lexicon.store import EXTENSION

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from engine.lexicon import WordConditions


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
        """Open a lexicon by its name, such as "club", or by the path of a table file.

        A text that contains a "/" or ends in ".kibitz" is a path. The lexicons bundled with kibitz are club
        (English, the default of the commands), scowl80 (English, larger), danish, dutch, french, polish,
        portuguese, romanian and spanish. The table of each is built at its first use, which takes seconds,
        for Romanian and Polish minutes.
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

    def search(
        self,
        pattern: str | None = None,
        *,
        limit: int | None = None,
        in_lexicon: Tables | None = None,
        not_in_lexicon: Tables | None = None,
        **conditions: Unpack[WordConditions],
    ) -> list[FoundWord]:
        """Find the words that meet every condition: the first `limit` of them, by default all.

        The shortest come first, those of one length by alphabet or, with `sort="probability"`, by
        probability. The conditions have the names of `kibitz search`: `pattern` such as "?A*E" or
        "[^AEIOU]*", `tiles` and `use` ("all", "some"), `includes`, `excludes`, `takes_prefix`,
        `takes_suffix`, `in_lexicon`, `not_in_lexicon`, and the least and the greatest length, vowels, points,
        anagrams, rank and place, such as `min_points=30`. docs/study.md defines them. Raises InvalidInput for
        a condition that cannot be read.
        """
        query = WordQuery.from_text(
            self.tile_set.alphabet,
            pattern,
            in_lexicon=None if in_lexicon is None else ComparedList.of_lexicon(in_lexicon),
            not_in_lexicon=None if not_in_lexicon is None else ComparedList.of_lexicon(not_in_lexicon),
            **conditions,
        )
        return list(search_words(self, query, len(self) if limit is None else limit).words)
