"""The judgement of one turn: the best move, the values of the move played, and what was lost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.analysis.annotate.endgame_judgement import EndgameJudge
from engine.analysis.annotate.game_end import move_ending, win_pct_at_end
from engine.analysis.annotate.notes import NotedMove
from engine.analysis.move_report import tiles_left, used_tiles
from engine.analysis.outcomes import Outcomes, WinRange, win_range
from engine.analysis.valued_moves import ValuedMove, ValuedMoves
from engine.errors import InvalidInput
from engine.evaluation.leave_table import find_leave_table
from engine.evaluation.win_pct import WinChances
from engine.position import Exchange, Pass, Play, Rack, format_move
from engine.search import Candidate, simulate
from engine.search.budget import Budget
from engine.search.deadline import Deadline
from engine.search.outcome import is_over

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.analysis.annotate.endgame_judgement import EndgameJudgement
    from engine.analysis.request import LearnedTables
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Move, Position
    from engine.search import SimulationPlan

WIN_PCT_STEPS: Final = (0.25, 3.0, 7.0)
"""The largest loss of win% of a turn without a mistake, with a small one, with a medium one."""

SPREAD_STEPS: Final = (0.0, 7.0, 15.0)
"""The same with an empty bag, in points of spread."""

ESTIMATE: Final = "estimate"
EXACT: Final = "exact"
BOUND: Final = "bound"
"""The certainty of a loss: by an evaluator or a simulation; proven; or a proven lower bound."""

ENDGAME: Final = "endgame"
"""The name given as the evaluator where the endgame was searched."""

EMPTY_BAG_EVALUATOR: Final = "static"
"""The evaluator with an empty bag that is not searched, if there is a leave table."""


@dataclass(frozen=True, slots=True)
class TurnJudgement:
    """Hold the judgement of a turn; the fields are those of `TurnNote`.

    `endgame`: what the endgame search found, None without one.
    """

    evaluator: str | None = None
    best: NotedMove | None = None
    played: NotedMove | None = None
    rank: int | None = None
    equity_loss: float | None = None
    win_pct_loss: float | None = None
    endgame_loss: float | None = None
    certainty: str | None = None
    mistake: str | None = None
    missed_bingo: str | None = None
    endgame: EndgameJudgement | None = None


NOT_JUDGED: Final = TurnJudgement()


class _Estimate(NamedTuple):
    """Hold a move, its simulated win%, and the standard error of that."""

    move: ValuedMove
    win_pct: float | None
    error: float | None


class TurnJudge:
    """Judge the turns of one game."""

    def __init__(
        self,
        lexicon: Lexicon,
        learned: LearnedTables,
        endgame_nodes: int,
        simulate: SimulationPlan | None = None,
        seed: int = 1,
        deadline: Deadline | None = None,
    ) -> None:
        """Take the lexicon, its learned tables, and how to judge.

        `endgame_nodes`: the most nodes searched for each position with an empty bag, 0 for no search;
        `simulate`: how to simulate the moves of other positions, None for not at all; `seed`: of the
        simulations; `deadline`: cuts them.
        """
        self._deadline = deadline or Deadline()
        self._lexicon = lexicon
        self._simulate = simulate
        self._seed = seed
        self._endgames = EndgameJudge(lexicon, endgame_nodes)
        self._learned = learned
        self._has_leaves = find_leave_table(lexicon) is not None

    def judge(
        self, position: Position, board: LoadedBoard, played: Move | None, points: int, passes: int = 0
    ) -> TurnJudgement:
        """Judge the move played in a position with a known rack, which must hold its tiles.

        `board`: the loaded board of the position; `played`: None if it is unknown, so that only the best move
        is returned; `points`: the points of the move by the rules; `passes`: as for `move_ending`.
        """
        endgame = not position.bag_count()
        name = EMPTY_BAG_EVALUATOR if endgame and self._has_leaves else self._learned.evaluator
        found = ValuedMoves(position, board, self._lexicon, name)
        best = found.best()
        own = None if played is None else found.value(played, points)
        if own is None:
            (chance,) = self._chances(position, board, [best], passes)
            return TurnJudgement(name, _noted(best, position, chance))
        if not endgame and self._simulate is not None and not is_over(position):
            return self._simulated(position, board, found, own, name, passes)
        if endgame:
            searched = self._searched(position, found, own)
            if searched is not None:
                return searched
        chances = self._chances(position, board, [best, own], passes)
        best_noted, noted = (
            _noted(one, position, chance) for one, chance in zip((best, own), chances, strict=True)
        )
        lost = max(0, best.equity - own.equity) / 1000
        win_pct_loss = _win_pct_lost(best_noted.win_pct, noted.win_pct)
        mistake = None
        if endgame:
            mistake = mistake_class(lost, SPREAD_STEPS)
        elif win_pct_loss is not None:
            mistake = mistake_class(win_pct_loss, WIN_PCT_STEPS)
        return TurnJudgement(
            evaluator=name,
            best=best_noted,
            played=noted,
            rank=found.rank(own),
            equity_loss=lost,
            win_pct_loss=win_pct_loss,
            endgame_loss=lost if endgame else None,
            certainty=ESTIMATE,
            mistake=mistake,
            missed_bingo=found.missed_bingo(own),
        )

    def _simulated(
        self,
        position: Position,
        board: LoadedBoard,
        found: ValuedMoves,
        own: ValuedMove,
        name: str,
        passes: int,
    ) -> TurnJudgement:
        """Judge a move by simulating it and the best moves by equity; a phony is simulated like a valid play.

        The win% of a move that ends the game is counted instead, with a standard error of 0.
        """
        assert self._simulate is not None  # noqa: S101 - for the type checker
        moves = found.top(self._simulate.candidates)
        if all(one.move != own.move for one in moves):
            moves.append(own)
        candidates = [Candidate(one.move, one.score, one.equity - 1000 * one.score) for one in moves]
        seen = _as_seen(position)
        budget = Budget(deadline=self._deadline)
        try:
            result = simulate(seen, board, candidates, self._simulate, seed=self._seed, budget=budget)
        except InvalidInput:  # the opponent's last move in the record is impossible: ignore it
            mover, other = seen.players
            seen = replace(seen, players=(mover, replace(other, last_move=None)))
            result = simulate(seen, board, candidates, self._simulate, seed=self._seed, budget=budget)
        ranked: list[_Estimate] = []
        for place in result.order:
            estimate = result.estimates[place]
            win_pct, error = (estimate.win_pct, estimate.win_pct_error) if estimate else (None, None)
            ranked.append(_Estimate(moves[place], _rounded(win_pct), _rounded(error)))
        for one in list(ranked):
            counted = self._win_pct_at_end(position, one.move, passes)
            if counted is not None and one.win_pct is not None:
                ranked.remove(one)
                behind = [place for place, other in enumerate(ranked) if (other.win_pct or 0) < counted]
                ranked.insert(min(behind, default=len(ranked)), _Estimate(one.move, counted, 0.0))
        at = next(place for place, one in enumerate(ranked) if one.move.move == own.move)
        best, played = (
            _noted(one.move, position, _equal(one.win_pct), one.error) for one in (ranked[0], ranked[at])
        )
        win_pct_loss = _win_pct_lost(best.win_pct, played.win_pct)
        return TurnJudgement(
            evaluator=name,
            best=best,
            played=played,
            rank=at + 1,
            equity_loss=max(0, ranked[0].move.equity - own.equity) / 1000,
            win_pct_loss=win_pct_loss,
            endgame_loss=None,
            certainty=ESTIMATE,
            mistake=None if win_pct_loss is None else mistake_class(win_pct_loss, WIN_PCT_STEPS),
            missed_bingo=found.missed_bingo(own),
        )

    def _searched(self, position: Position, found: ValuedMoves, own: ValuedMove) -> TurnJudgement | None:
        """Judge a move by an endgame search; None if the position cannot be searched."""
        # With an empty bag an exchange is illegal: it counts as a pass.
        played_move = Pass() if isinstance(own.move, Exchange) else own.move

        def moves() -> Iterator[tuple[Play | Pass, int]]:
            for one in found.top(len(found.plays)):
                if isinstance(one.move, Play):
                    yield one.move, one.score
            yield Pass(), 0

        legal = found.holds(own)
        searched = self._endgames.judge(position, played_move, own.score, moves, legal=legal)
        if searched is None:
            return None
        spread = position.players[0].score - position.players[1].score
        is_best = searched.best == played_move
        noted = []
        for move, score, value in (
            (own.move if is_best else searched.best, searched.best_score, searched.best_value),
            (own.move, own.score, searched.played_value),
        ):
            placed = len(used_tiles(move))
            valued = ValuedMove(move, score, 1000 * value.value, 1000 * (value.value - score), placed)
            noted.append(_noted(valued, position, win_range(value.bounds.plus(spread))))
        best, played = noted
        loss, wins = searched.loss, win_range(searched.position.plus(spread)).win_pct
        mistakes = {mistake_class(lost, SPREAD_STEPS) for lost in (loss.lower, loss.upper)}
        return TurnJudgement(
            evaluator=ENDGAME,
            best=best,
            played=played,
            rank=1 if is_best or not loss.upper else None,
            equity_loss=float(loss.lower),
            win_pct_loss=_win_pct_lost(wins, played.win_pct),
            endgame_loss=float(loss.lower),
            certainty=EXACT if loss.exact else BOUND,
            mistake=mistakes.pop() if len(mistakes) == 1 else None,
            missed_bingo=found.missed_bingo(own) if loss.lower else None,
            endgame=searched,
        )

    def win_pct(self, position: Position, *, rack_known: bool) -> WinRange:
        """Return the win% on turn: proven with an empty bag and a known rack, else by the win% table.

        `rack_known`: whether the rack on turn is known, and the position possible. The table knows the spread
        and the number of unseen tiles alone.
        """
        bounds = self._endgames.bounds(position) if rack_known else None
        if bounds is not None:
            return win_range(bounds)
        table = self._learned.win_pct
        if table is None or len(position.players) != 2:
            return _equal(None)
        mover, other = position.players
        # The tiles that the mover cannot see: bag and other rack, even if the own rack is known in part.
        own_count = mover.tile_count or len(mover.held) or position.rules.rack_size
        unseen = position.tile_set.total - position.board.tile_count - own_count
        chance = table.chance(np.array([mover.score - other.score], np.float64), np.array([max(0, unseen)]))
        return _equal(round(100 * float(chance[0]), 2))

    def _chances(
        self, position: Position, board: LoadedBoard, moves: Sequence[ValuedMove], passes: int
    ) -> list[WinRange]:
        """Return the win% of each move: proven with an empty bag, else by the win% table.

        That of a move that ends the game is counted.
        """
        table = self._learned.win_pct
        chances = [_equal(None)] * len(moves)
        outcomes = Outcomes.of(position, board, self._lexicon, Budget().deadline)
        if outcomes is not None:  # an exchange is illegal then, and counts as a pass
            played = [Pass() if isinstance(one.move, Exchange) else one.move for one in moves]
            chances = [
                outcomes.win_range_after(move, one.score) for move, one in zip(played, moves, strict=True)
            ]
        elif table is not None and len(position.players) == 2:
            columns = [[getattr(move, name) for move in moves] for name in ("score", "equity", "placed")]
            found = np.round(WinChances(table, position).after(*columns), 2).tolist()
            chances = [_equal(chance) for chance in found]
        ends = [self._win_pct_at_end(position, one, passes) for one in moves]
        return [
            chance if counted is None else _equal(counted)
            for chance, counted in zip(chances, ends, strict=True)
        ]

    def _win_pct_at_end(self, position: Position, one: ValuedMove, passes: int) -> float | None:
        """Return the win% of a move that ends the game, None for any other move."""
        how = move_ending(position, one.move, one.score, passes)
        if how is None:
            return None
        left = tiles_left(position.rack, used_tiles(one.move))
        return _rounded(win_pct_at_end(position, how, one.score, left))


def mistake_class(lost: float, steps: Sequence[float]) -> str:
    """Return the class of mistake of a loss; `steps`: the largest loss of each class but the last."""
    names = ("none", "small", "medium")
    return next((name for name, most in zip(names, steps, strict=True) if lost <= most), "large")


def _as_seen(position: Position) -> Position:
    """Return the position as the mover sees it: with the number of tiles on the other rack only."""
    other = position.players[1]
    full = len(other.rack) if other.rack else position.rules.rack_size
    count = min(other.tile_count or full, sum(position.unseen()))
    hidden = replace(other, rack=None, known_tiles=None, tile_count=count)
    return replace(position, players=(position.players[0], hidden))


def _win_pct_lost(best: float | None, played: float | None) -> float | None:
    """Return the win% of the best move less that of the one played, at least 0; None if unknown."""
    return None if best is None or played is None else round(max(0.0, best - played), 2)


def _equal(win_pct: float | None) -> WinRange:
    """Return an estimate of a win% as a range of one number."""
    return WinRange(win_pct, win_pct, win_pct)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _noted(
    one: ValuedMove, position: Position, wins: WinRange, win_pct_error: float | None = None
) -> NotedMove:
    kinds = {Play: "play", Exchange: "exchange", Pass: "pass"}
    left = Rack(tiles_left(position.rack, used_tiles(one.move)))
    return NotedMove(
        move=format_move(one.move, position.tile_set),
        kind=kinds[type(one.move)],
        score=one.score,
        leave=left.text(position.tile_set.alphabet),
        leave_value=one.leave_value / 1000,
        equity=one.equity / 1000,
        win_pct=wins.win_pct,
        win_pct_low=wins.low,
        win_pct_high=wins.high,
        win_pct_error=win_pct_error,
        is_bingo=one.placed == position.rules.bingo_tiles,
    )
