"""Heuri's plans: the best play if the endgame lasts exactly n half-moves, for n = 1, 2, 3, ...

Source: 003 section 4.5.4 (systems.md N).  An estimate: it takes for granted that neither side passes and that
the side on turn at the last half-move goes out then.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engine.position import Play
from engine.search.endgame.meter import BudgetSpentError
from engine.search.endgame.states import Step, steps

if TYPE_CHECKING:
    from engine.search.endgame.meter import Meter
    from engine.search.endgame.states import Game, State

NOTHING: Final = -(10**9)  # worse than every plan


@dataclass
class Plan:
    """Hold the best plan so far: its value for the side on turn, its length in half-moves, its moves."""

    value: int = NOTHING
    length: int = 0
    line: list[tuple[Play, int]] = field(default_factory=list)


def best_plan(game: Game, state: State, meter: Meter, most_length: int) -> tuple[Plan, int]:
    """Return the best plan of up to `most_length` half-moves and the last length that was searched whole.

    A choice that cannot beat the best of the shorter plans is skipped. Without any plan the value is NOTHING.
    """
    best, searched = Plan(), 0
    try:
        for length in range(1, most_length + 1):
            line: list[tuple[Play, int]] = []
            value = _plan(game, state, meter, length, best.value, -NOTHING, line)
            if value is not None and value > best.value:
                best = Plan(value, length, line)
            searched = length
    except BudgetSpentError:
        pass
    return best, searched


def _plan(
    game: Game,
    state: State,
    meter: Meter,
    length: int,
    alpha: int,
    beta: int,
    line: list[tuple[Play, int]],
) -> int | None:
    """Return the value of the best plan of exactly `length` half-moves, None if there is none.

    Between alpha and beta it is exact, else a bound on that side; `line` gets its moves.
    """
    meter.count()
    best: int | None = None
    for move, step in _choices(game, state, length == 1):
        rest: list[tuple[Play, int]] = []
        value: int | None = step.value
        if step.state is not None:
            value = _plan(game, step.state, meter, length - 1, step.score - beta, step.score - alpha, rest)
            value = None if value is None else step.score - value
        if value is not None and (best is None or value > best):
            best = value
            line[:] = [(move, step.score), *rest]
            alpha = max(alpha, value)
            if alpha >= beta:
                break
    return best


def _choices(game: Game, state: State, last: bool) -> list[tuple[Play, Step]]:
    """List the plays that go out, if it is the last half-move, else those that do not; the dearest first."""
    own = len(state.racks[0])
    found = [
        (step.move, step)
        for step in steps(game, state)
        if isinstance(step.move, Play)
        and (len(step.move.placements()) == own) == last == (step.state is None)
    ]
    return sorted(found, key=lambda choice: -choice[1].score)
