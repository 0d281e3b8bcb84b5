"""A clock that can be stepped, for the processes of one host; that of this machine is not touched.

libfaketime 0.9.10 cannot be used: with it, `time.sleep` of Python 3.11 fails, which sleeps until a moment of
the monotonic clock.
"""

from __future__ import annotations

import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPILER: Final = "cc"
SOURCE: Final = Path(__file__).with_name("stepped_clock.c")


class Clock:
    """The time of day of the processes whose command begins with `words`."""

    def __init__(self, folder: Path) -> None:
        """Compile the library that shifts the time into a folder; raises CalledProcessError."""
        library = folder / "stepped_clock.so"
        command = [COMPILER, "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
        subprocess.run(command, check=True)
        self._shift = folder / "clock"
        self._write(0)
        self.words = ["env", f"LD_PRELOAD={library}", f"SOAK_CLOCK={self._shift}"]

    @contextmanager
    def stepped(self, seconds: int) -> Iterator[None]:
        """Step the clock by some seconds, and back at the end of the block."""
        self._write(seconds)
        try:
            yield
        finally:
            self._write(0)

    def _write(self, seconds: int) -> None:
        """Write into the file, which the processes have mapped."""
        with self._shift.open("r+b" if self._shift.exists() else "wb") as file:
            file.write(seconds.to_bytes(8, "little", signed=True))
