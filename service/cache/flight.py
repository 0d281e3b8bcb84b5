"""Single flight: simultaneous requests for the same thing are computed once."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


class SingleFlight(Generic[Result]):
    """Merge simultaneous calls with the same key: one thread computes, the others wait for its result."""

    def __init__(self) -> None:
        self._flying: dict[str, Future[Result]] = {}
        self._lock = Lock()

    def do(self, key: str, compute: Callable[[], Result]) -> tuple[Result, bool]:
        """Return `compute()` and False, or the result of the call with this key under way and True.

        An exception of the computing thread is raised in all of them.
        """
        with self._lock:
            flight = self._flying.get(key)
            leads = flight is None
            if flight is None:
                flight = self._flying[key] = Future()
        if not leads:
            return flight.result(), True
        try:
            result = compute()
        except BaseException as error:
            flight.set_exception(error)
            raise
        else:
            flight.set_result(result)
            return result, False
        finally:
            with self._lock:
                del self._flying[key]
