"""The only server: gunicorn with threads, started in this process.

One process results (service.alone), or with several workers these and their master, which imports nothing
but this module and the settings, so it stays small; a worker imports the engine and opens the lexicon. On
SIGTERM /readyz fails first, for `drain_seconds`, while requests are still taken; then the port closes and the
requests in flight are finished.
"""

from __future__ import annotations

import gc
import io
import itertools
import json
import logging
import mmap
import os
import signal
import socket
import struct
import sys
import time
from queue import Empty
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]
from gunicorn.glogging import Logger  # type: ignore[import-untyped]
from gunicorn.util import write_nonblock  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from service.observability.logs import JsonFormatter
from service.observability.sharing import MetricsFolder
from service.protection.rates import RateTable

if TYPE_CHECKING:
    from flask import Flask

    from service.settings import Settings

# The longest request line that gunicorn can be told to take; a CGP fits in its query.
LONGEST_LINE = 8190

# What the codes of `service.problems` are for requests that never reach the application.
_CODES = {
    400: "bad_request",
    403: "forbidden",
    414: "uri_too_long",
    417: "expectation_failed",
    431: "headers_too_large",
}

_INTERRUPTS = (signal.SIGINT, signal.SIGQUIT)


class DrainFlag:
    """One byte shared by the master, which sets it, and its workers, which read it."""

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, 1)  # anonymous and shared: children of a fork see the same byte

    def set(self) -> None:
        """Tell the workers that the server is about to stop."""
        self._page[0] = 1

    def __call__(self) -> bool:
        """Tell whether the server is about to stop."""
        return self._page[0] == 1


