"""Print text that came from a file: control characters are shown, and nothing is read as markup.

A player's name may hold escape sequences, which a terminal would obey, or "[red]", which rich would.
"""

from __future__ import annotations

import re
import sys
from typing import Final

import click
from rich.text import Text

from engine import printable

_RAW_IN_JSON: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""The control characters that JSON may hold as they are; it escapes those below 0x20 itself."""


def shown(text: str) -> str:
    """Return text with its control characters escaped, line by line."""
    return "\n".join(map(printable, text.split("\n")))


def plain(text: str, style: str = "") -> Text:
    """Return text for rich, which reads no markup in it."""
    return Text(shown(text), style)


def echo_json(encoded: bytes) -> None:
    """Print JSON with its control characters escaped: other bytes, the same values."""
    escaped = _RAW_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", encoded.decode())
    click.echo(escaped.encode(), nl=not escaped.endswith("\n"))


def echo_record(text: str) -> None:
    """Print a record: as it is into a file or a pipe, with its control characters shown on a terminal."""
    click.echo((shown(text) if sys.stdout.isatty() else text).encode(), nl=False)
