from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.evaluation_kernel import EvaluatorKernel
from engine.loaded_board.board_kernel import BoardKernel
from engine.search.search_kernel import Mover

TURN_BYTES: int
RESULT_BYTES: int

MoveChooser: TypeAlias = Callable[..., tuple[int, bytes | None, int, bytes]]
"""What the kernel asks for a move of its seat; `seats.Seat` says with what arguments."""

class GameLoop:
    def __init__(
        self,
        mover: Mover,
        empty: BoardKernel,
        counts: NDArray[np.uint8],
        first: EvaluatorKernel,
        second: EvaluatorKernel,
        choosers: tuple[MoveChooser | None, MoveChooser | None] = (None, None),
    ) -> None: ...
    def play_game(
        self, seed: int, number: int, swapped: bool, dtype: np.dtype[Any]
    ) -> tuple[NDArray[Any], tuple[int, int], tuple[bytes, bytes], int]: ...
    def play_pairs(self, seed: int, first: int, results: NDArray[np.uint8]) -> None: ...
    def play_games(
        self,
        seed: int,
        first: int,
        results: NDArray[np.uint8],
        words: NDArray[np.uint32],
    ) -> None: ...
    def count_outcomes(self, seed: int, first: int, games: int, counts: NDArray[np.int64]) -> None: ...

class LeaveSampler:
    def __init__(
        self,
        loop: GameLoop,
        mover: Mover,
        evaluator: EvaluatorKernel,
        base: NDArray[np.uint32],
        offset: NDArray[np.uint32],
        per_turn: int,
        least_bag: int,
    ) -> None: ...
    def sample(self, seed: int, first: int, games: int, sums: NDArray[np.int64]) -> None: ...
