from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.tables_kernel import Tables
from engine.loaded_board.board_kernel import BoardKernel
from engine.movegen.internal_words_kernel import Generator
from engine.rules.game_rules import RulesKernel

MAX_LEVELS: int
MAX_LETTER_COPIES: int

class EvaluatorKernel:
    @property
    def adjusts(self) -> bool:
        """Whether it changes the equity of plays by what depends on more than their leaves."""

class StaticKernel(EvaluatorKernel):
    def __init__(
        self, base: NDArray[np.uint32], offset: NDArray[np.uint32], values: NDArray[np.int16]
    ) -> None: ...

class CombinedKernel(EvaluatorKernel):
    def __init__(self, plain: EvaluatorKernel, bingos: EvaluatorKernel) -> None: ...

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
        constants: object,
        vowels: Iterable[int],
        weighs_pass: bool,
    ) -> None: ...
    def adopt(self, board: BoardKernel, delta: NDArray[np.uint64]) -> None: ...

def unseen_tiles(board: BoardKernel, rack: bytes, counts: tuple[int, ...]) -> bytes: ...

class SituationKernel:
    def __init__(
        self,
        board: BoardKernel,
        rack: bytes,
        unseen: bytes,
        bag_count: int,
        spread: int,
        rules: RulesKernel,
    ) -> None: ...

def leave_values(evaluator: EvaluatorKernel, situation: SituationKernel) -> NDArray[np.int32]: ...
def best_play(
    generator: Generator, evaluator: EvaluatorKernel, situation: SituationKernel, dtype: np.dtype[Any]
) -> tuple[NDArray[np.int32], tuple[NDArray[Any], int, int, int]]: ...
def adjust_plays(evaluator: EvaluatorKernel, situation: SituationKernel, plays: NDArray[Any]) -> None: ...
