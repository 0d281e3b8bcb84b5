"""The faults and warnings that the reader and the referee find in a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import params_of
from engine.messages import Text, message
from engine.records.gcg.record import EVENT, LINE, LineFault

if TYPE_CHECKING:
    from engine.errors import Params

MAX_FAULTS: Final = 100
"""The largest number of faults, and of warnings, in one list."""


_PLACES: Final = {LINE: message("line {line}: {fault}"), EVENT: message("event {line}: {fault}")}


class FaultList:
    """Collect faults and warnings, each with its line; the first MAX_FAULTS of each are stored."""

    def __init__(self, unit: str = LINE) -> None:
        """Begin with no faults; `unit`: what their numbers count, LINE or EVENT."""
        self._place = _PLACES[unit]
        self._found: dict[bool, list[LineFault]] = {False: [], True: []}

    def add(
        self,
        code: str,
        sentence: str,
        line: int,
        part: str = "",
        *,
        warning: bool = False,
        params: Params | None = None,
    ) -> None:
        """Add a fault or a warning; its message begins with the line, unless that is 0, the record."""
        found = self._found[warning]
        if len(found) < MAX_FAULTS:
            field = "/".join([name for name in ("gcg", str(line) if line else "", part) if name])
            detail = Text(self._place, line=line, fault=sentence) if line else sentence
            values = dict(params_of(sentence) if params is None else params)
            values = {"line": line, **values} if line else values
            found.append(LineFault(code, detail, field, line, warning, params=values))

    def extend(self, found: list[LineFault]) -> None:
        """Add faults that were found before the lines were read."""
        for fault in found:
            self._found[fault.warning].append(fault)

    def has(self, code: str, line: int) -> bool:
        """Return whether a line has a fault with this code."""
        return any(fault.line == line and fault.code == code for fault in self._found[False])

    @property
    def faults(self) -> tuple[LineFault, ...]:
        """Return the faults in the order of the lines."""
        return tuple(self._found[False])

    @property
    def warnings(self) -> tuple[LineFault, ...]:
        """Return the warnings in the order of the lines."""
        return tuple(self._found[True])
