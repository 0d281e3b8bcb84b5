"""A game record as data: who played, what the pragmas say, and the events in their order.

Racks and words stay the text of the record: which tiles they are depends on the tile set, which a record
often does not name. `engine.records.gcg.replay` turns them into moves and positions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from engine.errors import Fault

NOBODY: Final = -1
"""The player of an unreadable event."""

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4

# The pragmas of the format that hold one text each, in the order in which they are written.
HEADINGS: Final = (
    "title",
    "description",
    "id",
    "lexicon",
    "game-type",
    "board-layout",
    "tile-set",
    "tile-distribution",
    "incomplete",
)
HEADING_ORDER: Final = {name: index for index, name in enumerate(HEADINGS)}


class EventKind(StrEnum):
    """Name what an event is; the values are stable names for programs."""

    PLAY = "play"
    EXCHANGE = "exchange"
    PASS = "pass"  # noqa: S105 - no password
    PHONY = "phony"
    """The last play is taken back."""
    CHALLENGE = "challenge"
    """A bonus for a play that was challenged in vain."""
    END_BONUS = "end_bonus"
    """The points for the tiles that the others could not play."""
    END_PENALTY = "end_penalty"
    """The points lost for the tiles on the own rack."""
    TIME = "time"
    """The points lost for time."""
    UNREADABLE = "unreadable"
    """A line that is no event of the format; its text is kept."""


@dataclass(frozen=True, slots=True)
class LineFault(Fault):
    """Name one thing that is wrong, or was guessed, in a record, and its line, counted from 1.

    `warning` tells that the meaning was clear all the same. `field` is "gcg/12/rack": line and part. The
    line 0 is the record as a whole.
    """

    line: int = 0
    warning: bool = False


@dataclass(frozen=True, slots=True)
class PlayerName:
    """Hold a player's nickname, which the events use, and the full name, which may be empty."""

    nick: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """Hold one event as it was recorded.

    `player` counts from 0. `rack` is empty where it was not recorded. `at` is the coordinate of a play;
    `text` its word, the tiles (or their number) of an exchange, the tiles of an end bonus or penalty, or
    the whole of an unreadable line. `score` is what the event added, `total` the player's score after it,
    None where it was not recorded. `note` may hold several lines; `pragmas` are the (name, value) pairs
    that follow the event and that the format does not define.
    """

    kind: EventKind
    player: int
    rack: str = ""
    at: str = ""
    text: str = ""
    score: int = 0
    total: int | None = None
    note: str = ""
    pragmas: tuple[tuple[str, str], ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """Hold a whole record; immutable.

    `pragmas` are the (name, value) pairs of the heading, those of the format first and in its order, then
    the others; `last_racks` the tiles that each player holds at the end of a game that is not over, an
    empty text where unknown, always one a player.
    """

    players: tuple[PlayerName, ...]
    pragmas: tuple[tuple[str, str], ...] = ()
    note: str = ""
    events: tuple[Event, ...] = ()
    last_racks: tuple[str, ...] = ()
    last_rack_lines: tuple[int, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        ordered = sorted(self.pragmas, key=lambda pair: HEADING_ORDER.get(pair[0], len(HEADINGS)))
        object.__setattr__(self, "pragmas", tuple(ordered))
        count = len(self.players)
        object.__setattr__(self, "last_racks", (*self.last_racks, *[""] * count)[:count])
        object.__setattr__(self, "last_rack_lines", (*self.last_rack_lines, *[0] * count)[:count])

    def pragma(self, name: str) -> str | None:
        """Return the value of a pragma of the heading, the first if it was given twice, None if absent."""
        return next((value for key, value in self.pragmas if key == name), None)

    @property
    def title(self) -> str | None:
        """Return the title of the game, None if it has none."""
        return self.pragma("title")

    @property
    def lexicon(self) -> str | None:
        """Return the lexicon that the record names, None if it names none."""
        return self.pragma("lexicon")
