"""The answers of the methods of the literature beside the engine's proof."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engine.search.budget import Budget
from engine.search.deadline import Deadline
from engine.search.endgame import EndgameSolver
from engine.search.endgame.bounds import Bounds
from engine.search.endgame.move_bounds import after_move
from engine.search.endgame.problem import known_racks
from lab.endgame.slow_search import solved_by

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.position import Position

Timed: TypeAlias = Callable[[], AbstractContextManager[Deadline]]
"""Begins a deadline, which holds inside a `with`."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Hold the answer of a method of the literature, and what the engine proves of it.

    `settled`: the method says that its move is the best; `best`: it is proven to be; `loss`: points that it
    is proven to lose; `contradicts`: the proof refutes the method's bounds, or that its move is the best.
    """

    tiles: int
    settled: bool
    best: bool
    loss: int
    contradicts: bool
    seconds: float


def compared(
    lexicon: Lexicon, position: Position, method: str, timed: Timed, nodes: int | None, table_mb: int
) -> Compared:
    """Solve an endgame by a method until a deadline of `timed`, and within `nodes`, if there is a limit.

    Its value and that of the move are proven by the engine, each until another such deadline.
    """
    began = time.process_time()
    with timed() as deadline:
        answer = solved_by(method, position, lexicon, Budget(nodes=nodes), deadline=deadline)
    taken = time.process_time() - began
    solver, racks = EndgameSolver(lexicon, table_mb=table_mb), known_racks(position)
    value = proven(solver, position, timed)
    after = after_move(position, racks, answer.best, answer.line[0].score)
    reached = Bounds(after, after) if isinstance(after, int) else proven(solver, after, timed).of_other_side()
    loss = max(0, value.lower - reached.upper)
    found = Bounds(answer.lower, answer.upper).plus(position.spread).meet(value)
    wrong = found.lower > found.upper or (answer.best_proven and loss > 0)
    tiles = sum(len(rack.tiles) for rack in racks)
    return Compared(tiles, answer.best_proven, reached.lower >= value.upper, loss, wrong, taken)


def proven(solver: EndgameSolver, position: Position, timed: Timed) -> Bounds:
    """Return what the engine proves of the final spread until a deadline."""
    with timed() as deadline:
        result = solver.solve(position, Budget(), deadline=deadline)
    return Bounds(result.lower, result.upper).plus(position.spread)
