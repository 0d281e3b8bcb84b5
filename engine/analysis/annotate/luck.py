"""The luck of a draw: how much better the draw was than the average draw.

The value of a rack is the equity of its best move on the board of the turn. The luck of a turn is the value
of its rack minus the expected value. That is the mean over all draws of the same number of tiles, added to
the leave of the player's last turn, from the tiles that the player could not see and that are not yet on the
board. It is exact if there are at most DRAWS different draws, else a sample of DRAWS estimates the mean.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from math import comb, prod, sqrt
from random import Random
from typing import TYPE_CHECKING, Final

from engine.position import Rack
from engine.position.player import NO_TILES
from engine.search.deadline import Deadline
from engine.search.lending import valued_moves

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Move, Position

DRAWS: Final = 200
"""The most draws that are valued for a turn; each takes about 0.15 ms."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Hold what a turn left: the tiles on the rack, and those that an exchange returned to the bag."""

    rack: Rack = NO_TILES
    returned: bytes = b""

    @classmethod
    def after(cls, rack: Rack, move: Move | None) -> Leave | None:
        """Return what a move leaves of a rack, None for an unknown move."""
        if move is None:
            return None
        return cls(rack.without(move.used), move.returned)


@dataclass(frozen=True, slots=True)
class Luck:
    """Hold the luck of a draw in points, and its standard error, 0 if all draws were counted."""

    value: float
    error: float


def luck_of_draw(
    position: Position,
    board: LoadedBoard,
    lexicon: Lexicon,
    evaluator: str,
    last: Leave,
    seed: int,
    deadline: Deadline | None = None,
) -> Luck | None:
    """Return the luck of the tiles that the player on turn has drawn since the last turn.

    `position`: as the player sees it; `board`: its loaded board; `evaluator`: the name of the one that values
    leaves; `last`: what the last turn left; `seed`: of a sample. None if nothing was drawn, if the rack lacks
    a tile of the leave, or if `deadline` passes before all draws are valued.
    """
    drawn = Counter(position.rack.tiles)
    drawn.subtract(last.rack.tiles)
    if min(drawn.values(), default=0) < 0 or not drawn.total():
        return None
    count = drawn.total()
    # Tiles that an exchange returned go into the bag only after the draw.
    pool = [
        drawn[code] + max(0, unseen - last.returned.count(code))
        for code, unseen in enumerate(position.unseen())
    ]
    draws = list(_different_draws(pool, count))
    exact = len(draws) <= DRAWS
    if not exact:
        random = Random(seed)  # noqa: S311 - for draws, not for secrets
        tiles = [code for code, left in enumerate(pool) for _ in range(left)]
        draws = [(bytes(random.sample(tiles, count)), 1) for _ in range(DRAWS)]

    def value(tiles: bytes) -> float:
        moves = valued_moves(position.with_rack(Rack(tiles)), board, lexicon, evaluator)
        return int(moves.equity.max()) / 1000

    deadline = deadline or Deadline()
    values = [value(last.rack.tiles + tiles) for tiles, _ in draws if not deadline.passed]
    if len(values) < len(draws):
        return None
    mean, error = _mean(values, [weight for _, weight in draws], exact=exact)
    return Luck(round(value(position.rack.tiles) - mean, 3), round(error, 3))


def _mean(values: Sequence[float], weights: Sequence[int], *, exact: bool) -> tuple[float, float]:
    """Return the weighted mean, and its standard error as that of a sample, 0 if it is exact."""
    mean = sum([value * weight for value, weight in zip(values, weights, strict=True)]) / sum(weights)
    if exact:
        return mean, 0.0
    count = len(values)
    return mean, sqrt(sum([(value - mean) ** 2 for value in values]) / (count - 1) / count)


def _different_draws(pool: Sequence[int], count: int) -> Iterator[tuple[bytes, int]]:
    """Yield different draws of `count` tiles, each with the number of ways to draw it.

    `pool`: how many tiles of each code there are. At most DRAWS + 1 draws are yielded.
    """

    def draw(code: int, chosen: bytes) -> Iterator[bytes]:
        if len(chosen) == count:
            yield chosen
        elif code < len(pool):
            for taken in range(min(pool[code], count - len(chosen)), -1, -1):
                yield from draw(code + 1, chosen + bytes([code]) * taken)

    for tiles in islice(draw(0, b""), DRAWS + 1):
        yield tiles, prod([comb(pool[code], taken) for code, taken in Counter(tiles).items()])
