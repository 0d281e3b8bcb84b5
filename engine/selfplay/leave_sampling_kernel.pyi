import numpy as np
from numpy.typing import NDArray

from engine.evaluation.evaluator_kernel import EvaluatorKernel
from engine.search.mover_kernel import Mover
from engine.selfplay.game_loop_kernel import GameLoop

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
