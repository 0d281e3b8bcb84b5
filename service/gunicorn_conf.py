"""The configuration of gunicorn: `kibitz serve` runs `gunicorn -c python:service.gunicorn_conf`.

The master loads the application once and forks the workers, which share its memory. After SIGTERM /readyz
fails for `drain_seconds` while requests are still answered; then gunicorn stops in its usual way.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any, Final

from gunicorn.glogging import Logger  # type: ignore[import-untyped]

from service.logs import get_logger, logging_config
from service.settings import Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from flask import Flask
    from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]
    from gunicorn.http.message import Request  # type: ignore[import-untyped]
    from gunicorn.workers.base import Worker  # type: ignore[import-untyped]

    Handler = Callable[[int, FrameType | None], None]

METRICS_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that turns on the multiprocess mode of prometheus-client."""

_settings = Settings.from_environment()
_host = _settings.host
_address = _host if _host.startswith("unix:") or ":" not in _host else f"[{_host}]"


class ErrorLogger(Logger):  # type: ignore[misc]
    """Log gunicorn's own events; the application logs the requests."""

    def access(self, *_: object) -> None:
        """Do nothing: formatting an access line takes 0.04 ms, and no handler writes it."""


wsgi_app = "service.gunicorn_conf:application()"
logger_class = ErrorLogger
bind = [_address if _host.startswith("unix:") else f"{_address}:{_settings.port}"]
workers = _settings.workers
worker_class = "gthread"
threads = _settings.threads
preload_app = True
timeout = 120
graceful_timeout = _settings.graceful_seconds
keepalive = 5
limit_request_line = 8190  # the maximum of gunicorn, so that a CGP fits in the query
logconfig_dict = logging_config(_settings.log_level)
proc_name = "kibitz"
control_socket_disable = True
if Path("/dev/shm").is_dir():  # noqa: S108 - the heartbeat files of the workers need no disk
    worker_tmp_dir = "/dev/shm"  # noqa: S108

# BLAS would start a thread for each core; the service does not need them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def application() -> Flask:
    """Return the application; the master calls this once, before it forks the workers.

    Exits with a message of one line if the lexicon or the file of keys cannot be opened.
    """
    _prepare_metrics_folder()
    from engine import EngineError
    from service.app import create_app

    try:
        return create_app(_settings)
    except (EngineError, SettingsError) as error:
        _remove_metrics_folder()
        sys.exit(f"Error: {error}")
    except KeyboardInterrupt:  # a table was being built
        _remove_metrics_folder()
        sys.exit(130)


def _prepare_metrics_folder() -> None:
    """Create an empty folder for the files of prometheus-client; one worker needs none.

    If the volume of these files is full, SIGBUS kills the workers; see the runbook.
    """
    if _settings.workers == 1:
        os.environ.pop(METRICS_FOLDER, None)
        return
    if METRICS_FOLDER not in os.environ:
        os.environ[METRICS_FOLDER] = tempfile.mkdtemp(prefix="kibitz-metrics-")
    folder = Path(os.environ[METRICS_FOLDER])
    folder.mkdir(parents=True, exist_ok=True)
    _remove_metrics_files(folder)


def _remove_metrics_files(folder: Path) -> None:
    for file in folder.glob("*.db"):
        file.unlink(missing_ok=True)


def _remove_metrics_folder() -> None:
    if METRICS_FOLDER in os.environ:
        folder = Path(os.environ[METRICS_FOLDER])
        _remove_metrics_files(folder)
        with suppress(OSError):  # the folder is a volume, or has other files
            folder.rmdir()


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

    def in_master(handler: Handler) -> Handler:
        """Return a handler that runs `handler` in the master only, and ends a new worker.

        A worker has the handlers of the master until it installs its own. With them it would put the signal
        into its copy of the master's queue, and the master would wait for the worker.
        """

        def handle(number: int, frame: FrameType | None) -> None:
            if os.getpid() != server.pid:
                sys.exit(0)
            handler(number, frame)

        return handle

    signal.signal(signal.SIGTERM, in_master(drain))
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, in_master(server.signal))
    if os.isatty(0):
        signal.signal(signal.SIGHUP, in_master(drain))
    for listener in server.LISTENERS:
        get_logger("kibitz").info("ready", url=str(listener))


def post_worker_init(worker: Worker) -> None:
    """Let signals end the worker at once, and verify the tables again: they may have been damaged before a
    crash.
    """
    from service.state import EXTENSION
    from service.traces import start_export

    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, _end_worker)
    start_export()
    state = worker.wsgi.extensions[EXTENSION]
    state.catalogue.verify_open()
    state.metrics.start_worker()


def _end_worker(number: int, frame: FrameType | None) -> None:
    """End a worker.

    gunicorn's own handler would wait for a lock of the thread pool, which the interrupted thread may hold.
    Ctrl-C sends two signals, one by the terminal and one by the master: the second would interrupt the end.
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
    if METRICS_FOLDER in os.environ:
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
    _remove_metrics_folder()
