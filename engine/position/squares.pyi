from collections.abc import Mapping

def read_text(text: str, codes: Mapping[str, int], side: int) -> bytes | None:
    """Read the rows of a CGP; None if it has a fault or a tile in brackets, which a careful reader takes.

    `codes`: of single characters.
    """

def write_text(squares: bytes, texts: tuple[str, ...], side: int) -> str:
    """Write the rows of a CGP, runs of empty squares as numbers; `texts`: of all 256 codes."""

def tile_counts(squares: bytes, size: int) -> tuple[int, ...]:
    """Count the tiles by code for an alphabet of `size` letters, given blanks as blanks (index 0)."""

def unseen(full: tuple[int, ...], squares: bytes, rack: bytes) -> tuple[int, ...]:
    """Count the tiles that are left of a full set, by code, less those on the squares and in a rack."""

def loose(squares: bytes, side: int, start: int) -> list[int]:
    """List the squares whose tiles do not hang together with the one at `start`, in reading order.

    Raises ValueError if there is no tile at `start`.
    """
