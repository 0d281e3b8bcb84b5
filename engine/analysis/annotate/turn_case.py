"""A turn to judge: its legal moves, the move played, and what is known of the player."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from engine.analysis.annotate.game_end import move_ending, win_pct_at_end
from engine.analysis.judged import EndgameReport, Judged
from engine.position import Rack
from engine.search.phase import PREENDGAME
from engine.search.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.movegen.legal_moves import LegalMoves, ValuedMove
    from engine.position import Move, Position
    from engine.search.endgame_values import EndgameValue
    from engine.search.known_words import KnownWords


@dataclass(frozen=True, slots=True)
class TurnCase:
    """Hold a turn to judge: the legal moves, the move played, and as for `move_ending` the passes before.

    `exposed`: tiles that the next player showed by a play that was taken back; `known`: the words that the
    player knows, None if nothing is known of them.
    """

    moves: LegalMoves
    own: ValuedMove
    passes: int
    evaluator: str
    exposed: bytes
    known: KnownWords | None

    @property
    def position(self) -> Position:
        """The position before the turn."""
        return self.moves.position

    @property
    def seen(self) -> Position:
        """The position as the player on turn sees it."""
        seen = self.position.seen()
        if not self.exposed:
            return seen
        mover, other, *others = seen.players
        shown = replace(other, known_tiles=Rack(self.exposed))
        known = replace(seen, players=(mover, shown, *others))
        return seen if known.faults() else known  # the record may be wrong

    def noted(self, one: ValuedMove, win: Verdict | None) -> Judged:
        """Return a move with its win%, by the evaluator."""
        return Judged(
            self.position,
            one.move,
            one.score,
            leave_value=one.leave_value / 1000,
            equity=one.equity / 1000,
            win=win,
        )

    def searched(self, move: Move, value: EndgameValue) -> Judged:
        """Return a move with its value by an endgame search, and with the end of the game if it is proven."""
        score = self.own.score if move == self.own.move else self.position.score(move)
        bounds, found = value.bounds.plus(self.position.spread), None
        if bounds.exact:
            found = EndgameReport(float(bounds.lower), value.line, "exact")
        return Judged(
            self.position,
            move,
            score,
            leave_value=float(value.value - score),
            equity=float(value.value),
            win=Verdict.of_bounds(bounds),
            found=found,
        )

    def rank(self, found: EndgameValue) -> tuple[float, int, bool]:
        """Return what compares two moves: the win% as far as it is proven, the value, and its proof."""
        bounds = found.bounds.plus(self.position.spread)
        return Verdict.of_bounds(bounds).key, found.value, bounds.exact

    def words_lost(
        self, lost: float, best: Move, played: float, best_known: Callable[[], float]
    ) -> float | None:
        """Return the part of a loss that is due to unknown words; None if nothing is known of them.

        `played`: the value of the move played; `best_known`: returns that of the best move whose words are
        all known.
        """
        if self.known is None:
            return None
        if not lost or self.known.allow(self.position, best):
            return 0.0
        return round(lost - min(lost, max(0.0, best_known() - played)), 3)

    def known_plays(self) -> Iterator[int]:
        """Yield the plays that form known words only, those of most equity first."""
        plays = self.moves.plays
        order = plays.best(len(plays), "equity")
        return iter(order.tolist()) if self.known is None else self.known.plays(self.position, plays, order)

    def best_known_equity(self) -> float:
        """Return the equity of the best move whose words are all known; the pass has none."""
        numbers = [*islice(self.known_plays(), 1), *range(self.moves.play_count, len(self.moves))]
        return int(self.moves.equity[numbers].max()) / 1000

    def win_at_end(self, one: ValuedMove) -> Verdict | None:
        """Return the win% of a move that ends the game, counted over the opponent's racks; else None."""
        position = self.position
        how = move_ending(position, one.move, one.score, self.passes)
        left = position.rack.without(one.move.used).tiles
        counted = None if how is None else win_pct_at_end(position, how, one.score, left)
        return None if counted is None else Verdict.proven(round(counted, 2), round(counted, 2), PREENDGAME)
