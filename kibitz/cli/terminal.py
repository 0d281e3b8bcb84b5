"""Print text from files: control characters are escaped, and nothing is read as markup.

A player's name may contain escape sequences for the terminal, or "[red]", which is markup to rich.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Final

import click
import orjson
from rich.text import Text

from engine import printable
from kibitz.cli.language import reader_language

if TYPE_CHECKING:
    from service.problem_objects import ProblemObject

_RAW_IN_JSON: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""The control characters that JSON may contain as they are; orjson escapes those below 0x20."""


def shown(text: str) -> str:
    """Return text with its control characters escaped, line by line."""
    return "\n".join(map(printable, text.split("\n")))


def plain(text: str, style: str = "") -> Text:
    """Return text for rich to print as it is, without reading markup in it."""
    return Text(shown(text), style)


def echo_json(encoded: bytes) -> None:
    """Print JSON with its control characters escaped, which does not change its values."""
    escaped = _escaped(encoded)
    click.echo(escaped.encode(), nl=not escaped.endswith("\n"))


def _escaped(encoded: bytes) -> str:
    return _RAW_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", encoded.decode())


def echo_problem(problem: ProblemObject) -> None:
    """Print a problem object of the API on standard error, a line in the language of the command."""
    encoded = orjson.dumps(problem.body(language=reader_language()))
    click.echo(_escaped(encoded), err=True)


def echo_record(text: str) -> None:
    """Print a game record: unchanged to a file or pipe, with control characters escaped to a terminal."""
    click.echo((shown(text) if sys.stdout.isatty() else text).encode(), nl=False)
