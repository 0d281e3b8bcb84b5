"""The racks of a record: read, and checked against the tiles that are off the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, excerpt
from engine.position import Rack
from engine.records.gcg.record import NOBODY, EventKind
from engine.records.gcg.state import less, missing

if TYPE_CHECKING:
    from engine.errors import Params
    from engine.records.gcg.fault_list import FaultList
    from engine.records.gcg.record import Event, GameRecord
    from engine.records.gcg.state import GameState

MAX_NAMES: Final = 80
"""The most characters of tiles that a message repeats; a whole rack has fewer."""


class RackReader:
    """Read the tiles that a record names while it is replayed; faults go on the list of the referee."""

    def __init__(self, state: GameState, found: FaultList) -> None:
        self._state = state
        self._found = found

    def before(self, event: Event) -> Rack | None:
        """Return what is known of the rack of an event's player before it, and check it.

        Where the record gives fewer tiles than the player has, those that must be left of the last turn
        are added.
        """
        player, state = event.player, self._state
        if player == NOBODY:
            return None
        kept = state.kept[player]
        if kept is not None and not state.can_hold(kept.tiles):
            # Another player has placed such a tile since: the rack of the turn before was wrong.
            names = self.names(kept.tiles)
            sentence = f"{names}, left of the turn before, are not off the board now"
            self._warn_of_missing(sentence, event.line, {"tiles": names})
            state.kept[player] = kept = None
        if not event.rack or event.kind in (EventKind.UNREADABLE, EventKind.PHONY):
            return kept
        rack = self.read(event.rack, event.line, "rack")
        if rack is None or not self.possible(rack, state.held[player], event.line, "rack"):
            return None
        lost = b"" if kept is None else less(kept.tiles, rack.tiles)
        if lost:
            if len(rack) + len(lost) <= state.held[player]:
                return Rack(rack.tiles + lost)
            given, names = self.names(rack.tiles), self.names(lost)
            sentence = f"the rack {given} lacks {names}, left of the turn before"
            self._warn_of_missing(sentence, event.line, {"rack": given, "tiles": names})
        return rack

    def last(self, record: GameRecord) -> list[Rack | None]:
        """Return the racks that a record gives at its end, and check them; those at fault are unknown."""
        racks: list[Rack | None] = []
        left = list(self._state.left)
        for player, (text, line) in enumerate(zip(record.last_racks, record.last_rack_lines, strict=True)):
            name = f"rack{player + 1}"
            rack = self.read(text, line, name) if text else None
            if rack is not None and not self.possible(rack, self._state.held[player], line, name, left):
                rack = None
            for code in rack.tiles if rack else b"":
                left[code] -= 1
            racks.append(rack)
        return racks

    def read(self, text: str, line: int, part: str) -> Rack | None:
        """Read tiles; None, with a fault on the list, if the text holds what is not a tile."""
        try:
            return Rack.from_text(text, self._state.tile_set.alphabet)
        except InvalidInput as error:
            self._found.add(error.code, str(error), line, part, params=error.params)
            return None

    def possible(self, rack: Rack, held: int, line: int, part: str, left: list[int] | None = None) -> bool:
        """Tell whether a player can hold a rack, with a fault on the list if not."""
        tiles = rack.tiles
        if len(tiles) > held:
            sentence = f"a rack of {len(tiles)} tiles, where {held} can be held"
            counts = {"count": len(tiles), "most": held}
            self._found.add("rack_too_long", sentence, line, part, params=counts)
            return False
        if lacking := missing(tiles, left or self._state.left):
            names, whole = self.names(lacking), self.names(tiles)
            sentence = f"the rack {whole} holds more {names} than are off the board"
            values = {"rack": whole, "tiles": names}
            self._found.add("rack_not_in_bag", sentence, line, part, params=values)
            return False
        return True

    def lacks(self, rack: Rack | None, used: bytes, event: Event) -> bool:
        """Tell whether tiles that a move uses are not in the rack, with a fault on the list if so."""
        if rack is None:
            return False
        lacking = less(used, rack.tiles)
        if lacking and (event.rack or len(rack) == self._state.held[event.player]):
            held, names = self.names(rack.tiles), self.names(lacking)
            sentence = f"the rack {held} has not enough {names}"
            values = {"rack": held, "tiles": names}
            self._found.add("tile_not_in_rack", sentence, event.line, "move", params=values)
        return bool(lacking)

    def names(self, tiles: bytes) -> str:
        """Write tiles for a message."""
        return excerpt(Rack(tiles).text(self._state.tile_set.alphabet), MAX_NAMES)

    def _warn_of_missing(self, sentence: str, line: int, params: Params) -> None:
        self._found.add("kept_tile_missing", sentence, line, "rack", warning=True, params=params)
