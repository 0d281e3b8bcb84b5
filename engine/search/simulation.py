"""Simulation: compare moves by many rollouts against racks that the opponent may hold.

An iteration is one rollout of one candidate: the candidate is played, then both sides take turns. Iteration n
of every candidate has the same opponent's rack and the same order of the bag. What a player draws does not
depend on the number of tiles that the other player takes.

A rollout ends after a number of plies or with the game. Its results are the spread, including the values of
both last leaves, and the chance of winning by the win% table. If the game has ended, the final spread and the
true outcome count. With `play_out`, a rollout whose bag is empty continues to the end of the game; with few
tiles in the bag of the position a search finds that end (`search.endings`). Source: [Heuri], sections 4.2.2
and 8.1 to 8.3.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from math import hypot
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import numpy as np

from engine.errors import InvalidInput
from engine.evaluation.evaluators import evaluator_kernel
from engine.evaluation.leave_table import find_leave_table
from engine.evaluation.win_pct import AVERAGE_LEAVE, SCALE, WinChances, find_win_pct_table
from engine.messages import Text
from engine.movegen import InternalWords
from engine.position import Exchange, Pass, Play
from engine.search.allocation import (
    DOUBT,
    ENDED,
    LEAVE,
    OPPONENT_BINGO,
    OPPONENT_SCORE,
    OWN_BINGO,
    OWN_SCORE,
    SPREAD,
    WIN,
    Race,
)
from engine.search.deadline import BUDGET, COMPLETE, DEADLINE, Deadline
from engine.search.endings import Endings, can_search_endings
from engine.search.halving import Halving
from engine.search.opponent import last_move_text, opponent_tiles, read_last_move
from engine.search.outcome import check_not_over
from engine.search.reply_squares import ReplySquares, SquareShare
from engine.search.search_narrow import COLUMNS, WIN_UNITS
from engine.search.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from engine.evaluation.win_pct import WinPctTable
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen.legal_moves import ValuedMove
    from engine.position import Position
    from engine.search.search_kernel import Candidates, Simulator
    from engine.search.simulation_plan import SimulationPlan

_ROLLOUTS_AT_ONCE: Final = 16_384  # before their results are added to the race, unless a check comes first

_MEANS: Final = (
    "win_pct", "win_pct_error", "spread", "spread_error", "opponent_score", "own_score", "leave",
)  # fmt: skip
_SHARES: Final = ("opponent_bingos", "own_bingos", "ended")


@dataclass(frozen=True, slots=True)
class Simulated:
    """Hold the means over the rollouts of one candidate."""

    win_pct: Annotated[float | None, "chance to win, 0 to 100; null without a win% table"]
    win_pct_error: Annotated[
        float | None,
        "standard error of win_pct, counting one more win and one more loss, and endgames whose winner is "
        "only estimated; 0 only with an empty bag",
    ]
    spread: Annotated[float, "mean difference of points when the rollouts stop, leaves included"]
    spread_error: Annotated[float, "standard error of spread"]
    iterations: Annotated[int, "number of rollouts of this move"]
    opponent_score: Annotated[float, "mean points of the opponent's next move"]
    own_score: Annotated[float, "mean points of our next move"]
    opponent_bingos: Annotated[float, "share of the opponent's next moves that are bingos, 0 to 1"]
    own_bingos: Annotated[float, "share of our next moves that are bingos, 0 to 1"]
    leave: Annotated[float, "mean value of our last leave minus the opponent's, in points"]
    ended: Annotated[float, "share of rollouts whose game ended, 0 to 1"]
    pruned: Annotated[bool, "true if the move was dropped early because others are better"]
    reply_squares: Annotated[
        tuple[SquareShare, ...] | None,
        "squares on which at least 1 % of the opponent's next moves lay a tile, the most frequent first; "
        "null unless `reply_squares` of the simulation is true, and while it runs",
    ] = None

    @property
    def verdict(self) -> Verdict | None:
        """What is known of the win%, None without a win% table."""
        if self.win_pct is None or self.win_pct_error is None:
            return None
        return Verdict.sampled(self.win_pct, self.win_pct_error)

    def rounded(self) -> Simulated:
        """Return it as answers show it: shares with four decimals, all other means with three."""
        changes: dict[str, Any] = {
            name: round(value, 4 if name in _SHARES else 3)
            for name in (*_MEANS, *_SHARES)
            if (value := getattr(self, name)) is not None
        }
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class Simulation:
    """Hold the result of a simulation.

    `estimates`: of each candidate, in the order given, None without a rollout; `order`: indices of the
    candidates, the best first; `spent`: iterations; `stopped_by`: "complete" (decided, or all iterations of a
    plan without confidence), "budget" or "deadline".
    """

    estimates: tuple[Simulated | None, ...]
    order: tuple[int, ...]
    spent: int
    stopped_by: str


def check_simulation(plan: SimulationPlan, position: Position) -> None:
    """Raise InvalidInput for a position that cannot be simulated.

    Reasons: more than two players (code "not_two_players"); a game that is over ("game_over"); a last move
    that the opponent model needs, but that is not on the board ("bad_last_move").
    """
    if len(position.players) != 2:
        raise InvalidInput(Text("a simulation needs two players"), code="not_two_players", field="simulate")
    check_not_over(position)
    if plan.opponent_model != "off" and (text := last_move_text(position)):
        read_last_move(position, text)


def simulate(
    position: Position,
    board: LoadedBoard,
    candidates: Sequence[ValuedMove],
    plan: SimulationPlan,
    *,
    seed: int = 1,
    deadline: Deadline | None = None,
    threads: int = 1,
    progress: Callable[[Simulation], None] | None = None,
    sharing: bool = True,
) -> Simulation:
    """Compare moves of the player on turn by simulation.

    The result depends on the position, the candidates, the plan and the seed, not on `threads`, nor on
    `sharing` (whether rollouts share work; False only to measure what that saves). The `deadline` can
    cut it short. `progress` is called with the result so far after each check. Raises what `check_simulation`
    raises.
    """
    check_simulation(plan, position)
    deadline, iterations = deadline or Deadline(), plan.iterations
    lexicon = board.lexicon
    wins = find_win_pct_table(lexicon)
    by_win = plan.by_win and wins is not None
    only_draw = not position.bag_count()  # the opponent holds all that is unseen
    if not candidates:
        return Simulation((), (), 0, COMPLETE)
    if plan.halving:
        estimates = _static_estimates(position, candidates, wins if by_win else None)
        race: Race = Halving(estimates, iterations, plan.confidence, by_win=by_win, only_draw=only_draw)
    else:
        race = Race(len(candidates), plan.confidence, by_win=by_win, only_draw=only_draw)
    shared = _kernel_candidates(position, board, candidates, plan, seed, deadline)
    endings: list[Endings | None] = [None] * threads
    if plan.play_out and can_search_endings(position):
        known: dict[tuple[object, ...], tuple[int, int, int]] = {}
        endings = [Endings(position, lexicon, len(candidates), known, deadline) for _ in range(threads)]
    workers = [_simulator(position, lexicon, plan, one, sharing=sharing) for one in endings]
    squares = ReplySquares(len(candidates), position.board.side) if plan.reply_squares else None
    spent = 0
    cut = deadline.passed

    def so_far(stopped_by: str, squares: ReplySquares | None = None) -> Simulation:
        alive = set(race.alive.tolist())
        estimates = [
            _estimate(race, one, squares, has_wins=wins is not None, pruned=one not in alive)
            for one in range(len(candidates))
        ]
        return Simulation(tuple(estimates), tuple(race.order()), spent, stopped_by)

    def stop() -> None:
        for one in (*workers, *endings):
            if one is not None:
                one.stop()

    with (
        ThreadPoolExecutor(threads) if threads > 1 else nullcontext() as pool,
        deadline.stopping(stop),
    ):
        while not cut and not race.decided:
            draws = min(race.until_check(), (iterations - spent) // len(race.alive))
            if draws < 1:
                break
            draws = min(draws, max(1, _ROLLOUTS_AT_ONCE // len(race.alive)))
            found = np.empty((draws, len(race.alive), COLUMNS), np.int32)
            replies = np.empty(found.shape[:2], np.uint32)
            done = _run(pool, workers, shared, race, seed, deadline, found, replies)
            cut = done < draws
            spent += done * len(race.alive)
            if squares is not None:
                squares.add(race.alive, replies[:done])
            checks = race.checks
            race.add(found[:done])
            if progress is not None and race.checks > checks:
                progress(so_far(BUDGET))
    if cut:
        return so_far(DEADLINE, squares)
    gave_all = plan.confidence is None and iterations == plan.iterations
    return so_far(COMPLETE if race.certain or gave_all else BUDGET, squares)


def _static_estimates(
    position: Position, candidates: Sequence[ValuedMove], wins: WinPctTable | None
) -> NDArray[np.int64]:
    """Return what each candidate promises before any rollout, in the units of rollout.h.

    It is the chance of winning by the table, without one the spread after the move.
    """
    equities = np.array([one.equity for one in candidates])
    if wins is None:
        return equities + 1000 * position.spread
    placed = [len(one.move.placements()) for one in candidates]
    scores = [one.score for one in candidates]
    chances = WinChances(wins, position).after(scores, equities, placed) / 100
    return np.rint(WIN_UNITS * chances).astype(np.int64)


def _run(
    pool: ThreadPoolExecutor | None,
    workers: Sequence[Simulator],
    shared: Candidates,
    race: Race,
    seed: int,
    deadline: Deadline,
    found: NDArray[np.int32],
    replies: NDArray[np.uint32],
) -> int:
    """Fill `found` and `replies`; return the number of draws that are complete, from the first on.

    Each thread takes the next draw when it has finished one, so that none waits long at the end.
    """
    shared.restart()

    def run(worker: Simulator) -> int:
        return worker.run(shared, race.alive, seed, race.draws, deadline.at, found, replies)

    return min([run(workers[0])] if pool is None else pool.map(run, workers))


def _simulator(
    position: Position, lexicon: Lexicon, plan: SimulationPlan, endings: Endings | None, *, sharing: bool
) -> Simulator:
    """Return the simulator of one thread; static replies are greedy if the lexicon has no leave table."""
    rules = position.rules
    name = plan.replies if plan.replies == "greedy" or find_leave_table(lexicon) else "greedy"
    replies = evaluator_kernel(name, lexicon, rules)
    kernels = lexicon.kernels.search
    mover = kernels.Mover(InternalWords(lexicon).kernel, rules.kernel)
    simulator: Simulator = kernels.Simulator(
        mover, replies, plan.plies, plan.refills, plan.play_out, sharing, endings
    )
    return simulator


def _kernel_candidates(
    position: Position,
    board: LoadedBoard,
    candidates: Sequence[ValuedMove],
    plan: SimulationPlan,
    seed: int,
    deadline: Deadline,
) -> Candidates:
    """Return the candidates and the position as the kernel takes them."""
    lexicon = board.lexicon
    wins = find_win_pct_table(lexicon)
    unseen = np.array(position.unseen(), np.uint8)
    unplayed = unseen + np.array(position.rack.counts(len(unseen) - 1), np.uint8)
    opponent_racks, shares = opponent_tiles(position, board, plan.opponent_model, seed, deadline)
    mover_, other = position.players
    kernel: Candidates = lexicon.kernels.search.Candidates(
        board.kernel,
        [_candidate_move(position, candidate) for candidate in candidates],
        unplayed,
        unseen,
        int(unseen.sum()) - position.bag_count(),
        (mover_.score, other.score),
        opponent_racks,
        np.cumsum(shares),
        None if wins is None else wins.values,
        SCALE,
        round(1000 * AVERAGE_LEAVE),
    )
    return kernel


KINDS: Final = (Play, Exchange, Pass)
"""The kinds of moves by their numbers in the kernel (PLAY_MOVE, EXCHANGE_MOVE, PASS_MOVE of mover.h)."""


class CandidateMove(NamedTuple):
    """Hold a candidate as the kernel takes it.

    `kind`: its number in KINDS; `leave_value`: millipoints; `placed`: (square, tile
    code); `leave`, `returned`: tile codes, ascending; `zero_turns`, `passes`: in a row, this move included.
    """

    kind: int
    score: int
    leave_value: int
    placed: list[tuple[int, int]]
    leave: bytes
    returned: bytes
    zero_turns: int
    passes: int


def _candidate_move(position: Position, candidate: ValuedMove) -> CandidateMove:
    """Return a candidate as the kernel takes it."""
    move, side = candidate.move, position.board.side
    passes = 0
    if isinstance(move, Pass):
        last = (position.players[1].last_move or "").strip().lower()
        passes = 1 + (position.zero_turns > 0 and last in ("-", "pass"))
    return CandidateMove(
        kind=KINDS.index(type(move)),
        score=candidate.score,
        leave_value=candidate.equity - 1000 * candidate.score,
        placed=[(row * side + column, code) for row, column, code in move.placements()],
        leave=position.rack.without(move.used).tiles,
        returned=move.returned,
        zero_turns=0 if candidate.score else position.zero_turns + 1,
        passes=passes,
    )


def _estimate(
    race: Race, one: int, squares: ReplySquares | None, *, has_wins: bool, pruned: bool
) -> Simulated | None:
    means = race.means(one)
    if means is None:
        return None
    win_unit = WIN_UNITS / 100
    values = means.values
    return Simulated(
        win_pct=values[WIN] / win_unit if has_wins else None,
        win_pct_error=hypot(means.win_error / win_unit, values[DOUBT] / 10) if has_wins else None,
        spread=values[SPREAD] / 1000,
        spread_error=means.spread_error / 1000,
        iterations=means.draws,
        opponent_score=values[OPPONENT_SCORE] / 1000,
        own_score=values[OWN_SCORE] / 1000,
        opponent_bingos=values[OPPONENT_BINGO] / 1000,
        own_bingos=values[OWN_BINGO] / 1000,
        leave=values[LEAVE] / 1000,
        ended=values[ENDED] / 1000,
        pruned=pruned,
        reply_squares=None if squares is None else squares.shares(one, means.draws),
    )
