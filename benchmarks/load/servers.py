"""The processes of a load test: `kibitz serve`, the constant route and Redis, pinned to cores."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.load.client import Wire

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT: Final = Path(__file__).parents[2]
KIBITZ: Final = (sys.executable, "-c", "from kibitz.cli import main; main()", "serve")
NULL: Final = (sys.executable, "-m", "benchmarks.load.null")
_START_SECONDS: Final = 120.0  # a table may have to be built first
_LAST_BYTES: Final = 2000
_PSS: Final = re.compile(r"^Pss: *(\d+) kB$", re.MULTILINE)
_GET: Final = b"GET /readyz HTTP/1.1\r\nHost: load\r\n\r\n"


class ServerError(Exception):
    """A server did not start; the text ends with its last output."""


@dataclass(frozen=True)
class Cores:
    """Hold the cores of the server, and those of client and Redis; empty sets: no pinning."""

    server: frozenset[int]
    client: frozenset[int]

    @classmethod
    def split(cls, server: int | None = None) -> Cores:
        """Give the server one core (by default the last) and the client all others of this process."""
        if not hasattr(os, "sched_getaffinity"):
            return cls(frozenset(), frozenset())
        all_cores = os.sched_getaffinity(0)
        if len(all_cores) < 2:
            return cls(frozenset(), frozenset())
        mine = max(all_cores) if server is None else server
        return cls(frozenset({mine}), frozenset(all_cores - {mine}))


@dataclass(frozen=True)
class Running:
    """Hold a server that answers on `port`."""

    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """Return the processor time of its running threads so far; 0 without /proc.

        Exact to the nanosecond while they wait for work, where /proc/PID/stat counts hundredths of seconds.
        """
        nanoseconds = 0
        for number in self._family():
            for task in Path(f"/proc/{number}/task").glob("*/schedstat"):
                with suppress(OSError):
                    nanoseconds += int(task.read_text().split()[0])
        return nanoseconds / 1e9

    def pss_bytes(self) -> int:
        """Return the proportional set size (PSS) of its processes together; 0 without /proc.

        A page that other programs map too counts in proportion.
        """
        kilobytes = 0
        for number in self._family():
            with suppress(OSError):
                found = _PSS.search(Path(f"/proc/{number}/smaps_rollup").read_text())
                kilobytes += int(found[1]) if found else 0
        return kilobytes * 1024

    def _family(self) -> list[int]:
        """Return the process and all that descend from it."""
        children: dict[int, list[int]] = {}
        for folder in Path("/proc").glob("[0-9]*"):
            if fields := _stat(int(folder.name)):
                children.setdefault(int(fields[1]), []).append(int(folder.name))
        family = [self.pid]
        for number in family:  # grows while it is walked
            family += children.get(number, [])
        return family


def _stat(number: int) -> list[str] | None:
    """Return the fields of /proc/PID/stat after the name: the state first; None without such a process."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None


@contextmanager
def serving(
    command: Sequence[str], cores: Cores, settings: dict[str, str], folder: Path = ROOT
) -> Iterator[Running]:
    """Run KIBITZ, NULL or the server of another checkout until the block ends; yields it when it is ready.

    Its environment has no KIBITZ_ variables except `settings`, KIBITZ_SIMD, and host and port, which are
    chosen here. Raises ServerError with its last output if it ends or is not ready within two minutes.
    """
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KIBITZ_")}
    if "KIBITZ_SIMD" in os.environ:
        environment["KIBITZ_SIMD"] = os.environ["KIBITZ_SIMD"]
    environment |= settings | {"KIBITZ_HOST": "127.0.0.1", "KIBITZ_PORT": str(port)}
    environment["PYTHONPATH"] = str(folder)
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(  # noqa: S603 - ourselves
            command,
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=partial(os.sched_setaffinity, 0, cores.server) if cores.server else None,
        )
        try:
            if not _becomes_ready(process, port):
                output.seek(0)
                last = output.read()[-_LAST_BYTES:].decode(errors="replace")
                raise ServerError(f"{command[-1]} did not start: {last}")
            yield Running(port, process.pid)
        finally:
            _stop(process)
            with suppress(OSError):  # a worker that outlives its master
                os.killpg(process.pid, signal.SIGKILL)


def _becomes_ready(process: subprocess.Popen[bytes], port: int) -> bool:
    give_up = time.monotonic() + _START_SECONDS
    while time.monotonic() < give_up and process.poll() is None:
        try:
            with Wire(port) as wire:
                if wire.ask(_GET).status == 200:
                    return True
        except OSError:
            pass
        time.sleep(0.05)
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def has_redis() -> bool:
    """Return whether there is a redis-server to start."""
    return shutil.which("redis-server") is not None


@contextmanager
def redis_running(cores: Cores) -> Iterator[str]:
    """Run a Redis without files on the cores of the client; yields its URL."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(  # noqa: S603
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],  # noqa: S607
            stdout=subprocess.DEVNULL,
            preexec_fn=partial(os.sched_setaffinity, 0, cores.client) if cores.client else None,
        )
        try:
            give_up = time.monotonic() + 10
            while time.monotonic() < give_up:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.02)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            _stop(process)


def free_port() -> int:
    """Return a port that is free at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
