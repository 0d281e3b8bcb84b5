"""Worlds: the distinct ways to divide the unseen tiles into the other rack and an ordered bag."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.messages import Text
from engine.position import Rack
from engine.search.outcome import check_can_end, check_not_over

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from engine.position import Position

PLAYERS: Final = 2
MAX_BAG: Final = 6
EXHAUSTIVE_BAG: Final = 2
"""The largest bag whose draws are all examined, in every order; larger ones are sampled."""


@dataclass(frozen=True, slots=True)
class World:
    """Hold the other rack and the bag, whose first tile is drawn first.

    `weight`: number of orders of the unseen tiles, equal tiles distinguished, that give this world; 1 in a
    sample.
    """

    other: bytes
    bag: bytes
    weight: int


@dataclass(frozen=True, slots=True)
class Hidden:
    """Hold what the player on turn cannot see: all these tiles, those known to be on the other rack, the
    bag's size.
    """

    unseen: bytes
    known: bytes
    bag_count: int

    @property
    def free(self) -> bytes:
        """The tiles that may be in the bag, ascending."""
        left = list(self.unseen)
        for code in self.known:
            left.remove(code)
        return bytes(left)


def hidden_tiles(position: Position) -> Hidden:
    """Return what the player on turn cannot see.

    Raises InvalidInput for other than two players ("preendgame_players"), an unknown own rack
    ("rack_unknown"), an empty bag or one of more than six tiles ("bag_size"), a game that is over
    ("game_over") or may never end ("endless_game").
    """
    if len(position.players) != PLAYERS:
        raise InvalidInput(
            Text("a pre-endgame is searched for two players"), code="preendgame_players", field="players"
        )
    if not position.rack.tiles:
        raise InvalidInput(
            Text("the rack of the player on turn must be known"), code="rack_unknown", field="rack"
        )
    bag = position.bag_count()
    if not 1 <= bag <= MAX_BAG:
        raise InvalidInput(
            Text("the bag holds {count} tiles; a pre-endgame has 1 to {most}", count=bag, most=MAX_BAG),
            code="bag_size",
            field="board",
        )
    check_can_end(position)
    check_not_over(position)
    return Hidden(position.unseen_tiles.tiles, position.players[1].held.tiles, bag)


def all_worlds(hidden: Hidden) -> list[World]:
    """Return every world, sorted by the codes of the bag."""
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
        World(Rack(hidden.unseen).without(bag).tiles, bag, weight)
        for bag, weight in orders(free, hidden.bag_count)
    ]


def count_bags(hidden: Hidden) -> int:
    """Return how many bags there may be, equal tiles distinguished and their order left aside."""
    return comb(len(hidden.free), hidden.bag_count)


def every_bag(hidden: Hidden, random: Random) -> list[World]:
    """Return a world for every bag, equal tiles distinguished, in a random order, each in a random order."""
    worlds = [_drawn(hidden, bag, random) for bag in combinations(hidden.free, hidden.bag_count)]
    random.shuffle(worlds)
    return worlds


def sampled_world(hidden: Hidden, random: Random) -> World:
    """Return a random world, with weight 1."""
    return _drawn(hidden, hidden.free, random)


def _drawn(hidden: Hidden, tiles: Sequence[int], random: Random) -> World:
    bag = bytes(random.sample(tiles, hidden.bag_count))
    return World(Rack(hidden.unseen).without(bag).tiles, bag, 1)
