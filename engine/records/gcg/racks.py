"""Read the racks of a record, and check them against the tiles that are not on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, excerpt
from engine.messages import Text
from engine.position import Rack
from engine.records.gcg.event_line import UNKNOWN_RACK
from engine.records.gcg.record import NOBODY, EventKind
from engine.records.gcg.state import missing

if TYPE_CHECKING:
    from engine.records.gcg.fault_list import FaultList
    from engine.records.gcg.record import Event, GameRecord
    from engine.records.gcg.state import ReplayState

MAX_NAMES: Final = 80
"""The largest number of characters of tiles that a message repeats; a rack has fewer."""


class RackReader:
    """Read the racks and tiles of events during a replay; faults are added to the list of the referee."""

    def __init__(self, state: ReplayState, found: FaultList) -> None:
        self._state = state
        self._found = found

    def before(self, event: Event) -> Rack | None:
        """Return the known rack of an event's player before the event, None if it is unknown.

        Where the record gives fewer tiles than the player has, the leave of the last turn is added.
        """
        player, state = event.player, self._state
        if player == NOBODY:
            return None
        leave = state.leaves[player]
        if leave is not None and not state.can_hold(leave.tiles):
            # Another player has placed these tiles since, so the rack of the turn before was wrong.
            names = self.names(leave.tiles)
            sentence = Text("{tiles}, the leave of the turn before, are on the board", tiles=names)
            self._warn_of_missing(sentence, event.line)
            state.leaves[player] = leave = None
        if not event.rack or event.kind in (EventKind.UNREADABLE, EventKind.PHONY):
            return leave
        if event.kind is EventKind.END_PENALTY and event.rack == event.text:
            rack = self._readable(event.rack)  # the referee reports what is wrong with these tiles
        else:
            rack = self.read(event.rack, event.line, "rack")
        if rack is None or not self.possible(rack, state.tile_counts[player], event.line, "rack"):
            return None
        lost = b"" if leave is None else leave.without(rack.tiles).tiles
        if lost:
            if len(rack) + len(lost) <= state.tile_counts[player]:
                return Rack(rack.tiles + lost)
            given, names = self.names(rack.tiles), self.names(lost)
            sentence = Text(
                "the rack {rack} lacks {tiles}, the leave of the turn before", rack=given, tiles=names
            )
            self._warn_of_missing(sentence, event.line)
        return rack

    def last(self, record: GameRecord) -> list[Rack | None]:
        """Return the racks at the end of a record; those with a fault are unknown."""
        racks: list[Rack | None] = []
        left = list(self._state.left)
        for player, (text, line) in enumerate(zip(record.last_racks, record.last_rack_lines, strict=True)):
            name = f"rack{player + 1}"
            rack = self.read(text, line, name) if text else None
            if rack is not None and not self.possible(
                rack, self._state.tile_counts[player], line, name, left
            ):
                rack = None
            for code in rack.tiles if rack else b"":
                left[code] -= 1
            racks.append(rack)
        return racks

    def read(self, text: str, line: int, part: str, malformed: str = "") -> Rack | None:
        """Read tiles; return None if part of the text is not a tile.

        That is a fault, or a warning with the code `malformed` if it is given.
        """
        if text == UNKNOWN_RACK:
            return None
        try:
            return Rack.from_text(text, self._state.tile_set.alphabet)
        except InvalidInput as error:
            code = malformed or error.code
            self._found.add(code, error.message, line, part, warning=bool(malformed), params=error.params)
            return None

    def _readable(self, text: str) -> Rack | None:
        try:
            return Rack.from_text(text, self._state.tile_set.alphabet)
        except InvalidInput:
            return None

    def possible(
        self, rack: Rack, tile_count: int, line: int, part: str, left: list[int] | None = None
    ) -> bool:
        """Return whether a player can have a rack; add a fault if not."""
        tiles = rack.tiles
        if len(tiles) > tile_count:
            sentence = Text(
                "a rack of {count} tiles, but the player has {most}", count=len(tiles), most=tile_count
            )
            self._found.add("rack_too_long", sentence, line, part)
            return False
        if lacking := missing(tiles, left or self._state.left):
            names, rack_text = self.names(lacking), self.names(tiles)
            sentence = Text(
                "the rack {rack} contains more {tiles} than are left", rack=rack_text, tiles=names
            )
            self._found.add("rack_not_in_bag", sentence, line, part)
            return False
        return True

    def lacks(self, rack: Rack | None, used: bytes, event: Event) -> bool:
        """Return whether the rack lacks tiles that a move uses; add a fault if so."""
        if rack is None:
            return False
        lacking = Rack(used).without(rack.tiles).tiles
        if lacking and (event.rack or len(rack) == self._state.tile_counts[event.player]):
            rack_text, names = self.names(rack.tiles), self.names(lacking)
            sentence = Text("the rack {rack} does not have enough {tiles}", rack=rack_text, tiles=names)
            self._found.add("tile_not_in_rack", sentence, event.line, "move")
        return bool(lacking)

    def names(self, tiles: bytes) -> str:
        """Return tiles as text for a message."""
        return excerpt(Rack(tiles).text(self._state.tile_set.alphabet), MAX_NAMES)

    def _warn_of_missing(self, sentence: str, line: int) -> None:
        self._found.add("kept_tile_missing", sentence, line, "rack", warning=True)
