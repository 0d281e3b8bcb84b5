"""Single flight: simultaneous calls with the same key are computed once."""

from __future__ import annotations

from contextlib import nullcontext
from threading import Event, Lock
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from engine import Deadline
from service.disconnects import on_disconnect

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


class _Flight(Generic[Result]):
    """One computation and the number of callers waiting for it."""

    def __init__(self) -> None:
        self.deadline = Deadline()
        self.waiting = 0
        self.done = Event()
        self.result: Result | None = None
        self.error: BaseException | None = None


class SingleFlight(Generic[Result]):
    """Merge simultaneous calls with equal keys: one thread computes, the others wait for its result."""

    def __init__(self) -> None:
        self._flights: dict[str, _Flight[Result]] = {}
        self._lock = Lock()

    def do(
        self, key: str, compute: Callable[[Deadline], Result], *, watched: bool = True
    ) -> tuple[Result, bool]:
        """Return the result for `key` and whether another thread computed it.

        `compute` gets a Deadline. If the flight is `watched`, it is cut when the clients of all waiting
        requests have disconnected; a later call computes again. An exception of the computing thread is
        raised in every waiting thread.
        """
        with self._lock:
            flight = self._flights.get(key)
            joined = flight is not None
            if flight is None:
                flight = self._flights[key] = _Flight()
            flight.waiting += 1
        with on_disconnect(lambda: self._leave(key, flight)) if watched else nullcontext():
            if joined:
                flight.done.wait()
            else:
                self._run(key, flight, compute)
        if flight.error is not None:
            raise flight.error
        return cast("Result", flight.result), joined

    def _run(self, key: str, flight: _Flight[Result], compute: Callable[[Deadline], Result]) -> None:
        try:
            flight.result = compute(flight.deadline)
        except BaseException as error:  # raised by `do` in every waiting thread
            flight.error = error
        finally:
            with self._lock:
                self._forget(key, flight)
            flight.done.set()

    def _leave(self, key: str, flight: _Flight[Result]) -> None:
        with self._lock:
            flight.waiting -= 1
            if flight.waiting:
                return
            self._forget(key, flight)  # under the same lock: nobody may join a flight that is being cut
        flight.deadline.cut()

    def _forget(self, key: str, flight: _Flight[Result]) -> None:
        """Remove a flight from the table; the caller holds the lock."""
        if self._flights.get(key) is flight:
            del self._flights[key]
