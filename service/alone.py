"""One worker and no master: the whole service in one process, as it is unless more workers are asked for.

Above a single worker gunicorn's master does nothing but begin it anew should it die, as the manager of
services does that starts `kibitz serve`; it would hold some 28 MB for that, a fifth of what kibitz takes.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from gunicorn import sock, systemd  # type: ignore[import-untyped]
from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]

from service.server import Worker

if TYPE_CHECKING:
    from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]


class LoneWorker(Worker):
    """Take the signals that a master would: drain on SIGTERM, leave at once on SIGINT."""

    def is_parent_alive(self) -> bool:
        """Return True: whoever started the server may leave, and the server stays."""
        return True

    def init_signals(self) -> None:
        """Stop gracefully when the terminal closes, too, unless `nohup` has said otherwise."""
        kept = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        super().init_signals()
        signal.signal(signal.SIGHUP, signal.SIG_IGN if kept else self.handle_exit)
        signal.signal(signal.SIGALRM, self._close)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Fail /readyz and keep answering for `drain_seconds`; then close the port.

        An alarm ends the time; no thread can be started here, as the code interrupted may be starting one.
        """
        if not self.booted:
            sys.exit(0)
        seconds = self.app.settings.drain_seconds
        if self.app.drain_flag():
            return  # it was told before
        self.app.drain_flag.set()
        if seconds > 0:
            signal.setitimer(signal.ITIMER_REAL, seconds)
        else:
            self._close(sig, frame)

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Leave at once, with nothing left behind."""
        if not self.booted:
            sys.exit(0)  # a table that is being built removes its temporary file
        self.app.metrics.remove()
        super().handle_quit(sig, frame)

    def _close(self, sig: int, frame: Any) -> None:
        super().handle_exit(sig, frame)


def run_alone(server: BaseApplication) -> None:
    """Serve in this process until SIGTERM, SIGINT or SIGHUP; the process ends in here, with code 0.

    Code 1: the address cannot be listened on; 3: an unexpected error at the start; what `server.load` exits
    with.
    """
    cfg = server.cfg
    log = cfg.logger_class(cfg)
    given = systemd.listen_fds()
    first = systemd.SD_LISTEN_FDS_START
    sockets = sock.create_sockets(cfg, log, range(first, first + given))
    unix = [address for address in cfg.address if isinstance(address, str) and not given]
    try:
        worker = LoneWorker(1, os.getppid(), sockets, server, cfg.timeout, cfg, log)
        worker.pid = os.getpid()
        worker.metrics_slot = 0
        cfg.post_fork(None, worker)
        log.info("Listening at: %s (%s)", ",".join(map(str, sockets)), worker.pid)
        worker.init_process()
    except Exception:
        log.exception("Exception in the worker")
        sys.exit(Arbiter.WORKER_BOOT_ERROR)
    finally:
        server.metrics.remove()
        for path in unix:
            os.unlink(path)  # noqa: PTH108 - gunicorn has it as text
    # Threads that outlast the time of grace would hold the interpreter back.
    sys.stdout.flush()
    os._exit(0)
