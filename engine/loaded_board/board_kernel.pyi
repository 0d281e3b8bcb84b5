from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.tables_kernel import Tables

FORMAT: int
SIDE_CAPACITY: int

class BoardKernel:
    def __init__(
        self,
        tables: Tables,
        side: int,
        squares: bytes,
        values: tuple[int, ...],
        letter_factors: NDArray[np.uint8],
        word_factors: NDArray[np.uint8],
        starts: tuple[tuple[int, int], ...],
        both_ways: bool,
    ) -> None: ...
    def after(self, tiles: Iterable[tuple[int, int]]) -> BoardKernel: ...
    def timing(self, tiles: Iterable[tuple[int, int]], way: str) -> int: ...
    @property
    def squares(self) -> bytes: ...
    @property
    def side(self) -> int: ...
    def admissible(self, line: int, i: int) -> int: ...
    def phonies(self) -> list[tuple[int, int, bytes]]: ...
    def equals(self, other: BoardKernel) -> bool: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(
        stored: bytes,
        tables: Tables,
        side: int,
        squares: bytes,
        values: tuple[int, ...],
        letter_factors: NDArray[np.uint8],
        word_factors: NDArray[np.uint8],
        starts: tuple[tuple[int, int], ...],
        both_ways: bool,
    ) -> BoardKernel | None: ...
