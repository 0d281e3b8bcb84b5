"""Heuri's plans: the best play if the endgame lasts exactly n half-moves, for n = 1, 2, 3, ...

The value of a plan is an estimate: it assumes that neither side passes and that the side on turn at the last
half-move goes out then. Source: [Heuri], section 4.5.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.position import Rack
from engine.search.budget import BudgetSpentError
from engine.search.endgame.states import played

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.position import Play
    from engine.search.endgame.states import Endgame, EndgameMove, EndgameState
    from lab.endgame.meter import Meter

NO_PLAN: Final = -(10**9)  # value without a plan, below that of every plan


@dataclass
class Plan:
    """Hold a plan: its value for the side on turn, its length in half-moves, its moves with their points."""

    value: int = NO_PLAN
    length: int = 0
    line: list[tuple[Play, int]] = field(default_factory=list)


def best_plan(endgame: Endgame, state: EndgameState, meter: Meter, max_length: int) -> tuple[Plan, int]:
    """Return the best plan of up to `max_length` half-moves, and the last length that was searched
    completely.

    Moves that cannot beat the best shorter plan are skipped. If there is no plan, its value is NO_PLAN.
    """
    best, searched = Plan(), 0
    try:
        for length in range(1, max_length + 1):
            line: list[tuple[Play, int]] = []
            value = _plan(endgame, state, meter, length, best.value, -NO_PLAN, line)
            if value is not None and value > best.value:
                best = Plan(value, length, line)
            searched = length
    except BudgetSpentError:
        pass
    return best, searched


def _plan(
    endgame: Endgame,
    state: EndgameState,
    meter: Meter,
    length: int,
    alpha: int,
    beta: int,
    line: list[tuple[Play, int]],
) -> int | None:
    """Return the value of the best plan of exactly `length` half-moves, None if there is none.

    Between alpha and beta the value is exact, else it is a bound beyond alpha or beta. `line` receives the
    moves.
    """
    meter.count()
    best: int | None = None
    for move, made in _choices(endgame, state, meter, length == 1):
        rest: list[tuple[Play, int]] = []
        value: int | None = made.value
        if made.state is not None:
            value = _plan(endgame, made.state, meter, length - 1, made.score - beta, made.score - alpha, rest)
            value = None if value is None else made.score - value
        if value is not None and (best is None or value > best):
            best = value
            line[:] = [(move, made.score), *rest]
            alpha = max(alpha, value)
            if alpha >= beta:
                break
    return best


def _choices(
    endgame: Endgame, state: EndgameState, meter: Meter, last: bool
) -> Iterator[tuple[Play, EndgameMove]]:
    """Yield the plays that go out (`last`: in the last half-move) or those that do not, the highest score
    first.

    With a blank there are thousands and most are never needed, so each is created only when its turn comes,
    after a check of the time.
    """
    own = len(state.racks[0])
    plays = endgame.search.generate(state.board, Rack(state.racks[0]), endgame.position.rules)
    meter.check_time()
    scores = plays.array["score"]
    wanted = np.flatnonzero((plays.array["placed"] == own) == last)
    for index in wanted[np.argsort(-scores[wanted], kind="stable")].tolist():
        meter.check_time()
        move = plays.move(index)
        made = played(endgame, state, move, int(scores[index]))
        if last == (made.state is None):
            yield move, made
