"""The configuration of gunicorn: `kibitz serve` runs `gunicorn -c python:service.gunicorn_conf`.

The master loads the application once and forks the workers, which share its memory. After SIGTERM /readyz
fails for `drain_seconds` while requests are still answered; then gunicorn stops in its usual way.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from gunicorn.glogging import Logger  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from service import metrics_folder
from service.logs import get_logger, logging_config
from service.settings import Settings, SettingsError

if TYPE_CHECKING:
    from types import FrameType

    from flask import Flask
    from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]
    from gunicorn.http.message import Request  # type: ignore[import-untyped]
    from gunicorn.workers.base import Worker  # type: ignore[import-untyped]

_settings = Settings.from_environment()
_host = _settings.host
_address = _host if _host.startswith("unix:") or ":" not in _host else f"[{_host}]"


class ErrorLogger(Logger):  # type: ignore[misc]
    """Log gunicorn's own events; the application logs the requests."""

    def access(self, *_: object) -> None:
        """Do nothing: formatting an access line takes 0.04 ms, and no handler writes it."""


class ClosingWorker(ThreadWorker):  # type: ignore[misc]
    """Close the port when no more connections are accepted.

    gunicorn closes it only after the last request in flight: until then new clients would be connected, wait,
    and be reset, while a refused one goes to another server at once.
    """

    def set_accept_enabled(self, enabled: bool) -> None:
        """Accept connections or stop accepting, for good if the worker is to end."""
        super().set_accept_enabled(enabled)
        if not enabled and not self.alive:
            for listener in self.sockets:
                listener.close()


wsgi_app = "service.gunicorn_conf:application()"
logger_class = ErrorLogger
bind = [_address if _host.startswith("unix:") else f"{_address}:{_settings.port}"]
workers = _settings.workers
worker_class = ClosingWorker
threads = _settings.threads
preload_app = True
timeout = 120
graceful_timeout = _settings.graceful_seconds
keepalive = 5
limit_request_line = 8190  # the maximum of gunicorn, so that a CGP fits in the query
logconfig_dict = logging_config(_settings.log_level)
proc_name = "kibitz"
control_socket_disable = True
# For the heartbeat files of the workers, and by default their metrics: memory that little else fills.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108

# BLAS would start a thread for each core; the service does not need them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def application() -> Flask:
    """Return the application; the master calls this once, before it forks the workers.

    Exits with a message of one line if the lexicon or the file of keys cannot be opened.
    """
    metrics_folder.prepare(workers, worker_tmp_dir)
    from engine import EngineError
    from service.app import create_app

    try:
        return create_app(_settings)
    except (EngineError, SettingsError) as error:
        metrics_folder.remove()
        sys.exit(f"Error: {error}")
    except KeyboardInterrupt:  # a table was being built
        metrics_folder.remove()
        sys.exit(130)


def post_fork(server: Arbiter, worker: Worker) -> None:
    """End a new worker at a signal, until it has its own handlers: it has inherited those of the master."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, lambda number, frame: os._exit(0))


def when_ready(server: Arbiter) -> None:
    """Log the URL; let SIGTERM fail /readyz for `drain_seconds` before the server stops.

    A second SIGTERM stops it at once. A closed terminal sends SIGHUP, which reloads gunicorn; a server on a
    terminal stops instead.
    """
    from service.state import draining

    gc.collect()
    gc.freeze()  # a collection in a worker would copy the memory pages that it shares with the master

    def drain(number: int, frame: FrameType | None) -> None:
        seconds = 0 if draining.value else _settings.drain_seconds
        draining.value = 1
        timer = Timer(seconds, server.signal, (signal.SIGTERM, frame))
        timer.daemon = True
        timer.start()

    signal.signal(signal.SIGTERM, drain)
    if os.isatty(0):
        signal.signal(signal.SIGHUP, drain)
    for listener in server.LISTENERS:
        get_logger("kibitz").info("ready", url=str(listener))


def post_worker_init(worker: Worker) -> None:
    """Let signals end the worker at once, and verify the tables again: they may have been damaged before a
    crash. On a terminal, the first worker prints the address to open.
    """
    from service.state import EXTENSION
    from service.traces import start_export

    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, _end_worker)
    start_export()
    state = worker.wsgi.extensions[EXTENSION]
    state.catalogue.verify_open()
    state.metrics.start_worker()
    is_first = worker.age == 1
    if is_first and not _host.startswith("unix:") and sys.stderr.isatty():
        print(f"Open {worker.sockets[0]}/", file=sys.stderr)


def _end_worker(number: int, frame: FrameType | None) -> None:
    """End a worker: the repair of a fault of gunicorn.

    ThreadWorker.handle_quit waits for a lock of the thread pool, which the interrupted thread may hold.
    Ctrl-C sends two signals, by the terminal and by the master: the second would interrupt the end.
    """
    for each in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(each, lambda number, frame: os._exit(0))
    sys.exit(0)


def pre_request(worker: Worker, request: Request) -> None:
    """Close the connection after a request whose body is too long to read, and announce it in the answer.

    Without this, gunicorn announces keep-alive and then closes the connection.
    """
    headers: dict[str, str] = dict(request.headers)
    length = headers.get("CONTENT-LENGTH", "0")
    if "TRANSFER-ENCODING" in headers or not length.isdigit() or int(length) > _settings.max_batch_bytes:
        request.force_close()


def child_exit(server: Arbiter, worker: Worker) -> None:
    """Remove the gauges of a worker that has ended."""
    if metrics_folder.VARIABLE in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def worker_exit(server: Arbiter, worker: Worker) -> None:
    """Stop the jobs and table builds of this process, because it would otherwise wait for the jobs."""
    from service.state import EXTENSION
    from service.traces import stop_export

    application: Any = worker.wsgi
    if application is None:
        return
    state = application.extensions[EXTENSION]
    state.tables.close()
    if state.jobs is not None:
        state.jobs.close()
    stop_export()


def on_exit(server: Arbiter) -> None:
    """Remove the metrics files."""
    metrics_folder.remove()
