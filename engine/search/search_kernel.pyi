from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.evaluation_kernel import EvaluatorKernel
from engine.loaded_board.board_kernel import BoardKernel
from engine.movegen.internal_words_kernel import Generator
from engine.rules.game_rules import RulesKernel

COLUMNS: int
REPLY_SHIFT: int
WIN_UNITS: int

class Mover:
    def __init__(self, generator: Generator, rules: RulesKernel) -> None: ...

class Candidates:
    def __init__(
        self,
        board: BoardKernel,
        moves: Sequence[object],
        unplayed: NDArray[np.uint8],
        unseen: NDArray[np.uint8],
        opponent_count: int,
        scores: tuple[int, int],
        opponent_racks: NDArray[np.uint8],
        shares: NDArray[np.float64],
        wins: NDArray[np.uint16] | None,
        win_unit: int,
        average_leave: int,
    ) -> None: ...
    def restart(self) -> None: ...

class Simulator:
    def __init__(
        self,
        mover: Mover,
        replies: EvaluatorKernel,
        plies: int,
        refills: int,
        play_out: bool,
        sharing: bool,
        endings: Callable[[BoardKernel, bytes, bytes, int, int, int], tuple[int, int, int]] | None = None,
    ) -> None: ...
    def run(
        self,
        candidates: Candidates,
        chosen: NDArray[np.int32],
        seed: int,
        first: int,
        deadline: int,
        found: NDArray[np.int32],
        replies: NDArray[np.uint32],
    ) -> int: ...
    def stop(self) -> None: ...