class JsonLogger(Logger):  # type: ignore[misc]
    """Write gunicorn's own messages as JSON lines like all others; the application logs the requests."""

    def setup(self, cfg: Any) -> None:
        """Set the level and the only handler."""
        super().setup(cfg)
        handler = logging.StreamHandler(sys.stdout)
        handler.setFormatter(JsonFormatter())
        self.error_log.handlers[:] = [handler]

    def exception(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Log an exception; that a client fell silent is no error of ours."""
        if isinstance(sys.exception(), BlockingIOError):
            self.debug("a client fell silent")
        else:
            super().exception(msg, *args, **kwargs)


class Worker(ThreadWorker):  # type: ignore[misc]
    """Give no thread to a client that has fallen silent, and answer what is no HTTP with a problem."""

    metrics_slot: int

    def handle(self, conn: Any) -> Any:
        """Answer the next request of a connection; give it up if nothing comes or goes for `stall_seconds`.

        The limit is the kernel's, for gunicorn sets none of its own and makes the socket blocking. To the
        application a body cut off by it looks like one whose client has gone: 400.
        """
        seconds = self.app.settings.stall_seconds
        for silence in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            conn.sock.setsockopt(socket.SOL_SOCKET, silence, struct.pack("ll", seconds, 0))
        if self.app.drain_flag():
            self.max_keepalived = 0  # so that each answer tells its client to connect elsewhere next time
        return super().handle(conn)

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Leave at once; gunicorn's own way takes a lock that the code interrupted here may hold already."""
        os._exit(0)

    def set_accept_enabled(self, enabled: bool) -> None:
        """Close the port when the worker is stopping: a new connection would wait only to be reset."""
        super().set_accept_enabled(enabled)
        if not self.alive:
            for listener in self.sockets:
                listener.close()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Let gunicorn log the error and choose the status, then answer in our own words."""
        answer = _Recorder()
        super().handle_error(req, answer, addr, exc)
        status = answer.status()
        # Transfer encodings that gunicorn does not know are the client's fault too, not ours.
        status, code = (
            (411, "length_required") if status == 501 else (status, _CODES.get(status, "internal_error"))
        )
        try:
            write_nonblock(client, _raw_problem(status, code))
        except OSError:
            self.log.debug("the client is gone")


class _Recorder:
    """Stand in for the client's socket while gunicorn writes its page of HTML."""

    def __init__(self) -> None:
        self._text = io.BytesIO()
        self.blocking = True

    def sendall(self, data: bytes) -> None:
        self._text.write(data)

    def gettimeout(self) -> float:
        return 0.0

    def setblocking(self, flag: bool) -> None:
        self.blocking = flag

    def status(self) -> int:
        words = self._text.getvalue().split(None, 2)
        return int(words[1]) if len(words) > 1 and words[1].isdigit() else 400


def _raw_problem(status: int, code: str) -> bytes:
    """Write a whole HTTP response without Flask, which may know nothing of this connection."""
    from http import HTTPStatus

    phrase = HTTPStatus(status).phrase
    detail = "the request is not HTTP that this server reads" if status < 500 else "an unexpected error"
    request_id = uuid4().hex
    body = json.dumps(
        {
            "type": "about:blank",
            "title": phrase,
            "status": status,
            "code": code,
            "detail": detail,
            "errors": [],
            "request_id": request_id,
        }
    ).encode()
    head = (
        f"HTTP/1.1 {status} {phrase}\r\nConnection: close\r\nContent-Type: application/problem+json\r\n"
        f"X-Content-Type-Options: nosniff\r\nX-Request-ID: {request_id}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("ascii") + body


class _Master(Arbiter):  # type: ignore[misc]
    """Drain before stopping."""

    drain_flag: DrainFlag
    drain_seconds: float

    def handle_term(self) -> None:
        """Fail /readyz, keep answering for a while, then stop as gunicorn does."""
        self.drain_flag.set()
        deadline = time.monotonic() + self.drain_seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                if self.SIG_QUEUE.get(timeout=left) in _INTERRUPTS:
                    break  # somebody is in a hurry
            except Empty:
                break
        super().handle_term()


class _Server(BaseApplication):  # type: ignore[misc]
    """Configure gunicorn from the settings alone: no files, no command line, no environment of its own."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.drain_flag = DrainFlag()
        self.metrics = MetricsFolder()
        self.rates = RateTable()
        super().__init__()

    def load_config(self) -> None:
        settings = self.settings
        host = (
            f"[{settings.host}]"
            if ":" in settings.host and not settings.host.startswith("unix:")
            else settings.host
        )
        bind = host if host.startswith("unix:") else f"{host}:{settings.port}"
        options = {
            "bind": [bind],
            "workers": settings.workers,
            "worker_class": Worker,
            "threads": settings.server_threads,
            # The time for building a table, too: a worker that is building one does not say that it is alive.
            "timeout": 600,
            "post_worker_init": lambda worker: worker.log.info(
                "Ready: %s", worker.cfg.settings["bind"].get()[0]
            ),
            "pre_fork": _choose_slot,
            "post_fork": lambda _, worker: self.metrics.join(worker.metrics_slot),
            "child_exit": lambda _, worker: self.metrics.bury(worker.metrics_slot),
            "graceful_timeout": settings.graceful_seconds,
            "keepalive": 5,
            "limit_request_line": LONGEST_LINE,
            "logger_class": JsonLogger,
            "loglevel": settings.log_level,
            "control_socket_disable": True,
            "worker_tmp_dir": "/dev/shm" if os.path.isdir("/dev/shm") else None,  # noqa: S108, PTH112
            "proc_name": "kibitz",
        }
        for name, value in options.items():
            if name in self.cfg.settings:  # older gunicorns have no control socket to disable
                self.cfg.set(name, value)

    def load(self) -> Flask:
        """Build the application; called in each worker, so that the master never imports it."""
        from engine import EngineError
        from service.allocator import return_freed_memory
        from service.app import create_app
        from service.settings import SettingsError

        return_freed_memory()
        try:
            app = create_app(self.settings, is_draining=self.drain_flag, rates=self.rates)
        except (EngineError, SettingsError) as error:
            print(f"Error: {error}", file=sys.stderr, flush=True)
            sys.exit(Arbiter.APP_LOAD_ERROR)
        # What is here now stays; the collector need not look through it again every few requests.
        gc.collect()
        gc.freeze()
        return app

    def run(self) -> None:
        try:
            master = _Master(self)
            master.drain_flag = self.drain_flag
            master.drain_seconds = self.settings.drain_seconds
            master.run()
        finally:
            self.metrics.remove()


def _choose_slot(master: Arbiter, worker: Worker) -> None:
    """Give a new worker the first slot of the metrics that no living one counts in."""
    taken = {other.metrics_slot for other in master.WORKERS.values()}
    worker.metrics_slot = next(slot for slot in itertools.count() if slot not in taken)


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT; the process ends in here.

    A worker that cannot open its lexicon says why on standard error, and the process ends with code 4.
    """
    # BLAS would start a thread per core and reserve memory for each; nothing here needs it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    serve(_Server(settings))


def serve(server: _Server) -> None:
    """Serve in this process, or with several workers in those of a master; the process ends in here."""
    if server.settings.workers > 1:
        server.run()
    else:
        from service.alone import run_alone

        run_alone(server)
