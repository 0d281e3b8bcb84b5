"""A limit on simultaneous searches: further ones are refused, not queued."""

from __future__ import annotations

from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Final

from flask import g, has_request_context

from engine import Text
from service.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.metrics import Metrics

RETRY_SECONDS: Final = 2


class SearchSlots:
    """Let `limit` searches run at once in this process, and `waiting` requests wait for a search."""

    def __init__(self, limit: int, waiting: int, metrics: Metrics) -> None:
        self._free = BoundedSemaphore(limit)
        self._places = BoundedSemaphore(waiting)
        self._metrics = metrics

    @contextmanager
    def slot(self, *, wait: bool = False) -> Iterator[None]:
        """Hold a slot for a search; raises a Problem (503 "busy") if none is free.

        With `wait`, wait for a slot instead: an answer that has begun must be finished.
        """
        with self._hold(self._free, wait=wait):
            self._metrics.searches.inc()
            try:
                yield
            finally:
                self._metrics.searches.dec()

    @contextmanager
    def waiting_place(self) -> Iterator[None]:
        """Hold one of the places for waiting requests, so that threads remain for all other requests.

        Raises a Problem (503 "busy") if no place is free.
        """
        with self._hold(self._places):
            yield

    @contextmanager
    def _hold(self, semaphore: BoundedSemaphore, *, wait: bool = False) -> Iterator[None]:
        if has_request_context():
            g.log.is_search = True  # a label of the request's metrics
        if not semaphore.acquire(blocking=wait):
            self._metrics.refused.labels("busy").inc()
            headers = {"Retry-After": str(RETRY_SECONDS)}
            raise Problem(
                503, "busy", Text("the server already runs as many searches as it allows"), headers=headers
            )
        try:
            yield
        finally:
            semaphore.release()
