from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.tables_kernel import Tables

PLACEMENT_DTYPE: np.dtype[Any]
LIMBS_OF_PLACEMENTS: int
NOT_STORED: int

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
