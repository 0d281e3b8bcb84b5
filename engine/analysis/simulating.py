"""Ranking moves by simulation: the candidates by what was found, then all others as they stood."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from engine.analysis.ranking import Ranked, Ranking
from engine.analysis.result import Effort, Provenance, Simulated
from engine.analysis.solving import SolvedRanking
from engine.position import Play
from engine.search import Candidate, simulate
from engine.search.deadline import DEADLINE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.analysis.moves import Describer
    from engine.analysis.request import AnalysisOptions
    from engine.loaded_board import LoadedBoard
    from engine.position import Move, Position
    from engine.search import Estimate, Simulation
    from engine.search.deadline import Deadline

    Progress: TypeAlias = Callable[[list[tuple[Move, Simulated]], int], None]
    """Is told the candidates so far, best first, and the iterations spent."""

    Find: TypeAlias = Callable[[Move], Ranked | None]
    """Says where a move stands without simulation, None if it is not legal."""


class SimulatedRanking:
    """Rank the moves of a position: first the simulated ones by win% (or spread), then the others.

    A candidate that was given up as worse stands behind those that were not. Use: `simulate`, then the same
    calls as of a `Ranking`.
    """

    def __init__(
        self,
        base: Ranking,
        candidates: Sequence[Ranked],
        find: Find,
        describer: Describer,
        options: AnalysisOptions,
    ) -> None:
        """Take the ranking without simulation, and the moves to compare; moves named twice count once."""
        assert options.simulate is not None  # noqa: S101 - the caller looked
        self._base = base
        self._find = find
        self._describer = describer
        self._options = options
        self._plan = options.simulate
        self._candidates = list({one.move: one for one in candidates}.values())
        self._ranks: dict[Move, int] = {}
        self._static_ranks: list[int] = []
        self._found: dict[Move, Simulated] = {}
        self._spent = 0
        self._stopped_by = ""

    def simulate(
        self,
        position: Position,
        board: LoadedBoard,
        deadline: Deadline,
        threads: int,
        progress: Progress | None,
    ) -> None:
        """Run the simulation."""
        moves = [one.move for one in self._candidates]

        def tell(result: Simulation) -> None:
            if progress is not None:
                estimates = ((moves[at], result.estimates[at]) for at in result.order)
                progress([(move, _report(one)) for move, one in estimates if one is not None], result.spent)

        result = simulate(
            position,
            board,
            [self._told(one) for one in self._candidates],
            self._plan,
            seed=self._options.seed,
            deadline=deadline,
            threads=threads,
            progress=tell,
        )
        self._spent, self._stopped_by = result.spent, result.stopped_by
        for at in result.order:
            estimate = result.estimates[at]
            if estimate is not None:
                self._ranks[moves[at]] = len(self._ranks) + 1
                self._found[moves[at]] = _report(estimate)
        found = [self._find(move) for move in self._ranks]
        self._static_ranks = [one.rank for one in found if one is not None]

    def told(self, provenance: Provenance) -> Provenance:
        """Return the provenance with what the simulation was given and what it spent."""
        return replace(
            provenance,
            seed=self._options.seed,
            budget=Effort(iterations=self._plan.iterations),
            spent=Effort(iterations=self._spent),
            stopped_by=self._stopped_by,
            deterministic=self._stopped_by != DEADLINE,
        )

    def listed(self) -> list[Ranked]:
        """Return the moves to list, best first."""
        rest = self._base.listed()
        lists_all = self._options.include_exchanges or any(not isinstance(one.move, Play) for one in rest)
        by_move = {one.move: one for one in self._candidates}
        first = [by_move[move] for move in self._ranks if lists_all or isinstance(move, Play)]
        known = set(self._ranks)
        chosen = [*first, *(one for one in rest if one.move not in known)]
        return [self._ranked(one) for one in chosen[: self._options.top_n]]

    def of_play(self, index: int) -> Ranked:
        """Return a play, given by its index, with its rank."""
        return self._ranked(self._base.of_play(index))

    def of_other(self, move: Move) -> Ranked | None:
        """Return an exchange or the pass with its rank, None if it is not legal."""
        found = self._base.of_other(move)
        return None if found is None else self._ranked(found)

    def _ranked(self, one: Ranked) -> Ranked:
        """Return a move of the ranking without simulation with its place in this one."""
        if one.move in self._ranks:
            worth = replace(one.worth, sim=self._found[one.move])
            return Ranked(self._ranks[one.move], one.move, worth)
        later = sum(rank > one.rank for rank in self._static_ranks)
        return Ranked(one.rank + later, one.move, one.worth)

    def _told(self, one: Ranked) -> Candidate:
        score = self._describer.score(one.move) if isinstance(one.move, Play) else 0
        equity = 1000 * score if one.worth.equity is None else one.worth.equity
        return Candidate(one.move, score, equity - 1000 * score)


AnyRanking: TypeAlias = Ranking | SimulatedRanking | SolvedRanking


def _report(estimate: Estimate) -> Simulated:
    def rounded(value: float | None) -> float | None:
        return None if value is None else round(value, 3)

    return Simulated(
        win_pct=rounded(estimate.win_pct),
        win_pct_error=rounded(estimate.win_pct_error),
        spread=round(estimate.spread, 3),
        spread_error=round(estimate.spread_error, 3),
        iterations=estimate.iterations,
        opponent_score=round(estimate.opponent_score, 3),
        own_score=round(estimate.own_score, 3),
        opponent_bingos=round(estimate.opponent_bingos, 4),
        own_bingos=round(estimate.own_bingos, 4),
        leave=round(estimate.leave, 3),
        ended=round(estimate.ended, 4),
        pruned=estimate.pruned,
    )
