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
    """Make a move and draw these tiles; None to draw as the seed of the game says."""

    text: str
    drawn: str | None


@dataclass(frozen=True, slots=True)
class Challenge:
    """Challenge the last play; `per`: what the points are counted by."""

    per: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Take the last play off the board, whatever the lexicon says of it."""


@dataclass(frozen=True, slots=True)
class Bonus:
    """Let the last play stand, and give its player points for the challenge."""

    points: int


@dataclass(frozen=True, slots=True)
class TimePenalty:
    """Take points off a player's final score for time."""

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
