from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.tables_kernel import Tables
from engine.loaded_board.board_kernel import BoardKernel
from lab.tables.anagrams_kernel import Strings

class Generator:
    def __init__(self, tables: Tables, strings: Strings, level: int, play_limit: int) -> None: ...
    def generate(
        self,
        board: BoardKernel,
        rack: bytes,
        bingo_bonus: int,
        bingo_tiles: int,
        leave_values: NDArray[np.int32] | None,
        dtype: np.dtype[Any],
    ) -> tuple[NDArray[Any], int, int, int, int, int]: ...
