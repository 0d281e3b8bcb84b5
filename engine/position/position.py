"""A position: everything that is known before a move, and the check that it is possible."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.errors import InvalidInput
from engine.position.connection import connection_faults
from engine.position.faults import player_faults, record_faults, size_faults, tile_faults
from engine.position.player import NO_TILES, Player

if TYPE_CHECKING:
    from engine.errors import Fault
    from engine.position.board import Board
    from engine.position.rack import Rack
    from engine.rules import BoardLayout, RuleSet, TileSet


@dataclass(frozen=True)
class Position:
    """Hold everything that is known before a move; immutable. `players[0]` is on turn.

    `operations` are the operations of a CGP that kibitz does not use, in their order.
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
        """Return the rack of the player on turn, empty if it is unknown."""
        rack = self.players[0].rack
        return NO_TILES if rack is None else rack

    def unseen(self) -> tuple[int, ...]:
        """Count the unseen tiles by code: the tile set less the board and the rack of the player on turn."""
        counted: tuple[int, ...] | None = self.__dict__.get("_unseen")
        if counted is None:
            count = (self.board.tiles() + self.rack.tiles).count
            counted = tuple([full - count(code) for code, full in enumerate(self.tile_set.counts)])
            self.__dict__["_unseen"] = counted  # `cached_property` would take a lock
        return counted

    def unseen_count(self) -> int:
        """Return the number of unseen tiles, never negative."""
        return max(0, self.tile_set.total - self.board.tile_count - len(self.rack.tiles))

    def bag_count(self) -> int:
        """Return the number of tiles in the bag: unseen tiles less the other players' racks, never negative.

        The size of another player's rack is that of `rack`, else `tile_count`, else that of a full rack.
        """
        count: int | None = self.__dict__.get("_bag_count")
        if count is None:
            racks = [
                player.tile_count if player.rack is None else len(player.rack) for player in self.players[1:]
            ]
            full = self.rules.rack_size
            held = sum([full if size is None else size for size in racks])
            count = self.__dict__["_bag_count"] = max(0, self.unseen_count() - held)
        return count

    def check(self) -> None:
        """Raise InvalidInput with every fault if the position is impossible.

        Checks the sizes of board, layout and alphabet, the number of each tile, racks (their length, and
        whether they agree with everything else that is known), connection to a covered start square, lone
        tiles, and the range of scores and zero turns. Words are not looked up, because real games contain
        phonies.
        """
        faults = self.faults()
        if faults:
            raise InvalidInput.collected(faults)

    def faults(self) -> list[Fault]:
        """List everything that is wrong with the position; an empty list means that it is possible."""
        faults = size_faults(self.board, self.layout, self.tile_set, self.players)
        if not faults:
            faults += connection_faults(self.board, self.layout)
            held = b"".join([player.held.tiles for player in self.players])
            if held != self.rack.tiles or min(self.unseen()) < 0:
                faults += tile_faults(self.board, self.tile_set, self.players)
        faults += player_faults(self.players, self.rules.rack_size, self.unseen_count())
        return faults + record_faults(self.players, self.zero_turns, self.lexicon_id, self.operations)

    def canonical(self) -> str:
        """Return everything that is known as text, tiles as hexadecimal codes.

        Two positions have equal texts if and only if they are equal.
        """
        lines = [
            "kibitz position 1",
            f"board {self.board.squares.hex()}",
            f"layout {self.layout.identity}",
            f"tile_set {self.tile_set.identity}",
            f"rules {self.rules.identity}",
            f"zero_turns {self.zero_turns}",
            f"lexicon {self.lexicon_id!r}",
        ]
        for player in self.players:
            racks = [None if rack is None else rack.tiles.hex() for rack in (player.rack, player.known_tiles)]
            lines.append(f"player {player.score} {racks} {player.tile_count!r} {player.last_move!r}")
        lines += [f"operation {name!r} {value!r}" for name, value in self.operations]
        return "\n".join(lines)

    @property
    def id(self) -> str:
        """Return the SHA-256 (hexadecimal) of the canonical text without the last moves of the players."""
        players = tuple(replace(player, last_move=None) for player in self.players)
        return hashlib.sha256(replace(self, players=players).canonical().encode()).hexdigest()
