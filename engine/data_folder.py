"""The folder for the tables of lexicons, where the caller names none."""

from __future__ import annotations

import os
from pathlib import Path


def default_data_folder() -> Path:
    """Return the folder that KIBITZ_DATA names, else `kibitz` in the user's cache folder.

    The cache folder is XDG_CACHE_HOME or else ~/.cache.
    """
    if data := os.environ.get("KIBITZ_DATA"):
        return Path(data).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "kibitz"
