"""A player of a position: score, rack and last move, as far as they are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.position.rack import Rack

NO_TILES: Final = Rack()


@dataclass(frozen=True, slots=True)
class Player:
    """Hold what is known of a player; immutable.

    `rack` is the complete rack, None if it is unknown. `known_tiles` are some of its tiles, `tile_count` is
    the number of its tiles, and `last_move` is the text of the player's last move.
    """

    score: int = 0
    rack: Rack | None = None
    known_tiles: Rack | None = None
    tile_count: int | None = None
    last_move: str | None = None

    @property
    def held(self) -> Rack:
        """Return the tiles this player is known to hold: the rack, else the known tiles, else none."""
        rack, known = self.rack, self.known_tiles
        if rack is not None and (known is None or rack.tiles):
            return rack
        return NO_TILES if known is None else known
