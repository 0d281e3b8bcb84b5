from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.evaluator_kernel import EvaluatorKernel
from engine.loaded_board.board_kernel import BoardKernel

def leave_values(
    evaluator: EvaluatorKernel,
    board: BoardKernel,
    rack: bytes,
    unseen: NDArray[np.uint8],
    bag_count: int,
    spread: int,
    bingo_bonus: int,
    bingo_tiles: int,
) -> NDArray[np.int32]: ...
def adjust_plays(
    evaluator: EvaluatorKernel,
    board: BoardKernel,
    rack: bytes,
    unseen: NDArray[np.uint8],
    bag_count: int,
    spread: int,
    bingo_bonus: int,
    bingo_tiles: int,
    plays: NDArray[Any],
) -> None: ...
