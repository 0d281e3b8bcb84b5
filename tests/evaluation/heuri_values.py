"""The values of the leaves of a rack by one of Heuri's evaluators, for any unseen tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.evaluation.heuri import heuri_kernel
from engine.rules import RuleSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluation.bingo_expectation import DeltaSet
    from engine.evaluation.heuri import HeuriConstants
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Rack


def heuri_values(
    version: int,
    board: LoadedBoard,
    rack: Rack,
    unseen: NDArray[np.uint8],
    bag: int,
    *,
    delta: DeltaSet | None = None,
    constants: HeuriConstants | None = None,
    weighs_pass: bool = False,
) -> NDArray[np.int32]:
    """Return e of each leave in millipoints, in the order of `plays.leaves`.

    `unseen`: by tile code; `bag`: tiles in the bag; `delta`: the board's delta set, if it is known.
    """
    lexicon: Lexicon = board.lexicon
    kernel = heuri_kernel(version, lexicon, constants, weighs_pass=weighs_pass)
    if delta is not None:
        kernel.adopt(board.kernel, delta.limbs)
    module = lexicon.kernels.evaluation
    rules = RuleSet().kernel
    situation = module.SituationKernel(board.kernel, rack.tiles, unseen.tobytes(), bag, 0, rules)
    values: NDArray[np.int32] = module.leave_values(kernel, situation)
    return values
