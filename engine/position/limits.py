"""The limits of the parts of a position."""

from __future__ import annotations

import re
from typing import Final

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4
MAX_SCORE: Final = 99_999
MAX_ZERO_TURNS: Final = 99
MAX_TEXT: Final = 1000

UNWRITABLE: Final = re.compile(r"[;\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""What a text in a CGP cannot contain: ";", which ends it, control characters, lone surrogates."""
