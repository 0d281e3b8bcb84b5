from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.tables_kernel import Tables

ARC_BYTES: int

class Automaton:
    def __init__(self, arcs: NDArray[np.uint8], words: NDArray[np.uint32]) -> None: ...
    def find(self, symbols: bytes) -> int: ...
    def strings(self) -> Iterator[bytes]: ...

def build_automaton(
    tables: Tables, rotated: bool, progress: Callable[[float], Any]
) -> tuple[NDArray[np.uint8], NDArray[np.uint32], NDArray[np.uint32]]: ...
