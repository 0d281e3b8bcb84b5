import numpy as np
from numpy.typing import NDArray

MAX_EXCEEDANCES: int

class ParityKernel:
    def __init__(
        self,
        parity_bits: int,
        carry_masks: NDArray[np.uint64],
        carry_ids: NDArray[np.uint64],
        triads: NDArray[np.uint64],
    ) -> None: ...
    @property
    def table_bytes(self) -> int: ...
    def sum(self, x: int, y: int) -> int: ...
    def difference(self, y: int, x: int) -> int: ...
    def included(self, x: int, y: int) -> bool: ...
    def time_forms(
        self,
        codes: NDArray[np.uint64],
        keys: NDArray[np.uint64],
        counters: NDArray[np.uint64],
        planes: NDArray[np.uint64],
        limbs: int,
        passes: int,
    ) -> dict[str, tuple[int, list[float], list[float]]]: ...
