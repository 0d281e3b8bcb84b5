"""What happened in a game, as text: the form in which games are saved and played again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.records import EventKind

if TYPE_CHECKING:
    from engine.library.state import Step
    from engine.rules import BoardLayout, RuleSet, TileSet


@dataclass(frozen=True, slots=True)
class Move:
    """A move, and the tiles drawn after it; None to draw as the seed of the game says."""

    text: str
    drawn: str | None


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge of the last play, to be judged; `per`: what its points are counted by."""

    per: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last play came off the board, whatever the lexicon says of it."""


@dataclass(frozen=True, slots=True)
class Bonus:
    """The last play was challenged in vain, for so many points."""

    points: int


@dataclass(frozen=True, slots=True)
class TimePenalty:
    """A player lost points for time."""

    player: int
    points: int


Action = Move | Challenge | TakenBack | Bonus | TimePenalty


@dataclass(frozen=True, slots=True)
class SavedGame:
    """Hold all of a game but its lexicon: what it was played with, and what happened.

    `racks`: those at the start. `lines`: for each action the line of the record that it was read from.
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


def action_of(step: Step) -> Action:
    """Return what happened in a step of a game, to be done again."""
    if step.move is not None:
        return Move(str(step.move), str(step.drawn))
    if step.kind is EventKind.TIME:
        return TimePenalty(step.player, -step.points)
    if step.per:
        return Challenge(step.per)
    return TakenBack() if step.kind is EventKind.PHONY else Bonus(step.points)
