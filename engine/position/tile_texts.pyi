class TileTexts:
    """Read and write the tiles of one alphabet; what it cannot read is left to those who name faults.

    `notation`: codes by text; `texts`: of all 256 codes, of five characters at most, or ValueError is raised.
    """

    def __init__(self, notation: dict[str, int], texts: tuple[str, ...]) -> None: ...
    def read_board(self, text: str, side: int) -> bytes | None:
        """Read the rows of a CGP; None if they have a fault, or letters from beyond the usual alphabets."""
    def read_rack(self, text: str) -> bytes | None:
        """Read tiles as codes in ascending order; None if one is none, or there are too many."""
    def write_board(self, squares: bytes, side: int) -> str:
        """Write the rows of a CGP, runs of empty squares as numbers; raises ValueError for no board."""
    def write_rack(self, tiles: bytes) -> str:
        """Write ascending tiles in their order, but blanks last."""
    def write_counted(self, counts: tuple[int, ...]) -> str:
        """Write tiles of which there are so many by code, as `write_rack` does; none for less than none."""
