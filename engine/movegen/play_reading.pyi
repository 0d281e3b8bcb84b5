from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def best(rows: NDArray[np.uint8], count: int, by_score: bool) -> NDArray[np.intp]:
    """Return the indices of the best `count` plays in the order of `Plays.best`, by score or by equity.

    `rows`: the bytes of an array of PLAY_DTYPE.
    """

def laid(
    rows: NDArray[np.uint8], indices: list[int], squares: bytes, side: int, letters: Callable[[int], bytes]
) -> list[tuple[int, int, bool, tuple[int, ...]]]:
    """Return plays, given by their indices, as the arguments of `Play`.

    `squares`: tile codes, row by row; `letters`: returns the letters of a word by its id. Raises IndexError
    for a play that does not exist, ValueError for one that does not fit on the board.
    """
