"""The bytes of a loaded board are not trusted: changed ones give None or a board that can be used."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.loaded_board import LoadedBoard
from engine.movegen.internal_words import InternalWords
from tests.loaded_board.forging import KEY_BYTES, NO_WORD, StoredBoard, stored_boards, use, use_all
from tests.movegen.examples import SEEDS, examples

if TYPE_CHECKING:
    from tests.movegen.worlds import World

NAMES = ("english", "spanish", "letters-63", "czech")


@pytest.fixture(scope="module")
def boards(worlds: dict[str, World]) -> list[StoredBoard]:
    return stored_boards(worlds, NAMES)


@pytest.mark.parametrize("number", range(2 * len(NAMES)))
@pytest.mark.long
def test_a_board_with_any_byte_changed_is_refused_or_safe(boards: list[StoredBoard], number: int) -> None:
    stored = boards[number]
    refused, used = use_all(stored, stored.with_every_byte_changed(), [InternalWords(stored.world.lexicon)])
    assert refused >= KEY_BYTES, "every byte of the key counts"
    assert used > 0, "cross-check sets are any sets of letters"


@pytest.mark.parametrize("number", range(2 * len(NAMES)))
def test_a_board_with_any_field_of_a_run_changed_is_refused_or_safe(
    boards: list[StoredBoard], number: int
) -> None:
    stored = boards[number]
    refused, used = use_all(stored, stored.with_every_internal_word(), [InternalWords(stored.world.lexicon)])
    assert refused > used > 0


def test_indices_and_lengths_out_of_range_are_refused(boards: list[StoredBoard]) -> None:
    stored = boards[0]
    assert stored.run_count > 10
    for run in range(stored.run_count):
        for fields in (
            {"key_length": 0},
            {"key_offset": 15},
            {"key_offset": 255, "key_length": 255},
            {"key_length": 16},
            {"internal": 2**32 - 2},
            {"internal": len(stored.world.words)},
        ):
            assert stored.read(stored.with_run(run, **fields)) is None, (run, fields)


def test_an_internal_word_of_another_length_is_refused(boards: list[StoredBoard]) -> None:
    tried = 0
    for stored in boards:
        for number in range(stored.run_count):
            run = stored.run(number)
            if run["internal"] != NO_WORD and run["key_length"] > 2:
                assert stored.read(stored.with_run(number, key_length=run["key_length"] - 1)) is None
                assert stored.read(stored.with_run(number, key_length=1)) is None
                tried += 1
    assert tried > 5


@pytest.mark.parametrize("number", range(2 * len(NAMES)))
def test_bytes_of_another_length_are_refused(boards: list[StoredBoard], number: int) -> None:
    assert all(boards[number].read(data) is None for data in boards[number].of_every_other_length())


@examples(60)
@given(number=st.integers(0, 2 * len(NAMES) - 1), seed=SEEDS, share=st.sampled_from((0.002, 0.02, 1.0)))
def test_random_bytes_after_the_key_are_refused_or_safe(
    boards: list[StoredBoard], number: int, seed: int, share: float
) -> None:
    random, stored = Random(seed), boards[number]
    body = bytes(
        random.randrange(256) if random.random() < share else byte for byte in stored.data[KEY_BYTES:]
    )
    use_all(stored, [stored.data[:KEY_BYTES] + body], [InternalWords(stored.world.lexicon)])


@examples(60)
@given(number=st.integers(0, 2 * len(NAMES) - 1), seed=SEEDS)
def test_any_hooks_and_cross_check_sets_are_safe(boards: list[StoredBoard], number: int, seed: int) -> None:
    """The sets of letters are the only thing that is taken as it comes."""
    random, stored = Random(seed), boards[number]
    for data in stored.with_random_sets(random):
        board = stored.read(data)
        assert board is not None
        use(board, stored.world, [InternalWords(stored.world.lexicon)], random)


def test_a_board_read_from_its_own_bytes_is_equal(boards: list[StoredBoard]) -> None:
    for stored in boards:
        loaded = LoadedBoard.load(*stored.parts)
        assert stored.read(loaded.to_bytes()) == loaded
        assert len(loaded.to_bytes()) < 8000
