"""Where the tables of lexicons are stored if the caller does not say."""

from __future__ import annotations

import os
from pathlib import Path


def default_data_folder() -> Path:
    """Return the folder `kibitz` in the user's cache: under XDG_CACHE_HOME, else under ~/.cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "kibitz"
