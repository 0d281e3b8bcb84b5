"""Read the text of a record into a `GameRecord`, and report every fault and every guess.

Checks that need a tile set or a board are those of `engine.records.gcg.replay`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput, excerpt
from engine.messages import Text, message
from engine.records.gcg.encoding import decode
from engine.records.gcg.event_line import UNKNOWN_RACK, NoEventError, split_event
from engine.records.gcg.fault_list import FaultList
from engine.records.gcg.game_history import is_history, read_history
from engine.records.gcg.record import (
    EVENT,
    HEADING_ORDER,
    MAX_EVENTS,
    MIN_PLAYERS,
    NOBODY,
    Event,
    EventKind,
    GameRecord,
    LineFault,
)
from engine.records.gcg.roster import Roster

if TYPE_CHECKING:
    from engine.errors import Params
    from engine.records.gcg.event_line import Parts

PRAGMA: Final = re.compile(r"#(\S*)\s?(.*)", re.DOTALL)
PLAYER: Final = re.compile(r"player([0-9])\Z")
LAST_RACK: Final = re.compile(r"rack([0-9])\Z")
ENCODING: Final = "character-encoding"


@dataclass(frozen=True, slots=True)
class GcgReading:
    """Hold a record, its encoding, and its faults and warnings by line."""

    record: GameRecord
    encoding: str
    faults: tuple[LineFault, ...]
    warnings: tuple[LineFault, ...]


def read_gcg(data: bytes | str) -> GcgReading:
    """Read a record, unreadable events included, and report every fault by line.

    A text that is JSON is read as a GameHistory (`game_history`); its faults are numbered by event. Raises
    InvalidInput only if the record is too long or has more than MAX_EVENTS events (code "too_many_events").
    """
    decoded = decode(data)
    if is_history(decoded.lines):
        found = FaultList(EVENT)
        found.extend([fault for fault in decoded.faults if not fault.warning])
        record = read_history("\n".join(decoded.lines), found)
        return GcgReading(record, decoded.encoding, found.faults, found.warnings)
    reader = _RecordReader()
    reader.found.extend(decoded.faults)
    for number, line in enumerate(decoded.lines, 1):
        reader.take(line, number)
    record = reader.record()
    return GcgReading(record, decoded.encoding, reader.found.faults, reader.found.warnings)


def parse_gcg(data: bytes | str) -> GameRecord:
    """Read a record without faults; raise InvalidInput with all of them, each naming its line."""
    reading = read_gcg(data)
    if reading.faults:
        raise InvalidInput.collected(reading.faults)
    return reading.record


class _RecordReader:
    """Build a record from its lines, one at a time."""

    def __init__(self) -> None:
        self.found = FaultList()
        self._roster = Roster(self.found)
        self._headings: list[tuple[str, str]] = []
        self._heading_lines: list[int] = []
        # The values of each pragma of the format, in their order; a dict, because a record can repeat one
        # often.
        self._given: dict[str, dict[str, None]] = {}
        self._heading_note: list[str] = []
        self._events: list[Event] = []
        self._last_racks: dict[int, tuple[str, int]] = {}
        # The last event (parts, player, line number, line); its note and pragmas follow. None in the heading.
        self._current: tuple[Parts | None, int, int, str] | None = None
        self._note: list[str] = self._heading_note
        self._pragmas: list[tuple[str, str]] = []
        self._in_note = False
        self._foreign: tuple[int, str] | None = None  # the first line that is not part of a game record

    def take(self, line: str, number: int) -> None:
        """Read one line; raise InvalidInput if the record has too many events."""
        first = line[:1]
        if first == ">":
            if len(self._events) + (self._current is not None) >= MAX_EVENTS:
                raise InvalidInput(
                    Text(
                        "line {line}: a record has at most {limit} events, and more follow here",
                        line=number,
                        limit=MAX_EVENTS,
                    ),
                    code="too_many_events",
                    field=f"gcg/{number}",
                )
            self._event(line, number)
        elif first == "#":
            self._pragma(line, number)
        elif self._in_note:
            self._note.append(line.rstrip())
        elif stripped := line.strip():
            if stripped[0] in ">#":
                self._warn("indented_line", Text("the line is indented"), number)
                self.take(stripped, number)
                return
            self._foreign = self._foreign or (number, stripped)
            sentence = Text("'{text}' was read as a note", text=excerpt(stripped))
            self._warn("stray_text", sentence, number)
            self._note.append(stripped)
            self._in_note = True

    def record(self) -> GameRecord:
        """Return the record read so far."""
        self._close_event()
        if not self._roster.players and not self._events:
            number, line = self._foreign or (0, "")
            template = message(
                "this is not a game record: it declares no player (#player1) and has no turn (>)"
            )
            if line:
                template = message(
                    "this is not a game record: it begins with '{text}', declares no player (#player1) and "
                    "has no turn (>)"
                )
            self._report("empty_record", Text(template, text=excerpt(line)), number)
        elif len(self._roster.players) < MIN_PLAYERS:
            count = len(self._roster.players)
            detail = Text(
                "a game has at least {least} players, but the record names {count}",
                least=MIN_PLAYERS,
                count=count,
            )
            self._report("missing_player", detail, 0)
        racks = [self._last_racks.get(player, ("", 0)) for player in range(len(self._roster.players))]
        return GameRecord(
            players=tuple(self._roster.players),
            pragmas=tuple(self._headings),
            pragma_lines=tuple(self._heading_lines),
            note=_joined(self._heading_note),
            events=tuple(self._events),
            last_racks=tuple([rack for rack, _ in racks]),
            last_rack_lines=tuple([line for _, line in racks]),
        )

    def _report(
        self, code: str, sentence: str, line: int, part: str = "", *, params: Params | None = None
    ) -> None:
        self.found.add(code, sentence, line, part, params=params)

    def _warn(
        self, code: str, sentence: str, line: int, part: str = "", *, params: Params | None = None
    ) -> None:
        self.found.add(code, sentence, line, part, warning=True, params=params)

    def _event(self, line: str, number: int) -> None:
        if self._last_racks:
            self._demote_last_racks(number)
        self._close_event()
        self._note, self._pragmas, self._in_note = [], [], False
        try:
            parts = split_event(line)
        except NoEventError as error:
            self._report("unreadable_event", error.sentence, number, params=error.params)
            self._current = (None, NOBODY, number, line.rstrip())
        else:
            player = self._roster.player_of(parts, number)
            for code, sentence, values in parts.oddities:
                self._warn(code, sentence, number, params=values)
            self._current = (None if player == NOBODY else parts, player, number, line.rstrip())
            if parts.rest and player != NOBODY:
                self._note.append(parts.rest)

    def _demote_last_racks(self, number: int) -> None:
        """Treat racks that an event follows as pragmas of the event before them."""
        self._report(
            "event_after_last_rack", Text("an event follows the racks at the end of the game"), number
        )
        for player, (rack, line) in self._last_racks.items():
            if self._current is None:
                self._add_heading(f"rack{player + 1}", rack, line)
            else:
                self._pragmas.append((f"rack{player + 1}", rack))
        self._last_racks.clear()

    def _close_event(self) -> None:
        if self._current is None:
            return
        parts, player, number, line = self._current
        note, pragmas = _joined(self._note), tuple(self._pragmas)
        if parts is None:
            event = Event(EventKind.UNREADABLE, player, text=line, note=note, pragmas=pragmas, line=number)
        else:
            event = Event(
                parts.kind, player, parts.rack, parts.at, parts.text, parts.score, parts.total, note, pragmas,
                number,
            )  # fmt: skip
        self._events.append(event)
        self._current = None

    def _pragma(self, line: str, number: int) -> None:
        match = PRAGMA.match(line)
        assert match is not None  # noqa: S101 - for the type checker; the line begins with "#"
        name, value = match.groups()
        known = name.lower()
        if known == "note":
            self._note.append(value.rstrip())
            self._in_note = True
            return
        self._in_note = False
        value = value.strip()
        if PLAYER.match(known):
            self._roster.declare(int(known[-1]), value, number)
        elif LAST_RACK.match(known):
            self._last_rack(int(known[-1]), value, number)
        elif known in HEADING_ORDER:
            self._heading(known, value, number)
        elif known == ENCODING:
            if number > 1:
                detail = Text("the encoding must be declared in the first line")
                self._warn("late_encoding", detail, number, ENCODING)
        elif self._current is None:
            self._foreign = self._foreign or (number, line.rstrip())
            self._add_heading(name, value, number)
        else:
            self._pragmas.append((name, value))

    def _heading(self, name: str, value: str, number: int) -> None:
        earlier = self._given.setdefault(name, {})
        if value in earlier:
            sentence = Text("#{pragma} is given twice", pragma=name)
            self._warn("redundant_pragma", sentence, number, name)
            return
        if earlier:
            first = next(iter(earlier))
            sentence = Text("#{pragma} is given twice, first as '{first}'", pragma=name, first=excerpt(first))
            self._report("redundant_pragma", sentence, number, name)
        elif self._current is not None and name != "incomplete":
            sentence = Text("#{pragma} comes after an event", pragma=name)
            self._warn("late_pragma", sentence, number, name)
        earlier[value] = None
        self._add_heading(name, value, number)

    def _add_heading(self, name: str, value: str, number: int) -> None:
        self._headings.append((name, value))
        self._heading_lines.append(number)

    def _last_rack(self, place: int, value: str, number: int) -> None:
        field = f"rack{place}"
        if not 1 <= place <= len(self._roster.players):
            self._report("unknown_player", Text("there is no player {player}", player=place), number, field)
        elif len(value.split()) > 1:
            sentence = Text("'{text}' is not a rack", text=excerpt(value))
            self._report("bad_rack", sentence, number, field)
        elif place - 1 in self._last_racks:
            sentence = Text("#{pragma} is given twice", pragma=field)
            self._report("redundant_pragma", sentence, number, field)
        elif value and value != UNKNOWN_RACK:
            self._last_racks[place - 1] = (value, number)


def _joined(lines: list[str]) -> str:
    """Return the lines of a note as one text, without empty lines at its end."""
    return "\n".join(lines).rstrip()
