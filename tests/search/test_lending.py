"""What is lent is used by one computation at a time, and what nobody uses takes little memory."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import TYPE_CHECKING

from engine.lexicon.build import build_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.rules import tile_set
from engine.search.lending import (
    MAX_IDLE_MB,
    SCRATCH_MB,
    lent_endgame_solver,
    lent_generator,
    lent_preendgame_solver,
)
from tests.movegen.worlds import word_list

if TYPE_CHECKING:
    from weakref import ReferenceType


def small_lexicon(number: int = 0) -> Lexicon:
    english = tile_set("english")
    words = tuple(english.alphabet.encode_word(word) for word in ("AB", "BA"))
    meta, sections = build_lexicon(word_list(words), english, id=f"lexicon{number}")
    return Lexicon(meta, sections, "")


def test_a_lexicon_that_is_no_longer_used_is_freed() -> None:
    opened: list[ReferenceType[Lexicon]] = []
    most = MAX_IDLE_MB // SCRATCH_MB
    for number in range(most + 2):
        lexicon = small_lexicon(number)
        with lent_generator(lexicon):
            pass
        opened.append(weakref.ref(lexicon))
        del lexicon
    gc.collect()
    assert [each() is None for each in opened] == [True, True, *[False] * most]


def test_what_is_in_use_is_not_lent_again() -> None:
    lexicon = small_lexicon()
    with lent_preendgame_solver(lexicon, 1) as first, lent_preendgame_solver(lexicon, 1) as beside:
        assert first is not beside
    with lent_preendgame_solver(lexicon, 1) as again:
        assert again is first
    with lent_preendgame_solver(lexicon, 2) as larger:
        assert larger is not again


def test_threads_one_after_the_other_use_the_same_object() -> None:
    """A server has 80 threads; each would otherwise own megabytes of scratch memory."""
    lexicon, used = small_lexicon(), set()

    def compute() -> None:
        with lent_endgame_solver(lexicon, 3) as solver:
            used.add(id(solver))

    for _ in range(10):
        thread = threading.Thread(target=compute)
        thread.start()
        thread.join()
    assert len(used) == 1


def test_idle_objects_have_small_tables() -> None:
    lexicon = small_lexicon()
    with lent_endgame_solver(lexicon, 1) as small:
        pass
    with lent_endgame_solver(lexicon, MAX_IDLE_MB + 1) as huge:
        pass
    with lent_endgame_solver(lexicon, MAX_IDLE_MB + 1) as another, lent_endgame_solver(lexicon, 1) as again:
        assert another is not huge
        assert again is small
    with lent_endgame_solver(lexicon, MAX_IDLE_MB - SCRATCH_MB):
        pass
    with lent_endgame_solver(lexicon, 1) as later:
        assert later is not small


def test_an_object_is_given_back_after_an_error() -> None:
    lexicon = small_lexicon()
    lent = []
    for _ in range(2):
        try:
            with lent_endgame_solver(lexicon, 1) as solver:
                lent.append(solver)
                raise ValueError
        except ValueError:
            pass
    assert lent[0] is lent[1]
