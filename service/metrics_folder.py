"""The folder in which prometheus-client adds up the metrics of several workers.

prometheus-client reads the variable when it is imported, so call `prepare` before. If the volume of the files
is full, SIGBUS kills the workers; see the runbook.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that turns on the multiprocess mode of prometheus-client."""


def prepare(workers: int, parent: str | None) -> None:
    """Empty the folder that the variable names, by default a new one in `parent`; one worker needs none."""
    if workers == 1:
        os.environ.pop(VARIABLE, None)
        return
    if VARIABLE not in os.environ:
        os.environ[VARIABLE] = tempfile.mkdtemp(prefix="kibitz-metrics-", dir=parent)
    Path(os.environ[VARIABLE]).mkdir(parents=True, exist_ok=True)
    _remove_files()


def remove() -> None:
    """Remove the folder at the end of the server."""
    if VARIABLE in os.environ:
        _remove_files()
        with suppress(OSError):  # it is a volume, or has other files
            Path(os.environ[VARIABLE]).rmdir()


def _remove_files() -> None:
    for file in Path(os.environ[VARIABLE]).glob("*.db"):
        file.unlink(missing_ok=True)
