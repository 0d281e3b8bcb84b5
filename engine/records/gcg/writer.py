"""Write a `GameRecord` as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import InvalidInput
from engine.messages import Text
from engine.records.gcg.reader import read_gcg
from engine.records.gcg.record import EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.records.gcg.record import Event, GameRecord


def format_gcg(record: GameRecord) -> str:
    """Write the canonical text of a record, to be encoded as UTF-8.

    It contains the encoding, players, pragmas, the events with their notes, and the last racks. Reading it
    gives the same record. Raises InvalidInput if the format cannot express the record, for example a nickname
    with a space in it.
    """
    text = "".join([f"{line}\n" for line in _lines(record)])
    if read_gcg(text).record != record:
        raise InvalidInput(
            Text("the game record contains a text that cannot be written as GCG"),
            code="unwritable_record",
            field="gcg",
        )
    return text


def _lines(record: GameRecord) -> Iterator[str]:
    yield "#character-encoding UTF-8"
    for place, player in enumerate(record.players, 1):
        yield f"#player{place} {player.nick} {player.name}".rstrip()
    for name, value in record.pragmas:
        yield f"#{name} {value}".rstrip()
    yield from _note(record.note)
    for event in record.events:
        yield _event(event, record)
        yield from _note(event.note)
        for name, value in event.pragmas:
            yield f"#{name} {value}".rstrip()
    for place, rack in enumerate(record.last_racks, 1):
        if rack:
            yield f"#rack{place} {rack}"


def _event(event: Event, record: GameRecord) -> str:
    if event.kind is EventKind.UNREADABLE:
        return event.text
    parts = [f">{record.players[event.player].nick}:", event.rack, _move(event), f"{event.score:+}"]
    if event.total is not None:
        parts.append(str(event.total))
    return " ".join([part for part in parts if part])


def _move(event: Event) -> str:
    match event.kind:
        case EventKind.PLAY:
            return f"{event.at} {event.text}"
        case EventKind.EXCHANGE:
            return f"-{event.text}"
        case EventKind.PASS:
            return "-"
        case EventKind.PHONY:
            return "--"
        case EventKind.CHALLENGE | EventKind.TIME:
            return f"({event.kind})"
        case _:
            return f"({event.text})"


def _note(note: str) -> Iterator[str]:
    """Yield the lines of a note; a line that would be read as an event or pragma begins with "#note"."""
    for number, line in enumerate(note.split("\n") if note else ()):
        yield line if number and not line.startswith((">", "#")) else f"#note {line}".rstrip()
