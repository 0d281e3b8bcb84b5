"""A player of a position: score, rack and last move, as far as they are known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engine.position.rack import Rack

if TYPE_CHECKING:
    from engine.rules import Alphabet

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

    @property
    def tiles_held(self) -> int | None:
        """The number of tiles on the rack, None if it is unknown."""
        return self.tile_count if self.rack is None else len(self.rack)

    def spelled(self, alphabet: Alphabet) -> Player:
        """Return the player with racks that print in the letters of an alphabet."""
        rack, known = self.rack, self.known_tiles
        if (rack is None or rack.alphabet is alphabet) and (known is None or known.alphabet is alphabet):
            return self
        rack, known = (None if one is None else Rack(one.tiles, alphabet) for one in (rack, known))
        return replace(self, rack=rack, known_tiles=known)
