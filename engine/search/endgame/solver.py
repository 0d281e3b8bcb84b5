"""The endgame solver: what both sides can still reach when everything is known."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, NotFound, excerpt, quoted
from engine.loaded_board import LoadedBoard
from engine.movegen import internal_words_narrow, internal_words_wide
from engine.movegen.internal_words import DEFAULT_THRESHOLD
from engine.movegen.plays import PLAY_LIMIT
from engine.movegen.simd import simd_level
from engine.position import Pass, Play
from engine.search.budget import Budget
from engine.search.endgame import endgame_narrow, endgame_wide
from engine.search.endgame.line import followed
from engine.search.endgame.problem import ending, known_racks
from engine.search.endgame.result import EndgameResult
from engine.search.endgame.slow_methods import SLOW_METHODS

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.search.endgame.endgame_narrow import EndgameKernel, MoveRecord

DEFAULT_TABLE_MB: Final = 64
MAX_NODES: Final = 2**62
MAX_DEPTH: Final = 100  # turns; deeper there are only chains of plays for nothing
ABOVE: Final = 0  # bound from above: the side on turn is granted all it could score alone,
BELOW: Final = 1  # from below: the other side
SIDES: Final = (ABOVE, BELOW)
QUESTIONS: Final = 4  # at one depth, to close in on what can be proven there
MIN_GAP: Final = 4  # points for which no more is asked at that depth
WAITING: Final = 16  # how much dearer it counts to go on from a bound that has reached the estimate
FIRST_NODES: Final = 5_000  # spent on the estimate before anything is bounded
ESTIMATE_SHARE: Final = 0.5  # of all nodes, that the estimate may take then
PATIENCE: Final = 2  # one search takes at most so many times all nodes before it; then others have their turn
FIRST_PROBE: Final = 500_000  # nodes after which the far bound is also asked for to the end of the game, and
PROBE_SHARE: Final = 0.4  # of all nodes, that these questions may take
LINE_NODES: Final = 20_000  # to follow the principal line after the search
LINE_SECONDS: Final = 0.02

METHODS: Final = ("exact", *SLOW_METHODS)
"""The ways to solve an endgame."""

_KERNELS: Final = {"narrow": endgame_narrow, "wide": endgame_wide}
_GENERATORS: Final = {"narrow": internal_words_narrow, "wide": internal_words_wide}


@dataclass(frozen=True, slots=True)
class Progress:
    """Hold what is known after one more search; `depth` in turns is that of the estimate."""

    depth: int
    value: int
    lower: int
    upper: int
    best: Play | Pass
    nodes: int
    seconds: float


class EndgameSolver:
    """Solves endgames of one lexicon; holds the transposition table, so one thread uses it.

    Alpha-beta with null windows (principal variation search), both sides' plays kept up to date as squares
    fill, a transposition table, and cuts by plays that go out. Searches that estimate beyond a depth take
    turns with searches that bound the value from above and from below: those grant one side, beyond their
    depth, all it could score alone. Each goes deeper than the last one, until the bounds meet. Where that
    takes long, it is also asked, to the end of the game, whether the value lies near the estimate.
    Source: systems.md N (003 section 4.5; 001 introduction).
    """

    def __init__(self, lexicon: Lexicon, *, table_mb: int = DEFAULT_TABLE_MB) -> None:
        """Take the lexicon and the size of the transposition table in megabytes, from 1 to 65536.

        Raises InvalidInput for another size.
        """
        if not 1 <= table_mb <= 65536:
            raise InvalidInput(
                "the table takes 1 to 65536 megabytes", code="bad_table_size", field="options/table_mb"
            )
        self.lexicon = lexicon
        generator = _GENERATORS[lexicon.geometry].Generator(
            lexicon.tables, DEFAULT_THRESHOLD, 0, simd_level(), PLAY_LIMIT
        )
        self._kernel: EndgameKernel = _KERNELS[lexicon.geometry].EndgameKernel(
            lexicon.tables, generator, table_mb
        )

    def solve(
        self,
        position: Position,
        budget: Budget | None = None,
        *,
        method: str = METHODS[0],
        board: LoadedBoard | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> EndgameResult:
        """Return the best play of both sides to the end, proven if the budget allows it.

        `method`: "exact", the search described above; "bstar" and "plans", the systems of the seeds, in
        plain Python, right but slow: B* proves which move is best, not always what it is worth; plans only
        estimate. Their nodes are positions expanded. `board` is the position's board if it is loaded
        already; `progress` is called after each of the searches that the exact method makes. Raises
        InvalidInput for a position that is no endgame (see `known_racks`, `ending`), NotFound for a method.
        """
        budget = budget or Budget()
        if method not in METHODS:
            raise NotFound(
                f"there is no endgame method {quoted(method)}; known: {', '.join(METHODS)}",
                code="unknown_method",
                field="options/method",
                params={"name": excerpt(method), "known": list(METHODS)},
            )
        if method in SLOW_METHODS:
            return SLOW_METHODS[method](position, self.lexicon, budget, board, self._first_bounds)
        return _Solve(self._kernel, self.lexicon, position, budget, board, progress).run()

    def _first_bounds(self, position: Position, board: LoadedBoard) -> tuple[int, int]:
        """Return bounds found without a search: each side in turn plays while the other one passes."""
        start(self._kernel, position, board, Budget(1, None))
        return self._kernel.state[2:4]


def start(kernel: EndgameKernel, position: Position, board: LoadedBoard, budget: Budget) -> None:
    """Load an endgame into the kernel and bound its value; raises what `known_racks` and `ending` raise."""
    racks = known_racks(position)
    end, rules = ending(position, racks), position.rules
    kernel.start(
        board.kernel,
        racks[0].tiles,
        racks[1].tiles,
        rules.bingo_bonus,
        rules.bingo_tiles,
        end.pass_limit,
        end.zero_limit,
        end.passes,
        end.zeros,
        budget.deadline.at,
        budget.nodes or 0,
        min(budget.nodes or 0, PLAY_LIMIT),
    )


class _Solve:
    """One solve: the position, the budget, and what is known so far."""

    def __init__(
        self,
        kernel: EndgameKernel,
        lexicon: Lexicon,
        position: Position,
        budget: Budget,
        board: LoadedBoard | None,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.began = time.monotonic_ns()
        self.kernel, self.position, self.budget = kernel, position, budget
        self.racks = known_racks(position)
        self.end = ending(position, self.racks)
        loaded = board or LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
        start(kernel, position, loaded, budget)
        _, self.depth, self.lower, self.upper, *_ = kernel.state
        self.estimate_nodes = self.probe_nodes = 0
        self.gaps = {ABOVE: 0, BELOW: 0}  # by side: points from the estimate to ask for next, 0: none yet
        self.depths = {ABOVE: 2, BELOW: 1}  # by side: turns searched next,
        self.costs = {ABOVE: 1, BELOW: 0}  # nodes that the last search took,
        self.settled: set[int] = set()  # and the sides from which nothing more can be learnt
        self.progress = progress

    def run(self) -> EndgameResult:
        """Estimate, then bound the value from both sides and estimate on, until the bounds meet."""
        with self.budget.deadline.stopping(lambda: self.kernel.limit(0, 1)):
            while not self.over() and self.nodes < FIRST_NODES:
                self.deepen(FIRST_NODES)
            while not self.over() and (sides := [side for side in SIDES if side not in self.settled]):
                self.close_in(min(sides, key=self.dearness))
                if not self.over() and self.is_long():
                    self.probe(max(SIDES, key=self.room))
                if not self.over() and self.estimate_nodes < ESTIMATE_SHARE * self.nodes:
                    self.deepen(0)
            while not self.over():
                self.deepen(MAX_NODES)
        return self.result()

    def is_long(self) -> bool:
        """Tell whether the search takes long enough for questions to the end of the game, few so far."""
        return self.nodes > FIRST_PROBE and self.probe_nodes < PROBE_SHARE * self.nodes

    def over(self) -> bool:
        """Tell whether the value is proven, or what is allowed is spent."""
        return self.proven or self.depth >= MAX_DEPTH or self.spent()

    @property
    def nodes(self) -> int:
        """Return the nodes searched so far."""
        return self.kernel.state[4]

    @property
    def deadline(self) -> int:
        """The moment at which to stop, in nanoseconds of the monotonic clock; 0: none."""
        return self.budget.deadline.at

    @property
    def proven(self) -> bool:
        """Tell whether the bounds have met."""
        return self.lower == self.upper

    def allow(self, nodes: int) -> None:
        """Let the next search take so many nodes at most, and no more than are left of the budget."""
        most = min(self.nodes + nodes, MAX_NODES if self.budget.nodes is None else self.budget.nodes)
        self.kernel.limit(most, self.deadline)
        if self.budget.deadline.passed:  # cut by another thread, perhaps just before the line above
            self.kernel.limit(0, 1)

    def spent(self) -> bool:
        """Tell whether the whole budget is used up."""
        if self.budget.nodes is not None and self.kernel.state[4] >= self.budget.nodes:
            return True
        return 0 < self.deadline <= time.monotonic_ns()

    def deepen(self, nodes: int) -> None:
        """Estimate one turn deeper, with so many nodes or what patience allows."""
        before = self.nodes
        self.allow(max(nodes, int(PATIENCE * before)))
        finished, _ = self.kernel.deepen(self.depth + 1)
        self.note_bounds()
        self.estimate_nodes += self.nodes - before
        self.depth += finished
        self.tell()

    @property
    def estimate(self) -> int:
        """The value that looks likeliest."""
        return int(min(max(self.kernel.state[0], self.lower), self.upper))

    def room(self, side: int) -> int:
        """Return by how much the estimate might be wrong on a side."""
        return self.upper - self.estimate if side == ABOVE else self.estimate - self.lower

    def probe(self, side: int) -> None:
        """Ask, to the end of the game, whether the value lies within some points of the estimate on a side.

        The farther from the estimate, the sooner it is known. The first question is a quarter of the room
        away; what is answered leads to the nearest one, what is not to one half of the room away.
        """
        before, estimate, room = self.nodes, self.estimate, self.room(side)
        gap = min(self.gaps[side] or max(1, room // 4), room)
        self.allow(before)
        finished = self.kernel.probe(estimate + gap if side == ABOVE else estimate - gap + 1)
        self.note_bounds()
        self.gaps[side] = 1 if finished else max(1, room // 2)
        self.probe_nodes += self.nodes - before
        self.tell()

    def dearness(self, side: int) -> int:
        """Return what the next bound from a side is likely to cost, in nodes of the last one."""
        return self.costs[side] * (WAITING if self.has_reached(side) else 1)

    def has_reached(self, side: int) -> bool:
        """Tell whether the bound from a side has reached the estimate."""
        estimate = self.kernel.state[0]
        return self.upper <= estimate if side == ABOVE else self.lower >= estimate

    def close_in(self, side: int) -> None:
        """Bound the value from one side by a search two turns deeper than the last one.

        Beyond the depth one side is granted all it could score alone. If the goal is not reached, less and
        less is asked.
        """
        before, known = self.nodes, (self.lower, self.upper)
        self.allow(max(FIRST_NODES, PATIENCE * before))
        goal, finished = self.first_goal(side), True
        failed = goal
        for _ in range(QUESTIONS):
            finished = self.kernel.bound(side, self.depths[side], goal)
            self.note_bounds()
            bound = self.upper if side == ABOVE else self.lower
            failed = goal if bound != goal else failed
            if not finished or self.proven or abs(bound - failed) < MIN_GAP:
                break
            goal = failed + (bound - failed) // 2
        cost = self.nodes - before
        if finished:
            stays = cost == self.costs[side] and known == (self.lower, self.upper)
            self.depths[side] += 2
            if stays or self.depths[side] > MAX_DEPTH:
                self.settled.add(side)  # deeper searches tell nothing new: the horizon is beyond the end
        self.costs[side] = cost
        self.tell()

    def first_goal(self, side: int) -> int:
        """Return what to ask from a side first: whether the value is the estimate, unless that is settled."""
        if self.settled:  # the other bound is the value
            return self.lower if side == ABOVE else self.upper
        if self.has_reached(side):
            return self.upper - 1 if side == ABOVE else self.lower + 1
        return self.kernel.state[0]

    def note_bounds(self) -> None:
        """Take over what the kernel has proven."""
        _, _, lower, upper, *_ = self.kernel.state
        self.lower, self.upper = max(self.lower, lower), min(self.upper, upper)

    def tell(self) -> None:
        """Report what is known after a search to whoever wants to hear it."""
        if self.progress:
            self.progress(self.report())

    def report(self) -> Progress:
        value, depth, _, _, nodes, *_ = self.kernel.state
        seconds = (time.monotonic_ns() - self.began) / 1e9
        return Progress(depth, value, self.lower, self.upper, self.move(self.kernel.best), nodes, seconds)

    def result(self) -> EndgameResult:
        if self.proven:
            self.kernel.settle(self.lower)
        value, depth, _, _, nodes, filled, capacity, best_since = self.kernel.state
        best = self.kernel.best
        seconds = (time.monotonic_ns() - self.began) / 1e9
        deadline = self.deadline and max(self.deadline, time.monotonic_ns()) + int(LINE_SECONDS * 1e9)
        self.kernel.limit(nodes + LINE_NODES, deadline)
        records = self.kernel.line(self.proven)
        moves = [(self.move(record), 0 if record is None else record[4]) for record in records]
        line, complete = followed(self.position, self.racks, self.end, moves)
        spread = self.position.players[0].score - self.position.players[1].score
        value = min(max(value, self.lower), self.upper)
        return EndgameResult(
            method="exact",
            value=value,
            lower=self.lower,
            upper=self.upper,
            final_spread=spread + value,
            certainty="exact" if self.proven else "bounds",
            best=self.move(best),
            best_proven=self.proven,
            line=line,
            line_complete=complete,
            nodes=nodes,
            depth=depth,
            table_entries=filled,
            table_capacity=capacity,
            seconds=seconds,
            best_seconds=(best_since - self.began) / 1e9,
        )

    def move(self, record: MoveRecord | None) -> Play | Pass:
        """Make a move of the kernel's record of it."""
        if record is None:
            return Pass()
        line, start, length, placed, _ = record
        side = self.position.board.side
        down = line >= side
        row, column = (start, line - side) if down else (line, start)
        cells = [(row + i) * side + column if down else row * side + column + i for i in range(length)]
        return Play(row, column, down, tuple([placed.get(cell, 0) for cell in cells]))
