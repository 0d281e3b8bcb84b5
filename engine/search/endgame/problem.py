"""The conditions of an endgame: two known racks, an empty bag, and the rules by which the game ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.messages import Text
from engine.position import BLANK_FLAG, Rack
from engine.rules.game_end import TurnLimits
from engine.search.outcome import check_can_end, check_not_over, limits_of

if TYPE_CHECKING:
    from engine.position import Position

PLAYERS: Final = 2
NOT_COUNTED: Final = 200  # value of `zeros` while turns without points do not count yet


@dataclass(frozen=True, slots=True)
class Ending:
    """Hold when a game ends although nobody goes out.

    `zero_limit`: turns without points in a row that end it; `zeros`: how many came before, NOT_COUNTED while
    they do not count because nobody has scored; `pass_limit`: passes in a row that end it, 0 for no such
    rule; `passes`: how many came before.
    """

    zero_limit: int
    zeros: int
    pass_limit: int
    passes: int

    def is_over(self, zeros: int, passes: int) -> bool:
        """Return whether `zeros` turns without points or `passes` passes, in a row, have ended the game."""
        limits = TurnLimits(0 if zeros == NOT_COUNTED else self.zero_limit, self.pass_limit)
        return limits.ending(zeros, passes) is not None

    def simplified(self) -> Ending:
        """Return an ending by which the game has the same value, for a game in which no play can score 0.

        The value depends only on whether one turn without points is left or more than one: with two or more
        left, a pass can be answered by a pass, which leads back to the same position. So both rules are
        replaced by one with a limit of two, and a search meets fewer positions. Tests compare this with plain
        counting.
        """
        if self.zeros == NOT_COUNTED:
            return self
        least = min(self.zero_limit, self.pass_limit or self.zero_limit)
        left = min(self.zero_limit - self.zeros, (self.pass_limit - self.passes) or self.zero_limit)
        limit = min(2, least)
        return Ending(limit, limit - min(limit, left), 0, 0)


def known_racks(position: Position) -> tuple[Rack, Rack]:
    """Return the racks of the side on turn and of the other one.

    Raises InvalidInput for other than two players ("endgame_players"), tiles in the bag ("bag_not_empty"), a
    rack that is unknown and does not follow from the unseen tiles ("rack_unknown"), a game that is over
    ("game_over").
    """
    if len(position.players) != PLAYERS:
        raise InvalidInput(
            Text("an endgame is solved for two players"), code="endgame_players", field="players"
        )
    own, other = position.players[0].rack, position.players[1].rack
    if other is None and position.unseen_count() <= position.rules.rack_size:
        other = position.unseen_tiles
    if position.bag_count():
        raise InvalidInput(
            Text(
                "the bag holds {count} tiles; an endgame begins when it is empty", count=position.bag_count()
            ),
            code="bag_not_empty",
            field="board",
        )
    if own is None or other is None:
        raise InvalidInput(Text("both racks must be known"), code="rack_unknown", field="rack")
    if not own.tiles or not other.tiles:
        raise InvalidInput(
            Text("a player without tiles has gone out: the game is over"), code="game_over", field="rack"
        )
    return own, other


def ending(position: Position, racks: tuple[Rack, Rack]) -> Ending:
    """Return when the game of a position ends, simplified if no play can score 0.

    Raises what `counted_ending` raises.
    """
    counted = counted_ending(position)
    return counted if can_score_zero(position, racks) else counted.simplified()


def counted_ending(position: Position) -> Ending:
    """Return when the game of a position ends; with an empty bag, earlier turns without points were passes.

    Raises InvalidInput if it has ended ("game_over") or may never end ("endless_game").
    """
    rules, limits = position.rules, limits_of(position)
    passes = min(position.zero_turns, limits.passes)
    check_not_over(position)
    if 0 < limits.passes <= passes:
        raise InvalidInput(Text("the game has ended by passes"), code="game_over", field="zero_turns")
    check_can_end(position)
    zeros = position.zero_turns if limits.zero_turns else NOT_COUNTED
    return Ending(rules.zero_turn_limit, zeros, limits.passes, passes)


def ending_after(limits: TurnLimits, can_score_zero: bool, zeros: int, passes: int) -> Ending:
    """Return when a game with an empty bag ends, as `ending` does, in the middle of a search.

    `limits`: those of the rules; `can_score_zero`: whether a play could score 0; `zeros`, `passes`: turns
    without points, and passes, in a row before.
    """
    if zeros or can_score_zero:
        return Ending(limits.zero_turns, zeros, limits.passes, passes if zeros else 0)
    return Ending(min(2, limits.zero_turns, limits.passes or limits.zero_turns), 0, 0, 0)


def can_score_zero(position: Position, racks: tuple[Rack, Rack]) -> bool:
    """Return whether a play could score 0: a word of tiles without points."""
    values = position.tile_set.values
    on_racks = sum(not code or not values[code] for rack in racks for code in rack.tiles)
    if not on_racks:
        return False
    on_board = sum(
        bool(code) and (code & BLANK_FLAG != 0 or not values[code & ~BLANK_FLAG])
        for code in position.board.squares
    )
    return on_racks + on_board > 1
