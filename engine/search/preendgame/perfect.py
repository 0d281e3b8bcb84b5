"""Bounds on the values of states in which everything is known: endgames, and turns with tiles in the bag
before them.

The value of a state is the gain of the side on turn: the change of the spread to the end of the game. A
question asks whether the value is at least a target, and the answer is a pair of bounds. This is cheaper than
the exact value, and for most draws only the winner is needed.
"""

from __future__ import annotations

import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.search.budget import BudgetSpentError
from engine.search.endgame.problem import NOT_COUNTED, ending_after

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.position import Pass, Play
    from engine.search.deadline import Deadline
    from engine.search.endgame.endgame_kernel import EndgameKernel
    from engine.search.endgame.problem import Ending
    from engine.search.preendgame.turns import PreendgameState, ScoredMove, Turns

Bounds: TypeAlias = tuple[int, int]

INFINITE: Final = 10**9
UNKNOWN: Final[Bounds] = (-INFINITE, INFINITE)
NODE_LIMITS: Final = (1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000, 4_000_000, 2**60)
"""The node limits of one endgame: what one of them does not settle is searched again with the next one."""
GRANTING_DEPTHS: Final = ((2, 4), (1, 3))
"""Depths in turns of a question, by whether the likely answer is yes; beyond them one side gets all it could
score. Of 60 endgames that 1,000 nodes did not settle, 150,000 settle 46 with two depths and 40 with one.
"""
QUICK_NODES: Final = 50
"""Most nodes of a question one turn deep; if it is answered at all, it takes three nodes on the mean."""
MAX_WEIGHED: Final = 10
"""Moves of an endgame that are estimated first; with 40, two lost positions took 1.2 times as long."""
START_NODES: Final = 40
"""Nodes that loading an endgame counts as: it generates the plays of both sides."""
MAX_CACHED: Final = 100_000  # states stored, about 400 bytes each
MAX_DEPTH: Final = 100
MAX_REFUTING: Final = 8  # moves on a board that are tried first


