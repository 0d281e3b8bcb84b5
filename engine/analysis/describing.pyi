from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.analysis.result import MoveReport

class Listing:
    """Hold plays that are to be described, given by (rank, index), and what they are worth.

    `rows`: the bytes of an array of PLAY_DTYPE; `letters`: the letter indices of a word by its id; `values`,
    `bingos`: of each leave, in thousandths; `chances`: win% of each entry, in whole hundredths.
    """

    def __init__(
        self,
        rows: NDArray[np.uint8],
        entries: list[tuple[int, int]],
        letters: Callable[[int], bytes],
        values: NDArray[np.int32] | None,
        bingos: NDArray[np.int32] | None,
        chances: list[float] | None,
    ) -> None: ...
    def __len__(self) -> int: ...

class PlayKernel:
    """Describe plays on one board.

    `squares`: tile codes, row by row; `values`: points by letter code; `letter_factors`, `word_factors`: of
    each square; `rack`: codes, ascending; `bonus`: points for playing `bingo_tiles` tiles; `texts` and
    `spelled`: each code as boards write it, and as words do; `names`: of the squares, for plays across and
    down. Raises ValueError if the lengths disagree.
    """

    def __init__(
        self,
        squares: bytes,
        values: bytes,
        letter_factors: bytes,
        word_factors: bytes,
        side: int,
        rack: bytes,
        bonus: int,
        bingo_tiles: int,
        texts: tuple[str, ...],
        spelled: tuple[str, ...],
        names: tuple[tuple[str, ...], tuple[str, ...]],
    ) -> None: ...
    def runs(
        self, row: int, column: int, down: bool, tiles: tuple[int, ...]
    ) -> list[tuple[int, int, bool, bytes, int]]:
        """List the words that a play makes, the main word first, then the others in reading order.

        Each as row, column, direction, letter codes, points. Letter premiums count before word premiums, word
        premiums multiply together, and a blank scores nothing itself but keeps the word premium under it
        (systems R).
        """
    def report(
        self,
        row: int,
        column: int,
        down: bool,
        tiles: tuple[int, ...],
        rank: int | None,
        contains: Callable[[bytes], bool] | None,
    ) -> MoveReport:
        """Describe a play; its words are valid if `contains` says so, or all of them if it is None."""
    def reports(self, listing: Listing) -> list[MoveReport]:
        """Describe legal plays; raises IndexError for one that is not there, ValueError for one that does not
        fit on the board."""
    def json(self, listing: Listing) -> bytes:
        """Return what `reports` returns as JSON, sooner than it is made; raises the same."""
