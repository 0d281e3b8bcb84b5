"""Judging one turn: the best move by an evaluator, what the move played was worth, and what lies between.

Of the plays only the best and the one that was played are described; the others are counted in the array of
the generator, so that a turn takes a fraction of a millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from engine.analysis.annotation_endgame import EndgameJudge
from engine.analysis.annotation_ending import move_ending, win_pct_at_end
from engine.analysis.annotation_result import NotedMove
from engine.analysis.thread_local import thread_evaluator, thread_generator
from engine.errors import InvalidInput
from engine.evaluation.leave_table import find_leave_table
from engine.evaluation.win_pct import WinChances
from engine.movegen import leaves
from engine.position import BLANK_FLAG, Exchange, Pass, Play, Rack, format_move
from engine.search import Candidate, simulate
from engine.search.budget import Budget
from engine.search.deadline import Deadline
from engine.search.outcome import is_over

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.analysis.request import Learned
    from engine.evaluation.evaluators import LeaveValues
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen import Plays
    from engine.position import Move, Position
    from engine.search import SimulationPlan

WIN_PCT_STEPS: Final = (0.25, 3.0, 7.0)
"""The most win% that a turn may lose to be no mistake, a small one, a medium one."""

SPREAD_STEPS: Final = (0.0, 7.0, 15.0)
"""The same with an empty bag, in points of spread."""

ESTIMATE: Final = "estimate"
EXACT: Final = "exact"
"""How sure it is what was lost: by an evaluator or a search cut short, or proven."""

ENDGAME: Final = "endgame"
"""The evaluator's name where the endgame was searched."""

ENDGAME_EVALUATOR: Final = "static"
"""What values leaves with an empty bag that is not searched, where a leave table serves."""

NEVER: Final = int(np.iinfo(np.int32).min)
"""Millipoints: less than any move is worth."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Hold what is known of a turn whose rack is; the fields are those of `TurnNote`."""

    evaluator: str
    best: NotedMove
    played: NotedMove | None
    rank: int | None
    equity_loss: float | None
    win_pct_loss: float | None
    endgame_loss: float | None
    certainty: str | None
    mistake: str | None
    missed_bingo: str | None


@dataclass(frozen=True, slots=True)
class _Worth:
    """Hold a move, its points, its equity and leave value in millipoints, and how many tiles it places."""

    move: Move
    score: int
    equity: int
    leave_value: int
    placed: int


class _Chance(NamedTuple):
    """Hold how often a move wins, in percent, and the standard error."""

    worth: _Worth
    win_pct: float | None
    error: float | None


