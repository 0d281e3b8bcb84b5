"""The result of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.position import Rack
from engine.rules.game_end import BY_TIME, adjustments, ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.library.state import State

BY_CHALLENGE: Final = "challenge"
"""The reason if a player lost the game by a challenge, under the rule "triple"."""

FORFEITS: Final = (BY_CHALLENGE, BY_TIME)
"""The reasons for which one player has lost, whatever the scores; tiles left do not count then."""

REASONS: Final = {
    "went_out": "played the last tile",
    "zero_turns": "too many turns without points",
    "all_passed": "everyone passed",
    BY_CHALLENGE: "lost by a challenge",
    BY_TIME: "lost on time",
}


@dataclass(frozen=True, slots=True)
class GameResult:
    """Say how a game ended; every tuple is in the order of play.

    `reason`: "went_out", "zero_turns", "all_passed", "challenge" or "time"; `scores`: the final ones; they
    include the `adjustments` for the tiles left and the `penalties` for time (points lost). `left`: the tiles
    left on the racks; `ranks`: from 1, equal scores share a rank, and who lost by a challenge or on time is
    last; `winners`: the numbers of the players of rank 1, from 0, several of them for a tie.
    """

    reason: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    adjustments: tuple[int, ...]
    penalties: tuple[int, ...]
    left: tuple[Rack, ...]
    ranks: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The numbers of the players of rank 1."""
        return tuple([player for player, rank in enumerate(self.ranks) if rank == 1])

    def __str__(self) -> str:
        """Format the final scores, the winner and why the game ended."""
        scores = ", ".join([f"{name} {score}" for name, score in zip(self.names, self.scores, strict=True)])
        best = [self.names[number] for number in self.winners]
        won = f"{best[0]} wins" if len(best) == 1 else f"a tie of {' and '.join(best)}"
        return f"{scores}: {won} ({REASONS[self.reason]})"


def result_of(state: State, names: tuple[str, ...], overtime: Sequence[int]) -> GameResult | None:
    """Return how a game ended, None if it has not; `overtime`: points that players lose by their clocks."""
    if state.reason is None:
        return None
    position = state.position
    left = tuple([player.rack or Rack() for player in state.players])
    values = [sum([position.tile_set.values[code] for code in rack.tiles]) for rack in left]
    added = [0] * len(left)
    if state.reason not in FORFEITS:
        out = state.previous_player if state.reason == "went_out" else None
        added = adjustments(position.rules, values, out)
    penalties = tuple([more + (points or 0) for more, points in zip(overtime, state.penalties, strict=True)])
    changes = zip(state.players, added, penalties, strict=True)
    final = tuple([player.score + more - lost for player, more, lost in changes])
    return GameResult(
        reason=state.reason,
        names=names,
        scores=final,
        adjustments=tuple(added),
        penalties=penalties,
        left=left,
        ranks=tuple(ranking(final, state.lost_by)),
    )
