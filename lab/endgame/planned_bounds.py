"""Planned bounds of endgame positions: what a side is sure to gain by a plan of a few plies.

A plan is a sequence of turns that holds against every reply of the other side. After its last ply one side
gets all it could score alone, so the bounds are sound. Source: [Sheppard2002], who plans in another way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.movegen import InternalWords
from engine.search.endgame.bounds import Bounds
from engine.search.endgame.spread_search import ABOVE, BELOW, MAX_NODES, move_of

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.position import Pass, Play
    from engine.search.deadline import Deadline
    from engine.search.endgame.endgame_kernel import EndgameKernel
    from engine.search.endgame.states import Endgame, EndgameState

QUESTIONS: Final = 5  # to close in on the best bound that plans of one length prove


class Planner:
    """Bounds positions of one endgame by plans, which the engine's kernel searches."""

    def __init__(self, endgame: Endgame, lexicon: Lexicon, deadline: Deadline) -> None:
        self.endgame, self.deadline = endgame, deadline
        self.kernel: EndgameKernel = lexicon.kernels.endgame.EndgameKernel(InternalWords(lexicon).kernel, 1)

    def favorite(self, state: EndgameState) -> Play | Pass:
        """Return the move after which the side on turn fares best if both sides then play greedily."""
        self._start(state, 0)
        return move_of(self.kernel.best, state.board.kernel.side)

    def alone(self, state: EndgameState) -> Bounds:
        """Bound a position without a plan: each side in turn plays while the other one passes."""
        self._start(state, 1)
        return Bounds(self.kernel.lower, self.kernel.upper)

    def planned(self, state: EndgameState, plies: int, sure: int, goal: int | None) -> Bounds:
        """Bound a position by plans of some plies.

        First it is asked whether the bound opposite to `sure` (ABOVE or BELOW) reaches `goal`, unless that is
        None. If not, the bound `sure` comes as close as QUESTIONS allow.
        """
        kernel = self.kernel
        self._start(state, 1)
        with self.deadline.stopping(lambda: kernel.limit(0, 1)):
            kernel.limit(MAX_NODES, self.deadline.at)
            if goal is None or not self._reaches(BELOW + ABOVE - sure, plies, goal):
                self._close_in(sure, plies)
        return Bounds(kernel.lower, kernel.upper)

    def _start(self, state: EndgameState, weighed: int) -> None:
        end = replace(self.endgame.end, zeros=state.zeros, passes=state.passes)
        rules, at = self.endgame.position.rules.kernel, self.deadline.at
        self.kernel.start(state.board.kernel, *state.racks, rules, end, at, 1, weighed)

    def _reaches(self, side: int, plies: int, goal: int) -> bool:
        """Return whether plans prove that the value is at most (ABOVE) or at least (BELOW) `goal`."""
        self.kernel.bound(side, plies, goal)
        return self.kernel.upper <= goal if side == ABOVE else self.kernel.lower >= goal

    def _close_in(self, side: int, plies: int) -> None:
        """Ask whether plans prove half of what is open, then half of the rest, and so on."""
        kernel = self.kernel
        low, high = kernel.lower, kernel.upper
        for _ in range(QUESTIONS):
            if low >= high or self.deadline.passed:
                break
            goal = (low + high + (side == BELOW)) // 2
            if self._reaches(side, plies, goal) == (side == ABOVE):
                high = kernel.upper if side == ABOVE else goal - 1
            else:
                low = kernel.lower if side == BELOW else goal + 1
