"""The pre-endgame solver: which move wins most often when one to six tiles are in the bag."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, NotFound, check_known
from engine.evaluation.evaluators import Evaluator, best_evaluator
from engine.loaded_board import LoadedBoard
from engine.messages import Text
from engine.movegen import InternalWords
from engine.position import Player, Rack
from engine.search.budget import DEFAULT_BUDGET, Budget, BudgetSpentError
from engine.search.deadline import BUDGET, COMPLETE, DEADLINE
from engine.search.endgame.problem import NOT_COUNTED
from engine.search.outcome import limits_of
from engine.search.phase import PREENDGAME_OPPONENTS
from engine.search.preendgame.opponents import MAX_REPLIES, View, candidates, judge_of
from engine.search.preendgame.perfect import NODE_LIMITS, Perfect
from engine.search.preendgame.ranking import CandidateRanking, Goal
from engine.search.preendgame.result import (
    CERTAIN,
    STATIC_PLAY,
    Certainty,
    PreendgameMove,
    PreendgameResult,
)
from engine.search.preendgame.sampling import Sample, Sampling
from engine.search.preendgame.turns import Turns
from engine.search.preendgame.worlds import (
    EXHAUSTIVE_BAG,
    all_worlds,
    count_bags,
    every_bag,
    hidden_tiles,
    sampled_world,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.position import Play, Position
    from engine.search.deadline import Deadline
    from engine.search.preendgame.candidate import Candidate
    from engine.search.preendgame.ranking import Judge
    from engine.search.preendgame.turns import Moves
    from engine.search.preendgame.worlds import Hidden, World

DEFAULT_TABLE_MB: Final = 16
DEFAULT_CANDIDATES: Final = 40
DEFAULT_DRAWS: Final = 200
SAMPLED_CANDIDATES: Final = 12
REPORT_SECONDS: Final = 0.1
"""The least time between two reports of a running search: a report of all plays takes milliseconds."""

MAX_SPREADS: Final = 5
"""Number of candidates whose final spread is computed exactly, to compare those that win equally often."""


@dataclass(frozen=True, slots=True)
class PreendgameOptions:
    """Hold how to search a pre-endgame.

    `opponent`: one of PREENDGAME_OPPONENTS; `candidates`: number of moves with the most equity to compare,
    None for all, the pass included in any case; `also`: further moves; `only`: these moves instead;
    `replies`: number of replies that a rational opponent compares; `draws`, `seed`: draws sampled from bags
    of more than two tiles; `spreads`: compute the final spread of the candidates that win most often;
    `proof_only`: end as soon as no other candidate can win more often than the best one; `evaluator`: of the
    equity, one of LEAVE_EVALUATORS, "greedy", or "auto" for the lexicon's best.
    """

    opponent: str = PREENDGAME_OPPONENTS[0]
    candidates: int | None = DEFAULT_CANDIDATES
    only: tuple[Play, ...] = ()
    also: tuple[Play, ...] = ()
    replies: int | None = MAX_REPLIES
    draws: int = DEFAULT_DRAWS
    seed: int = 1
    spreads: bool = True
    proof_only: bool = False
    evaluator: str = "auto"


class PreendgameSolver:
    """Solves pre-endgames of one lexicon; owns its memory, so one thread may use it at a time.

    With one or two tiles in the bag it examines every draw and the endgame that follows. A candidate is
    dropped as soon as another one certainly wins more often. Larger bags are sampled; if the draws are few
    enough, the wins of moves that empty the bag are counted.
    """

    def __init__(self, lexicon: Lexicon, *, table_mb: int = DEFAULT_TABLE_MB) -> None:
        """Take the lexicon and the size of the endgames' table in megabytes, from 1 to 65536.

        Raises InvalidInput for another size.
        """
        if not 1 <= table_mb <= 65536:
            raise InvalidInput(
                Text("the table takes 1 to 65536 megabytes"), code="bad_table_size", field="options/table_mb"
            )
        self.lexicon = lexicon
        self._search = InternalWords(lexicon)
        self._kernel = lexicon.kernels.endgame.EndgameKernel(InternalWords(lexicon).kernel, table_mb)

    def solve(
        self,
        position: Position,
        budget: Budget = DEFAULT_BUDGET,
        options: PreendgameOptions | None = None,
        *,
        deadline: Deadline | None = None,
        board: LoadedBoard | None = None,
        progress: Callable[[PreendgameResult], None] | None = None,
    ) -> PreendgameResult:
        """Return the candidates, sorted by how often they win.

        The node limit counts nodes of endgames. `deadline`: instead of that of the budget; `board`: the
        loaded board of the position, if there is one; `progress`: called with intermediate results. Raises
        InvalidInput for a position that is not a pre-endgame (see `hidden_tiles`) or an illegal move,
        NotFound for an unknown model of the opponent.
        """
        options = options or PreendgameOptions()
        code, field = "unknown_opponent", "options/opponent"
        check_known(
            Text("model"), options.opponent, PREENDGAME_OPPONENTS, code=code, field=field, error=NotFound
        )
        ends = deadline or budget.deadline()
        return _PreendgameSearch(self, position, budget.nodes, ends, options, board, progress).run()


class _PreendgameSearch:
    """One search of a position: what is hidden, the candidates, and the budget."""

    def __init__(
        self,
        solver: PreendgameSolver,
        position: Position,
        nodes: int | None,
        deadline: Deadline,
        options: PreendgameOptions,
        board: LoadedBoard | None,
        progress: Callable[[PreendgameResult], None] | None,
    ) -> None:
        self.options, self.position, self.progress = options, position, progress
        self.reported_at = 0.0
        self.hidden: Hidden = hidden_tiles(position)
        turns = Turns(position, solver._search)
        self.deadline = deadline
        self.perfect = Perfect(solver._kernel, turns, nodes, deadline)
        self.equities = _Equities(position, solver.lexicon, options.evaluator)
        own, other = position.players
        loaded = board or LoadedBoard.load(position.board, position.layout, position.tile_set, solver.lexicon)
        # The position does not say how many turns without points were passes: assume that all of them were.
        passes = min(position.zero_turns, max(0, turns.limits.passes - 1))
        zeros = position.zero_turns if limits_of(position).zero_turns else NOT_COUNTED
        self.view = View(loaded, position.rack.tiles, own.score - other.score, zeros, passes)
        self.sampled = self.hidden.bag_count > EXHAUSTIVE_BAG
        self.random = Random(options.seed)  # noqa: S311 - for draws, not for secrets
        self.counts = self.sampled and count_bags(self.hidden) <= options.draws
        if not self.sampled:
            self.worlds: list[World] = all_worlds(self.hidden)
        elif self.counts:
            self.worlds = every_bag(self.hidden, self.random)
        else:
            self.worlds = [sampled_world(self.hidden, self.random)]
        limit = options.candidates
        if self.sampled and limit is not None:
            limit = min(limit, SAMPLED_CANDIDATES)
        self.candidate_limit = limit
        self.stopped_by = COMPLETE
        also = (*options.also, *options.only)
        self.candidates, self.pruned = candidates(
            turns, self.view, self.worlds, self.equities, 1 if options.only else limit, also
        )
        if options.only:
            self.keep_only()

    def keep_only(self) -> None:
        """Drop all candidates except `only`; raises InvalidInput if one of those is not a legal play."""
        wanted = set(self.options.only)
        self.candidates = [one for one in self.candidates if one.turn.move in wanted]
        if len(self.candidates) < len(wanted):
            raise InvalidInput(
                Text("one of the moves to compare is not a legal play"), code="bad_move", field="options/only"
            )

    def run(self) -> PreendgameResult:
        with self.deadline.stopping(lambda: self.perfect.kernel.limit(0, 1)):
            result = self.sample() if self.sampled else self.exhaust()
        if self.deadline.passed:  # it may have cut the last endgame
            return replace(result, stopped_by=DEADLINE)
        return result

    def exhaust(self) -> PreendgameResult:
        """Find the move that wins most draws, easy endgames first; then compare its equals by their final
        spreads.
        """
        options = self.options
        judge = judge_of(
            options.opponent,
            self.perfect,
            self.view,
            self.worlds,
            self.equities,
            self.candidate_limit,
            options.replies,
        )
        ranking = CandidateRanking(
            self.candidates, self.worlds, NODE_LIMITS, lambda: self.report_progress(ranking)
        )
        try:
            ranking.settle(judge, Goal.BEST)
            if not options.proof_only:
                ranking.settle(judge, Goal.EQUALS)
            if options.spreads and not options.proof_only:
                self.compute_spreads(judge, ranking)
        except BudgetSpentError:
            self.stopped_by = BUDGET
        return self.report(ranking)

    def compute_spreads(self, judge: Judge, ranking: CandidateRanking) -> None:
        """Compute the exact final spreads of the candidates that may be best."""
        for limit in NODE_LIMITS:
            self.perfect.limit = limit
            open_ones = False
            for candidate in ranking.contenders()[:MAX_SPREADS]:
                for number, (low, high) in enumerate(candidate.bounds):
                    if low == high:
                        continue
                    found = judge.exact(candidate, number)
                    candidate.learn(number, found, judge.guess(candidate, number))
                    open_ones = open_ones or found[0] < found[1]
                self.report_progress(ranking)
            if not open_ones:
                return

    def sample(self) -> PreendgameResult:
        """Play the candidates to the end of the game over random draws."""
        sampling = Sampling(self.perfect, self.view, self.candidates, self.equities, counts=self.counts)
        more = range(self.options.draws - len(self.worlds))
        drawn = chain(self.worlds, (sampled_world(self.hidden, self.random) for _ in more))
        try:
            for _ in sampling.run(drawn):
                if self.progress:
                    self.progress(self.sampled_report(sampling))
        except BudgetSpentError:
            self.stopped_by = BUDGET
        return self.sampled_report(sampling)

    def report_progress(self, ranking: CandidateRanking) -> None:
        if self.progress and monotonic() - self.reported_at > REPORT_SECONDS:
            self.reported_at = monotonic()
            self.progress(self.report(ranking))

    def report(self, ranking: CandidateRanking) -> PreendgameResult:
        sure = max([one.lower for one in ranking.candidates])
        moves = [_counted(candidate, hoped, sure) for candidate, hoped in ranking.ordered()]
        return self.result(self.options.opponent, moves, ranking.is_proven())

    def sampled_report(self, sampling: Sampling) -> PreendgameResult:
        moves = [
            replace(_counted(sample.candidate, sample.candidate.lower, 0.0), worlds=(), bounds=())
            if sample.is_counted
            else _estimated(sample)
            for sample in sampling.order()
        ]
        return self.result(STATIC_PLAY, moves, proven=moves[0].lower >= CERTAIN)

    def result(self, opponent: str, moves: list[PreendgameMove], proven: bool) -> PreendgameResult:
        return PreendgameResult(
            opponent=opponent,
            bag_count=self.hidden.bag_count,
            moves=tuple(moves),
            pruned=self.pruned,
            best_proven=proven,
            exchanges=self.hidden.bag_count >= self.position.rules.exchange_limit,
            endgames=self.perfect.endgames,
            nodes=self.perfect.nodes,
            seconds=self.perfect.seconds,
            stopped_by=self.stopped_by,
        )


def _counted(candidate: Candidate, hoped: float, sure: float) -> PreendgameMove:
    """Return what is known of a candidate over all draws.

    `hoped`: an estimate of the weight that it wins; `sure`: the highest lower bound of all candidates.
    """
    total = candidate.total
    certainty: Certainty = "exact" if candidate.is_known else "bounds"
    return PreendgameMove(
        move=candidate.turn.move,
        score=candidate.turn.score,
        equity=candidate.equity / 1000,
        win_pct=100 * hoped / total,
        lower=100 * candidate.lower / total,
        upper=100 * candidate.upper / total,
        standard_error=None,
        spread=candidate.mean_spread,
        spread_exact=not candidate.open_spreads,
        draws=total,
        draws_settled=candidate.settled_weight,
        certainty=certainty,
        stopped=candidate.upper < sure,
        worlds=candidate.worlds,
        bounds=tuple(candidate.bounds),
    )


def _estimated(sample: Sample) -> PreendgameMove:
    """Return the estimate of a candidate by a sample."""
    return PreendgameMove(
        move=sample.candidate.turn.move,
        score=sample.candidate.turn.score,
        equity=sample.candidate.equity / 1000,
        win_pct=100 * sample.win,
        lower=0.0,
        upper=100.0,
        standard_error=100 * sample.error,
        spread=sample.spread,
        spread_exact=False,
        draws=len(sample.wins),
        draws_settled=0,
        certainty="estimate",
        stopped=sample.stopped,
        worlds=(),
        bounds=(),
    )


class _Equities:
    """Returns the equity of moves by an evaluator, in millipoints; see `opponents.Equities`."""

    def __init__(self, position: Position, lexicon: Lexicon, evaluator: str) -> None:
        name = best_evaluator(lexicon) if evaluator == "auto" else evaluator
        self.position = position
        self.evaluator = None if name == "greedy" else Evaluator(name, lexicon, position.rules)

    def __call__(self, board: LoadedBoard, rack: bytes, moves: Moves) -> NDArray[np.int64]:
        if self.evaluator is None:
            return 1000 * moves.scores
        players = Player(rack=Rack(rack)), Player()
        position = replace(self.position, board=board.board, players=players)
        values, _ = self.evaluator.leave_values(board, position)
        return 1000 * moves.scores + values.array[moves.leaves]
