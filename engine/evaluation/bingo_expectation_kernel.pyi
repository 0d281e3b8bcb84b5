from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.evaluator_kernel import EvaluatorKernel
from engine.lexicon.tables_kernel import Tables
from engine.loaded_board.board_kernel import BoardKernel

MAX_LEVELS: int
MAX_LETTER_COPIES: int

class BingoTables:
    def __init__(
        self,
        tables: Tables,
        levels: int,
        ranges: Sequence[tuple[int, int, int, int]],
        arrays: Mapping[str, NDArray[Any]],
    ) -> None: ...
    def find(self, key: int) -> int: ...
    @property
    def bytes(self) -> int: ...

class DeltaFinder:
    def __init__(self, tables: BingoTables) -> None: ...
    def compute(self, board: BoardKernel) -> NDArray[np.uint64]: ...

class HeuriKernel(EvaluatorKernel):
    def __init__(
        self,
        tables: BingoTables,
        version: int,
        bonus: float,
        factor: float,
        open_factor: float,
        prefinal_bag: int,
        prefinal_factor: float,
        tile_mean: float,
        defence: tuple[int, int, int],
        vowels: Iterable[int],
        weighs_pass: bool,
    ) -> None: ...
    def adopt(self, board: BoardKernel, delta: NDArray[np.uint64]) -> None: ...
