"""What each thread reuses for a lexicon does not keep the lexicons of a long life in memory."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

from engine.analysis.thread_local import MAX_LEXICONS, thread_generator
from engine.lexicon.build import build_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.rules import tile_set
from tests.movegen.worlds import word_list

if TYPE_CHECKING:
    from weakref import ReferenceType


def test_a_lexicon_that_is_no_longer_used_is_freed() -> None:
    english = tile_set("english")
    words = tuple(english.alphabet.encode_word(word) for word in ("AB", "BA"))
    opened: list[ReferenceType[Lexicon]] = []
    for number in range(MAX_LEXICONS + 2):
        meta, sections = build_lexicon(word_list(words), english, id=f"lexicon{number}")
        lexicon = Lexicon(meta, sections, "")
        thread_generator("internal_words", lexicon)
        opened.append(weakref.ref(lexicon))
        del lexicon
    gc.collect()
    assert [each() is None for each in opened] == [True, True, *[False] * MAX_LEXICONS]
