"""What is known of a player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.position import position_kernel as kernel
from engine.position.rack import Rack

NO_TILES: Final = Rack()


@dataclass(frozen=True, slots=True)
class Player:
    """Hold what is known of a player.

    `rack` is the whole rack if it is known; `known_tiles` some tiles of it; `tile_count` how many tiles it
    holds; `last_move` the text of the player's last move.
    """

    score: int = 0
    rack: Rack | None = None
    known_tiles: Rack | None = None
    tile_count: int | None = None
    last_move: str | None = None

    @property
    def held(self) -> Rack:
        """Return the tiles this player is known to hold: the rack, else the known tiles, else none."""
        held = kernel.held(self)
        return NO_TILES if held is None else held
