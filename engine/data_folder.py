"""The default folder for the tables of lexicons."""

from __future__ import annotations

import os
from pathlib import Path


def default_data_folder() -> Path:
    """Return the folder `kibitz` in the user's cache folder, which is XDG_CACHE_HOME or else ~/.cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "kibitz"
