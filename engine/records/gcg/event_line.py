"""One event line of a record: ">nick: RACK 8D WO.D +12 44" and its kin, taken apart."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from engine.errors import quoted
from engine.records.gcg.record import EventKind

LINE: Final = re.compile(r">(\S+):(?=\s|\Z)(.*)", re.DOTALL)
COORDINATE: Final = re.compile(r"(?:[1-9][0-9]?[A-Za-z]|[A-Za-z][1-9][0-9]?)\Z")
NUMBER: Final = re.compile(r"[+-]?[0-9]{1,6}\Z")
MAX_PARTS: Final = 5
"""The most parts between blanks that an event has after the nickname: rack, coordinate, word, two numbers."""


class Parts(NamedTuple):
    """What stands in an event line; `oddities` are (code, sentence) pairs of what was read all the same."""

    nick: str
    kind: EventKind
    rack: str
    at: str
    text: str
    score: int
    total: int | None
    oddities: tuple[tuple[str, str], ...] = ()


class NoEventError(Exception):
    """Say why a line is no event; the sentence is its text."""


def split_event(line: str) -> Parts:
    """Take an event line apart; raise NoEventError if it is none."""
    match = LINE.match(line)
    if match is None:
        raise NoEventError(f"{quoted(line)} does not begin with '>', a nickname and ':'")
    nick, rest = match.groups()
    parts = rest.split(None, MAX_PARTS)
    parts, score, total, oddities = _numbers(parts)
    if not parts:
        raise NoEventError(f"{quoted(line)} holds no move")
    if len(parts) > 1 and COORDINATE.match(parts[-2]):
        kind, at, text = EventKind.PLAY, parts[-2], parts[-1]
        racks = parts[:-2]
    else:
        at, racks = "", parts[:-1]
        kind, text = _other(parts[-1], score, bool(racks), line)
    if len(racks) > 1:
        raise NoEventError(f"{quoted(' '.join(racks))} is no rack")
    return Parts(nick, kind, racks[0] if racks else "", at, text, score or 0, total, oddities)


def _numbers(
    parts: list[str],
) -> tuple[list[str], int | None, int | None, tuple[tuple[str, str], ...]]:
    """Split score and total off the end; a number with a plus sign is never a total."""
    last = parts[-1] if parts else ""
    before = parts[-2] if len(parts) > 1 else ""
    if NUMBER.match(last) and NUMBER.match(before) and last[0] != "+":
        if before[0] in "+-":
            return parts[:-2], int(before), int(last), ()
        oddity = ("unsigned_score", f"the score {before} has no sign")
        return parts[:-2], int(before), int(last), (oddity,)
    if NUMBER.match(last) and last[0] in "+-" and before:
        return parts[:-1], int(last), None, (("missing_total", "the event has no cumulative score"),)
    if last in ("-", "--"):
        return parts, None, None, (("missing_score", "the event has no score"),)
    raise NoEventError(f"{quoted(' '.join(parts))} does not end in a score and a cumulative score")


def _other(text: str, score: int | None, has_rack: bool, line: str) -> tuple[EventKind, str]:
    """Tell kind and text of an event that is no play."""
    if text == "-":
        return EventKind.PASS, ""
    if text == "--":
        return EventKind.PHONY, ""
    if text[0] == "-":
        return EventKind.EXCHANGE, text[1:]
    if text[0] == "(" and text[-1] == ")" and len(text) > 2:
        inner = text[1:-1]
        if inner.lower() == "challenge":
            return EventKind.CHALLENGE, ""
        if inner.lower() == "time":
            return EventKind.TIME, ""
        loses = score is not None and score < 0
        return EventKind.END_PENALTY if loses or (has_rack and not score) else EventKind.END_BONUS, inner
    raise NoEventError(
        f"{quoted(line)} holds no move such as '8D WORD', '-ABC', '-', '--', '(challenge)' or '(TILES)'"
    )
