"""One search for the value of an endgame: estimates and bounds by turns, until the bounds meet."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.movegen.plays import PLAY_LIMIT
from engine.position import Pass, Play
from engine.search.endgame.bounds import Bounds, SharedBounds
from engine.search.endgame.line import scored_line
from engine.search.endgame.problem import ending, known_racks
from engine.search.endgame.result import EndgameResult

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.loaded_board import LoadedBoard
    from engine.position import Position
    from engine.search.deadline import Deadline
    from engine.search.endgame.endgame_kernel import EndgameKernel, MoveRecord

MAX_NODES: Final = 2**62
MAX_DEPTH: Final = 100  # turns; deeper there are only chains of plays for nothing
ABOVE: Final = 0  # an upper bound: beyond the horizon the side on turn gets all it could score alone
BELOW: Final = 1  # a lower bound: the other side does
SIDES: Final = (ABOVE, BELOW)
QUESTIONS: Final = 4  # questions at one depth, to approach the best bound that it can prove
MIN_GAP: Final = 4  # points; a smaller gap does not justify another search at that depth
WAITING: Final = 16  # factor on the cost of improving a bound that has reached the estimate
FIRST_NODES: Final = 5_000  # for the estimate, before any bound is searched
ESTIMATE_SHARE: Final = 0.5  # of all nodes, for the estimate after that
PATIENCE: Final = 2  # limit of one search, as a multiple of all nodes before it
FIRST_PROBE: Final = 500_000  # nodes after which questions are also searched to the end of the game
PROBE_SHARE: Final = 0.4  # of all nodes, for these questions
LINE_NODES: Final = 20_000  # to find the principal variation after the search
LINE_SECONDS: Final = 0.02


@dataclass(frozen=True, slots=True)
class Progress:
    """Hold what is known after another search; `depth`: of the estimate, in turns."""

    depth: int
    value: int
    lower: int
    upper: int
    best: Play | Pass
    nodes: int
    seconds: float


def start(
    kernel: EndgameKernel,
    position: Position,
    board: LoadedBoard,
    nodes: int | None,
    deadline: Deadline,
    most_weighed: int = PLAY_LIMIT,
) -> None:
    """Load an endgame into the kernel and bound its value; raises what `known_racks` and `ending` raise.

    `nodes`: the most to search, None for no limit; `most_weighed`: how many plays at most are ordered by an
    estimate of their value.
    """
    racks = known_racks(position)
    kernel.start(
        board.kernel,
        racks[0].tiles,
        racks[1].tiles,
        position.rules.kernel,
        ending(position, racks),
        deadline.at,
        nodes or 0,
        min(nodes or 0, most_weighed),
    )


class SpreadSearch:
    """One thread's search of a position: its budget, and what is known so far.

    `sides`: the bounds that it improves; `known`: the bounds of all threads.
    """

    def __init__(
        self,
        kernel: EndgameKernel,
        position: Position,
        board: LoadedBoard,
        nodes: int | None,
        deadline: Deadline,
        progress: Callable[[Progress], None] | None,
        sides: Sequence[int] = SIDES,
        known: SharedBounds | None = None,
    ) -> None:
        self.began = time.monotonic_ns()
        self.kernel, self.position, self.max_nodes, self.ends = kernel, position, nodes, deadline
        self.side = position.board.side
        self.sides, self.known = sides, known or SharedBounds()
        self.racks = known_racks(position)
        self.end = ending(position, self.racks)
        start(kernel, position, board, nodes, deadline)
        self.depth = kernel.depth
        self.note_bounds()
        self.estimate_nodes = self.probe_nodes = 0
        self.gaps = {
            ABOVE: 0,
            BELOW: 0,
        }  # by side: distance of the next question from the estimate in points, 0: none yet
        self.depths = {ABOVE: 2, BELOW: 1}  # by side: depth of the next search in turns
        self.costs = {ABOVE: 1, BELOW: 0}  # by side: nodes of the last search
        self.settled: set[int] = set()  # sides whose bound cannot be improved any more
        self.progress = progress

    def run(self) -> None:
        """Estimate, then alternate bounds and estimates until the bounds meet."""
        with self.ends.stopping(lambda: self.kernel.limit(0, 1)):
            while not self.over() and self.nodes < FIRST_NODES:
                self.deepen(FIRST_NODES)
            while not self.over() and (sides := [side for side in self.sides if side not in self.settled]):
                self.close_in(min(sides, key=self.expected_cost))
                if not self.over() and self.is_long():
                    self.probe(max(self.sides, key=self.room))
                if not self.over() and self.estimate_nodes < ESTIMATE_SHARE * self.nodes:
                    self.deepen(0)
            while not self.over():
                self.deepen(MAX_NODES)

    def is_long(self) -> bool:
        """Return whether it is time for another question searched to the end of the game."""
        return self.nodes > FIRST_PROBE and self.probe_nodes < PROBE_SHARE * self.nodes

    def over(self) -> bool:
        """Return whether the value is proven or the budget is used up."""
        return self.proven or self.depth >= MAX_DEPTH or self.spent()

    @property
    def nodes(self) -> int:
        """Return the nodes searched so far."""
        return self.kernel.node_count

    @property
    def deadline(self) -> int:
        """The time at which to stop, in nanoseconds of the monotonic clock; 0: never."""
        return self.ends.at

    @property
    def lower(self) -> int:
        """The proven lower bound."""
        return self.known.bounds.lower

    @property
    def upper(self) -> int:
        """The proven upper bound."""
        return self.known.bounds.upper

    @property
    def proven(self) -> bool:
        """Whether the bounds have met."""
        return self.known.bounds.exact

    def allow(self, nodes: int) -> None:
        """Limit the next search to `nodes` more, and to the rest of the budget."""
        limit = min(self.nodes + nodes, MAX_NODES if self.max_nodes is None else self.max_nodes)
        self.kernel.limit(limit, self.deadline)
        if self.ends.passed:  # cut by another thread, perhaps just before the line above
            self.kernel.limit(0, 1)

    def spent(self) -> bool:
        """Return whether the budget is used up."""
        if self.max_nodes is not None and self.nodes >= self.max_nodes:
            return True
        return 0 < self.deadline <= time.monotonic_ns()

    def deepen(self, nodes: int) -> None:
        """Estimate one turn deeper, within `nodes` or PATIENCE times the nodes before."""
        before = self.nodes
        self.allow(max(nodes, int(PATIENCE * before)))
        finished, _ = self.kernel.deepen(self.depth + 1)
        self.note_bounds()
        self.estimate_nodes += self.nodes - before
        self.depth += finished
        self.report_progress()

    @property
    def estimate(self) -> int:
        """The most likely value."""
        return min(max(self.kernel.value, self.lower), self.upper)

    def room(self, side: int) -> int:
        """Return the distance from the estimate to the bound of a side."""
        return self.upper - self.estimate if side == ABOVE else self.estimate - self.lower

    def probe(self, side: int) -> None:
        """Ask, by a search to the end of the game, whether the value is within some points of the estimate.

        Questions far from the estimate are answered sooner. The first one is a quarter of the room away from
        the estimate. After an answer the next is one point away, after none half of the room.
        """
        before, estimate, room = self.nodes, self.estimate, self.room(side)
        gap = min(self.gaps[side] or max(1, room // 4), room)
        self.allow(before)
        finished = self.kernel.probe(estimate + gap if side == ABOVE else estimate - gap + 1)
        self.note_bounds()
        self.gaps[side] = 1 if finished else max(1, room // 2)
        self.probe_nodes += self.nodes - before
        self.report_progress()

    def expected_cost(self, side: int) -> int:
        """Return the likely cost of the next bound from a side, in nodes."""
        return self.costs[side] * (WAITING if self.has_reached(side) else 1)

    def has_reached(self, side: int) -> bool:
        """Return whether the bound from a side has reached the estimate."""
        estimate = self.kernel.value
        return self.upper <= estimate if side == ABOVE else self.lower >= estimate

    def close_in(self, side: int) -> None:
        """Bound the value from one side by a search two turns deeper than the last one.

        Beyond the depth one side gets all that it could score alone. If the goal is not reached, easier ones
        follow.
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
                self.settled.add(
                    side
                )  # the horizon is beyond the end of the game: deeper searches find nothing new
        self.costs[side] = cost
        self.report_progress()

    def first_goal(self, side: int) -> int:
        """Return the first goal of a side: the estimate, unless that bound has been reached."""
        if self.settled:  # the other bound is the value
            return self.lower if side == ABOVE else self.upper
        if self.has_reached(side):
            return self.upper - 1 if side == ABOVE else self.lower + 1
        return self.kernel.value

    def note_bounds(self) -> None:
        """Update the bounds with those that the kernel has proven."""
        self.known.meet(Bounds(self.kernel.lower, self.kernel.upper))

    def report_progress(self) -> None:
        """Call `progress` with what is known after a search."""
        if self.progress:
            self.progress(self.report())

    def report(self) -> Progress:
        """Return what is known now."""
        kernel, best = self.kernel, move_of(self.kernel.best, self.side)
        seconds = (time.monotonic_ns() - self.began) / 1e9
        return Progress(kernel.depth, kernel.value, self.lower, self.upper, best, self.nodes, seconds)

    def result(self) -> EndgameResult:
        """Return the result of a search that has ended, with the best line."""
        if self.proven:
            self.kernel.settle(self.lower)
        nodes, depth, best = self.nodes, self.kernel.depth, self.kernel.best
        value, best_since = self.estimate, self.kernel.best_since
        filled = self.kernel.tables_filled
        seconds = (time.monotonic_ns() - self.began) / 1e9
        deadline = self.deadline and max(self.deadline, time.monotonic_ns()) + int(LINE_SECONDS * 1e9)
        self.kernel.limit(nodes + LINE_NODES, deadline)
        records = self.kernel.line(self.proven)
        moves = [(move_of(record, self.side), 0 if record is None else record[4]) for record in records]
        line, complete = scored_line(self.position, self.racks, self.end, moves)
        spread = self.position.spread
        return EndgameResult(
            value=value,
            lower=self.lower,
            upper=self.upper,
            final_spread=spread + value,
            certainty="exact" if self.proven else "bounds",
            best=move_of(best, self.side),
            best_proven=self.proven,
            line=line,
            line_complete=complete,
            nodes=nodes,
            depth=depth,
            table_entries=filled,
            table_capacity=self.kernel.table_entries,
            seconds=seconds,
            best_seconds=(best_since - self.began) / 1e9,
        )


def move_of(record: MoveRecord | None, side: int) -> Play | Pass:
    """Make a move of the kernel's record of it; `side`: squares of a row."""
    if record is None:
        return Pass()
    line, start, length, placed, _ = record
    down = line >= side
    row, column = (start, line - side) if down else (line, start)
    cells = [(row + i) * side + column if down else row * side + column + i for i in range(length)]
    return Play(row, column, down, tuple([placed.get(cell, 0) for cell in cells]))
