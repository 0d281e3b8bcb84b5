"""The steps of a game: moves, and what follows from challenges, penalties and lost time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.errors import IllegalMove, InvalidInput
from engine.library.analysis import judge
from engine.library.position import Position
from engine.messages import Text
from engine.position import Exchange, GameState, Pass, Play, Rack
from engine.position.game_state import BY_CHALLENGE, FORFEITS
from engine.position.player import NO_TILES
from engine.records import EventKind
from engine.rules.game_end import BY_TIME, RESIGNED

if TYPE_CHECKING:
    from engine.analysis import Judgement
    from engine.position import Move

State: TypeAlias = GameState[Position]

KINDS: Final = {Play: EventKind.PLAY, Exchange: EventKind.EXCHANGE, Pass: EventKind.PASS}


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a game: a move, a play taken back, an unsuccessful challenge, or a time penalty.

    `player`: the number of the player whose score it changes; `points`: by how much; `drawn`: the tiles drawn
    after a move; `per`: what the points of a challenge counted for, "" if the play was not judged; `seconds`:
    the time that the player on turn took for it.
    """

    kind: EventKind
    player: int
    before: State
    after: State
    move: Move | None = None
    points: int = 0
    drawn: Rack = NO_TILES
    per: str = ""
    seconds: float = 0.0


def move_made(
    state: State, move: Move | str, drawn: str | None, seed: int, seconds: float, *, phonies: bool
) -> Step:
    """Return the step of a move that took some seconds; arguments and errors are those of `Game.play`."""
    if state.reason is not None:
        raise IllegalMove(Text("the game is over"), code="game_over", field="move")
    found, error = state.position.read_move(move)
    if error is not None and not phonies:
        raise error
    given = None if drawn is None else Rack.from_text(drawn, state.position.tile_set.alphabet, "drawn")
    tiles = state.draw(found, seed, given)
    assert tiles is not None  # noqa: S101 - the bag is known
    points = found.score if isinstance(found, Play) else 0
    after = state.after(found, tiles)
    return Step(KINDS[type(found)], state.on_turn, state, after, found, points, tiles, seconds=seconds)


def challenged(state: State, play: Step, per: str) -> tuple[Judgement, Step | None]:
    """Return the judgement of a play, and the step that follows from its challenge by the player on turn.

    The step is None if the play is taken back as if it had not been made, and its player moves again.
    """
    assert play.move is not None  # noqa: S101 - for the type checker
    judgement = judge(play.before.position, play.move, per=per)
    outcome = judgement.consequence
    if outcome.play_again:
        return judgement, None
    lost_by = {"player": play.player, "challenger": state.on_turn}.get(outcome.game_lost_by or "")
    if not outcome.play_stands:
        return judgement, taken_back(state, play, per, lost_by)
    loses_turn = outcome.turn_lost_by is not None
    return judgement, standing(state, play, outcome.bonus, per, lost_by, loses_turn=loses_turn)


def taken_back(state: State, play: Step, per: str = "", lost_by: int | None = None) -> Step:
    """Return the step that takes a play back; `lost_by`: the player who loses the game by it."""
    assert isinstance(play.move, Play)  # noqa: S101 - for the type checker
    after = _lost(play.before.taken_back(play.move), lost_by)
    return Step(EventKind.PHONY, play.player, state, after, points=-play.points, per=per)


def standing(
    state: State,
    play: Step,
    bonus: int,
    per: str = "",
    lost_by: int | None = None,
    *,
    loses_turn: bool = False,
) -> Step:
    """Return the step after which a challenged play stands, with a bonus for its player."""
    after = state.with_bonus(play.player, bonus)
    if loses_turn and state.reason is None:
        after = after.after(Pass(), NO_TILES)
    after = _lost(after, lost_by)
    return Step(EventKind.CHALLENGE, play.player, state, after, points=bonus, per=per)


def penalized(state: State, player: int, points: int) -> Step:
    """Return the step that takes points off a player's final score; raises as `Game.penalize`."""
    if state.reason is None or state.reason in FORFEITS:
        raise IllegalMove(Text("time is penalized after the last move"), code="early_time_penalty")
    if not 0 <= player < len(state.penalties) or points <= 0:
        raise InvalidInput(
            Text("player {player} cannot lose {points} points for time", player=player, points=points),
            code="bad_time_penalty",
        )
    if state.penalties[player] is not None:
        raise IllegalMove(Text("this player has a time penalty already"), code="duplicate_time_penalty")
    penalties = (*state.penalties[:player], points, *state.penalties[player + 1 :])
    after = replace(state, penalties=penalties)
    return Step(EventKind.TIME, player, state, after, points=-points)


def lost_on_time(state: State, seconds: float) -> Step:
    """Return the step by which the player on turn loses the game by time; raise IllegalMove."""
    if state.reason is not None:
        raise IllegalMove(Text("the game is over"), code="game_over")
    after = state.lost(BY_TIME, state.on_turn)
    return Step(EventKind.TIME, state.on_turn, state, after, seconds=seconds)


def resigned(state: State, player: int, seconds: float) -> Step:
    """Return the step by which a player gives up the game; raise IllegalMove."""
    if state.reason is not None:
        raise IllegalMove(Text("the game is over"), code="game_over")
    # A record has no event for it, as for a game lost on time.
    return Step(EventKind.TIME, player, state, state.lost(RESIGNED, player), seconds=seconds)


def _lost(state: State, lost_by: int | None) -> State:
    return state if lost_by is None else state.lost(BY_CHALLENGE, lost_by)
