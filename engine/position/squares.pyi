def tile_counts(squares: bytes, size: int) -> tuple[int, ...]:
    """Count the tiles by code for an alphabet of `size` letters, given blanks as blanks (index 0)."""

def unseen(full: tuple[int, ...], squares: bytes, rack: bytes) -> tuple[int, ...]:
    """Count the tiles that are left of a full set, by code, less those on the squares and in a rack."""

def ordered(tiles: bytes) -> bytes:
    """Return the tiles in ascending order; the very object if they are."""

def parts(tiles: bytes) -> int:
    """Count the different parts of ascending tiles, equal tiles being one; none of them and all are parts."""

def loose(squares: bytes, side: int, start: int) -> list[int]:
    """List the squares whose tiles do not hang together with the one at `start`, in reading order.

    Raises ValueError if there is no tile at `start`.
    """
