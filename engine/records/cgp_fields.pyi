from engine.position.tile_texts import TileTexts

def read_fields(
    texts: TileTexts, fields: list[str], side: int, fewest: int, most: int
) -> tuple[bytes, list[bytes], list[int], int] | None:
    """Read board, racks, scores and zero turns; None if one has a fault, or needs a careful reader.

    `fewest`, `most`: racks, each in ascending order, and as many scores.
    """
