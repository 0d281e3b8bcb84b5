"""Sections of tables that do not fit together are refused, before a kernel reads beyond their ends."""

from __future__ import annotations

import pytest

from engine.lexicon.build import build_lexicon, open_tables
from engine.rules import tile_set
from tests.movegen.worlds import word_list

WORDS = word_list([bytes(word) for word in ((1, 2), (2, 1), (1, 2, 3), (3, 1, 2, 3))])


@pytest.mark.parametrize("wide", [False, True])
def test_a_section_that_is_too_short_is_refused(wide: bool) -> None:
    meta, sections = build_lexicon(WORDS, tile_set("english"), id="short", wide=wide)
    open_tables(sections, meta)
    for name, section in sections.items():
        for shorter in {0, 1, len(section) - 1} & {*range(len(section))}:
            if name.endswith("filter") and shorter == 1:
                continue  # a smaller filter is one, too
            with pytest.raises(ValueError, match=r"other geometry|section \w+ has"):
                open_tables({**sections, name: section[:shorter]}, meta)
