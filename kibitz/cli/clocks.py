"""Times in options (25m, 1m30s) and in the terminal (24:05), and an alarm while somebody types."""

from __future__ import annotations

import re
import signal
import sys
import termios
from contextlib import contextmanager
from math import floor
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any, Final

import click

from engine import MAX_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

_PARTS: Final = re.compile(r"(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?")


_LEAST: Final = 0.001
"""Seconds of the shortest alarm; 0 would mean none."""


class Duration(click.ParamType[float]):
    """Take a time such as 25m, 90s or 1h30m, and return its seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds; fail for another text, for 0 and for more than MAX_SECONDS."""
        found = _PARTS.fullmatch(str(value))
        hours, minutes, seconds = map(int, found.groups("0")) if found else (0, 0, 0)
        total = 3600 * hours + 60 * minutes + seconds
        if not 0 < total <= MAX_SECONDS:
            most = MAX_SECONDS // 3600
            self.fail(f"{value!r} is not a time such as 25m, 90s or 1h30m, at most {most}h.", param, ctx)
        return float(total)


def clock_text(seconds: float) -> str:
    """Return seconds as minutes and seconds, rounded down, such as 24:05 or -0:12."""
    rounded = floor(seconds)
    return f"{'-' * (rounded < 0)}{abs(rounded) // 60}:{abs(rounded) % 60:02}"


class TimeUp(Exception):  # noqa: N818 - the name says what happened
    """Time has run out while somebody was typing."""


@contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Raise TimeUp after `seconds` seconds and discard what was typed by then; None: never.

    Only the main thread gets signals; elsewhere nothing is raised.
    """
    if seconds is None or current_thread() is not main_thread():
        yield
        return

    def ring(*_: object) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(seconds, _LEAST))
        yield
    except TimeUp:
        if sys.stdin.isatty():
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
