"""Judgements of turns with an empty bag, by an endgame search with a limited number of nodes.

The value of a move is its points less the value of the position that the opponent gets. That position is
usually the one of the next turn, so the search results of a game are stored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.analysis.lending import lent_endgame_solver
from engine.analysis.move_report import Describer
from engine.analysis.outcomes import TABLE_MB, win_key, win_range
from engine.errors import InvalidInput
from engine.loaded_board import LoadedBoard
from engine.position import Play
from engine.search.budget import Budget
from engine.search.endgame.move_bounds import MOVE_NODES, Bounds, after_move, outcome_bounds
from engine.search.endgame.problem import known_racks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.lexicon import Lexicon
    from engine.position import Pass, Position


MAX_CHOICES: Final = 200
"""The most moves searched for one that may win, where that of the search is proven to lose."""


@dataclass(frozen=True, slots=True)
class EndgameValue:
    """Hold what is known of a position or a move: the change of the spread until the end of the game.

    `value`: an estimate within the proven `bounds`, in points for the player on turn; `best`: the move that
    reaches it, None if the game is over; `line`: the best moves of both sides to the end of the game that the
    value comes from, empty if they are not known.
    """

    value: int
    bounds: Bounds
    best: Play | Pass | None = None
    line: tuple[Play | Pass, ...] = ()

    def within(self, bounds: Bounds) -> EndgameValue:
        """Return the value with what further bounds prove."""
        met = self.bounds.meet(bounds)
        value = min(max(self.value, met.lower), met.upper)
        return replace(self, value=value, bounds=met, line=self.line if value == self.value else ())

    def before(self, move: Play | Pass, points: int) -> EndgameValue:
        """Return the value of a move that scores `points` and leads to this position, for the other side."""
        line = (move, *self.line) if self.line else ()
        return EndgameValue(points - self.value, self.bounds.of_other_side().plus(points), line=line)


@dataclass(frozen=True, slots=True)
class EndgameJudgement:
    """Hold the best move of an endgame, its points, and the values of that move and of the one played.

    `position`: proven bounds on the value of the position, which no legal move exceeds.
    """

    best: Play | Pass
    best_score: int
    best_value: EndgameValue
    played_value: EndgameValue
    position: Bounds

    @property
    def loss(self) -> Bounds:
        """Proven bounds on the points that the move played loses, at least 0."""
        if self.played_value.bounds.lower >= self.position.upper:
            return Bounds(0, 0)
        least = self.position.lower - self.played_value.bounds.upper
        return Bounds(max(0, least), self.position.upper - self.played_value.bounds.lower)


class _Choice(NamedTuple):
    """Hold a move that may be the best one, its points and its value."""

    move: Play | Pass
    points: int
    value: EndgameValue


class _Key(NamedTuple):
    """Name a position apart from its scores, on which the change of the spread does not depend."""

    squares: bytes
    own: bytes
    other: bytes
    zero_turns: int


class EndgameJudge:
    """Judge the endgame turns of one game.

    `nodes`: the most nodes searched for each position; with 0 no move is judged, but the bounds of positions
    are still searched.
    """

    def __init__(self, lexicon: Lexicon, nodes: int) -> None:
        self._lexicon = lexicon
        self._nodes = nodes
        self._known: dict[_Key, EndgameValue] = {}

    def bounds(self, position: Position) -> Bounds | None:
        """Return proven bounds on the final spread; None unless it is an endgame of two players."""
        if position.bag_count() or len(position.players) != 2:
            return None
        try:
            return self._value(position).bounds.plus(_spread(position))
        except InvalidInput:
            return None

    def judge(
        self,
        position: Position,
        played: Play | Pass,
        points: int,
        moves: Callable[[], Iterable[tuple[Play | Pass, int]]],
        *,
        legal: bool,
    ) -> EndgameJudgement | None:
        """Judge a move with an empty bag and a known rack; None unless it is an endgame of two players.

        `moves` returns all legal moves with their points, the most promising first; `legal`: whether all
        words of the move are valid; else it may have a higher value than every move.
        """
        if not self._nodes or self.bounds(position) is None:
            return None
        found, own = self._value(position), self._value_after(position, played, points)
        if legal:
            own = own.within(Bounds(upper=found.bounds.upper))
            found = found.within(Bounds(lower=own.bounds.lower))
            self._known[_key(position)] = found
            self._learn(position, played, points, own.bounds)
        best = found.best
        assert best is not None  # noqa: S101 - an endgame that is not over has a move
        score, value = points, own
        if best != played:
            score = self._score(position, best)
            value = EndgameValue(found.value, found.bounds, line=found.line)
            if not found.bounds.exact:
                value = self._value_after(position, best, score).within(Bounds(upper=found.bounds.upper))
            if legal and self._rank(position, own) >= self._rank(position, value):
                best, score, value = played, points, own
        if self._most(position, value.bounds) < self._most(position, found.bounds):
            chosen = _Choice(best, score, value)
            (best, score, value), bounds = self._unbeaten(position, chosen, found.bounds, moves())
            found = found.within(bounds)
            self._known[_key(position)] = found
            if legal:
                own = own.within(Bounds(upper=found.bounds.upper))
        return EndgameJudgement(best, score, value, own, found.bounds)

    def _most(self, position: Position, bounds: Bounds) -> float:
        """Return the highest win% that bounds on the change of the spread leave open."""
        return win_range(bounds.plus(_spread(position))).high or 0.0

    def _unbeaten(
        self,
        position: Position,
        guess: _Choice,
        limits: Bounds,
        moves: Iterable[tuple[Play | Pass, int]],
    ) -> tuple[_Choice, Bounds]:
        """Return a better move than a guess that wins less often than the position may, and what that proves.

        `limits`: the bounds of the position. The first move that may win as often ends the search for it.
        """
        best, lower, upper = guess, guess.value.bounds.lower, guess.value.bounds.upper
        for count, (move, points) in enumerate(moves):
            if count == MAX_CHOICES:
                return best, Bounds(lower)
            value = self._value_after(position, move, points).within(Bounds(upper=limits.upper))
            lower, upper = max(lower, value.bounds.lower), max(upper, value.bounds.upper)
            if self._rank(position, value) > self._rank(position, best.value):
                best = _Choice(move, points, value)
            if self._most(position, value.bounds) >= self._most(position, limits):
                return best, Bounds(lower)
        return best, Bounds(lower, upper)

    def _score(self, position: Position, move: Play | Pass) -> int:
        return Describer(position, self._lexicon).score(move) if isinstance(move, Play) else 0

    def _rank(self, position: Position, found: EndgameValue) -> tuple[float, int, bool]:
        """Return what compares two moves: the win% as far as it is proven, the value, and its proof."""
        return win_key(win_range(found.bounds.plus(_spread(position)))), found.value, found.bounds.exact

    def _value_after(self, position: Position, move: Play | Pass, points: int) -> EndgameValue:
        """Return the value of a move, for the player who makes it."""
        following = after_move(position, known_racks(position), move, points)
        if isinstance(following, int):
            value = following - _spread(position)
            return EndgameValue(value, Bounds(value, value), line=(move,))
        return self._value(following).before(move, points)

    def _learn(self, position: Position, move: Play | Pass, points: int, bounds: Bounds) -> None:
        """Store what the bounds of a move say of the position after it."""
        following = after_move(position, known_racks(position), move, points)
        if not isinstance(following, int):
            key = _key(following)
            self._known[key] = self._known[key].within(bounds.plus(-points).of_other_side())

    def _value(self, position: Position) -> EndgameValue:
        """Return the value of a position; raise InvalidInput if it is not an endgame of two players."""
        key, spread = _key(position), _spread(position)
        known = self._known.get(key)
        if known is not None and known.bounds.plus(spread).decided:
            return known
        nodes = self._nodes or MOVE_NODES
        budget = Budget(nodes)
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, self._lexicon)
        with lent_endgame_solver(self._lexicon, TABLE_MB) as solver:
            if known is None:
                found = solver.solve(position, budget, board=board)
                line = tuple([step.move for step in found.line]) if found.line_complete else ()
                known = EndgameValue(found.value, Bounds(found.lower, found.upper), found.best, line)
            if not known.bounds.plus(spread).decided:
                bounds, _ = outcome_bounds(solver, position, nodes, board, budget.deadline)
                known = known.within(bounds.plus(-spread))
        self._known[key] = known
        return known


def _key(position: Position) -> _Key:
    own, other = known_racks(position)
    return _Key(position.board.squares, own.tiles, other.tiles, position.zero_turns)


def _spread(position: Position) -> int:
    return position.players[0].score - position.players[1].score
