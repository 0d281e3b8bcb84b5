"""The order of all moves of a position: plays, exchanges and the pass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.analysis.moves import other_moves
from engine.position import Exchange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.analysis.request import AnalysisOptions
    from engine.analysis.result import Ending, Preending
    from engine.evaluation.evaluators import LeaveValues
    from engine.evaluation.win_pct import WinChances
    from engine.movegen import Plays
    from engine.position import Move, Position
    from engine.search import Simulated


# Of these two an answer makes as many as moves; frozen ones take three times as long to make.
@dataclass(slots=True)
class Worth:
    """Hold what is known of a move besides its score: millipoints, win% from 0 to 100; None: not asked."""

    equity: int | None = None
    leave_value: int | None = None
    bingos: int | None = None
    win_pct: float | None = None
    sim: Simulated | None = None
    endgame: Ending | None = None
    preendgame: Preending | None = None


@dataclass(slots=True)
class Ranked:
    """Hold a move, its rank among all legal moves (from 1), and its worth."""

    rank: int
    move: Move
    worth: Worth


class Ranking:
    """Rank the moves of a position by what the options say.

    Moves that are equal in it stand by equity, or by score if no evaluator values leaves; plays equal in that
    too in the order of ties of `Plays.best`, then exchanges and the pass.
    """

    def __init__(
        self,
        position: Position,
        plays: Plays,
        options: AnalysisOptions,
        values: LeaveValues | None,
        chances: WinChances | None,
    ) -> None:
        self._position = position
        self._plays = plays
        self._options = options
        self._values = values
        self._chances = chances

    def listed(self) -> list[Ranked]:
        """Return the moves to list: the plays, and the others if asked for; the pass also if it is alone."""
        return self._ranked(self._entries())

    def _entries(self) -> list[tuple[int, int]]:
        """Return the moves to list as (rank, index of a play or, counted on, other move)."""
        options, plays = self._options, self._plays
        wants_others = options.include_exchanges or not len(plays)
        if options.sort == "score" and not wants_others:
            return list(enumerate(plays.best(options.top_n).tolist(), start=1))
        first = len(plays) + (0 if options.include_exchanges else len(self.others) - 1)
        ranks = np.arange(1, len(self._sequence) + 1)
        chosen = self._sequence < len(plays)
        if wants_others:
            chosen |= self._sequence >= first
        places = self._sequence[chosen][: options.top_n]
        entries = np.where(
            places < len(plays), np.append(self._order, 0)[np.minimum(places, len(plays))], places
        )
        return list(zip(ranks[chosen].tolist(), entries.tolist(), strict=False))

    def of_plays(self, indices: Sequence[int]) -> list[Ranked]:
        """Return plays, given by their indices, with their ranks."""
        if not indices:
            return []
        places = self._places[list(indices)]
        return self._ranked(list(zip(self._ranks[places].tolist(), indices, strict=True)))

    def of_other(self, move: Move) -> Ranked | None:
        """Return an exchange or the pass with its rank, None if it is not legal."""
        if move not in self.others:
            return None
        entry = len(self._plays) + self.others.index(move)
        return self._ranked([(int(self._ranks[entry]), entry)])[0]

    def _ranked(self, entries: list[tuple[int, int]]) -> list[Ranked]:
        """Return moves, given as `_entries` gives them, with their worth."""
        plays = self._plays
        count = len(plays)
        chosen = [at for _, at in entries if at < count]
        listed, played = iter(plays.figures(chosen)), iter(plays.moves(chosen))
        moves = [next(played) if at < count else self.others[at - count] for _, at in entries]
        rows = [next(listed) if at < count else self._row(at - count) for _, at in entries]
        chances: list[float | None] = [None] * len(rows)
        if self._chances is not None:
            chances = list(self._chances.after_few(rows))
        if self._values is None:
            worths = [Worth(win_pct=chance) for chance in chances]
        else:
            values = self._values.array.data  # which gives Python's own numbers, and sooner
            bingos = None if self._values.bingos is None else self._values.bingos.data
            worths = [
                Worth(equity, values[leave], None if bingos is None else bingos[leave], chance)
                for (_, equity, _, leave), chance in zip(rows, chances, strict=True)
            ]
        return [
            Ranked(rank, move, worth) for (rank, _), move, worth in zip(entries, moves, worths, strict=True)
        ]

    def _row(self, other: int) -> tuple[int, int, int, int]:
        """Return the figures of a move that is no play: only equity and leave are not 0."""
        leave = int(self._other_leaves[other])
        equity = 0 if self._values is None else int(self._values.array[leave])
        return (0, equity, 0, leave)

    @cached_property
    def others(self) -> list[Move]:
        """The legal moves that are no plays."""
        return list(other_moves(self._position))

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        """Indices of all plays, best first by equity or score, which breaks ties of the rest."""
        by_score = self._options.sort == "score" or self._values is None
        return self._plays.best(len(self._plays), by="score" if by_score else "equity")

    @cached_property
    def _sequence(self) -> NDArray[np.intp]:
        """Every move, best first: places in `_order`, then, counted on, in `others`."""
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
            assert self._values.bingos is not None  # noqa: S101 - asked for, so there
            keys = self._values.bingos[numbers]
        elif self._options.sort == "win_pct" and self._chances is not None:
            keys = self._chances.after(scores, equities, np.concatenate([plays["placed"], none]))
        first = (
            np.argsort(-equities, kind="stable") if self._options.sort != "score" else np.arange(len(keys))
        )
        return first[np.argsort(-keys[first], kind="stable")]

    @cached_property
    def _other_leaves(self) -> NDArray[np.intp]:
        """The numbers of what the moves that are no plays keep; zeros if no evaluator numbers them."""
        if self._values is None:
            return np.zeros(len(self.others), np.intp)
        number = self._values.number_without
        gone = [move.tiles if isinstance(move, Exchange) else b"" for move in self.others]
        return np.array([number(tiles) for tiles in gone], np.intp)

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        """The place of each play, by its index, in `_order`."""
        return np.argsort(self._order)

    @cached_property
    def _ranks(self) -> NDArray[np.intp]:
        """The rank of every move, by its number in `_sequence`."""
        return np.argsort(self._sequence) + 1
