"""`LegalMoves`: the plays, the exchanges and the pass of one position, in one numbering."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, overload

import numpy as np

from engine.position import Exchange, Move, Pass, Play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.movegen.plays import Plays
    from engine.position import Position

Key: TypeAlias = "Literal['score', 'equity'] | NDArray[Any]"
"""What orders moves: a column by its name, or an array with a value for each move."""


class ValuedMove(NamedTuple):
    """Hold a move, its points, its equity and leave value in millipoints, and how many tiles it places.

    `number`: its number among the legal moves, None for an illegal one.
    """

    move: Move
    score: int
    equity: int
    leave_value: int
    placed: int
    number: int | None = None


class LegalMoves(Sequence[Move]):
    """Hold every legal move of a position with its values; a move becomes an object when it is asked for.

    Moves are numbered: first the plays, by their index in `plays.array`, then the exchanges, fewest tiles
    first and then by tile codes, last the pass. The columns `score` (points), `equity`, `leave_value` (both
    in millipoints), `placed` (tiles put on the board) and `leave` (its number by `movegen.leaves`) are arrays
    over these numbers.
    """

    def __init__(
        self,
        position: Position,
        plays: Plays,
        leave_values: NDArray[np.int32] | None = None,
        bingos: NDArray[np.int32] | None = None,
        *,
        weighs_pass: bool = False,
    ) -> None:
        """Take the plays that a generator found in a position with these values of the leaves.

        `leave_values`, `bingos`: the value and the bingo expectation of each leave in millipoints, None if
        they are not known; `weighs_pass`: whether the evaluator has a value for a pass.
        """
        self.position = position
        self.plays = plays
        self.leave_values = leave_values
        self.bingos = bingos
        self.weighs_pass = weighs_pass
        self._orders: dict[str, NDArray[np.intp]] = {}

    @property
    def play_count(self) -> int:
        """The number of plays."""
        return len(self.plays)

    @property
    def exchange_count(self) -> int:
        """The number of exchanges; equal tiles count as one."""
        return len(self._exchange_leaves)

    @property
    def passing(self) -> int:
        """The number of the pass, the last one."""
        return len(self) - 1

    def __len__(self) -> int:
        return self.play_count + self.exchange_count + 1

    @overload
    def __getitem__(self, number: int) -> Move: ...
    @overload
    def __getitem__(self, number: slice) -> list[Move]: ...
    def __getitem__(self, number: int | slice) -> Move | list[Move]:
        """Return a move by its number, or those of a slice."""
        chosen = range(len(self))[number]
        return self.moves([chosen])[0] if isinstance(chosen, int) else self.moves(list(chosen))

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves(list(range(len(self)))))

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Play | Exchange | Pass) and self.find(move) is not None

    def index(self, move: object, start: int = 0, stop: int | None = None) -> int:
        """Return the number of a move from `start` to before `stop`; raise ValueError for another."""
        number = self.find(move) if isinstance(move, Play | Exchange | Pass) else None
        if number is None or number not in range(*slice(start, stop).indices(len(self))):
            raise ValueError(f"{move} is not one of these moves")
        return number

    def moves(self, numbers: list[int]) -> list[Move]:
        """Return moves by their numbers; faster for many than one by one."""
        count = self.play_count
        of_plays = [number for number in numbers if number < count]
        plays = iter(self.plays.moves(of_plays, self.position))
        return [next(plays) if number < count else self._other(number) for number in numbers]

    def valued(self, numbers: list[int]) -> list[ValuedMove]:
        """Return moves with their values, by their numbers."""
        count, values = self.play_count, self.leave_values
        rows = self.plays.array[[number for number in numbers if number < count]]
        columns = [rows[name].tolist() for name in ("score", "equity", "leave", "placed")]
        plays = zip(*columns, strict=True)
        found = []
        for number, move in zip(numbers, self.moves(numbers), strict=True):
            score, equity, leave, placed = next(plays) if number < count else self._other_values(number)
            value = 0 if values is None else int(values[leave])
            found.append(ValuedMove(move, score, equity, value, placed, number))
        return found

    def value(self, move: Move, score: int) -> ValuedMove:
        """Return the values of a move, legal or not, that scores `score`; the rack must hold its tiles."""
        number = self.find(move)
        if number is not None:
            return self.valued([number])[0]._replace(move=move)  # it may be the mirror image of that play
        value = 0 if self.leave_values is None else int(self.leave_values[self._leave_after(move)])
        return ValuedMove(move, score, 1000 * score + value, value, len(move.placements()))

    def find(self, move: Move) -> int | None:
        """Return the number of a move, None if it is illegal."""
        if isinstance(move, Pass):
            return self.passing
        if isinstance(move, Play):
            board, layout = self.plays.board.board, self.plays.board.layout
            if move.down and board.is_empty and layout.symmetric:
                # Only plays across are listed there; this one is the mirror image of one of them.
                move = Play(move.column, move.row, False, move.tiles)
            return self.plays.find(move)
        if self.position.rack.missing(move.tiles):
            return None
        at = np.flatnonzero(self._exchange_leaves == self._leave_after(move))
        return self.play_count + int(at[0]) if len(at) else None

    def best(self, count: int, by: Key = "equity", *, only_plays: bool = False) -> list[int]:
        """Return the numbers of the `count` best moves, best first; ties as in `order`."""
        if only_plays and isinstance(by, str):
            best: list[int] = self.plays.best(count, by).tolist()
            return best
        return [number for _, number in self.ranked(count, by, only_plays=only_plays)]

    def candidates(self, count: int) -> list[int]:
        """Return the numbers of the `count` moves with the most equity, to be searched.

        The pass is among them only if its value is known, if the bag is empty, or if it is the only move.
        """
        found = self.best(count + 1)
        if len(self) > 1 and self.position.bag_count() and not self.weighs_pass:
            found = [number for number in found if number != self.passing]
        return found[:count]

    def ranked(
        self, count: int, by: Key = "equity", *, offset: int = 0, only_plays: bool = False
    ) -> list[tuple[int, int]]:
        """Return (rank, number) of moves, best first: up to `count` of them after the `offset` first.

        `only_plays`: leave out exchanges and the pass, which have their ranks all the same.
        """
        end = offset + max(count, 0)
        if not isinstance(by, str):
            order = self.order(by)
            ranks = np.arange(1, len(order) + 1)
            if only_plays:
                ranks, order = ranks[order < self.play_count], order[order < self.play_count]
            return list(zip(ranks[offset:end].tolist(), order[offset:end].tolist(), strict=True))
        first = self.plays.best(end, by)
        if by == "score" and only_plays:  # no other move scores anything
            return list(enumerate(first.tolist(), start=1))[offset:]
        others, values = self._others(by)
        keys = self.plays.array[by][first]
        ahead = np.searchsorted(-values, -keys)  # others go behind plays that are as good
        found = list(zip((1 + np.arange(len(first)) + ahead).tolist(), first.tolist(), strict=True))
        if not only_plays:
            before = np.searchsorted(-keys, -values[:end], side="right")
            places = 1 + np.arange(len(before)) + before
            found = sorted([*found, *zip(places.tolist(), others[:end].tolist(), strict=True)])
        return found[offset:end]

    def order(self, by: Key = "equity") -> NDArray[np.intp]:
        """Return the numbers of all moves, best first.

        Equal scores or equities are ordered as by `Plays.best`, with exchanges and the pass behind plays. Of
        moves with equal values of an array the one with more equity goes first.
        """
        if not isinstance(by, str):
            base = self.order()
            return base[np.argsort(-by[base], kind="stable")]
        if by not in self._orders:
            key = self.score if by == "score" else self.equity
            base = np.concatenate([self.plays.best(self.play_count, by), self._others(by)[0]])
            self._orders[by] = base[np.argsort(-key[base], kind="stable")]
        return self._orders[by]

    def ranks(self, numbers: list[int], by: Key = "equity") -> list[int]:
        """Return the places of moves in the order, from 1."""
        return [1 + int(place) for place in np.argsort(self.order(by))[numbers]]

    @cached_property
    def score(self) -> NDArray[np.int32]:
        """The points of each move."""
        return np.concatenate([self.plays.array["score"], self._none])

    @cached_property
    def equity(self) -> NDArray[np.int32]:
        """The points and the value of the leave of each move, in millipoints, as the evaluator has them."""
        return np.concatenate([self.plays.array["equity"], self._other_equity])

    @cached_property
    def leave_value(self) -> NDArray[np.int32]:
        """The value of the leave of each move in millipoints, 0 if leaves are not valued."""
        return np.zeros(len(self), np.int32) if self.leave_values is None else self.leave_values[self.leave]

    @cached_property
    def placed(self) -> NDArray[np.int32]:
        """How many tiles each move puts on the board."""
        return np.concatenate([self.plays.array["placed"], self._none])

    @cached_property
    def leave(self) -> NDArray[np.intp]:
        """The number of the leave of each move; of plays only if leaves are valued, else 0."""
        return np.concatenate([self.plays.array["leave"], self._other_leaves])

    @property
    def _none(self) -> NDArray[np.int32]:
        """A zero for each exchange and the pass."""
        return np.zeros(self.exchange_count + 1, np.int32)

    @property
    def _other_equity(self) -> NDArray[np.int32]:
        """The value of the leave of each exchange and of the pass in millipoints."""
        return self._none if self.leave_values is None else self.leave_values[self._other_leaves]

    def _others(self, by: str) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
        """Return the numbers of the exchanges and the pass, the highest value first, and these values."""
        values = self._none if by == "score" else self._other_equity
        order = np.argsort(-values, kind="stable")
        return self.play_count + order, values[order]

    @cached_property
    def _exchange_leaves(self) -> NDArray[np.intp]:
        """The number of the leave of each exchange."""
        return exchange_leaves(self.position)

    @cached_property
    def _other_leaves(self) -> NDArray[np.intp]:
        """The number of the leave of each exchange and of the pass, which is the whole rack."""
        return np.append(self._exchange_leaves, self.position.rack.subset_count() - 1)

    def _other_values(self, number: int) -> tuple[int, int, int, int]:
        """Return score, equity, number of the leave, and tiles placed of an exchange or the pass."""
        leave = int(self._other_leaves[number - self.play_count])
        return 0, 0 if self.leave_values is None else int(self.leave_values[leave]), leave, 0

    def _leave_after(self, move: Move) -> int:
        """Return the number of the leave of a move whose tiles the rack holds."""
        return self.position.rack.leave_number(move.used)

    def _other(self, number: int) -> Exchange | Pass:
        if number == self.passing:
            return Pass()
        leave, tiles = int(self._exchange_leaves[number - self.play_count]), bytearray()
        for code, count in self.position.rack.multiplicities.items():
            leave, left = divmod(leave, count + 1)
            tiles += bytes([code]) * (count - left)
        return Exchange(bytes(tiles), self.position.tile_set.alphabet)


def exchange_leaves(position: Position) -> NDArray[np.intp]:
    """Return the number of the leave of each legal exchange, fewest tiles first; equal tiles count as one."""
    leaves, sizes = _exchanges(tuple(position.rack.multiplicities.values()))
    return leaves[: np.searchsorted(sizes, position.most_exchanged, side="right")]


@lru_cache(maxsize=1024)
def _exchanges(counts: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the numbers of the leaves of all exchanges, fewest tiles first, and how many tiles each returns.

    `counts`: how often the rack holds each of its tiles, the lowest code first.
    """
    left = np.indices([count + 1 for count in reversed(counts)], np.intp)[::-1]
    returned = np.array(counts, np.intp).reshape(-1, 1) - left.reshape(len(counts), math.prod(left.shape[1:]))
    sizes = returned.sum(axis=0)
    # Exchanges of equally many tiles go by their codes, so the one with most of the lowest code is first.
    order = np.lexsort((*-returned[::-1], sizes))[1:]  # the first exchanges nothing
    return order, sizes[order]
