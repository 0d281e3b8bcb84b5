"""What happened in a game, as values of text and numbers: the form in which a game is saved and replayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engine.records import EventKind
from engine.rules.game_end import BY_TIME
from engine.rules.time_control import NO_LIMITS

if TYPE_CHECKING:
    from engine.library.state import Step
    from engine.rules import BoardLayout, RuleSet, TileSet, TimeControl


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A move was made, and these tiles were drawn; `drawn` is None for those that follow from the seed.

    `seconds`: the time that the player took.
    """

    text: str
    drawn: str | None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Challenge:
    """The last play was challenged; `per`: whether points count for the "play" or for each "word".

    `seconds`: the time that the challenger took, if the challenge ended the turn.
    """

    per: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last play was taken back, whether its words are valid or not."""


@dataclass(frozen=True, slots=True)
class Bonus:
    """The last play was challenged and stood, and its player got points."""

    points: int


@dataclass(frozen=True, slots=True)
class TimePenalty:
    """A player lost points for overstepping the time."""

    player: int
    points: int


@dataclass(frozen=True, slots=True)
class TimeLost:
    """The player on turn lost the game after so many seconds for a move, because the time had run out."""

    seconds: float


Action: TypeAlias = MoveMade | Challenge | TakenBack | Bonus | TimePenalty | TimeLost


@dataclass(frozen=True, slots=True)
class SavedGame:
    """Hold everything of a game but its lexicon.

    `racks`: those dealt at the start; `actions`: what happened; `lines`: for each action the line of the
    record that it was read from, empty without a record; `levels`: of the computer players, None for people;
    `seconds`: the time that the player on turn has taken so far.
    """

    names: tuple[str, ...]
    tile_set: TileSet
    layout: BoardLayout
    rules: RuleSet
    racks: tuple[str, ...]
    actions: tuple[Action, ...]
    lines: tuple[int, ...] = ()
    seed: int = 0
    allow_phonies: bool = True
    levels: tuple[int | None, ...] = ()
    time: TimeControl = NO_LIMITS
    seconds: float = 0.0


def action_of(step: Step) -> Action:
    """Return what happened in a step of a game."""
    if step.move is not None:
        return MoveMade(str(step.move), str(step.drawn), step.seconds)
    if step.after.reason == BY_TIME:
        return TimeLost(step.seconds)
    if step.kind is EventKind.TIME:
        return TimePenalty(step.player, -step.points)
    if step.per:
        return Challenge(step.per, step.seconds)
    return TakenBack() if step.kind is EventKind.PHONY else Bonus(step.points)
