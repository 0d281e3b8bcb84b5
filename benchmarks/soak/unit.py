"""A process that starts again when it dies, as deploy/kibitz.service asks of systemd."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from benchmarks.load.servers import Running

if TYPE_CHECKING:
    from collections.abc import Sequence

STOP_SECONDS: Final = 80.0
"""How long a process has after SIGTERM: the longest of deploy/."""
KILL_SECONDS: Final = 5.0
RESTART_SECONDS: Final = 0.1
"""The pause before a restart, the default of systemd."""


@dataclass
class Unit:
    """Hold a process with its command, folder, environment and log; it leads a session of its own."""

    name: str
    command: Sequence[str]
    folder: Path
    environment: dict[str, str]
    log: Path
    restarts: int = 0
    _process: subprocess.Popen[bytes] | None = None
    _lock: Lock = field(default_factory=Lock)

    @property
    def pid(self) -> int:
        """The process id, 0 if it does not run."""
        return 0 if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the process."""
        with self._lock:
            self._start()

    def _start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - ourselves
                self.command,
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def watch(self) -> None:
        """Start the process again if it has died, without what it left of its session."""
        with self._lock:
            if self._process is not None and self._process.poll() is not None:
                self.signal_all(signal.SIGKILL)
                time.sleep(RESTART_SECONDS)
                self._start()
                self.restarts += 1  # last, because `crash` waits for it

    def crash(self, *, whole: bool = False) -> None:
        """Kill the process, or the whole session, and wait until `watch` has started it again."""
        restarts = self.restarts
        if whole:
            self.signal_all(signal.SIGKILL)
        else:
            os.kill(self.pid, signal.SIGKILL)
        while self.restarts == restarts:
            time.sleep(0.01)

    def stop(self) -> None:
        """End the process by SIGTERM; after STOP_SECONDS, and what is left then, by SIGKILL."""
        with self._lock:
            if self._process is None:
                return
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)
            self.signal_all(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def kill(self) -> None:
        """End the session at once, for good, and wait until it has ended."""
        with self._lock:
            if self._process is None:
                return
            self.signal_all(signal.SIGKILL)
            self._process.wait()
            until = time.monotonic() + KILL_SECONDS
            while len(self.session()) > 1 and time.monotonic() < until:
                time.sleep(0.01)
            self._process = None

    def signal_all(self, number: int) -> None:
        """Send a signal to all processes of the session, the process of a job among them."""
        for pid in self.session():
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def session(self) -> list[int]:
        """Return the ids of the processes of the session, the first one first, although it may have died."""
        if not self.pid:
            return []
        others = [pid for pid in _processes() if pid != self.pid and _session_of(pid) == self.pid]
        return [self.pid, *others]

    def pss_bytes(self) -> int:
        """Return the PSS of the process and its descendants."""
        return Running(0, self.pid).pss_bytes() if self.pid else 0


def _processes() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]


def _session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return 0
