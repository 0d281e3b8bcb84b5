"""Where the workers of one server count: files in memory, a few for each worker, read by whoever is asked.

The files are prometheus-client's. Its own way names them after processes, and those of the dead pile up;
here a worker takes over the files of a dead one and counts on, so a counter never falls and nothing piles up.
The master of gunicorn imports this module, so it stays light.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which prometheus-client knows the folder; set in the workers alone."""

_PREFIX: Final = "kibitz-metrics-"


class MetricsFolder:
    """Make a folder for the files, and remove those that killed servers have left behind.

    A folder whose lock is held has a living server; the lock is the kernel's and goes with the last process.
    """

    def __init__(self, parent: Path | None = None) -> None:
        memory = Path("/dev/shm")  # noqa: S108 - the folder in it is ours alone
        self._parent = parent or (memory if os.access(memory, os.W_OK) else Path(tempfile.gettempdir()))
        for old in self._parent.glob(f"{_PREFIX}*"):
            with suppress(OSError):
                lock = _locked(old)
                shutil.rmtree(old, ignore_errors=True)
                os.close(lock)
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=self._parent))
            with suppress(OSError):  # another server, starting just now, may have found it without its lock
                self._lock = _locked(self.path)
                if self.path.exists():
                    break
        self._owner = os.getpid()

    def join(self, slot: int) -> None:
        """Count in the files of `slot` from now on; to be called in a worker, before anything is counted."""
        os.environ[FOLDER] = str(self.path)
        from prometheus_client import values

        from service.observability.cells import cells_of

        values.ValueClass = cells_of(self.path, slot)

    def bury(self, slot: int) -> None:
        """Forget the gauges of a dead worker; what it has counted stays."""
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(slot, str(self.path))  # type: ignore[no-untyped-call]

    def remove(self) -> None:
        """Remove the folder; does nothing in another process than the one that made it."""
        if os.getpid() == self._owner:
            shutil.rmtree(self.path, ignore_errors=True)


def _locked(folder: Path) -> int:
    """Lock a folder and return the descriptor that holds the lock; raises OSError if another has it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
