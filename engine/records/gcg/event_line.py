"""Split an event line of a record, such as ">nick: RACK 8D WO.D +12 44", into its parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from engine.errors import excerpt
from engine.messages import Text
from engine.records.gcg.record import EventKind

if TYPE_CHECKING:
    from engine.errors import Params

    Oddity: TypeAlias = tuple[str, str, Params]
    """A deviation from the format that does not prevent reading: its code, a sentence, and its values."""

LINE: Final = re.compile(r">(\S+):(?=\s|\Z)(.*)", re.DOTALL)
COORDINATE: Final = re.compile(r"(?:[1-9][0-9]?[A-Za-z]|[A-Za-z][1-9][0-9]?)\Z")
UNKNOWN_RACK: Final = "UNKNOWN"
"""What some programs write for a rack that they do not know."""
NUMBER: Final = re.compile(r"[+-]?[0-9]{1,6}\Z")


class Parts(NamedTuple):
    """Hold the parts of an event line.

    `rest` is the text after the cumulative score, where some programs list the words that cross the play.
    """

    nick: str
    kind: EventKind
    rack: str
    at: str
    text: str
    score: int
    total: int | None
    rest: str
    oddities: tuple[Oddity, ...]


class NoEventError(Exception):
    """A line is not an event; `params` contain the line, a stable reason, and the values of the sentence."""

    def __init__(self, sentence: str, reason: str, line: str, **values: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.params: Params = {"text": excerpt(line), "reason": reason, **values}


def split_event(line: str) -> Parts:
    """Split an event line; raise NoEventError if it is not one."""
    match = LINE.match(line)
    if match is None:
        raise NoEventError(
            Text("'{line}' does not begin with '>', a nickname and ':'", line=excerpt(line)),
            "no_nickname",
            line,
        )
    nick, tail = match.groups()
    parts = tail.split()
    # A move begins with a coordinate, a dash or a parenthesis; a part before it is the rack. A rack that
    # looks like a coordinate is followed by the coordinate and a word.
    second = len(parts) > 2 and COORDINATE.match(parts[1]) and not NUMBER.match(parts[2])
    order = (1, 0) if second else (0, 1)
    start = next((place for place in order if place < len(parts) and _begins_move(parts[place])), None)
    if start is None:
        raise NoEventError(
            Text(
                "'{line}' has no move such as '8D WORD', '-ABC', '-', '--', '(challenge)' or '(TILES)'",
                line=excerpt(line),
            ),
            "no_move",
            line,
        )
    rack = parts[0] if start and parts[0] != UNKNOWN_RACK else ""
    at, text, end = "", parts[start], start + 1
    if COORDINATE.match(text):
        if len(parts) == end or NUMBER.match(parts[end]):
            raise NoEventError(
                Text("'{line}' contains no word after {text}", line=excerpt(line), text=text),
                "no_word",
                line,
                square=text,
            )
        at, text, end = text, parts[end], end + 1
    score, total, end, oddities = _numbers(parts, end)
    if score is None and text not in ("-", "--"):
        sentence = Text("'{line}' contains no score after '{text}'", line=excerpt(line), text=excerpt(text))
        raise NoEventError(sentence, "no_score", line, move=excerpt(text))
    kind = EventKind.PLAY
    if not at:
        kind, text = _other(text, score or 0, rack)
    rest = " ".join(parts[end:])
    if rest:
        sentence = Text("'{text}' after the scores was read as a note", text=excerpt(rest))
        oddities = (*oddities, ("trailing_text", sentence, {"text": excerpt(rest)}))
    return Parts(nick, kind, rack, at, text, score or 0, total, rest, oddities)


def _begins_move(part: str) -> bool:
    return part[0] == "-" or (part[0] == "(" and part[-1] == ")") or COORDINATE.match(part) is not None


def _numbers(parts: list[str], start: int) -> tuple[int | None, int | None, int, tuple[Oddity, ...]]:
    """Return score, cumulative score, the place after them, and their oddities."""
    score = parts[start] if len(parts) > start else ""
    total = parts[start + 1] if len(parts) > start + 1 else ""
    if not NUMBER.match(score):
        return None, None, start, (("missing_score", Text("the event has no score"), {}),)
    oddities: tuple[Oddity, ...] = ()
    if score[0] not in "+-":
        oddities = (
            ("unsigned_score", Text("the score {score} has no sign", score=score), {"score": int(score)}),
        )
    if not NUMBER.match(total):
        return (
            int(score),
            None,
            start + 1,
            (*oddities, ("missing_total", Text("there is no cumulative score"), {})),
        )
    return int(score), int(total), start + 2, oddities


def _other(text: str, score: int, rack: str) -> tuple[EventKind, str]:
    """Return kind and text of an event that is not a play."""
    if text[0] == "-":
        kind = {"-": EventKind.PASS, "--": EventKind.PHONY}.get(text, EventKind.EXCHANGE)
        return kind, text[1:] if kind is EventKind.EXCHANGE else ""
    inner = text[1:-1]
    if inner.lower() == "challenge":
        return EventKind.CHALLENGE, ""
    if inner.lower() == "time":
        return EventKind.TIME, ""
    return EventKind.END_PENALTY if score < 0 or (rack and score == 0) else EventKind.END_BONUS, inner
