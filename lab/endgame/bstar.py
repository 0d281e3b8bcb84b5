"""B*: best-first search with an optimistic and a pessimistic bound on every position, until one move is
proven best.

Source: [Heuri], sections 2.3.5 and 4.5.3; [Berliner1979]; [Sheppard2002] for endgames. The bounds are those
of `planned_bounds.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engine.search.budget import BudgetSpentError
from engine.search.endgame.bounds import Bounds
from engine.search.endgame.spread_search import ABOVE, BELOW
from engine.search.endgame.states import Endgame, EndgameMove, EndgameState, moves

if TYPE_CHECKING:
    from lab.endgame.meter import Meter
    from lab.endgame.planned_bounds import Planner

PLAN: Final = 4  # plies of the longest plan before a position is expanded
PROVE_BEST: Final = 8  # of so many steps one proves the best move, the others disprove the rest


@dataclass
class Tree:
    """Hold a node: the move that leads to it, and bounds on what the side that makes the move gains by it."""

    made: EndgameMove | None  # None: the root
    state: EndgameState | None  # None: the game is over
    gain: Bounds = field(default_factory=Bounds)
    plies: int = 0  # of the longest plan searched
    children: list[Tree] = field(default_factory=list)

    @property
    def score(self) -> int:
        """The points of the move."""
        return 0 if self.made is None else self.made.score

    @property
    def value(self) -> Bounds:
        """Bounds on the value for the side on turn."""
        return self.gain.plus(-self.score).of_other_side()

    def meet(self, value: Bounds) -> None:
        """Add what is proven of the value for the side on turn."""
        self.gain = self.gain.meet(value.of_other_side().plus(self.score))


class BStar:
    """Search one endgame; `run` returns whether a move was proven best within the budget."""

    def __init__(self, endgame: Endgame, state: EndgameState, planner: Planner, meter: Meter) -> None:
        self.endgame, self.planner, self.meter = endgame, planner, meter
        self.root = Tree(None, state)
        self.root.meet(planner.alone(state))
        self.depth = 0

    def run(self) -> bool:
        """Plan for a promising move, then disprove the rest and prove the best, until it is separated."""
        assert self.root.state is not None  # noqa: S101 - the root has a position
        try:
            favorite = self.planner.favorite(self.root.state)
            self.expand([self.root])
            first = next(child for child in self.root.children if child.made and child.made.move == favorite)
            while first.plies < PLAN and not first.gain.exact:
                self.step(first, None)
            while not self.is_separated():
                best = self.best()
                if best.gain.exact or self.meter.nodes % PROVE_BEST:
                    rest = [child for child in self.root.children if child is not best]
                    self.step(most_optimistic(rest), best.gain.lower)
                else:
                    self.step(best, None)
        except BudgetSpentError:
            return False
        return True

    def best(self) -> Tree:
        """Return the move of the highest pessimistic bound, ties by the optimistic one."""
        return max(self.root.children, key=lambda child: (child.gain.lower, child.gain.upper))

    def is_separated(self) -> bool:
        """Return whether the lower bound of the best move is at least every other upper bound."""
        best = self.best()
        return all(child is best or child.gain.upper <= best.gain.lower for child in self.root.children)

    def step(self, child: Tree, goal: int | None) -> None:
        """Improve the node below a move of the root to which the highest optimistic bounds lead.

        It is asked whether the move gains at most `goal`, unless that is None; if not, how much it surely
        gains.
        """
        path = [self.root, child]
        while path[-1].children:
            path.append(most_optimistic(path[-1].children))
        self.depth = max(self.depth, len(path) - 1)
        if path[-1].plies == PLAN:
            self.expand(path)
        else:
            self.plan(path, goal)

    def plan(self, path: list[Tree], goal: int | None) -> None:
        """Plan a ply further for the last node of a path and update the bounds above; `goal`: see `step`."""
        self.meter.count()
        node = path[-1]
        assert node.state is not None  # noqa: S101 - an open node has a position
        node.plies += 1
        for below in path[1:]:
            goal = None if goal is None else below.score - goal
        sure = BELOW if len(path) % 2 else ABOVE  # seen from the side on turn at the node
        node.meet(self.planner.planned(node.state, node.plies, sure, goal))
        update(path[:-1])

    def expand(self, path: list[Tree]) -> None:
        """Expand the last node of a path and update the bounds above it."""
        self.meter.count()
        node = path[-1]
        assert node.state is not None  # noqa: S101 - an open node has a position
        # All children or none: otherwise the bounds above would be wrong.
        node.children = [self.leaf(made) for made in moves(self.endgame, node.state)]
        update(path)

    def leaf(self, made: EndgameMove) -> Tree:
        """Return the node after a move with its first bounds."""
        self.meter.check_time()
        if made.state is None:
            return Tree(made, None, Bounds(made.value, made.value))
        node = Tree(made, made.state)
        node.meet(self.planner.alone(made.state))
        return node


def most_optimistic(children: list[Tree]) -> Tree:
    """Return the open move with the highest optimistic bound, ties by the pessimistic one."""
    opened = [child for child in children if not child.gain.exact]
    return max(opened, key=lambda child: (child.gain.upper, child.gain.lower))


def update(path: list[Tree]) -> None:
    """Bound the nodes of a path by their moves, from the last one to the root."""
    for node in reversed(path):
        gains = [child.gain for child in node.children]
        node.meet(Bounds(max(gain.lower for gain in gains), max(gain.upper for gain in gains)))
