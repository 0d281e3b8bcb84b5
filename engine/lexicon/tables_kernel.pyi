from typing import Any

import numpy as np
from numpy.typing import NDArray

SIDE_CAPACITY: int
LETTERS_CAPACITY: int
MASK_DTYPE: np.dtype[Any]
BITS_OF_A_SCAN_MASK: int
LETTERS_OF_GRAPH: int
PADDED_WORD_BYTES: int
INTERNAL_BYTES: int
PLACEMENTS_PER_LETTER: int
SLOTS_AFTER_HOMES: int
SCAN_PADDING: int
WORDS_OF_A_BLOCK: int
MAX_WORDS_OF_A_LENGTH: int
PLACEMENT_DTYPE: np.dtype[Any]
LIMBS_OF_PLACEMENTS: int
NOT_STORED: int

class Tables:
    def __init__(self, sections: Any, letter_count: int, max_length: int, double_letters: bytes) -> None: ...
    def find(self, letters: bytes) -> int: ...
    def letters(self, word: int) -> bytes: ...

def describe_lists(
    tables: Tables,
) -> tuple[NDArray[np.uint8], NDArray[np.uint32], NDArray[np.uint8], NDArray[np.uint8]]: ...
def count_others(tables: Tables, length: int, counts: NDArray[np.uint8]) -> NDArray[np.uint8]: ...
def word_scan_masks(tables: Tables) -> NDArray[np.uint32]: ...

class OccurrenceScan:
    def __init__(self, tables: Tables) -> None: ...
    def mark_internal(self, internal: NDArray[np.uint8], first: int, last: int) -> None: ...
    def mark_placements(
        self,
        letter_lengths: NDArray[np.uint32],
        placed: NDArray[np.uint64],
        internal_raw: NDArray[np.uint8],
        first: int,
        last: int,
    ) -> None: ...
    def count_lists(
        self, counts: NDArray[np.uint32], first: int, last: int, classes: NDArray[np.uint32] | None = None
    ) -> None: ...
    def fill_lists(
        self,
        cursors: NDArray[np.uint32],
        masks: NDArray[np.uint32],
        list_words: NDArray[np.uint16],
        list_blocks: NDArray[np.uint8],
        first: int,
        last: int,
    ) -> None: ...

def number_lists(
    placed: NDArray[np.uint64], internal_raw: NDArray[np.uint8], letter_count: int
) -> NDArray[Any]: ...
