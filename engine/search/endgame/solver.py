"""The endgame solver: what both sides can still reach when everything is known."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.loaded_board import LoadedBoard
from engine.movegen import internal_words_narrow, internal_words_wide
from engine.movegen.internal_words import DEFAULT_THRESHOLD, simd_level
from engine.movegen.plays import PLAY_LIMIT
from engine.position import BLANK_FLAG, Pass, Play
from engine.search.endgame import kernel_narrow, kernel_wide
from engine.search.endgame.problem import NOT_COUNTED, end_bonus, ending, known_racks
from engine.search.endgame.result import EndgameResult, LineMove

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.lexicon import Lexicon
    from engine.position import Position, Rack
    from engine.search.endgame.kernel_narrow import EndgameKernel, MoveRecord

DEFAULT_TABLE_MB: Final = 64
DEFAULT_SECONDS: Final = 10.0
MOST_NODES: Final = 2**62
DEEPEST: Final = 100  # turns; deeper there are only chains of plays for nothing
BOUND_SHARE: Final = 0.1  # of the budget, for bounds by one side's passing
LEAST_BOUND_NODES: Final = 20_000
LINE_NODES: Final = 20_000  # to follow the principal line after the search
LINE_SECONDS: Final = 0.02

_KERNELS: Final = {"narrow": kernel_narrow, "wide": kernel_wide}
_GENERATORS: Final = {"narrow": internal_words_narrow, "wide": internal_words_wide}


@dataclass(frozen=True, slots=True)
class Budget:
    """Hold what a search may spend: nodes, by which results repeat, and seconds, which only cut."""

    nodes: int | None = None
    seconds: float | None = DEFAULT_SECONDS


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

    The search deepens turn by turn: alpha-beta with a window that opens from nothing (principal variation
    search), both sides' plays kept up to date as squares fill, and sound bounds from what a side reaches if the
    other only passes. Source: systems.md N (003 section 4.5; 001 introduction).
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
        board: LoadedBoard | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> EndgameResult:
        """Return the best play of both sides to the end, proven if the budget allows it.

        `board` is the position's board if it is loaded already; `progress` is called after each depth. Raises
        InvalidInput for a position that is no endgame (see `known_racks`, `ending`).
        """
        return _Solve(self._kernel, self.lexicon, position, budget or Budget(), board).run(progress)


class _Solve:
    """One solve: the position, the budget, and what is known so far."""

    def __init__(
        self,
        kernel: EndgameKernel,
        lexicon: Lexicon,
        position: Position,
        budget: Budget,
        board: LoadedBoard | None,
    ) -> None:
        self.began = time.monotonic_ns()
        self.kernel, self.position, self.budget = kernel, position, budget
        self.racks = known_racks(position)
        end = ending(position, self.racks)
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
        )
        self.node_limit = MOST_NODES if budget.nodes is None else budget.nodes
        self.deadline = 0 if budget.seconds is None else self.began + int(budget.seconds * 1e9)
        self.upper = _no_more_than(position, self.racks)
        self.lower = -self.upper
        self.exact = False

    def run(self, progress: Callable[[Progress], None] | None) -> EndgameResult:
        for depth in range(1, DEEPEST + 1):
            self.kernel.limit(self.node_limit, self.deadline)
            finished, self.exact = self.kernel.deepen(depth)
            self.note_bounds()
            if progress and finished:
                progress(self.report())
            if self.exact or not finished:
                break
            if depth == 200:
                self.bound_by_passing()
            if self.lower == self.upper == self.kernel.figures[0]:
                self.exact = True
                break
        return self.result()

    def note_bounds(self) -> None:
        """Take over what the kernel has proven."""
        value, _, lower, upper, *_ = self.kernel.figures
        if lower is not None:
            self.lower = max(self.lower, lower)
        if upper is not None:
            self.upper = min(self.upper, upper)
        if self.exact:
            self.lower = self.upper = value

    def bound_by_passing(self) -> None:
        """Bound the value by what each side reaches if the other passes from some turn on, later and later."""
        spent = self.kernel.figures[4]
        nodes = max(LEAST_BOUND_NODES, int(BOUND_SHARE * min(self.node_limit, 10**9)))
        if self.budget.seconds is None:
            deadline = 0
        else:
            now = time.monotonic_ns()
            deadline = min(self.deadline, now + int(BOUND_SHARE * max(0, self.deadline - now)))
        for turn in range(0, DEEPEST, 2):
            # The side on turn is free at turns 0, 2, ..., the other at 1, 3, ...: frozen from then on.
            for frozen, begin in ((1, turn), (0, turn - 1)):
                self.kernel.limit(min(self.node_limit, spent + nodes), deadline)
                value, complete = self.kernel.bound(frozen, max(0, begin))
                if not complete:
                    return
                if frozen:
                    self.upper = min(self.upper, value)
                else:
                    self.lower = max(self.lower, value)
                if self.lower == self.upper:
                    return

    def report(self) -> Progress:
        value, depth, _, _, nodes, *_ = self.kernel.figures
        seconds = (time.monotonic_ns() - self.began) / 1e9
        return Progress(depth, value, self.lower, self.upper, self.move(self.kernel.best), nodes, seconds)

    def result(self) -> EndgameResult:
        value, depth, _, _, nodes, filled, capacity, best_since = self.kernel.figures
        best = self.kernel.best
        seconds = (time.monotonic_ns() - self.began) / 1e9
        deadline = self.deadline and max(self.deadline, time.monotonic_ns()) + int(LINE_SECONDS * 1e9)
        self.kernel.limit(nodes + LINE_NODES, deadline)
        line, complete = self.line(self.kernel.line(self.exact))
        spread = self.position.players[0].score - self.position.players[1].score
        value = min(max(value, self.lower), self.upper)
        return EndgameResult(
            method="exact",
            value=value,
            lower=self.lower,
            upper=self.upper,
            final_spread=spread + value,
            certainty="exact" if self.lower == self.upper else "bounds",
            best=self.move(best),
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

    def line(self, records: list[MoveRecord | None]) -> tuple[tuple[LineMove, ...], bool]:
        """Follow the principal line: the moves with both scores, and whether it reaches the end of the game."""
        values = self.position.tile_set.values
        scores = [player.score for player in self.position.players]
        left = [list(rack.tiles) for rack in self.racks]
        moves: list[LineMove] = []
        end = ending(self.position, self.racks)
        zeros, passes, over = end.zeros, end.passes, False
        for number, record in enumerate(records):
            who, score, out = number % 2, 0, None
            passes = passes + 1 if record is None else 0
            if record is not None:
                score = record[4]
                scores[who] += score
                for code in record[3].values():
                    left[who].remove(0 if code & BLANK_FLAG else code)
                out = None if left[who] else who
            zeros = 0 if score else zeros + (zeros != NOT_COUNTED)
            over = out is not None or end.zero_limit <= zeros != NOT_COUNTED or 0 < end.pass_limit <= passes
            if over:
                points = (sum(values[code] for code in left[0]), sum(values[code] for code in left[1]))
                for player, bonus in enumerate(end_bonus(self.position.rules, points, out)):
                    scores[player] += bonus
            moves.append(LineMove(who, self.move(record), score, (scores[0], scores[1])))
        return tuple(moves), over


def _no_more_than(position: Position, racks: tuple[Rack, Rack]) -> int:
    """Return a number of points that nobody can gain, however the game goes: crude, but always known."""
    values, layout, rules = position.tile_set.values, position.layout, position.rules
    letter = max(values) * int(layout.letter_factors.max()) * layout.side
    word = letter * int(layout.word_factors.max()) ** rules.rack_size
    plays = max(len(rack) for rack in racks)
    return plays * (word * (1 + rules.rack_size) + rules.bingo_bonus) + 2 * sum(
        values[code] for rack in racks for code in rack.tiles
    )
