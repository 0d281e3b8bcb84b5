"""The configuration of gunicorn: `kibitz serve` runs `gunicorn -c python:service.gunicorn_conf`.

The master loads the application once and forks the workers, which share its memory. On SIGTERM /readyz fails
for `drain_seconds` while requests are still answered; then gunicorn stops as it always does.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from service.logs import logging_config
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

wsgi_app = "service.gunicorn_conf:application()"
bind = [_address if _host.startswith("unix:") else f"{_address}:{_settings.port}"]
workers = _settings.workers
worker_class = "gthread"
threads = _settings.threads
preload_app = True
timeout = 120
graceful_timeout = _settings.graceful_seconds
keepalive = 5
limit_request_line = 8190  # the largest that gunicorn allows: a CGP fits in the query
logconfig_dict = logging_config(_settings.log_level)
proc_name = "kibitz"
control_socket_disable = True
if Path("/dev/shm").is_dir():  # noqa: S108 - the heartbeat files of the workers need no disk
    worker_tmp_dir = "/dev/shm"  # noqa: S108

# BLAS would start a thread per core and reserve memory for each; nothing here needs it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
if _settings.workers > 1:
    # prometheus-client adds up the workers' files here. A full volume kills workers by SIGBUS: the runbook
    # says how to give it one of its own.
    _folder = Path(tempfile.gettempdir(), f"kibitz-metrics-{os.getpid()}")
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(_folder))


def application() -> Flask:
    """Return the application, or exit with one line if its lexicon cannot be opened."""
    from engine import EngineError
    from service.app import create_app

    _empty_metrics_folder()
    try:
        return create_app(_settings)
    except (EngineError, SettingsError) as error:
        sys.exit(f"Error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)  # while it builds a table


def _empty_metrics_folder() -> None:
    """Prepare the folder of the metrics files; `on_starting` is called after the application is loaded."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        folder = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.glob("*.db"):
            file.unlink()


def when_ready(server: Arbiter) -> None:
    """Log the address, and make SIGTERM fail /readyz for `drain_seconds` before the server stops."""
    from service.state import draining

    gc.collect()
    gc.freeze()  # what is loaded stays; a collection in a worker would copy the pages it shares
    stop = signal.getsignal(signal.SIGTERM)

    def drain(number: int, frame: FrameType | None) -> None:
        if draining.value or not _settings.drain_seconds:
            draining.value = 1
            stop(number, frame)  # type: ignore[operator, misc]
            return
        draining.value = 1
        Timer(_settings.drain_seconds, os.kill, (os.getpid(), signal.SIGTERM)).start()

    signal.signal(signal.SIGTERM, drain)
    server.log.info("Ready: %s", ", ".join(f"http://{address}/" for address in bind))


def post_worker_init(worker: Worker) -> None:
    """Verify the tables again: after a crash they may have been damaged in place."""
    from service.state import EXTENSION

    state = worker.wsgi.extensions[EXTENSION]
    state.catalogue.verify_open()
    state.metrics.start_worker()


def pre_request(worker: Worker, request: Request) -> None:
    """Close the connection after a request whose body will be refused unread, as its answer then says."""
    headers: dict[str, str] = dict(request.headers)
    length = headers.get("CONTENT-LENGTH", "0")
    if "TRANSFER-ENCODING" in headers or not length.isdigit() or int(length) > _settings.max_batch_bytes:
        request.force_close()


def child_exit(server: Arbiter, worker: Worker) -> None:
    """Remove the live gauges of a worker that has ended."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def worker_exit(server: Arbiter, worker: Worker) -> None:
    """Cut the jobs of this process short: it would wait for them."""
    from service.state import EXTENSION

    application: Any = worker.wsgi
    jobs = application.extensions[EXTENSION].jobs if application is not None else None
    if jobs is not None:
        jobs.close()


def on_exit(server: Arbiter) -> None:
    """Remove the folder of the metrics files."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
