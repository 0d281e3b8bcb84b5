"""What the mover cannot see: the other rack and the order of the bag, every distinct way with its weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.position import Rack
from engine.search.outcome import check_going_on, zero_turns_count

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from engine.position import Position

PLAYERS: Final = 2
MAX_BAG: Final = 6
EXHAUSTIVE_BAG: Final = 2
"""The largest bag whose draws are all looked at; larger ones are sampled."""


@dataclass(frozen=True, slots=True)
class World:
    """Hold one way in which the tiles may lie: the other rack, the bag (its first tile is drawn first).

    `weight` counts the orders of the unseen tiles, told apart even where they are alike, that come to this.
    """

    other: bytes
    bag: bytes
    weight: int


@dataclass(frozen=True, slots=True)
class Hidden:
    """Hold what the mover cannot see: all the tiles, those known to be in the other rack, the bag's size."""

    unseen: bytes
    known: bytes
    bag_count: int

    @property
    def free(self) -> bytes:
        """Return the tiles that may be in the bag, ascending."""
        left = list(self.unseen)
        for code in self.known:
            left.remove(code)
        return bytes(left)


def hidden_tiles(position: Position) -> Hidden:
    """Return what the mover of a position cannot see.

    Raises InvalidInput: not two players ("preendgame_players"), no rack on turn ("rack_unknown"), a bag of
    none or of more than six tiles ("bag_size"), a game that is over ("game_over") or need never end
    ("endless_game").
    """
    if len(position.players) != PLAYERS:
        raise InvalidInput(
            "a pre-endgame is searched for two players", code="preendgame_players", field="players"
        )
    if not position.rack.tiles:
        raise InvalidInput("the rack of the player on turn must be known", code="rack_unknown", field="rack")
    bag = position.bag_count()
    if not 1 <= bag <= MAX_BAG:
        raise InvalidInput(
            f"the bag holds {bag} tiles; a pre-endgame has 1 to {MAX_BAG}",
            code="bag_size",
            field="board",
            params={"count": bag, "most": MAX_BAG},
        )
    if not zero_turns_count(position) and not position.rules.passes_each:
        raise InvalidInput(
            "nobody has scored, and by the rules passes alone do not end this game",
            code="endless_game",
            field="rules",
        )
    check_going_on(position)
    unseen = bytes([code for code, count in enumerate(position.unseen()) for _ in range(count)])
    return Hidden(unseen, position.players[1].held.tiles, bag)


def all_worlds(hidden: Hidden) -> list[World]:
    """Return every distinct order of the bag with the rack that it leaves, by tile codes."""
    free = hidden.free

    def orders(left: bytes, count: int) -> Iterator[tuple[bytes, int]]:
        if not count:
            yield b"", 1
            return
        for code in sorted(set(left)):
            times = left.count(code)
            for rest, weight in orders(left.replace(bytes([code]), b"", 1), count - 1):
                yield bytes([code]) + rest, times * weight

    return [
        World(Rack(_without(hidden.unseen, bag)).tiles, bag, weight)
        for bag, weight in orders(free, hidden.bag_count)
    ]


def sampled_world(hidden: Hidden, random: Random) -> World:
    """Return one order of the bag by chance, with weight 1."""
    bag = bytes(random.sample(hidden.free, hidden.bag_count))
    return World(Rack(_without(hidden.unseen, bag)).tiles, bag, 1)


def _without(tiles: bytes, taken: bytes) -> bytes:
    left = list(tiles)
    for code in taken:
        left.remove(code)
    return bytes(left)
