"""Run `kibitz serve` and `kibitz worker` as processes of the tests, on free ports."""

from __future__ import annotations

import http.client
import json
import os
import pty
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).parents[2]

PATIENCE = 60.0
"""Seconds of a busy machine after which an answer, a start or an end is considered not to come."""

SERVE = "from kibitz.cli import main; main()"

# A shell that starts the tests with & has SIGINT ignored, which every child would inherit.
KIBITZ = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {SERVE}"


def free_port() -> int:
    """Return a port that is free at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def environment(data: Path) -> dict[str, str]:
    """Return the variables of a server with the small lexicon that drains for no time."""
    return {**os.environ, "KIBITZ_DATA": str(data), "KIBITZ_LEXICON": "small", "KIBITZ_DRAIN_SECONDS": "0"}


@contextmanager
def on_terminal(data: Path) -> Iterator[tuple[subprocess.Popen[bytes], int, int]]:
    """Run `kibitz serve` on a terminal; gives the process, its port and our end of the terminal."""
    port = free_port()
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, "serve", "--port", str(port)],
        cwd=ROOT,
        env=environment(data),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield process, port, ours
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(ours)


class Server:
    """A running `kibitz serve`: the process is gunicorn's master, its children are the workers."""

    def __init__(self, data: Path, wrapper: Sequence[str] = (), **settings: str) -> None:
        """Start it with these variables; `wrapper` is a command that runs the one that follows it."""
        self.port = free_port()
        mine = {
            "KIBITZ_DATA": str(data),
            "KIBITZ_LEXICON": "small",
            "KIBITZ_SEARCHES": "4",
            "KIBITZ_DRAIN_SECONDS": "0",
            "KIBITZ_REDIS_TIMEOUT_MS": "1000",  # a busy machine may take longer than the default
            **settings,
        }
        others = {name: value for name, value in os.environ.items() if not name.startswith("KIBITZ_")}
        passed = {name: os.environ[name] for name in ("KIBITZ_SIMD", "KIBITZ_DEBUG") if name in os.environ}
        command = [
            *wrapper,
            sys.executable,
            "-c",
            KIBITZ,
            "serve",
            "--port",
            str(self.port),
        ]
        self._out = tempfile.TemporaryFile()  # noqa: SIM115 - a full pipe would block it
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=others | passed | mine,
            stdout=self._out,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                assert self.ask("GET", "/readyz")[0] == 200
            except OSError:
                assert self.process.poll() is None, self.process.communicate()[1].decode()
                assert time.monotonic() < deadline
                time.sleep(0.02)
            else:
                return

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        connection = self.connect()
        try:
            if isinstance(body, dict):
                body, headers = json.dumps(body), {"Content-Type": "application/json", **(headers or {})}
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()
        finally:
            connection.close()

    def metric(self, sample: str) -> float:
        """Return the sum of the samples of /metrics that begin with `sample`; 0 if there are none."""
        lines = self.ask("GET", "/metrics")[2].decode().splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(sample))

    def workers(self) -> list[int]:
        """Return the process ids of its workers, the oldest first."""
        return sorted(children(self.process.pid))

    def raw(self, data: bytes) -> tuple[int, dict[str, str], dict[str, Any]]:
        """Send bytes as they are; return status, headers and JSON of the first answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(data)
            response = http.client.HTTPResponse(connection)
            response.begin()
            return (
                response.status,
                {k.lower(): v for k, v in response.getheaders()},
                json.loads(response.read()),
            )

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, list[dict[str, Any]], str]:
        """Stop it; return the exit code, the logged lines and the standard error."""
        self.process.send_signal(number)
        return self.result()

    def result(self) -> tuple[int, list[dict[str, Any]], str]:
        """Wait for its exit; return the same as `stop`."""
        _, err = self.process.communicate(timeout=PATIENCE)
        with self._out:
            self._out.seek(0)
            lines = [json.loads(line) for line in self._out]
        return self.process.returncode, lines, err.decode()

    def kill(self) -> None:
        """Kill it and its workers, which would outlive their master."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        self._out.close()


class Worker:
    """A running `kibitz worker`, in a session of its own."""

    def __init__(self, data: Path, redis_url: str, **settings: str) -> None:
        mine = {"KIBITZ_DATA": str(data), "KIBITZ_LEXICON": "small", "KIBITZ_REDIS_URL": redis_url}
        others = {name: value for name, value in os.environ.items() if not name.startswith("KIBITZ_")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", KIBITZ, "worker"],
            cwd=ROOT,
            env=others | mine | settings,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    def children(self) -> list[int]:
        """Return the process ids of those that run its jobs."""
        return children(self.process.pid)

    def kill(self) -> None:
        """Kill it and the processes that it has forked."""
        for number in [self.process.pid, *self.children()]:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        self.process.wait()


def children(parent: int) -> list[int]:
    """Return the ids of a process's children, zombies excepted."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):  # it has exited
            state, its_parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
            if int(its_parent) == parent and state != "Z":
                found.append(int(folder.name))
    return found


def wait_until(holds: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until `holds` returns True; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "timed out"
        time.sleep(0.02)


@contextmanager
def running(data: Path, wrapper: Sequence[str] = (), **settings: str) -> Iterator[Server]:
    """Run a server with these variables; see `Server`."""
    server = Server(data, wrapper, **settings)
    try:
        server.wait()
        yield server
    finally:
        server.kill()
