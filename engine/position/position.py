"""A position: everything that is known before a move, and whether it is possible at all."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.errors import InvalidInput
from engine.position import position_kernel as kernel
from engine.position.connection import connection_faults
from engine.position.faults import player_faults, record_faults, size_faults, tile_faults
from engine.position.player import NO_TILES, Player
from engine.position.squares import unseen

if TYPE_CHECKING:
    from engine.errors import Fault
    from engine.position.board import Board
    from engine.position.rack import Rack
    from engine.rules import BoardLayout, RuleSet, TileSet


@dataclass(frozen=True)
class Position:
    """Hold a position; immutable. `players[0]` is on turn and its rack is the mover's.

    `operations` are the CGP operations that kibitz does not use, kept in their order.
    """

    board: Board
    layout: BoardLayout
    tile_set: TileSet
    rules: RuleSet
    players: tuple[Player, ...] = (Player(), Player())
    zero_turns: int = 0
    lexicon_id: str | None = None
    operations: tuple[tuple[str, str], ...] = ()

    @property
    def rack(self) -> Rack:
        """Return the rack of the player on turn; empty if it is not known."""
        rack = self.players[0].rack
        return NO_TILES if rack is None else rack

    def unseen(self) -> tuple[int, ...]:
        """Count the tiles the mover cannot see, by code: the full set less the board and the mover's rack."""
        counted: tuple[int, ...] | None = self.__dict__.get("_unseen")
        if counted is None:
            counted = unseen(self.tile_set.counts, self.board.squares, self.rack.tiles)
            self.__dict__["_unseen"] = counted  # asked for again and again; `cached_property` takes a lock
        return counted

    def unseen_count(self) -> int:
        """Count the tiles the mover cannot see, all together; never negative."""
        return max(0, self.tile_set.total - self.board.tile_count - len(self.rack.tiles))

    def bag_count(self) -> int:
        """Count the tiles in the bag: the unseen ones less the other players' racks, never negative.

        Another player holds the rack given, else the tile count given, else a full rack, and never more
        than is left.
        """
        counted: int | None = self.__dict__.get("_bag_count")
        if counted is None:
            counted = self.__dict__["_bag_count"] = kernel.bag_count(self)
        return counted

    def check(self) -> None:
        """Raise InvalidInput with every fault if the position is impossible.

        Looks at: sizes that disagree, more of a tile than the set holds, racks too long or at odds with
        what else is known, tiles not connected to a covered start square, a lone tile, scores and zero
        turns out of range. Words are not looked up: real games hold phonies.
        """
        if kernel.is_sound(self):
            return
        faults = self.faults()
        if faults:
            raise InvalidInput.collected(faults)

    def faults(self) -> list[Fault]:
        """Find all that is wrong with the position; `check` does so where there is something."""
        faults = size_faults(self.board, self.layout, self.tile_set, self.players)
        if not faults:
            faults += connection_faults(self.board, self.layout)
            faults += tile_faults(self.board, self.tile_set, self.players)
        faults += player_faults(self.players, self.rules.rack_size, self.unseen_count())
        return faults + record_faults(self.players, self.zero_turns, self.lexicon_id, self.operations)

    def canonical(self) -> str:
        """Return all of the position as text, tiles in hexadecimal codes.

        Equal positions, and only they, have equal texts.
        """
        return kernel.canonical(self)

    @property
    def id(self) -> str:
        """Return the SHA-256 (hexadecimal) of the canonical text without the last moves of the players."""
        players = tuple(replace(player, last_move=None) for player in self.players)
        return hashlib.sha256(replace(self, players=players).canonical().encode()).hexdigest()
