"""The ranking of all legal moves of a position: plays, exchanges and the pass.

`Ranking` ranks them by score, equity, win% and so on; `SearchedRanking` puts those first that a search found.
Both return `RankedMove`s: `listed()` for the result, and `find` for moves that a request names.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.analysis.move_report import MoveValues, RankedMove
from engine.analysis.outcomes import UNKNOWN, win_key
from engine.position import Exchange, Pass, Play

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.analysis.findings import Findings
    from engine.analysis.outcomes import Outcomes
    from engine.analysis.request import AnalysisOptions
    from engine.evaluation.evaluators import LeaveValues
    from engine.evaluation.win_pct import WinChances
    from engine.movegen import Plays
    from engine.position import Move, Position


class Ranking:
    """Rank the moves of a position by the options' `sort`.

    With `outcomes` the win% of each move is the proven one; moves are then ranked by the middle of its range,
    and of equal ones the certain ones first. Ties are broken by equity, or by score if no evaluator values
    leaves; further ties by the order of `Plays.best`, with exchanges and the pass after the plays.
    """

    def __init__(
        self,
        position: Position,
        plays: Plays,
        options: AnalysisOptions,
        values: LeaveValues | None,
        chances: WinChances | None,
        outcomes: Outcomes | None = None,
    ) -> None:
        self._position = position
        self._plays = plays
        self._options = options
        self._values = values
        self._chances = chances
        self._outcomes = outcomes

    def listed(self) -> list[RankedMove]:
        """Return the moves to list: plays, and others if asked for; the pass also if it is the only move."""
        return self._ranked(self._entries())

    def best(self) -> RankedMove:
        """Return the best of all moves, which may be one that `listed` leaves out."""
        place = int(self._sequence[0])
        return self._ranked([(1, int(self._order[place]) if place < len(self._plays) else place)])[0]

    def _entries(self) -> list[tuple[int, int]]:
        """Return the moves to list as (rank, number): plays by index, then the moves of `others`."""
        options, plays = self._options, self._plays
        end = options.offset + options.top_n
        wants_others = options.include_exchanges or not len(plays)
        if options.sort == "score" and not wants_others:
            best = plays.best(end).tolist()[options.offset :]
            return list(enumerate(best, start=1 + options.offset))
        first = len(plays) + (0 if options.include_exchanges else len(self.others) - 1)
        ranks = np.arange(1, len(self._sequence) + 1)
        chosen = self._sequence < len(plays)
        if wants_others:
            chosen |= self._sequence >= first
        listed = slice(options.offset, end)
        places = self._sequence[chosen][listed]
        entries = np.where(
            places < len(plays), np.append(self._order, 0)[np.minimum(places, len(plays))], places
        )
        return list(zip(ranks[chosen][listed].tolist(), entries.tolist(), strict=True))

    def find(self, moves: Sequence[Move]) -> list[RankedMove | None]:
        """Return moves with their ranks, None for an illegal one."""
        numbers = [self._number(move) for move in moves]
        known = [number for number in numbers if number is not None]
        ranks = self._ranks[self._places_of(known)].tolist() if known else []
        found = iter(self._ranked(list(zip(ranks, known, strict=True))))
        return [None if number is None else next(found) for number in numbers]

    def _number(self, move: Move) -> int | None:
        """Return the index of a legal play, or for another move its number after the plays; else None."""
        if isinstance(move, Play):
            return self._index(move)
        return len(self._plays) + self.others.index(move) if move in self.others else None

    def _index(self, play: Play) -> int | None:
        """Return the index of a play among the legal plays, None if it is illegal."""
        board, layout = self._position.board, self._position.layout
        if play.down and board.is_empty and layout.symmetric:
            # Only plays across are generated there; this one is the mirror image of one of them.
            play = Play(play.column, play.row, False, play.tiles)
        return self._plays.find(play)

    def _ranked(self, entries: list[tuple[int, int]]) -> list[RankedMove]:
        """Return moves with their values, given as by `_entries`."""
        plays = self._plays
        count = len(plays)
        chosen = [at for _, at in entries if at < count]
        listed, played = iter(plays.figures(chosen)), iter(plays.moves(chosen))
        moves = [next(played) if at < count else self.others[at - count] for _, at in entries]
        rows = [next(listed) if at < count else self._row(at - count) for _, at in entries]
        chances: list[float | None] = [None] * len(rows)
        if self._chances is not None and self._outcomes is None:
            chances = list(self._chances.after_few(rows))
        if self._values is None:
            found = [MoveValues(None, None, None, chance, chance, chance) for chance in chances]
        else:
            values = self._values.array.data  # a memoryview returns Python integers, faster than the array
            bingos = None if self._values.bingos is None else self._values.bingos.data
            found = [
                MoveValues(
                    equity, values[leave], None if bingos is None else bingos[leave], chance, chance, chance
                )
                for (_, equity, _, leave), chance in zip(rows, chances, strict=True)
            ]
        if self._outcomes is not None:
            for move, row, one in zip(moves, rows, found, strict=True):
                one.win_pct, one.win_pct_low, one.win_pct_high = self._outcomes.win_range_after(move, row[0])
        return [
            RankedMove(rank, move, one) for (rank, _), move, one in zip(entries, moves, found, strict=True)
        ]

    def _row(self, other: int) -> tuple[int, int, int, int]:
        """Return (score, equity, tiles placed, number of the leave) of a move of `others`."""
        leave = int(self._other_leaves[other])
        equity = 0 if self._values is None else int(self._values.array[leave])
        return (0, equity, 0, leave)

    @cached_property
    def others(self) -> list[Move]:
        """The legal exchanges, and the pass."""
        return other_moves(self._position)

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        """Indices of all plays, best first by what breaks ties: equity or score."""
        by_score = self._options.sort == "score" or self._values is None
        return self._plays.best(len(self._plays), by="score" if by_score else "equity")

    @cached_property
    def _sequence(self) -> NDArray[np.intp]:
        """Every move, best first: a play by its place in `_order`, then the moves of `others`."""
        plays = self._plays.array[self._order]
        numbers = np.concatenate([plays["leave"], self._other_leaves]).astype(np.intp)
        none = np.zeros(len(self.others), np.int64)
        scores = np.concatenate([plays["score"], none])
        equities = 1000 * scores.astype(np.int64)
        if self._values is not None:
            equities = np.concatenate([plays["equity"], self._values.array[self._other_leaves]])
        keys: NDArray[Any] = scores
        if self._options.sort == "equity":
            keys = equities
        elif self._options.sort == "leave_value" and self._values is not None:
            keys = self._values.array[numbers]
        elif self._options.sort == "bingo_expectation" and self._values is not None:
            assert self._values.bingos is not None  # noqa: S101 - the request asks for them
            keys = self._values.bingos[numbers]
        elif self._options.sort == "win_pct" and self._chances is not None:
            keys = self._chances.after(scores, equities, np.concatenate([plays["placed"], none]))
        first = (
            np.argsort(-equities, kind="stable") if self._options.sort != "score" else np.arange(len(keys))
        )
        if self._options.sort == "win_pct" and self._outcomes is not None:
            keys = self._proven_keys(first, scores)
        return first[np.argsort(-keys[first], kind="stable")]

    def _proven_keys(self, first: NDArray[np.intp], scores: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what ranks the moves by their proven win%.

        The arguments and the result are in the order of `_order`, then `others`; `first`: the most equity
        first. Moves for which no nodes are left have the range from 0 to 100.
        """
        assert self._outcomes is not None  # noqa: S101 - for the type checker
        keys = np.full(len(first), win_key(UNKNOWN))
        for place in first.tolist():
            if self._outcomes.spent:
                break
            if place < len(self._plays):
                move: Move = self._plays.move(int(self._order[place]))
            else:
                move = self.others[place - len(self._plays)]
            keys[place] = win_key(self._outcomes.win_range_after(move, int(scores[place])))
        return keys

    @cached_property
    def _other_leaves(self) -> NDArray[np.intp]:
        """The numbers of the leaves of `others`; zeros if no evaluator values leaves."""
        if self._values is None:
            return np.zeros(len(self.others), np.intp)
        number = self._values.number_without
        gone = [move.tiles if isinstance(move, Exchange) else b"" for move in self.others]
        return np.array([number(tiles) for tiles in gone], np.intp)

    def _places_of(self, numbers: list[int]) -> NDArray[np.intp]:
        """Return where moves, given by index or number, stand in the order that `_ranks` follows."""
        return np.append(self._places, np.arange(len(self._plays), len(self._ranks)))[numbers]

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        """The place of each play in `_order`, by its index."""
        return np.argsort(self._order)

    @cached_property
    def _ranks(self) -> NDArray[np.intp]:
        """The rank of every move: of the plays by their place in `_order`, then of `others`."""
        return np.argsort(self._sequence) + 1


