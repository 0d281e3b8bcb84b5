"""Write a file of results so that no reader sees half of it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_complete(path: Path, data: bytes) -> None:
    """Write a file under a temporary name beside its place, and rename it; raise OSError if that fails."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
