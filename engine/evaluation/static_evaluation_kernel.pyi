import numpy as np
from numpy.typing import NDArray

from engine.evaluation.evaluator_kernel import EvaluatorKernel

class StaticKernel(EvaluatorKernel):
    def __init__(
        self, base: NDArray[np.uint32], offset: NDArray[np.uint32], values: NDArray[np.int16]
    ) -> None: ...

class CombinedKernel(EvaluatorKernel):
    def __init__(self, plain: EvaluatorKernel, bingos: EvaluatorKernel) -> None: ...
