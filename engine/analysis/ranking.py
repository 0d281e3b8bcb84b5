"""The order of all legal moves of a position: plays, exchanges and the pass."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from engine.analysis.judged import EndgameReport, Judged
from engine.search.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.analysis.judged import Found
    from engine.analysis.request import AnalysisOptions
    from engine.evaluation.win_pct import WinChances
    from engine.movegen.legal_moves import Key, LegalMoves, ValuedMove
    from engine.position import Move
    from engine.search.endgame_verdicts import EndgameVerdicts


class Ranking:
    """Rank the legal moves of a position by the options' `sort`, and judge them.

    With `verdicts` the win% of each move is the proven one, and moves are ranked by `Verdict.key`. Ties are
    broken as `LegalMoves.order` does. `found` holds what a search found, by number: these moves are ranked
    before all others, in their order.
    """

    def __init__(
        self,
        moves: LegalMoves,
        options: AnalysisOptions,
        chances: WinChances | None,
        verdicts: EndgameVerdicts | None = None,
    ) -> None:
        self.moves = moves
        self.found: Mapping[int, Found | None] = {}
        self._options = options
        self._chances = chances
        self._verdicts = verdicts

    def listed(self) -> list[Judged]:
        """Return the moves to list: plays, and others if asked for or if the best is one."""
        options, moves = self._options, self.moves
        others = options.include_exchanges or not moves.play_count
        if options.include_exchanges or moves.play_count:
            rest = moves.ranked(options.top_n, self._key, offset=options.offset, only_plays=not others)
        else:  # the pass, the only move
            rest = [(moves.ranks([moves.passing], self._key)[0], moves.passing)][options.offset :]
        if not self.found:
            return self._judged(rest)
        best = next(iter(self.found))
        first = [number for number in self.found if others or number < moves.play_count or number == best]
        chosen = [*first, *(number for _, number in rest if number not in self.found)]
        return self._judged(self._ranked(chosen[: options.top_n]))

    def find(self, moves: Sequence[Move]) -> list[Judged | None]:
        """Return moves with their ranks, None for an illegal one."""
        numbers = [self.moves.find(move) for move in moves]
        known = [(number, move) for number, move in zip(numbers, moves, strict=True) if number is not None]
        judged = self._judged(self._ranked([number for number, _ in known]))
        # A play on an empty board may be named by its mirror image.
        found = iter([replace(one, move=move) for one, (_, move) in zip(judged, known, strict=True)])
        return [None if number is None else next(found) for number in numbers]

    @cached_property
    def _key(self) -> Key:
        """What the moves are ordered by."""
        moves, sort = self.moves, self._options.sort
        if sort == "leave_value" and moves.leave_values is not None:
            return moves.leave_value
        if sort == "bingo_expectation" and moves.bingos is not None:
            return moves.bingos[moves.leave]
        if sort == "win_pct" and self._verdicts is not None:
            return self._verdicts.keys(moves)
        if sort == "win_pct" and self._chances is not None:
            return self._chances.after(moves.score, moves.equity, moves.placed)
        return "score" if sort == "score" else "equity"

    def _ranked(self, numbers: Sequence[int]) -> list[tuple[int, int]]:
        """Return moves with their ranks before them, given by number."""
        if not numbers:
            return []
        chosen = [*self.found, *numbers]
        ranks = self.moves.ranks(chosen, self._key)
        searched = ranks[: len(self.found)]
        places = {number: place for place, number in enumerate(self.found, start=1)}
        return [
            (places.get(number) or rank + sum([one > rank for one in searched]), number)
            for rank, number in zip(ranks[len(searched) :], numbers, strict=True)
        ]

    def _judged(self, entries: list[tuple[int, int]]) -> list[Judged]:
        """Return moves with their values, given as (rank, number)."""
        moves, numbers = self.moves, [number for _, number in entries]
        valued = moves.valued(numbers)
        wins = self._wins(numbers, valued)
        bingos: list[int | None] = [None] * len(valued)
        if moves.bingos is not None:
            bingos = moves.bingos[moves.leave[numbers]].tolist()
        judged = []
        for (rank, number), one, win, bingo in zip(entries, valued, wins, bingos, strict=True):
            made = Judged(moves.position, one.move, one.score, rank, win=win, found=self.found.get(number))
            if moves.leave_values is not None:
                made.leave_value, made.equity = one.leave_value / 1000, one.equity / 1000
            if bingo is not None:
                made.bingo_expectation = bingo / 1000
            judged.append(made)
        return judged

    def _wins(self, numbers: Sequence[int], valued: list[ValuedMove]) -> list[Verdict | None]:
        """Return the win% of moves: with an empty bag proven; of a search, which leaves others unknown; else
        by the win% table.
        """
        if self._verdicts is not None:
            return [self._verdicts.after(one.move, one.score) for one in valued]
        if self.found:
            found = [self.found.get(number) for number in numbers]
            return [None if one is None or isinstance(one, EndgameReport) else one.verdict for one in found]
        if self._chances is not None:
            return [Verdict.by_table(chance) for chance in self._chances.after_few(valued)]
        return [None] * len(valued)