class TurnJudge:
    """Judge the turns of a game by one lexicon and what was learned with it."""

    def __init__(
        self,
        lexicon: Lexicon,
        learned: Learned,
        endgame_nodes: int,
        simulate: SimulationPlan | None = None,
        seed: int = 1,
        deadline: Deadline | None = None,
    ) -> None:
        """Take lexicon and tables, and the nodes to search for each position with an empty bag (0: none).

        `simulate`: how to compare moves while there are tiles in the bag, with the random numbers of `seed`,
        until `deadline`.
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
    ) -> Judgement:
        """Judge a move of a position with a known rack, which must hold its tiles.

        `points`: what the rules give for it. `played` is None for one that is not known: then only the best
        move is told. `passes`: as of `move_ending`.
        """
        endgame = not position.bag_count()
        name = ENDGAME_EVALUATOR if endgame and self._has_leaves else self._learned.evaluator
        found = _Found(position, board, self._lexicon, name)
        best = found.best()
        own = None if played is None else found.worth(played, points)
        chances = self._chances(position, [best] if own is None else [best, own], passes)
        best_noted = _noted(best, position, chances[0])
        if own is None:
            return Judgement(name, best_noted, *[None] * 8)
        if not endgame and self._simulate is not None and not is_over(position):
            return self._simulated(position, board, found, own, name, passes)
        noted = _noted(own, position, chances[1])
        if endgame and not isinstance(played, Exchange):
            searched = self._searched(position, found, own, passes)
            if searched is not None:
                return searched
        lost = max(0, best.equity - own.equity) / 1000
        win_pct_loss = _win_pct_lost(best_noted, noted)
        mistake = None
        if endgame:
            mistake = mistake_class(lost, SPREAD_STEPS)
        elif win_pct_loss is not None:
            mistake = mistake_class(win_pct_loss, WIN_PCT_STEPS)
        return Judgement(
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
        self, position: Position, board: LoadedBoard, found: _Found, own: _Worth, name: str, passes: int
    ) -> Judgement:
        """Judge a move by simulation beside the best by equity; it counts even if it is a phony.

        What ends the game at once needs no simulation: its win% is counted, without an error.
        """
        assert self._simulate is not None  # noqa: S101 - the caller looked
        worths = found.most(self._simulate.candidates)
        if all(one.move != own.move for one in worths):
            worths.append(own)
        candidates = [Candidate(one.move, one.score, one.equity - 1000 * one.score) for one in worths]
        seen = _as_seen(position)
        budget = Budget(deadline=self._deadline)
        try:
            result = simulate(seen, board, candidates, self._simulate, seed=self._seed, budget=budget)
        except InvalidInput:  # of the last move a record may say what cannot be: then it tells of no rack
            mover, other = seen.players
            seen = replace(seen, players=(mover, replace(other, last_move=None)))
            result = simulate(seen, board, candidates, self._simulate, seed=self._seed, budget=budget)
        ranked: list[_Chance] = []
        for place in result.order:
            estimate = result.estimates[place]
            win_pct, error = (estimate.win_pct, estimate.win_pct_error) if estimate else (None, None)
            ranked.append(_Chance(worths[place], _rounded(win_pct), _rounded(error)))
        for one in list(ranked):
            counted = self._at_end(position, one.worth, passes)
            if counted is not None and one.win_pct is not None:
                ranked.remove(one)
                behind = [place for place, other in enumerate(ranked) if (other.win_pct or 0) < counted]
                ranked.insert(min(behind, default=len(ranked)), _Chance(one.worth, counted, 0.0))
        at = next(place for place, one in enumerate(ranked) if one.worth.move == own.move)
        best, played = (
            _noted(one.worth, position, one.win_pct, one.error) for one in (ranked[0], ranked[at])
        )
        win_pct_loss = _win_pct_lost(best, played)
        return Judgement(
            evaluator=name,
            best=best,
            played=played,
            rank=at + 1,
            equity_loss=max(0, ranked[0].worth.equity - own.equity) / 1000,
            win_pct_loss=win_pct_loss,
            endgame_loss=None,
            certainty=ESTIMATE,
            mistake=None if win_pct_loss is None else mistake_class(win_pct_loss, WIN_PCT_STEPS),
            missed_bingo=found.missed_bingo(own),
        )

    def _searched(self, position: Position, found: _Found, own: _Worth, passes: int) -> Judgement | None:
        """Judge a move by a search of the endgame; None where there is none."""
        assert not isinstance(own.move, Exchange)  # noqa: S101 - the bag is empty
        verdict = self._endgames.judge(position, own.move, own.score)
        if verdict is None:
            return None
        worths = []
        for move, score, value in (
            (verdict.best, verdict.best_score, verdict.best_value),
            (own.move, own.score, verdict.played_value),
        ):
            placed = len(used_tiles(move))
            worths.append(_Worth(move, score, 1000 * value, 1000 * (value - score), placed))
        if verdict.exact:
            mover, other = position.players
            spreads = [mover.score - other.score + worth.equity // 1000 for worth in worths]
            chances: list[float | None] = [50.0 * (1 + (spread > 0) - (spread < 0)) for spread in spreads]
        else:
            chances = self._chances(position, worths, passes)
        best, played = (
            _noted(worth, position, chance) for worth, chance in zip(worths, chances, strict=True)
        )
        lost = float(max(0, verdict.best_value - verdict.played_value))
        win_pct_loss = _win_pct_lost(best, played)
        return Judgement(
            evaluator=ENDGAME,
            best=best,
            played=played,
            rank=None if lost else 1,
            equity_loss=lost,
            win_pct_loss=win_pct_loss,
            endgame_loss=lost,
            certainty=EXACT if verdict.exact else ESTIMATE,
            mistake=mistake_class(lost, SPREAD_STEPS),
            missed_bingo=found.missed_bingo(own) if lost else None,
        )

    def win_pct(self, position: Position) -> float | None:
        """Return how often a player on turn wins from this spread and with so many tiles unseen."""
        table = self._learned.win_pct
        if table is None or len(position.players) != 2:
            return None
        mover, other = position.players
        # What the mover cannot see: bag and other rack, whatever is known of the own one.
        held = mover.tile_count or len(mover.held) or position.rules.rack_size
        unseen = position.tile_set.total - position.board.tile_count - held
        chance = table.chance(np.array([mover.score - other.score], np.float64), np.array([max(0, unseen)]))
        return round(100 * float(chance[0]), 2)

    def _chances(self, position: Position, moves: Sequence[_Worth], passes: int) -> list[float | None]:
        """Return the win% of each move: of one that ends the game by the ending, else by the table."""
        table = self._learned.win_pct
        chances: list[float | None] = [None] * len(moves)
        if table is not None and len(position.players) == 2:
            columns = [[getattr(move, name) for move in moves] for name in ("score", "equity", "placed")]
            chances = np.round(WinChances(table, position).after(*columns), 2).tolist()
        ends = [self._at_end(position, one, passes) for one in moves]
        return [chance if counted is None else counted for chance, counted in zip(chances, ends, strict=True)]

    def _at_end(self, position: Position, one: _Worth, passes: int) -> float | None:
        """Return the win% of a move that ends the game, None of any other."""
        how = move_ending(position, one.move, one.score, passes)
        if how is None:
            return None
        kept = kept_tiles(position.rack, used_tiles(one.move))
        return _rounded(win_pct_at_end(position, how, one.score, kept))


def mistake_class(lost: float, steps: Sequence[float]) -> str:
    """Name the class of a mistake that lost so much; `steps` are the most of the first three classes."""
    names = ("none", "small", "medium")
    return next((name for name, most in zip(names, steps, strict=True) if lost <= most), "large")


def used_tiles(move: Move) -> bytes:
    """Return the tiles that a move takes from the rack, blanks as code 0."""
    if isinstance(move, Exchange):
        return move.tiles
    if isinstance(move, Pass):
        return b""
    return bytes([0 if code & BLANK_FLAG else code for code in move.tiles if code])


def kept_tiles(rack: Rack, used: bytes) -> bytes:
    """Return the tiles of a rack that a move leaves there, ascending."""
    kept = bytearray(rack.tiles)
    for code in used:
        kept.remove(code)
    return bytes(kept)


class _Found:
    """All moves of a position with what they are worth."""

    def __init__(self, position: Position, board: LoadedBoard, lexicon: Lexicon, evaluator: str) -> None:
        self._position = position
        self._values: LeaveValues | None = None
        array = None
        valuing = thread_evaluator(evaluator, lexicon, position.rules, expect_bingos=False)
        if valuing is not None:
            self._values, _ = valuing.leave_values(board, position)
            array = self._values.array
        search = thread_generator("internal_words", lexicon)
        self._plays: Plays = search.generate(board, position.rack, position.rules, array)
        if valuing is not None:
            valuing.adjust(self._plays, position)
        self._exchanges = self._exchange_values(array)

    def _exchange_values(self, array: NDArray[np.int32] | None) -> NDArray[np.int32]:
        """Return what each exchange is worth, by the number of the leave; empty if there may be none.

        No more tiles can be exchanged than the bag holds.
        """
        bag, rules, rack = self._position.bag_count(), self._position.rules, self._position.rack
        if array is None:
            array = np.zeros(len(leaves(rack)), np.int32)
        if not bag or bag < rules.exchange_limit:
            return array[:0]
        if bag >= len(rack):
            return array[:-1]  # the last leave is the whole rack: a pass
        least = len(rack) - bag
        sizes = np.array([len(leave) for leave in leaves(rack)[:-1]])
        return np.where(sizes >= least, array[:-1], NEVER)

    @property
    def _pass_value(self) -> int:
        return 0 if self._values is None else int(self._values.array[-1])

    def best(self) -> _Worth:
        """Return the move with the most equity; of equal ones plays, then exchanges, then the pass."""
        exchange = int(self._exchanges.max(initial=NEVER))
        best = None
        if len(self._plays):
            best = self._play(int(self._plays.best(1, by="equity")[0]))
        if exchange > (NEVER if best is None else best.equity):
            best = self._best_exchange(exchange)
        if best is None or self._pass_value > best.equity:
            best = _Worth(Pass(), 0, self._pass_value, self._pass_value, 0)
        return best

    def most(self, count: int) -> list[_Worth]:
        """Return the moves with the most equity, plays and exchanges, the pass if there is nothing else."""
        worths = [self._play(int(at)) for at in self._plays.best(count, by="equity")]
        kept = leaves(self._position.rack)
        for at in np.argsort(-self._exchanges, kind="stable")[:count].tolist():
            value = int(self._exchanges[at])
            if value != NEVER:
                worths.append(_Worth(Exchange(kept_tiles(self._position.rack, kept[at])), 0, value, value, 0))
        if not worths:
            worths.append(_Worth(Pass(), 0, self._pass_value, self._pass_value, 0))
        return sorted(worths, key=lambda one: -one.equity)[:count]

    def _best_exchange(self, most: int) -> _Worth:
        kept = leaves(self._position.rack)
        equal = [kept_tiles(self._position.rack, kept[at]) for at in np.flatnonzero(self._exchanges == most)]
        tiles = min(equal, key=lambda tiles: (len(tiles), tiles))
        return _Worth(Exchange(tiles), 0, most, most, 0)

    def _play(self, at: int) -> _Worth:
        row = self._plays.array[at].item()
        score, equity, placed, leave = row[1], row[2], row[7], row[8]
        value = 0 if self._values is None else int(self._values.array[leave])
        return _Worth(self._plays.move(at), score, equity, value, placed)

    def worth(self, move: Move, points: int) -> _Worth:
        """Return what a move is worth that the rack allows, legal or not."""
        used = used_tiles(move)
        if isinstance(move, Play):
            at = self._index(move, points)
            if at is not None:
                return self._play(at)
        value = 0
        if self._values is not None:
            value = int(self._values.array[self._values.number_without(used)])
        placed = len(used) if isinstance(move, Play) else 0
        return _Worth(move, points, 1000 * points + value, value, placed)

    def _index(self, play: Play, points: int) -> int | None:
        """Return where a play stands among the legal ones, None if it is none of them.

        A single tile, or a play on an empty board, may be listed in the other direction.
        """
        array: NDArray[Any] = self._plays.array
        side = self._position.board.side
        line, start = (side + play.column, play.row) if play.down else (play.row, play.column)
        alike = (array["line"] == line) & (array["start"] == start) & (array["score"] == points)
        for index in np.flatnonzero(alike & (array["length"] == len(play.tiles))).tolist():
            if self._plays.move(index) == play:
                return int(index)
        return None

    def rank(self, worth: _Worth) -> int:
        """Return one more than the number of moves that are worth more."""
        more = int((self._plays.array["equity"] > worth.equity).sum())
        return 1 + more + int((self._exchanges > worth.equity).sum()) + (self._pass_value > worth.equity)

    def missed_bingo(self, worth: _Worth) -> str | None:
        """Return the best bingo if it is worth more than a move that is none."""
        number = self._position.rules.bingo_tiles
        if worth.placed == number:
            return None
        array = self._plays.array
        bingos = np.flatnonzero(array["placed"] == number)
        if not len(bingos) or int(array["equity"][bingos].max()) <= worth.equity:
            return None
        some = type(self._plays)(array[bingos], self._plays.board, {})
        return format_move(some.move(int(some.best(1, by="equity")[0])), self._position.tile_set)


def _as_seen(position: Position) -> Position:
    """Return a position as the mover sees it: of the other rack only the number of tiles."""
    other = position.players[1]
    held = len(other.rack) if other.rack else position.rules.rack_size
    count = min(other.tile_count or held, sum(position.unseen()))
    hidden = replace(other, rack=None, known_tiles=None, tile_count=count)
    return replace(position, players=(position.players[0], hidden))


def _win_pct_lost(best: NotedMove, played: NotedMove) -> float | None:
    """Return by how much a move wins less often than the best one, never negative; None if nobody knows."""
    if best.win_pct is None or played.win_pct is None:
        return None
    return round(max(0.0, best.win_pct - played.win_pct), 2)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _noted(
    worth: _Worth, position: Position, win_pct: float | None, win_pct_error: float | None = None
) -> NotedMove:
    """Describe a move."""
    kinds = {Play: "play", Exchange: "exchange", Pass: "pass"}
    kept = Rack(kept_tiles(position.rack, used_tiles(worth.move)))
    return NotedMove(
        move=format_move(worth.move, position.tile_set),
        kind=kinds[type(worth.move)],
        score=worth.score,
        leave=kept.text(position.tile_set.alphabet),
        leave_value=worth.leave_value / 1000,
        equity=worth.equity / 1000,
        win_pct=win_pct,
        win_pct_error=win_pct_error,
        is_bingo=worth.placed == position.rules.bingo_tiles,
    )
