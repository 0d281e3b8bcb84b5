"""What every search has in common: what it is given, what it finds, and the order that it makes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from engine.analysis.ranking import Ranked, Ranking
from engine.position import Play
from engine.search.deadline import DEADLINE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.analysis.result import Effort, Provenance
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Move, Position
    from engine.search import Simulated
    from engine.search.deadline import Deadline
    from engine.search.endgame import EndgameProgress
    from engine.search.preendgame import PreendgameResult


@dataclass(frozen=True, slots=True)
class SimulationProgress:
    """Tell how a simulation goes: the candidates so far, best first, and the iterations spent."""

    found: list[tuple[Move, Simulated]]
    spent: int


SearchProgress: TypeAlias = "SimulationProgress | EndgameProgress | PreendgameResult"
Progress: TypeAlias = "Callable[[SearchProgress], None]"
"""Is told how a search goes, now and then."""


@dataclass(frozen=True, slots=True)
class Case:
    """Hold what a search is given: the position, its loaded board, and the moves worth looking at.

    `best` returns so many of the best moves by static equity; `named` are those that the request compares;
    `score` says the points of a play. `evaluator` is the one that values leaves, "greedy" if none does.
    """

    position: Position
    board: LoadedBoard
    lexicon: Lexicon
    evaluator: str
    best: Callable[[int], list[Ranked]]
    named: list[Ranked]
    score: Callable[[Play], int]
    seed: int
    threads: int
    deadline: Deadline
    progress: Progress | None


@dataclass(frozen=True, slots=True)
class Findings:
    """Hold what a search found: moves, best first; what it took; and `told`, the parts of a move's Worth.

    Most of the moves are not listed, and so never told. `seed` is None where no chance was in it.
    """

    phase: str
    moves: Sequence[Move]
    told: Callable[[Move], dict[str, Any]]
    budget: Effort
    spent: Effort
    stopped_by: str
    seed: int | None = None

    def explained(self, provenance: Provenance) -> Provenance:
        """Return the provenance with what the search was given and what it spent."""
        return replace(
            provenance,
            seed=self.seed,
            budget=self.budget,
            spent=self.spent,
            stopped_by=self.stopped_by,
            deterministic=self.stopped_by != DEADLINE,
        )


class SearchedRanking:
    """Rank the moves of a position: first those that a search ranked, then all others as they stood.

    The calls are those of a `Ranking`.
    """

    def __init__(
        self,
        base: Ranking,
        find: Callable[[Sequence[Move]], list[Ranked | None]],
        findings: Findings,
        top_n: int,
        *,
        lists_all: bool,
    ) -> None:
        """Take the ranking without a search, and `find`, which says where moves stand in it.

        `lists_all`: exchanges and the pass are listed too, not only where one of them is best.
        """
        self._base, self._top_n, self._lists_all = base, top_n, lists_all
        known = [
            (one, move)
            for one, move in zip(find(findings.moves), findings.moves, strict=True)
            if one is not None
        ]
        self._found = {one.move: one for one, _ in known}
        self._names = {one.move: move for one, move in known}
        self._told = findings.told
        self._places = {move: place for place, move in enumerate(self._found, start=1)}
        self._ranks_before = [one.rank for one in self._found.values()]

    def listed(self) -> list[Ranked]:
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

    def of_plays(self, indices: Sequence[int]) -> list[Ranked]:
        """Return plays, given by their indices, with their ranks."""
        return [self._ranked(one) for one in self._base.of_plays(indices)]

    def of_other(self, move: Move) -> Ranked | None:
        """Return an exchange or the pass with its rank, None if it is not legal."""
        found = self._base.of_other(move)
        return None if found is None else self._ranked(found)

    def _ranked(self, one: Ranked) -> Ranked:
        """Return a move of the ranking without a search with its place in this one."""
        if one.move in self._places:
            told = self._told(self._names[one.move])
            return Ranked(self._places[one.move], one.move, replace(one.worth, **told))
        later = sum(rank > one.rank for rank in self._ranks_before)
        return Ranked(one.rank + later, one.move, one.worth)


AnyRanking: TypeAlias = Ranking | SearchedRanking
