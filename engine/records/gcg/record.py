"""A game record as data: the players, the pragmas and the events in their order.

Racks and words are text, because which tiles they are depends on the tile set, which many records do not
name. `engine.records.gcg.replay` turns them into moves and positions.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from engine.errors import Fault
from engine.rules.time_control import is_seconds

if TYPE_CHECKING:
    from collections.abc import Collection

SECONDS: Final = "seconds"
"""The pragma after an event that says how many seconds the turn took, such as "#seconds 12.5"."""

LINE: Final = "line"
EVENT: Final = "event"
"""What `Event.line` counts in a record of lines, and in one of JSON."""

MAX_EVENTS: Final = 300
"""The largest number of events of a record; a game of 100 tiles has fewer than 150, phonies included."""

NOBODY: Final = -1
"""The player of an unreadable event."""

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4

# The pragmas of the format that have one text as value, in the order in which they are written.
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
    """The kind of an event; the values are stable names for programs."""

    PLAY = "play"
    EXCHANGE = "exchange"
    PASS = "pass"  # noqa: S105 - no password
    PHONY = "phony"
    """The last play is withdrawn."""
    CHALLENGE = "challenge"
    """A bonus for a play whose challenge failed."""
    END_BONUS = "end_bonus"
    """The points for the tiles that the others could not play."""
    END_PENALTY = "end_penalty"
    """The points lost for the tiles on the player's own rack."""
    TIME = "time"
    """The points lost for time."""
    UNREADABLE = "unreadable"
    """A line that is not an event of the format; the event contains its text."""


@dataclass(frozen=True, slots=True)
class LineFault(Fault):
    """Describe a fault or a guess in a record, with its line, counted from 1; line 0 is the record itself.

    `warning` is true if the meaning was clear nevertheless. `field` is line and part, such as "gcg/12/rack".
    """

    line: int = 0
    warning: bool = False


@dataclass(frozen=True, slots=True)
class PlayerName:
    """Hold a player's nickname, which events use, and full name, which may be empty."""

    nick: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """Hold one event as it was recorded.

    `player` counts from 0. `rack` is empty if it was not recorded. `at` is the coordinate of a play. `text`
    is the word of a play, the tiles (or their number) of an exchange, the tiles of an end bonus or penalty,
    or an unreadable line. `score` is the points of the event, `total` the player's score after it, None if it
    was not recorded. `note` may have several lines. `pragmas` are the (name, value) pairs after the event
    that the format does not define.
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

    @property
    def seconds(self) -> float | None:
        """The seconds that the turn took, None if the record does not say it."""
        text = next((value for name, value in self.pragmas if name.lower() == SECONDS), "")
        try:
            seconds = float(text)
        except ValueError:
            return None
        return seconds if is_seconds(seconds) else None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """Hold a game record; immutable.

    `pragmas` are the (name, value) pairs of the heading: first those of the format, in its order, then the
    others. `last_racks` contains one text for each player: the tiles at the end of a record whose game is not
    over, empty if they are unknown. `unit`: what `Event.line` counts, LINE or EVENT.
    """

    players: tuple[PlayerName, ...]
    pragmas: tuple[tuple[str, str], ...] = ()
    note: str = ""
    events: tuple[Event, ...] = ()
    last_racks: tuple[str, ...] = ()
    last_rack_lines: tuple[int, ...] = field(default=(), compare=False)
    pragma_lines: tuple[int, ...] = field(default=(), compare=False)
    unit: str = field(default=LINE, compare=False)

    def __post_init__(self) -> None:
        lines = (*self.pragma_lines, *[0] * len(self.pragmas))
        ordered = sorted(
            zip(self.pragmas, lines, strict=False),
            key=lambda one: HEADING_ORDER.get(one[0][0], len(HEADINGS)),
        )
        object.__setattr__(self, "pragmas", tuple([pragma for pragma, _ in ordered]))
        object.__setattr__(self, "pragma_lines", tuple([line for _, line in ordered]))
        count = len(self.players)
        object.__setattr__(self, "last_racks", (*self.last_racks, *[""] * count)[:count])
        object.__setattr__(self, "last_rack_lines", (*self.last_rack_lines, *[0] * count)[:count])

    def pragma(self, name: str) -> str | None:
        """Return the first value of a pragma of the heading, None if there is none."""
        return next((value for key, value in self.pragmas if key == name), None)

    def pragma_line(self, name: str) -> int:
        """Return the line of the first pragma with a name, 0 if it has none."""
        named = zip(self.pragmas, self.pragma_lines, strict=True)
        return next((line for (key, _), line in named if key == name), 0)

    def without(self, names: Collection[str]) -> GameRecord:
        """Return the record without the pragmas of the heading that have these names."""
        given = zip(self.pragmas, self.pragma_lines, strict=True)
        left = [(pragma, line) for pragma, line in given if pragma[0] not in names]
        pragmas, lines = [pragma for pragma, _ in left], [line for _, line in left]
        return replace(self, pragmas=tuple(pragmas), pragma_lines=tuple(lines))

    @property
    def title(self) -> str | None:
        """The title of the game, None if it has none."""
        return self.pragma("title")

    @property
    def lexicon(self) -> str | None:
        """The lexicon that the record names, None if it names none."""
        return self.pragma("lexicon")
