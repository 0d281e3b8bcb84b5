"""The endgame solver: what both sides can still reach when everything is known."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, NotFound, quoted
from engine.loaded_board import LoadedBoard
from engine.movegen import internal_words_narrow, internal_words_wide
from engine.movegen.internal_words import DEFAULT_THRESHOLD, simd_level
from engine.movegen.plays import PLAY_LIMIT
from engine.position import Pass, Play
from engine.search.budget import Budget
from engine.search.endgame import kernel_narrow, kernel_wide
from engine.search.endgame.line import followed
from engine.search.endgame.problem import ending, known_racks
from engine.search.endgame.result import EndgameResult
from engine.search.endgame.slow_methods import SLOW_METHODS

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.search.endgame.kernel_narrow import EndgameKernel, MoveRecord

DEFAULT_TABLE_MB: Final = 64
MOST_NODES: Final = 2**62
DEEPEST: Final = 100  # turns; deeper there are only chains of plays for nothing
DEEPENING_SHARE: Final = 0.2  # of the budget, before the search asks for bounds
QUESTION_SHARE: Final = 0.25  # of what is left then, for one question
MARGINS: Final = (
    240,
    120,
    60,
    30,
    15,
    8,
    4,
    2,
    1,
    0,
)  # points from the estimate that bounds are asked at
LINE_NODES: Final = 20_000  # to follow the principal line after the search
LINE_SECONDS: Final = 0.02

METHODS: Final = ("exact", *SLOW_METHODS)
"""The ways to solve an endgame."""

_KERNELS: Final = {"narrow": kernel_narrow, "wide": kernel_wide}
_GENERATORS: Final = {"narrow": internal_words_narrow, "wide": internal_words_wide}


@dataclass(frozen=True, slots=True)
class Progress:
    """Hold what is known after one more turn of depth."""

    depth: int
    value: int
    lower: int
    upper: int
    best: Play | Pass
    nodes: int
    seconds: float


class EndgameSolver:
    """Solves endgames of one lexicon; holds the transposition table, so one thread uses it.

    The search deepens turn by turn: alpha-beta with null windows (principal variation search), both sides'
    plays kept up to date as squares fill, a transposition table, and cuts by plays that go out. Where a part
    of the budget does not suffice, it asks for bounds to the end of the game, ever closer to the estimate.
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
        already; `progress` is called after each depth of the exact search. Raises InvalidInput for a
        position that is no endgame (see `known_racks`, `ending`), NotFound for a method.
        """
        budget = budget or Budget()
        if method not in METHODS:
            known = ", ".join(METHODS)
            raise NotFound(
                f"there is no endgame method {quoted(method)}; known: {known}",
                code="unknown_method",
                field="options/method",
            )
        if method in SLOW_METHODS:
            return SLOW_METHODS[method](position, self.lexicon, budget, board)
        return _Solve(self._kernel, self.lexicon, position, budget, board, progress).run()


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
        self.end = end = ending(position, self.racks)
        loaded = board or LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
        rules = position.rules
        kernel.start(
            loaded.kernel,
            self.racks[0].tiles,
            self.racks[1].tiles,
            rules.bingo_bonus,
            rules.bingo_tiles,
            end.pass_limit,
            end.zero_limit,
            end.passes,
            end.zeros,
            budget.deadline.at,
        )
        _, _, self.lower, self.upper, *_ = kernel.figures
        self.depth = 0
        self.progress = progress

    def run(self) -> EndgameResult:
        """Deepen; if a part of the budget does not suffice, close in by bounds; deepen with what is left."""
        with self.budget.deadline.stopping(lambda: self.kernel.limit(0, 1)):
            self.allow(DEEPENING_SHARE)
            self.deepen()
            if not self.proven and not self.spent():
                self.ask_for_bounds()
            if not self.proven:
                self.allow(1)
                self.deepen()
        return self.result()

    @property
    def deadline(self) -> int:
        """The moment at which to stop, in nanoseconds of the monotonic clock; 0: none."""
        return self.budget.deadline.at

    @property
    def proven(self) -> bool:
        """Tell whether the bounds have met."""
        return self.lower == self.upper

    def allow(self, share: float) -> None:
        """Let the search spend a share of what is left: nodes if they are limited, else time."""
        if self.budget.nodes is not None:
            spent = self.kernel.figures[4]
            self.kernel.limit(spent + int(share * max(0, self.budget.nodes - spent)), self.deadline)
        elif self.deadline:
            now = time.monotonic_ns()
            self.kernel.limit(MOST_NODES, now + int(share * max(0, self.deadline - now)))
        else:
            self.kernel.limit(MOST_NODES, 0)

    def spent(self) -> bool:
        """Tell whether the whole budget is used up."""
        if self.budget.nodes is not None and self.kernel.figures[4] >= self.budget.nodes:
            return True
        return 0 < self.deadline <= time.monotonic_ns()

    def deepen(self) -> None:
        """Search one turn deeper and deeper, until the value is proven or what is allowed is spent."""
        while self.depth < DEEPEST and not self.proven and not self.spent():
            finished, _ = self.kernel.deepen(self.depth + 1)
            self.note_bounds()
            if not finished:
                return
            self.depth += 1
            if self.progress:
                self.progress(self.report())

    def ask_for_bounds(self) -> None:
        """Ask, to the end of the game, on which side of numbers ever closer to the estimate the value is.

        A question far from the value is answered soon, and what it leaves in the table helps the next one. If
        one takes more than its share of the budget, one between it and what is known comes next.
        """
        estimate = self.kernel.figures[0]
        open_questions = {1: -1, -1: -1}  # by side: the margin that was asked for in vain
        for margin in MARGINS:
            for sign, failed in open_questions.items():
                if failed < 0 and not self.ask(estimate + (margin + 1 if sign > 0 else -margin)):
                    open_questions[sign] = margin
        while not self.proven and not self.spent():
            widest = max(open_questions, key=lambda sign: self.gap(sign, estimate, open_questions[sign]))
            gap = self.gap(widest, estimate, open_questions[widest])
            if gap < 2:  # the estimate was wrong, or all is asked
                if not self.ask(self.upper if self.lower > estimate else self.lower + 1):
                    return
                continue
            middle = open_questions[widest] + gap // 2
            finished = self.ask(estimate + (middle + 1 if widest > 0 else -middle))
            if not finished or self.gap(widest, estimate, open_questions[widest]) == gap:
                open_questions[widest] = middle  # asked in vain, or the value lies beyond

    def gap(self, sign: int, estimate: int, failed: int) -> int:
        """Return how far what is known on a side lies from what was asked for in vain, 0 if nothing was."""
        known = self.upper - estimate if sign > 0 else estimate - self.lower
        return 0 if failed < 0 else known - failed

    def ask(self, least: int) -> bool:
        """Ask whether the value is at least a number, unless that is known; tell whether it is known now."""
        if self.proven or not self.lower < least <= self.upper:
            return True
        if self.spent():
            return False
        self.allow(QUESTION_SHARE)
        finished = self.kernel.probe(least)
        self.note_bounds()
        return finished

    def note_bounds(self) -> None:
        """Take over what the kernel has proven."""
        _, _, lower, upper, *_ = self.kernel.figures
        self.lower, self.upper = max(self.lower, lower), min(self.upper, upper)

    def report(self) -> Progress:
        value, depth, _, _, nodes, *_ = self.kernel.figures
        seconds = (time.monotonic_ns() - self.began) / 1e9
        return Progress(depth, value, self.lower, self.upper, self.move(self.kernel.best), nodes, seconds)

    def result(self) -> EndgameResult:
        if self.proven:
            self.kernel.settle(self.lower)
        value, depth, _, _, nodes, filled, capacity, best_since = self.kernel.figures
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
