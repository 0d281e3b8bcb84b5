"""Every implementation of move generation that this build holds, each in all its forms."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from engine.lexicon.build import build_lexicon, open_tables
from engine.lexicon.lexicon import Lexicon
from engine.movegen import GENERATOR_NAMES, NO_LOW_LEVEL, PLAY_DTYPE, InternalWords
from tests.movegen.worlds import World, word_list

if TYPE_CHECKING:
    from engine.movegen import MoveGenerator, Plays

HAS_RIVALS = find_spec("engine.lexicon.rivals.anagrams_narrow") is not None
"""The debug build of the service's kernels has no rivals."""

NAMES = GENERATOR_NAMES if HAS_RIVALS else ("internal_words",)
RIVALS = NAMES[1:]
PARTS_OF = {"anagram": "anagrams", "gordon": "gaddag", "appel_jacobson": "dawg", "literal": "literal"}
"""By generator: the part of the tables that it needs."""

THRESHOLDS = ((NO_LOW_LEVEL, 0), (0, 0), (3, 0), (0, 5))
"""Lists always answered by the high level, always by the low level (blanks permitting), and between."""


def with_parts(world: World, parts: tuple[str, ...] = tuple(PARTS_OF[name] for name in RIVALS)) -> World:
    """Return the world with a lexicon whose tables hold parts, by default what the rivals need."""
    if not HAS_RIVALS:
        return world
    from engine.lexicon.rivals.parts import build_parts

    wide = world.lexicon.geometry == "wide"
    meta, sections = build_lexicon(
        word_list(world.words), world.tile_set, id=world.name, wide=wide, max_list=world.max_list
    )
    sections |= build_parts(open_tables(sections, meta), meta, parts)
    return replace(world, lexicon=Lexicon(meta, sections, world.lexicon.table_sha256))


def implementations(lexicon: Lexicon) -> dict[str, MoveGenerator]:
    """Return the generators by name; the name includes the thresholds, or the level of the kernel."""
    found: dict[str, MoveGenerator] = {
        f"internal_words, threshold {each}": InternalWords(
            lexicon, threshold=each[0], fixed_threshold=each[1]
        )
        for each in THRESHOLDS
    }
    if HAS_RIVALS:
        from engine.movegen.rivals import Anagram, AppelJacobson, Gordon

        found["anagram"] = Anagram(lexicon)
        for method in (Gordon, AppelJacobson):
            for level in (0, 1):
                if method.kernels["narrow"].simd_name(level):
                    found[f"{method.name}, kernel {level}"] = method(lexicon, simd=level)
    return found


def in_order(plays: Plays) -> list[Any]:
    """Return every field of every play, in the documented order."""
    ordered = plays.array[plays.best(len(plays))]
    return list(zip(*(ordered[field].tolist() for field in PLAY_DTYPE.names or ()), strict=True))