class Perfect:
    """Answers questions about states within a budget, and caches the answers.

    `nodes`, `deadline`: of the whole search; `limit`: node limit of one endgame at present; what it does not
    prove stays undecided.
    """

    def __init__(self, kernel: EndgameKernel, turns: Turns, nodes: int | None, deadline: Deadline) -> None:
        self.began = time.monotonic_ns()
        self.kernel, self.turns = kernel, turns
        self.max_nodes = nodes
        self.deadline = deadline
        self.limit = NODE_LIMITS[0]
        self.nodes = 0
        self.endgames = 0
        # By state: bounds, an estimate, and the largest node limit that did not suffice.
        self._cache: dict[tuple[bytes, ...], tuple[int, int, int | None, int]] = {}
        # The endgame that the kernel holds, and the limit for which it was loaded.
        self._loaded: tuple[tuple[bytes, ...], int] | None = None
        # By board: moves that reached a target.
        self._refuting: dict[bytes, dict[Play | Pass, None]] = {}

    @property
    def seconds(self) -> float:
        """The time since the search began."""
        return (time.monotonic_ns() - self.began) / 1e9

    def check(self) -> None:
        """Raise BudgetSpentError if a limit of the budget is reached."""
        if self.max_nodes is not None and self.nodes >= self.max_nodes:
            raise BudgetSpentError
        if self.deadline.passed:
            raise BudgetSpentError

    def at_least(self, state: PreendgameState, target: int) -> Bounds:
        """Return bounds on the value of a state that show whether it is at least `target`, if the limit
        allows it.

        Raises BudgetSpentError.
        """
        if not state.bag:
            return self._endgame(state, target, exact=False)
        self.check()
        key = _key(state)
        lower, upper, _, _ = self._cache.get(key, (*UNKNOWN, None, 0))
        if lower >= target or upper < target:
            return lower, upper
        found_lower, found_upper = -INFINITE, -INFINITE
        for turn in self._ordered(state):
            low, high = self.turn_at_least(state, turn, target)
            found_lower, found_upper = max(found_lower, low), max(found_upper, high)
            if low >= target:
                self._remember(state, turn)
                found_upper = INFINITE
                break
        lower, upper = max(lower, found_lower), min(upper, found_upper)
        self._store(key, (lower, upper, None, 0))
        return lower, upper

    def turn_at_least(self, state: PreendgameState, turn: ScoredMove, target: int) -> Bounds:
        """Return such bounds on the value of a move."""
        after = self.turns.after(state, turn)
        if after is None:
            value = self.turns.end_value(state, turn)
            return value, value
        low, high = self.at_least(after, turn.score - target + 1)
        return turn.score - high, turn.score - low

    def exact(self, state: PreendgameState) -> Bounds:
        """Return bounds on the value of a state, equal unless the node limit came first."""
        if not state.bag:
            return self._endgame(state, 0, exact=True)
        lower, upper = self.at_least(state, target := self.estimate(state))
        while lower < upper:
            target = upper if upper < target else lower + 1
            before = lower, upper
            lower, upper = self.at_least(state, target)
            if (lower, upper) == before:
                break
        return lower, upper

    def estimate(self, state: PreendgameState) -> int:
        """Return an estimate of the value of a state: by its last search, else its highest score.

        Raises BudgetSpentError.
        """
        key = _key(state)
        lower, upper, estimate, failed = self._cache.get(key, (*UNKNOWN, None, 0))
        if estimate is None and not state.bag:
            self._load(state, key)
            lower, upper, estimate = self.kernel.lower, self.kernel.upper, self.kernel.value
            self._store(key, (lower, upper, estimate, failed))
        elif estimate is None:
            estimate = self.turns.of(state.board, state.own)[0].score
        return min(max(estimate, lower), upper)

    def _ordered(self, state: PreendgameState) -> Iterator[ScoredMove]:
        """Yield the moves of a state, first those that reached targets on the same board."""
        turns = self.turns.of(state.board, state.own)
        refuting = self._refuting.get(state.board.kernel.squares, ())
        first = sorted(at for at in map(turns.find, tuple(refuting)) if at is not None)
        for at in first:
            yield turns[at]
        for at in range(len(turns)):
            if at not in first:
                yield turns[at]

    def _remember(self, state: PreendgameState, turn: ScoredMove) -> None:
        moves = self._refuting.setdefault(state.board.kernel.squares, {})
        if len(moves) < MAX_REFUTING:
            moves[turn.move] = None

    def _endgame(self, state: PreendgameState, target: int, *, exact: bool) -> Bounds:
        key = _key(state)
        lower, upper, _, failed = self._cache.get(key, (*UNKNOWN, None, 0))
        settled = lower == upper if exact else lower >= target or upper < target
        if settled or failed >= self.limit:
            return lower, upper
        self._load(state, key)
        before = self.kernel.node_count
        limit = before + self._most_nodes()
        self.kernel.limit(limit, self.deadline.at)
        if exact:
            self._deepen()
        else:
            self._ask(target, limit)
        self.nodes += self.kernel.node_count - before
        lower, upper = max(lower, self.kernel.lower), min(upper, self.kernel.upper)
        settled = lower == upper if exact else lower >= target or upper < target
        self._store(key, (lower, upper, self.kernel.value, failed if settled else self.limit))
        return lower, upper

    def _most_nodes(self) -> int:
        """Return how many nodes the next search may take."""
        return self.limit if self.max_nodes is None else min(self.limit, self.max_nodes - self.nodes)

    def _load(self, state: PreendgameState, key: tuple[bytes, ...]) -> None:
        """Load an endgame into the kernel, unless it is there for the present limit, and estimate its value.

        Raises BudgetSpentError.
        """
        self.check()
        if self._loaded == (key, self.limit):
            return
        self._loaded = None
        most = self._most_nodes()
        self.endgames += 1
        self.kernel.start(
            state.board.kernel,
            state.own,
            state.other,
            self.turns.rules.kernel,
            self._ending(state),
            self.deadline.at,
            most,
            min(most, MAX_WEIGHED),
        )
        self.nodes += START_NODES
        self.check()  # with blanks, generating the plays of both sides takes long
        self._loaded = key, self.limit

    def _deepen(self) -> None:
        """Search deeper and deeper until the value is proven or the limit is reached."""
        for depth in range(self.kernel.depth + 1, MAX_DEPTH + 1):
            finished, proven = self.kernel.deepen(depth)
            if proven or not finished:
                return

    def _ask(self, target: int, limit: int) -> None:
        """Search whether the value is at least `target`; `limit`: at which number of nodes to stop.

        First try to prove the likely answer by searches of a few turns, beyond which the side that it hurts
        gets all it could score alone. Only if they fail, search to the end of the game.
        """
        kernel = self.kernel
        likely = kernel.value >= target
        for depth in GRANTING_DEPTHS[likely]:
            if kernel.lower < target <= kernel.upper:
                most = min(limit, kernel.node_count + QUICK_NODES) if depth == 1 else limit
                kernel.limit(most, self.deadline.at)
                kernel.bound(int(likely), depth, target - (not likely))
        if kernel.lower < target <= kernel.upper:
            kernel.probe(target)

    def _ending(self, state: PreendgameState) -> Ending:
        """Return when the game of an endgame ends.

        Without turns without points before it, a limit of two of them gives the same value with fewer states,
        unless a play can score 0; see `endgame.problem.ending`.
        """
        values = self.turns.values
        can_score_zero = any(not code or not values[code] for code in state.own + state.other)
        return ending_after(self.turns.limits, can_score_zero, state.zeros, state.passes)

    def _store(self, key: tuple[bytes, ...], known: tuple[int, int, int | None, int]) -> None:
        if len(self._cache) >= MAX_CACHED:
            self._cache.clear()
        self._cache[key] = known


def _key(state: PreendgameState) -> tuple[bytes, ...]:
    turns = bytes((min(state.zeros, NOT_COUNTED), min(state.passes, 255)))
    board = blake2b(state.board.kernel.squares, digest_size=16).digest()
    return board, state.own, state.other, state.bag, turns
