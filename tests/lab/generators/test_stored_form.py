"""The generators of the laboratory on boards read from changed bytes."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

from lab.generators import FAST_GENERATORS, generator
from tests.loaded_board.forging import KEY_BYTES, StoredBoard, stored_boards, use_all

if TYPE_CHECKING:
    from lab.generators import MoveGenerator
    from tests.movegen.worlds import World

NAMES = ("english", "letters-63")


@pytest.fixture(scope="module")
def boards(worlds: dict[str, World]) -> list[StoredBoard]:
    return stored_boards(worlds, NAMES)


def generators_of(stored: StoredBoard) -> list[MoveGenerator]:
    return [generator(name, stored.world.lexicon) for name in FAST_GENERATORS[1:]]


@pytest.mark.parametrize("number", range(2 * len(NAMES)))
@pytest.mark.long
def test_generators_are_safe_on_boards_with_changed_bytes(boards: list[StoredBoard], number: int) -> None:
    stored = boards[number]
    every_fifth = islice(stored.with_every_byte_changed(), None, None, 5)
    refused, used = use_all(stored, every_fifth, generators_of(stored))
    assert refused >= KEY_BYTES // 5
    assert used > 0


@pytest.mark.parametrize("number", range(2 * len(NAMES)))
def test_generators_are_safe_on_boards_with_random_sets_of_letters(
    boards: list[StoredBoard], number: int
) -> None:
    stored, random = boards[number], Random(number)
    changed = [data for _ in range(5) for data in stored.with_random_sets(random)]
    assert use_all(stored, changed, generators_of(stored)) == (0, len(changed))
