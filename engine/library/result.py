"""The result of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.position import Rack
from engine.rules.game_end import adjustments

if TYPE_CHECKING:
    from engine.library.state import State

BY_CHALLENGE: Final = "challenge"
"""The reason if a player lost the game by a challenge, under the rule "triple"."""

REASONS: Final = {
    "went_out": "played the last tile",
    "zero_turns": "too many turns without points",
    "all_passed": "everyone passed",
    BY_CHALLENGE: "lost by a challenge",
}


@dataclass(frozen=True, slots=True)
class GameResult:
    """Say how a game ended; every tuple is in the order of play.

    `reason`: "went_out", "zero_turns", "all_passed" or "challenge"; `scores`: the final ones; they include
    the `adjustments` for the tiles left and the `penalties` for time (points lost). `left`: the tiles left on
    the racks; `winners`: the numbers of the players who won, from 0, several of them for a tie.
    """

    reason: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    adjustments: tuple[int, ...]
    penalties: tuple[int, ...]
    left: tuple[Rack, ...]
    winners: tuple[int, ...]

    def __str__(self) -> str:
        """Format the final scores, the winner and why the game ended."""
        scores = ", ".join([f"{name} {score}" for name, score in zip(self.names, self.scores, strict=True)])
        best = [self.names[number] for number in self.winners]
        won = f"{best[0]} wins" if len(best) == 1 else f"a tie of {' and '.join(best)}"
        return f"{scores}: {won} ({REASONS[self.reason]})"


def result_of(state: State, names: tuple[str, ...]) -> GameResult | None:
    """Return how a game ended, None if it has not."""
    if state.reason is None:
        return None
    position = state.position
    left = tuple([player.rack or Rack() for player in state.players])
    values = [sum([position.tile_set.values[code] for code in rack.tiles]) for rack in left]
    added = [0] * len(left)
    if state.reason != BY_CHALLENGE:
        out = state.previous_player if state.reason == "went_out" else None
        added = adjustments(position.rules, values, out)
    penalties = tuple([points or 0 for points in state.penalties])
    changes = zip(state.players, added, penalties, strict=True)
    final = tuple([player.score + more - lost for player, more, lost in changes])
    best = max([score for number, score in enumerate(final) if number != state.lost_by])
    return GameResult(
        reason=state.reason,
        names=names,
        scores=final,
        adjustments=tuple(added),
        penalties=penalties,
        left=left,
        winners=tuple([at for at, score in enumerate(final) if score == best and at != state.lost_by]),
    )
