import numpy as np
from numpy.typing import NDArray

from engine.evaluation.evaluator_kernel import EvaluatorKernel
from engine.loaded_board.board_kernel import BoardKernel
from engine.search.mover_kernel import Mover

COLUMNS: int
WIN_UNITS: int

class Candidates:
    def __init__(
        self,
        board: BoardKernel,
        moves: list[tuple[int, int, int, list[tuple[int, int]], bytes, bytes, int, int]],
        unplayed: NDArray[np.uint8],
        unseen: NDArray[np.uint8],
        opponent_count: int,
        scores: tuple[int, int],
        opponent_racks: NDArray[np.uint8],
        shares: NDArray[np.float64],
        wins: NDArray[np.uint16] | None,
        win_unit: int,
    ) -> None: ...
    def restart(self) -> None: ...

class Simulator:
    def __init__(
        self, mover: Mover, replies: EvaluatorKernel, plies: int, refills: int, play_out: bool, sharing: bool
    ) -> None: ...
    def run(
        self,
        candidates: Candidates,
        chosen: NDArray[np.int32],
        seed: int,
        first: int,
        deadline: int,
        found: NDArray[np.int32],
    ) -> int: ...
    def stop(self) -> None: ...
