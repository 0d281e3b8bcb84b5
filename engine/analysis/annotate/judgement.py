"""The judgement of one turn: the best move, the values of the move played, and what was lost.

With an empty bag both moves are searched to the end of the game, as far as the nodes suffice. If simulation
is asked for, other moves are compared by it, or with few tiles in the bag by a pre-endgame search; else by
equity and the win% table.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import compress, islice
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.analysis.annotate.mistake_index import (
    MISTAKES,
    SPREAD_STEPS,
    WIN_PCT_STEPS,
    mistake_class,
    sole_class,
)
from engine.analysis.annotate.notes import Loss, TurnJudgement
from engine.analysis.annotate.turn_case import TurnCase
from engine.analysis.findings import search
from engine.analysis.plans import PreendgamePlan
from engine.analysis.request import AnalysisOptions, AnalysisRequest, Case
from engine.errors import InvalidInput
from engine.evaluation.leave_table import find_leave_table
from engine.evaluation.win_pct import WinChances, win_pct_before
from engine.movegen.legal_moves import LegalMoves
from engine.position import Exchange, Pass, Play
from engine.search import PreendgameMove, simulate
from engine.search.deadline import Deadline
from engine.search.endgame.bounds import Bounds
from engine.search.endgame_values import EndgameValues
from engine.search.endgame_verdicts import MOVE_NODES, EndgameVerdicts
from engine.search.lending import valued_moves
from engine.search.outcome import is_over
from engine.search.phase import ENDGAME, PREENDGAME_BAG
from engine.search.preendgame.sampling import MIN_DRAWS
from engine.search.verdict import UNPROVEN, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.analysis.annotate.options import AnnotationOptions
    from engine.analysis.judged import Judged
    from engine.analysis.request import LearnedTables
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen.legal_moves import ValuedMove
    from engine.position import Move, Position
    from engine.search import SimulationPlan
    from engine.search.endgame_values import EndgameValue
    from engine.search.known_words import KnownWords

KNOWN_TRIED: Final = 5
"""The most known plays of an endgame that are searched for the best, those of most equity."""

EMPTY_BAG_EVALUATOR: Final = "static"
"""The evaluator with an empty bag that is not searched, if there is a leave table."""


class TurnJudge:
    """Judge the turns of one game."""

    def __init__(
        self,
        lexicon: Lexicon,
        learned: LearnedTables,
        options: AnnotationOptions,
        deadline: Deadline | None = None,
    ) -> None:
        """Take the lexicon, its learned tables, and how to judge; `deadline` cuts the searches."""
        self._lexicon, self._learned, self._options = lexicon, learned, options
        self._deadline = deadline or Deadline()
        self._endgames = EndgameValues(lexicon, options.endgame_nodes or MOVE_NODES, self._deadline)
        self._has_leaves = find_leave_table(lexicon) is not None

    def judge(
        self,
        position: Position,
        board: LoadedBoard,
        played: Move | None,
        points: int,
        passes: int = 0,
        exposed: bytes = b"",
        known: KnownWords | None = None,
    ) -> TurnJudgement:
        """Judge the move played in a position with a known rack, which must hold its tiles.

        `board`: the loaded board of the position; `played`: None if it is unknown, so that only the best move
        is returned; `points`: the points of the move by the rules; `passes`: as for `move_ending`; `exposed`:
        tiles that the next player is known to hold; `known`: the words that the player knows, those of the
        move played among them.
        """
        endgame, plan = not position.bag_count(), self._options.simulate
        name = EMPTY_BAG_EVALUATOR if endgame and self._has_leaves else self._learned.evaluator
        moves = valued_moves(position, board, self._lexicon, name)
        own = moves.valued(moves.best(1))[0] if played is None else moves.value(played, points)
        case = TurnCase(moves, own, passes, name, exposed, known)
        if played is None:
            return TurnJudgement(name, case.noted(own, self._wins(case, [own])[0]))
        if endgame and self._options.endgame_nodes and (found := self._endgame(position)) is not None:
            return self._searched(case, found)
        if plan is None or endgame or is_over(position):
            return self._valued(case)
        return self._preendgame(case, plan) or self._simulated(case, plan)

    def win_before(self, position: Position, *, rack_known: bool) -> Verdict | None:
        """Return the win% on turn: proven with an empty bag and a known rack, else by the win% table.

        `rack_known`: whether the rack on turn is known, and the position possible. The table knows neither
        rack.
        """
        found = self._endgame(position) if rack_known else None
        if found is not None:
            return Verdict.of_bounds(found.bounds.plus(position.spread))
        table = self._learned.win_pct
        if table is None or len(position.players) != 2:
            return None
        return Verdict.by_table(round(win_pct_before(table, position), 2))

    def _endgame(self, position: Position) -> EndgameValue | None:
        """Return what a search finds of a position; None unless it is an endgame of two players."""
        if position.bag_count() or len(position.players) != 2:
            return None
        try:
            return self._endgames.of(position)
        except InvalidInput:
            return None

    def _valued(self, case: TurnCase) -> TurnJudgement:
        """Judge a move by its equity, or where a pass would end the game by the win%."""
        moves, own = case.moves, case.own
        (best,) = moves.valued(moves.best(1))
        compared, rank = [best, own], 1 + int((moves.equity > own.equity).sum())
        passing = moves.value(Pass(), 0)
        can_end = bool(case.position.bag_count()) and case.win_at_end(passing) is not None
        if can_end:
            compared.append(passing)
        wins = self._wins(case, compared)
        noted = [case.noted(one, win) for one, win in zip(compared, wins, strict=True)]
        at = 0
        if can_end:  # equity does not count the end of the game: the win% decides
            at = max(range(len(noted)), key=lambda place: _surest(noted[place]))
            rank = (rank, 1, rank + 1)[at]
        return _compared(case, noted[at], noted[1], rank, case.best_known_equity)

    def _wins(self, case: TurnCase, moves: Sequence[ValuedMove]) -> list[Verdict | None]:
        """Return the win% of each move: counted if it ends the game, with an empty bag proven, else estimated
        by the win% table.
        """
        position, table = case.position, self._learned.win_pct
        verdicts = EndgameVerdicts.of(position, case.moves.plays.board, self._lexicon, self._deadline)
        wins: list[Verdict | None] = [None] * len(moves)
        if verdicts is not None:
            wins = [verdicts.after(one.move, one.score) for one in moves]
        elif table is not None and len(position.players) == 2:
            wins = [Verdict.by_table(win) for win in WinChances(table, position).after_few(list(moves))]
        return [case.win_at_end(one) or win for one, win in zip(moves, wins, strict=True)]

    def _preendgame(self, case: TurnCase, plan: SimulationPlan) -> TurnJudgement | None:
        """Judge a move by a search of every draw, or of a sample; None where that does not apply.

        It takes no phony, and no pass that would end the game: the position does not say who has passed.
        """
        moves, own, seen = case.moves, case.own, case.seen
        if own.number is None or not 1 <= seen.bag_count() <= PREENDGAME_BAG or moves.exchange_count:
            return None
        if case.win_at_end(moves.value(Pass(), 0)) is not None:
            return None
        wanted = PreendgamePlan(nodes=self._options.preendgame_nodes)
        options = AnalysisOptions(evaluator=case.evaluator, preendgame=wanted, seed=self._options.seed)
        try:
            found = search(
                Case.of(AnalysisRequest(seen, options), self._lexicon, self._deadline),
                LegalMoves(seen, moves.plays, moves.leave_values),
                [own.number],
                None,
            ).moves
        except InvalidInput:
            return None
        known = {at: one for at, one in found.items() if isinstance(one, PreendgameMove)}
        played = known[own.number]
        is_small = played.draws < MIN_DRAWS and played.standard_error is not None
        if is_small and not self._deadline.passed:
            return None  # simulation errs by less than so small a sample
        ranked = list(known)
        noted = {at: case.noted(moves.valued([at])[0], one.verdict) for at, one in known.items()}
        return _among(case, [noted[at] for at in ranked], ranked.index(own.number))

    def _simulated(self, case: TurnCase, plan: SimulationPlan) -> TurnJudgement:
        """Judge a move by simulating it and the best moves by equity; a phony is simulated like a valid play.

        The win% of a move that ends the game is counted instead.
        """
        moves = case.moves.valued(case.moves.best(plan.candidates))
        if all(one.move != case.own.move for one in moves):
            moves.append(case.own)
        board, seed = case.moves.plays.board, self._options.seed
        seen = case.seen
        try:
            result = simulate(seen, board, moves, plan, seed=seed, deadline=self._deadline)
        except InvalidInput:  # the opponent's last move in the record is impossible: ignore it
            mover, other = seen.players
            seen = replace(seen, players=(mover, replace(other, last_move=None)))
            result = simulate(seen, board, moves, plan, seed=seed, deadline=self._deadline)
        ranked, ending = [], []
        for place in result.order:
            one, found = moves[place], result.estimates[place]
            counted = case.win_at_end(one)
            if counted is not None and found is not None and found.win_pct is not None:
                ending.append(case.noted(one, counted))
                continue
            win, error = (None, None) if found is None else (found.win_pct, found.win_pct_error)
            known = None if win is None or error is None else Verdict.sampled(round(win, 2), round(error, 2))
            ranked.append(case.noted(one, known))
        for noted in ending:
            behind = [place for place, other in enumerate(ranked) if _surest(other) < _surest(noted)]
            ranked.insert(min(behind, default=len(ranked)), noted)
        at = next(place for place, noted in enumerate(ranked) if noted.move == case.own.move)
        return _among(case, ranked, at)

    def _searched(self, case: TurnCase, found: EndgameValue) -> TurnJudgement:
        """Judge a move of an endgame, whose value is `found`; a phony may have a higher one."""
        position, own, values = case.position, case.own, self._endgames
        # With an empty bag an exchange is illegal: it counts as a pass.
        played = Pass() if isinstance(own.move, Exchange) else own.move
        value = values.after(position, played, own.score)
        if isinstance(own.move, Play) and own.number is None:
            best, best_value, found = self._best(case, found)
        else:
            value = value.within(Bounds(upper=found.bounds.upper))
            found = values.learn(position, Bounds(lower=value.bounds.lower))
            values.learn_after(position, played, own.score, value.bounds)
            best, best_value, found = self._best(case, found, (played, value))
            value = value.within(Bounds(upper=found.bounds.upper))
        noted = case.searched(own.move, value)
        loss = _spread_lost(found.bounds, value.bounds)
        win = Verdict.of_bounds(found.bounds.plus(position.spread))
        lost = _win_pct_lost(win, noted.win)
        mistake = MISTAKES[-1] if lost else sole_class(loss.lower, loss.upper, SPREAD_STEPS)
        words = case.words_lost(loss.lower, best, value.value, lambda: self._best_known(case))
        return TurnJudgement(
            ENDGAME,
            noted if best == played else case.searched(best, best_value),
            noted,
            1 if best == played or not loss.upper else None,
            Loss(float(loss.lower), lost, mistake, loss, words),
            missed_bingo(case.moves, own) if loss.lower else None,
        )

    def _best_known(self, case: TurnCase) -> float:
        """Return the value of the best of KNOWN_TRIED moves of an endgame whose words are all known."""
        numbers = [*islice(case.known_plays(), KNOWN_TRIED), case.moves.passing]
        tried = [(one.move, one.score) for one in case.moves.valued(numbers)]
        return max([self._endgames.after(case.position, move, score).value for move, score in tried])

    def _best(
        self, case: TurnCase, found: EndgameValue, own: tuple[Move, EndgameValue] | None = None
    ) -> tuple[Move, EndgameValue, EndgameValue]:
        """Return the best move of an endgame, its value, and that of the position as far as this proves more.

        `found`: the value of the position so far; `own`: the move played with its value, if it is legal.
        """
        position, values, value = case.position, self._endgames, found
        best: Move | None = found.best
        assert best is not None  # noqa: S101 - an endgame that is not over has a move
        if not found.bounds.exact:
            spread = position.spread
            verdicts = EndgameVerdicts(position, case.moves.plays.board, self._lexicon, self._deadline)
            verdicts.learn(found.bounds.plus(spread))
            if own is not None:
                verdicts.learn_after(own[0], own[1].bounds.plus(spread))
            best = verdicts.better(case.moves, best)
            found = values.learn(position, verdicts.bounds.plus(-spread))
            value = values.after(position, best, position.score(best)).within(
                Bounds(upper=found.bounds.upper)
            )
        if own is not None and (best == own[0] or case.rank(own[1]) >= case.rank(value)):
            best, value = own
        return best, value, found


def _among(case: TurnCase, ranked: Sequence[Judged], at: int) -> TurnJudgement:
    """Return the judgement of a move by its place among compared moves, the best first."""

    def best_known() -> float:
        allowed = (
            place == at or case.known is None or case.known.allow(case.position, one.move)
            for place, one in enumerate(ranked)
        )
        first = next(compress(ranked, allowed))
        value = first.equity or 0.0
        # If of the compared moves only that played is known, there may be others that were not compared.
        return value if first is not ranked[at] else max(value, case.best_known_equity())

    return _compared(case, ranked[0], ranked[at], at + 1, best_known)


def _compared(
    case: TurnCase, best: Judged, played: Judged, rank: int, best_known: Callable[[], float]
) -> TurnJudgement:
    """Return the judgement of a move by the estimates of its equity and win%.

    `best_known`: as for `TurnCase.words_lost`.
    """
    lost = round(max(0.0, (best.equity or 0.0) - (played.equity or 0.0)), 3)
    win_pct = _win_pct_lost(best.win, played.win)
    if best.move == played.move and best.win is not None and best.win[:2] != UNPROVEN[:2]:
        win_pct = 0.0  # even if only a range of its win% is proven
    mistake = None
    if not case.position.bag_count():
        mistake = mistake_class(lost, SPREAD_STEPS)
    elif win_pct is not None:
        mistake = mistake_class(win_pct, WIN_PCT_STEPS)
    elif best.win is not None and played.win is not None:
        least, most = best.win.low - played.win.high, best.win.high - played.win.low
        mistake = sole_class(least, most, WIN_PCT_STEPS)
    missed = None if rank == 1 else missed_bingo(case.moves, case.own)
    words = case.words_lost(lost, best.move, played.equity or 0.0, best_known)
    loss = Loss(lost, win_pct, mistake, words=words)
    return TurnJudgement(case.evaluator, best, played, rank, loss, missed)


def missed_bingo(moves: LegalMoves, played: ValuedMove) -> Play | None:
    """Return the best bingo if it has more equity than the move played, and that is no bingo; else None."""
    if played.placed == moves.position.rules.bingo_tiles:
        return None
    bingos = moves.placed == moves.position.rules.bingo_tiles
    (at,) = moves.best(1, by=np.where(bingos, moves.equity, np.iinfo(np.int32).min + 1))
    best = moves[at]
    return best if isinstance(best, Play) and bingos[at] and moves.equity[at] > played.equity else None


def _spread_lost(position: Bounds, played: Bounds) -> Bounds:
    """Return bounds on the points that a move loses, at least 0; given those of the position and the move."""
    if played.lower >= position.upper:
        return Bounds(0, 0)
    return Bounds(max(0, position.lower - played.upper), position.upper - played.lower)


def _win_pct_lost(best: Verdict | None, played: Verdict | None) -> float | None:
    """Return the win% of the best move minus that of the one played, at least 0; None if one is unknown."""
    if best is None or played is None or best.win_pct is None or played.win_pct is None:
        return None
    return round(max(0.0, best.win_pct - played.win_pct), 2)


def _surest(noted: Judged) -> float:
    """Return the win% of a move: the value or estimate, else its lower bound, else 0."""
    if noted.win is None:
        return 0.0
    return noted.win.low if noted.win.win_pct is None else noted.win.win_pct
