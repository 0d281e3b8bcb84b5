"""Notice disconnected clients, so that the work for them can stop.

One thread polls the connections of the registered requests. A client that has closed the connection, or its
sending half, counts as disconnected, as it does for nginx.
"""

from __future__ import annotations

import select
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from flask import has_request_context, request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

POLL_SECONDS: Final = 0.25
"""The longest time until a disconnect is noticed."""

_CLOSED: Final = getattr(select, "POLLRDHUP", 0)  # only Linux notices a half-closed connection


class _Watcher:
    """Poll the registered connections and call back for each one that closes."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watched: dict[object, tuple[Any, Callable[[], None]]] = {}
        self._thread: threading.Thread | None = None

    def add(self, connection: Any, callback: Callable[[], None]) -> object:
        """Watch a connection; return the argument for `remove`."""
        watch = object()
        with self._changed:
            self._watched[watch] = connection, callback
            if self._thread is None or not self._thread.is_alive():  # a fork has no threads
                self._thread = threading.Thread(target=self._run, name="disconnects", daemon=True)
                self._thread.start()
            self._changed.notify()
        return watch

    def remove(self, watch: object) -> None:
        with self._changed:
            self._watched.pop(watch, None)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._watched)
                numbers = {watch: connection.fileno() for watch, (connection, _) in self._watched.items()}
            closed = _closed({*numbers.values()}, POLL_SECONDS)
            for watch, number in numbers.items():
                if number in closed:
                    with self._changed:
                        _, callback = self._watched.pop(watch, (None, None))
                    if callback is not None:
                        callback()


_watcher = _Watcher()


@contextmanager
def on_disconnect(callback: Callable[[], None]) -> Iterator[None]:
    """Call `callback` once, from another thread, if the client of the current request disconnects.

    Does nothing outside a request, and under a server other than gunicorn and Werkzeug's.
    """
    connection = _connection()
    if connection is None:
        yield
        return
    watch = _watcher.add(connection, callback)
    try:
        yield
    finally:
        _watcher.remove(watch)


def until_disconnect(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the chunks of the answer to the current request until its client disconnects."""
    connection = _connection()

    def connected() -> Iterator[bytes]:
        for chunk in chunks:
            yield chunk
            if connection is not None and _closed({connection.fileno()}, 0):
                return

    return connected()


def _connection() -> Any:
    """Return the socket of the current request, None without one."""
    if not has_request_context():
        return None
    return request.environ.get("gunicorn.socket") or request.environ.get("werkzeug.socket")


def _closed(numbers: set[int], seconds: float) -> set[int]:
    """Return which of the file descriptors `numbers` are closed at the other end; wait at most `seconds`."""
    poller = select.poll()
    for number in numbers:
        if number >= 0:
            poller.register(number, _CLOSED)
    return {number for number, _ in poller.poll(1_000 * seconds)}
