from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.tables_kernel import Tables
from engine.loaded_board.board_kernel import BoardKernel
from engine.rules.game_rules import RulesKernel

PLAY_BYTES: int
EMULATES_AVX512: bool

def simd_name(level: int) -> str | None: ...

class Generator:
    def __init__(
        self, tables: Tables, threshold: int, fixed_threshold: int, level: int, play_limit: int
    ) -> None: ...
    @property
    def simd(self) -> str: ...
    def generate(
        self,
        board: BoardKernel,
        rack: bytes,
        rules: RulesKernel,
        leave_values: NDArray[np.int32] | None,
        dtype: np.dtype[Any],
        best_only: bool = False,
    ) -> tuple[NDArray[Any], int, int, int]: ...
