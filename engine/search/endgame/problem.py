"""What an endgame is: two known racks, an empty bag, and the rules by which the game ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.position import BLANK_FLAG, Rack
from engine.search.outcome import check_going_on, zero_turns_count

if TYPE_CHECKING:
    from engine.position import Position
    from engine.rules import RuleSet

PLAYERS: Final = 2
NOT_COUNTED: Final = 200  # instead of turns without points, where they count only once somebody has scored


@dataclass(frozen=True, slots=True)
class Ending:
    """Hold when a game ends without anyone going out, in turns without points and in passes in a row.

    `zero_limit` turns without points end it, `zeros` have gone before, or NOT_COUNTED; `pass_limit` passes
    (0: no such rule), `passes` before.
    """

    zero_limit: int
    zeros: int
    pass_limit: int
    passes: int


def known_racks(position: Position) -> tuple[Rack, Rack]:
    """Return the racks of the side on turn and of the other one.

    Raises InvalidInput: not two players ("endgame_players"), tiles in the bag ("bag_not_empty"), a rack that
    is not known and does not follow from what is unseen ("rack_unknown"), a game that is over ("game_over").
    """
    if len(position.players) != PLAYERS:
        raise InvalidInput("an endgame is solved for two players", code="endgame_players", field="players")
    own, other = position.players[0].rack, position.players[1].rack
    if other is None and position.unseen_count() <= position.rules.rack_size:
        other = Rack(bytes([code for code, count in enumerate(position.unseen()) for _ in range(count)]))
    if position.bag_count():
        raise InvalidInput(
            f"the bag holds {position.bag_count()} tiles; an endgame begins when it is empty",
            code="bag_not_empty",
            field="board",
            params={"count": position.bag_count()},
        )
    if own is None or other is None:
        raise InvalidInput("both racks must be known", code="rack_unknown", field="rack")
    if not own.tiles or not other.tiles:
        raise InvalidInput(
            "a player without tiles has gone out: the game is over", code="game_over", field="rack"
        )
    return own, other


def ending(position: Position, racks: tuple[Rack, Rack]) -> Ending:
    """Return when the game of a position ends.

    Raises InvalidInput if it has ended ("game_over"), or need never end ("endless_game").

    With an empty bag the turns without points just before were passes. Where nobody can make a play for
    nothing, only whether one turn without points is left, or more, makes a difference to the value: with two
    or more left a side that passes can be answered by a pass, which leads back (tests compare it with plain
    counting). So the two rules become one, and the search meets fewer positions.
    """
    rules, zeros = position.rules, position.zero_turns
    pass_limit = 2 * rules.passes_each
    passes = min(position.zero_turns, pass_limit)
    unscored = not zero_turns_count(position)
    check_going_on(position)
    if 0 < pass_limit <= passes:
        raise InvalidInput("the game has ended by passes", code="game_over", field="zero_turns")
    if unscored and not pass_limit:
        raise InvalidInput(
            "nobody has scored, and by the rules passes alone do not end this game",
            code="endless_game",
            field="rules",
        )
    if unscored:
        return Ending(rules.zero_turn_limit, NOT_COUNTED, pass_limit, passes)
    if _plays_for_nothing(position, racks):
        return Ending(rules.zero_turn_limit, zeros, pass_limit, passes)
    least = min(rules.zero_turn_limit, pass_limit or rules.zero_turn_limit)
    left = min(rules.zero_turn_limit - zeros, (pass_limit - passes) or rules.zero_turn_limit)
    limit = min(2, least)
    return Ending(limit, limit - min(limit, left), 0, 0)


def _plays_for_nothing(position: Position, racks: tuple[Rack, Rack]) -> bool:
    """Tell whether a play could score 0: a word of tiles worth nothing."""
    values = position.tile_set.values
    held = sum(not code or not values[code] for rack in racks for code in rack.tiles)
    lying = sum(
        bool(code) and (code & BLANK_FLAG != 0 or not values[code & ~BLANK_FLAG])
        for code in position.board.squares
    )
    return held > 0 and held + lying > 1


def end_bonus(rules: RuleSet, values: tuple[int, int], out: int | None) -> tuple[int, int]:
    """Return what the end of the game gives each player for the tiles left.

    `values` are the points of both racks, `out` the player who went out, None if the game ended otherwise.
    """
    if out is None:
        return -values[0], -values[1]
    left = values[1 - out]
    gain, loss = (2 * left, 0) if rules.ending == "double" else (left, -left)
    return (gain, loss) if out == 0 else (loss, gain)
