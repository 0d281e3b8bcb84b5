"""Whether turns without points have ended, or can end, the game of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import InvalidInput
from engine.messages import Text
from engine.rules.game_end import turn_limits

if TYPE_CHECKING:
    from engine.position import Position
    from engine.rules.game_end import TurnLimits


def limits_of(position: Position) -> TurnLimits:
    """Return after how many turns in a row the game of a position ends although nobody goes out."""
    scoreless = not any(player.score for player in position.players)
    return turn_limits(position.rules, len(position.players), scoreless=scoreless)


def is_over(position: Position) -> bool:
    """Return whether turns without points have ended the game of a position.

    A position does not contain which of these turns were passes, so a limit of passes does not count.
    """
    return limits_of(position).ending(position.zero_turns, 0) is not None


def check_not_over(position: Position) -> None:
    """Raise InvalidInput (code "game_over") if turns without points have ended the game of a position."""
    if is_over(position):
        raise InvalidInput(
            Text("the game has ended by turns without points"), code="game_over", field="zero_turns"
        )


def check_can_end(position: Position) -> None:
    """Raise InvalidInput (code "endless_game") if both players can pass for ever: nobody has scored."""
    limits = limits_of(position)
    if not limits.zero_turns and not limits.passes:
        raise InvalidInput(
            Text("nobody has scored, and by the rules passes alone do not end this game"),
            code="endless_game",
            field="rules",
        )
