"""Endgame methods of the literature in plain Python, for comparison: B* and Heuri's plans."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.position import Pass
from engine.search.endgame.bstar import BStar
from engine.search.endgame.line import scored_line
from engine.search.endgame.meter import Meter
from engine.search.endgame.plans import NO_PLAN, best_plan
from engine.search.endgame.problem import ending, known_racks
from engine.search.endgame.result import EndgameResult
from engine.search.endgame.states import Game, State, max_word_score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.lexicon import Lexicon
    from engine.position import Play, Position
    from engine.search.budget import Budget

MAX_PLAN: Final = 14  # half-moves: each of them plays a tile


FirstBounds: TypeAlias = "Callable[[Position, LoadedBoard], tuple[int, int]]"
"""Returns a lower and an upper bound on the value of an endgame, found without a search."""


def solve_by_bstar(
    position: Position,
    lexicon: Lexicon,
    budget: Budget,
    board: LoadedBoard | None,
    first_bounds: FirstBounds,
) -> EndgameResult:
    """Prove which move is best by B*; the bounds of the result are those on the value of the position."""
    return _Solve(position, lexicon, budget, board, first_bounds).by_bstar()


def solve_by_plans(
    position: Position,
    lexicon: Lexicon,
    budget: Budget,
    board: LoadedBoard | None,
    first_bounds: FirstBounds,
) -> EndgameResult:
    """Estimate the value by Heuri's plans of exactly n half-moves; the bounds are the first ones."""
    return _Solve(position, lexicon, budget, board, first_bounds).by_plans()


class _Solve:
    """One endgame, ready to be searched, and its clock."""

    def __init__(
        self,
        position: Position,
        lexicon: Lexicon,
        budget: Budget,
        board: LoadedBoard | None,
        first_bounds: FirstBounds,
    ) -> None:
        self.began = time.monotonic_ns()
        self.position = position
        self.racks = known_racks(position)
        self.end = ending(position, self.racks)
        loaded = board or LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
        self.bounds = first_bounds(position, loaded)
        max_word = max_word_score(position, self.racks)
        self.game = Game(position, self.end, InternalWords(lexicon), max_word)
        self.state = State(
            loaded, (self.racks[0].tiles, self.racks[1].tiles), self.end.zeros, self.end.passes
        )
        self.meter = Meter(budget.nodes, budget.deadline)

    def by_bstar(self) -> EndgameResult:
        tree = BStar(self.game, self.state, self.meter)
        separated = tree.run()
        if not tree.root.children:
            bounds = tree.root.pessimistic, tree.root.optimistic
            return self.result("bstar", 0, bounds, [(Pass(), 0)], False, 0)
        best = tree.best()
        assert best.step is not None  # noqa: S101 - a child of the root
        bounds = max(tree.root.pessimistic, best.gain()[0]), tree.root.optimistic
        if separated:
            bounds = bounds[0], min(bounds[1], best.gain()[1])
        return self.result(
            "bstar", bounds[0], bounds, [(best.step.move, best.step.score)], separated, tree.depth
        )

    def by_plans(self) -> EndgameResult:
        plan, depth = best_plan(self.game, self.state, self.meter, MAX_PLAN)
        values = self.position.tile_set.values
        value, line = plan.value, [*plan.line]
        if value == NO_PLAN:  # nobody can go out: both pass
            points = [sum([values[code] for code in rack.tiles]) for rack in self.racks]
            return self.result("plans", points[1] - points[0], self.bounds, [(Pass(), 0)], False, depth)
        return self.result("plans", value, self.bounds, line, False, depth)

    def result(
        self,
        method: str,
        value: int,
        bounds: tuple[int, int],
        moves: list[tuple[Play, int]] | list[tuple[Pass, int]] | list[tuple[Play | Pass, int]],
        best_proven: bool,
        depth: int,
    ) -> EndgameResult:
        bounds = max(bounds[0], self.bounds[0]), min(bounds[1], self.bounds[1])
        line, complete = scored_line(self.position, self.racks, self.end, moves)
        spread = self.position.players[0].score - self.position.players[1].score
        value = min(max(value, bounds[0]), bounds[1])
        seconds = (time.monotonic_ns() - self.began) / 1e9
        return EndgameResult(
            method=method,
            value=value,
            lower=bounds[0],
            upper=bounds[1],
            final_spread=spread + value,
            certainty="exact" if bounds[0] == bounds[1] else "bounds",
            best=moves[0][0],
            best_proven=best_proven,
            line=line,
            line_complete=complete,
            nodes=self.meter.nodes,
            depth=depth,
            table_entries=0,
            table_capacity=0,
            seconds=seconds,
            best_seconds=seconds,
        )


SLOW_METHODS: Final[
    Mapping[str, Callable[[Position, Lexicon, Budget, LoadedBoard | None, FirstBounds], EndgameResult]]
] = {"bstar": solve_by_bstar, "plans": solve_by_plans}
