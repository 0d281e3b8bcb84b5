from engine.position import Player, Position
from engine.position.tile_texts import TileTexts
from engine.rules import Alphabet

def read_fields(
    texts: TileTexts, fields: list[str], side: int, fewest: int, most: int
) -> tuple[bytes, list[bytes], list[int], int] | None:
    """Read board, racks, scores and zero turns; None if one has a fault, or needs a careful reader.

    `fewest`, `most`: racks, each in ascending order, and as many scores.
    """

def seated(
    racks: list[bytes],
    scores: list[int],
    last_move: str | None,
    unseen: int,
    rack_size: int,
    alphabet: Alphabet | None,
) -> tuple[Player, ...]:
    """Make the players of racks in ascending order and as many scores; `last_move`: of the second.

    The rack of another is whole if it is full, or if the others hold all `unseen` tiles; else known tiles.
    """

def write_fields(texts: TileTexts, position: Position) -> str:
    """Write board, racks, scores and zero turns."""