class SearchedRanking:
    """Rank the moves that a search found first, then all others in the order of the ranking without it."""

    def __init__(self, base: Ranking, findings: Findings, top_n: int, *, lists_all: bool) -> None:
        """Take the ranking without the search.

        `lists_all`: whether exchanges and the pass are listed even if none of them is the best move.
        """
        self._base, self._top_n, self._lists_all = base, top_n, lists_all
        # On an empty board the search may name the mirror image of a play that the ranking lists.
        known = [
            (one, move)
            for one, move in zip(base.find(findings.moves), findings.moves, strict=True)
            if one is not None
        ]
        self._found = {one.move: one for one, _ in known}
        self._names = {one.move: move for one, move in known}
        self._values_of = findings.values_of
        self._places = {move: place for place, move in enumerate(self._found, start=1)}
        self._ranks_before = [one.rank for one in self._found.values()]

    def listed(self) -> list[RankedMove]:
        """Return the moves to list, best first."""
        rest = self._base.listed()
        lists_all = self._lists_all or any(not isinstance(one.move, Play) for one in rest)
        first = [
            one
            for one in self._found.values()
            if lists_all or isinstance(one.move, Play) or self._places[one.move] == 1
        ]
        chosen = [*first, *(one for one in rest if one.move not in self._found)]
        return [self._ranked(one) for one in chosen[: self._top_n]]

    def find(self, moves: Sequence[Move]) -> list[RankedMove | None]:
        """Return moves with their ranks, None for an illegal one."""
        return [None if one is None else self._ranked(one) for one in self._base.find(moves)]

    def _ranked(self, one: RankedMove) -> RankedMove:
        """Return a move of the ranking without the search with its rank in this one."""
        if one.move in self._places:
            added = self._values_of(self._names[one.move])
            return RankedMove(self._places[one.move], one.move, replace(one.values, **added))
        later = sum(rank > one.rank for rank in self._ranks_before)
        return RankedMove(one.rank + later, one.move, one.values)


def exchange_count(position: Position) -> int:
    """Return how many different exchanges are legal; equal tiles count as one."""
    bag = position.bag_count()
    if bag < position.rules.exchange_limit:
        return 0
    if bag < len(position.rack):
        return len(exchanges(position))
    return prod([count + 1 for count in Counter(position.rack.tiles).values()]) - 1


def exchanges(position: Position) -> list[Exchange]:
    """List every different legal exchange: fewest tiles first, then by tile codes.

    None is legal with fewer tiles in the bag than the rules demand, nor one of more tiles than the bag holds.
    """
    bag = position.bag_count()
    if bag < position.rules.exchange_limit:
        return []
    tiles = position.rack.tiles
    return [
        Exchange(bytes(chosen))
        for size in range(1, min(len(tiles), bag) + 1)
        for chosen in sorted(set(combinations(tiles, size)))
    ]


def other_moves(position: Position) -> list[Move]:
    """List the legal moves that are no plays: the exchanges, then the pass."""
    return [*exchanges(position), Pass()]
