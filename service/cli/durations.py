"""Times in options and in the terminal: 25m, 1m30s; 24:05."""

from __future__ import annotations

import re
from typing import Any, Final

import click

from engine import MAX_SECONDS

_PARTS: Final = re.compile(r"(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?")


class Duration(click.ParamType[float]):
    """Take a time such as 25m, 90s or 1h30m, and return its seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds; fail for another text, for 0 and for more than MAX_SECONDS."""
        found = _PARTS.fullmatch(str(value))
        hours, minutes, seconds = map(int, found.groups("0")) if found else (0, 0, 0)
        total = 3600 * hours + 60 * minutes + seconds
        if not 0 < total <= MAX_SECONDS:
            self.fail(f"{value!r} is not a time such as 25m, 90s or 1h30m.", param, ctx)
        return float(total)


def clock_text(seconds: float) -> str:
    """Return seconds as minutes and seconds, rounded down, such as 24:05 or -0:12."""
    whole = int(seconds // 1)
    return f"{'-' * (whole < 0)}{abs(whole) // 60}:{abs(whole) % 60:02}"
