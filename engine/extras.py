"""Extras: packages that only some features need."""

from __future__ import annotations

import sys


def install_command(extra: str) -> str:
    """Return the shell command that adds an extra of kibitz to this Python, also in a checkout."""
    return f"{sys.executable} -m pip install 'kibitz[{extra}]'"
