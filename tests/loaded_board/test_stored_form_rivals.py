"""The rival generators on boards read from changed bytes."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

from engine.lexicon.build import build_lexicon, open_tables
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.rivals.parts import build_parts
from engine.movegen import GENERATOR_NAMES, generator
from tests.loaded_board.forging import KEY_BYTES, StoredBoard, stored_boards, use_all
from tests.movegen.worlds import World, word_list

if TYPE_CHECKING:
    from engine.movegen import MoveGenerator

NAMES = ("english", "letters-63")
RIVALS = tuple(name for name in GENERATOR_NAMES if name != "internal_words")


@pytest.fixture(scope="module")
def boards(worlds: dict[str, World]) -> list[StoredBoard]:
    return stored_boards({name: with_parts(worlds[name]) for name in NAMES}, NAMES)


def with_parts(world: World) -> World:
    """Return the world with a lexicon whose tables hold what the rivals need."""
    wide = world.lexicon.geometry == "wide"
    meta, sections = build_lexicon(word_list(world.words), world.tile_set, id=world.name, wide=wide)
    sections |= build_parts(open_tables(sections, meta), meta, ("dawg", "gaddag", "anagrams"))
    return replace(world, lexicon=Lexicon(meta, sections, "with parts"))


def rivals(stored: StoredBoard) -> list[MoveGenerator]:
    return [generator(name, stored.world.lexicon) for name in RIVALS]


@pytest.mark.parametrize("number", range(2 * len(NAMES)))
def test_rivals_are_safe_on_boards_with_changed_bytes(boards: list[StoredBoard], number: int) -> None:
    stored = boards[number]
    every_fifth = islice(stored.with_every_byte_changed(), None, None, 5)
    refused, used = use_all(stored, every_fifth, rivals(stored))
    assert refused >= KEY_BYTES // 5
    assert used > 0


@pytest.mark.parametrize("number", range(2 * len(NAMES)))
def test_rivals_are_safe_on_boards_with_random_sets_of_letters(
    boards: list[StoredBoard], number: int
) -> None:
    stored, random = boards[number], Random(number)
    changed = [data for _ in range(5) for data in stored.with_random_sets(random)]
    assert use_all(stored, changed, rivals(stored)) == (0, len(changed))
