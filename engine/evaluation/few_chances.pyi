import numpy as np
from numpy.typing import NDArray

def few_chances(
    table: NDArray[np.uint16],
    moves: list[tuple[int, int, int, int]],
    spread: int,
    bag: int,
    held: int,
    going_out: int,
    scale: float,
) -> list[float]:
    """Return win% after each move, rounded to hundredths; see `WinChances.after`.

    `table`: that of a WinPctTable; `moves`: points, equity in millipoints, tiles played, anything;
    `spread`: before the move; `bag`, `held`: tiles in the bag, and of the mover; `going_out`: points of who
    goes out.
    """
