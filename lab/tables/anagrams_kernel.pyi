from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.tables_kernel import Tables

STRING_DTYPE: np.dtype[Any]
MAX_BLANKS: int
SLOTS_AFTER_HOMES: int

class Strings:
    def __init__(
        self,
        strings: NDArray[Any],
        words: NDArray[np.uint32],
        filter_words: NDArray[np.uint32],
        tile_counts: NDArray[np.uint8],
    ) -> None: ...
    def words_of(self, tables: Tables, letters: bytes, blanks: int) -> list[int]: ...

def strings_of_words(
    tables: Tables, tile_counts: NDArray[np.uint8]
) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]: ...
