"""Solve an endgame by B* or by plans; the result is that of the engine's solver."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from engine.errors import NotFound, check_known
from engine.loaded_board import LoadedBoard
from engine.movegen import InternalWords
from engine.position import Pass
from engine.search.budget import DEFAULT_BUDGET, Budget
from engine.search.endgame import EndgameResult
from engine.search.endgame.line import scored_line
from engine.search.endgame.problem import ending, known_racks
from engine.search.endgame.states import Endgame, EndgameState
from lab.endgame.bstar import BStar
from lab.endgame.meter import Meter
from lab.endgame.planned_bounds import Planner
from lab.endgame.plans import NO_PLAN, best_plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.lexicon import Lexicon
    from engine.position import Play, Position
    from engine.search.deadline import Deadline
    from engine.search.endgame.bounds import Bounds

METHODS: Final = ("bstar", "plans")
MAX_PLAN: Final = 14  # half-moves: each of them plays a tile


def solved_by(
    method: str,
    position: Position,
    lexicon: Lexicon,
    budget: Budget = DEFAULT_BUDGET,
    *,
    deadline: Deadline | None = None,
    board: LoadedBoard | None = None,
) -> EndgameResult:
    """Solve an endgame by one of METHODS; its nodes are positions expanded or planned for.

    "bstar": prove which move is best by B*; the bounds are those on the value of the position. "plans":
    estimate the value by Heuri's plans; the bounds are those known without a search. `deadline`: instead
    of that of the budget; `board`: the loaded board of the position, if there is one. Raises NotFound for
    another method, InvalidInput for a position that is no endgame.
    """
    check_known("endgame method", method, METHODS, code="unknown_method", field="method", error=NotFound)
    search = _SlowSearch(position, lexicon, budget.nodes, deadline or budget.deadline(), board)
    return search.by_bstar() if method == "bstar" else search.by_plans()


class _SlowSearch:
    """One endgame, ready to be searched, and its clock."""

    def __init__(
        self,
        position: Position,
        lexicon: Lexicon,
        nodes: int | None,
        deadline: Deadline,
        board: LoadedBoard | None,
    ) -> None:
        self.began = time.monotonic_ns()
        self.position = position
        self.racks = known_racks(position)
        self.end = ending(position, self.racks)
        loaded = board or LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
        self.endgame = Endgame(position, self.end, InternalWords(lexicon))
        self.planner = Planner(self.endgame, lexicon, deadline)
        self.state = EndgameState(
            loaded, (self.racks[0].tiles, self.racks[1].tiles), self.end.zeros, self.end.passes
        )
        self.bounds = self.planner.alone(self.state)
        self.meter = Meter(nodes, deadline)

    def by_bstar(self) -> EndgameResult:
        tree = BStar(self.endgame, self.state, self.planner, self.meter)
        separated = tree.run()
        if not tree.root.children:
            return self.result(0, tree.root.value, [(Pass(), 0)], 0)
        best = tree.best()
        assert best.made is not None  # noqa: S101 - a child of the root
        bounds = tree.root.value.meet(best.gain) if separated else tree.root.value
        line = [(best.made.move, best.made.score)]
        return self.result(bounds.lower, bounds, line, tree.depth, best_proven=separated)

    def by_plans(self) -> EndgameResult:
        plan, depth = best_plan(self.endgame, self.state, self.meter, MAX_PLAN)
        if plan.value == NO_PLAN:  # nobody can go out: both pass
            own, other = (self.endgame.points(rack.tiles) for rack in self.racks)
            return self.result(other - own, self.bounds, [(Pass(), 0)], depth)
        return self.result(plan.value, self.bounds, plan.line, depth)

    def result(
        self,
        value: int,
        known: Bounds,
        moves: Sequence[tuple[Play | Pass, int]],
        depth: int,
        *,
        best_proven: bool = False,
    ) -> EndgameResult:
        bounds = known.meet(self.bounds)
        line, complete = scored_line(self.position, self.racks, self.end, moves)
        spread = self.position.spread
        value = min(max(value, bounds.lower), bounds.upper)
        seconds = (time.monotonic_ns() - self.began) / 1e9
        return EndgameResult(
            value=value,
            lower=bounds.lower,
            upper=bounds.upper,
            final_spread=spread + value,
            certainty="exact" if bounds.exact else "bounds",
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
