"""The squares on which the opponent's next moves lay tiles, counted over the rollouts of each candidate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

import numpy as np

from engine.position import format_square
from engine.search.search_narrow import REPLY_SHIFT

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_SHARE: Final = 0.01
"""The least share of the moves that lists a square: there are about 30 such squares, of 100 in all."""


@dataclass(frozen=True, slots=True)
class SquareShare:
    """Hold how often the opponent's next move lays a tile on a square."""

    at: Annotated[str, "square, such as 8D"]
    share: Annotated[float, "share of the opponent's next moves that lay a tile on it, 0 to 1"]


class ReplySquares:
    """Count the squares of the replies to each candidate."""

    def __init__(self, count: int, side: int) -> None:
        """Take the number of candidates and the side of the board."""
        self._side = side
        self._counts = np.zeros((side, count * 2 * side), np.int64)  # by place in a line, candidate and line

    def add(self, candidates: NDArray[np.int32], replies: NDArray[np.uint32]) -> None:
        """Add replies, (draws, candidates), as `laid_squares` of rollout.h encodes them."""
        rows = candidates * 2 * self._side + (replies >> REPLY_SHIFT)
        for place, counts in enumerate(self._counts):
            laid = rows[(replies >> place & 1).astype(bool)]
            counts += np.bincount(laid.ravel(), minlength=len(counts))

    def shares(self, candidate: int, draws: int) -> tuple[SquareShare, ...]:
        """Return the squares with at least MIN_SHARE of the replies, the most frequent first."""
        side = self._side
        lines = self._counts.reshape(side, -1, 2, side)[:, candidate]  # place in the line, direction, line
        squares = (lines[:, 0].T + lines[:, 1]).ravel() / draws
        listed = np.argsort(-squares, kind="stable")[: int((squares >= MIN_SHARE).sum())].tolist()
        return tuple(
            [SquareShare(format_square(*divmod(at, side)), round(float(squares[at]), 4)) for at in listed]
        )
