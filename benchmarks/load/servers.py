"""The processes of a load test: `kibitz serve`, the null route and Redis, each on cores of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.load.client import Wire

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT: Final = Path(__file__).parents[2]
KIBITZ: Final = ("-c", "from service.cli import main; main()", "serve")
NULL: Final = ("-m", "benchmarks.load.null")
_START_SECONDS: Final = 120.0  # a table may have to be built first
_GET: Final = b"GET /readyz HTTP/1.1\r\nHost: load\r\n\r\n"


class ServerError(Exception):
    """Report a server that did not start; the text is what it said last."""


@dataclass(frozen=True)
class Cores:
    """Say which cores the server has, and which are left to client and Redis; no set: no pinning."""

    server: frozenset[int]
    client: frozenset[int]

    @classmethod
    def split(cls, server: int | None = None) -> Cores:
        """Give the server one core (the last, unless told) and the client all others of this process."""
        if not hasattr(os, "sched_getaffinity"):
            return cls(frozenset(), frozenset())
        all_cores = os.sched_getaffinity(0)
        if len(all_cores) < 2:
            return cls(frozenset(), frozenset())
        mine = max(all_cores) if server is None else server
        return cls(frozenset({mine}), frozenset(all_cores - {mine}))


@dataclass(frozen=True)
class Running:
    """A server that answers on `port`."""

    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """Return the processor time that its processes have taken so far; 0 without /proc."""
        ticks = 0
        for number in self._family():
            fields = _stat(number)
            ticks += int(fields[11]) + int(fields[12]) if fields else 0
        return ticks / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self) -> int:
        """Return the resident memory of its processes, shared pages counted in each; 0 without /proc."""
        pages = 0
        for number in self._family():
            path = Path(f"/proc/{number}/statm")
            if path.exists():
                pages += int(path.read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def _family(self) -> list[int]:
        family = [self.pid]
        for folder in Path("/proc").glob("[0-9]*"):
            fields = _stat(int(folder.name))
            if fields and int(fields[1]) == self.pid:
                family.append(int(folder.name))
        return family


def _stat(number: int) -> list[str] | None:
    """Return the fields of /proc/PID/stat after the name: the state first; None if the process is gone."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None


@contextmanager
def serving(command: Sequence[str], cores: Cores, settings: dict[str, str]) -> Iterator[Running]:
    """Run KIBITZ or NULL with these KIBITZ_ settings alone, wait until it is ready; stop it at the end.

    Raises ServerError with what it said if it ends, or is not ready in two minutes.
    """
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KIBITZ_")}
    if "KIBITZ_SIMD" in os.environ:
        environment["KIBITZ_SIMD"] = os.environ["KIBITZ_SIMD"]
    environment |= settings | {"KIBITZ_PORT": str(port), "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(  # noqa: S603 - ourselves
            [sys.executable, *command],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=said,
            preexec_fn=partial(os.sched_setaffinity, 0, cores.server) if cores.server else None,
        )
        try:
            if not _becomes_ready(process, port):
                said.seek(0)
                raise ServerError(
                    f"{command[-1]} did not start: {said.read()[-2000:].decode(errors='replace')}"
                )
            yield Running(port, process.pid)
        finally:
            _stop(process)


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
    """Tell whether there is a redis-server to start."""
    return shutil.which("redis-server") is not None


@contextmanager
def redis_running(cores: Cores) -> Iterator[str]:
    """Run a Redis that keeps nothing on disk, beside the client; yields its URL."""
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
    """Return a port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
