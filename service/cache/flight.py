"""Single flight: simultaneous requests for the same thing are computed once."""

from __future__ import annotations

from contextlib import nullcontext
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

Result = TypeVar("Result")


class _Flight(Generic[Result]):
    """A call under way: its lock is held until there is a result, or an error."""

    __slots__ = ("error", "landed", "result")

    def __init__(self) -> None:
        # A future would hold a condition and its lock, and nearly all flights have nobody waiting.
        self.landed = Lock()
        self.landed.acquire()
        self.result: Result | None = None
        self.error: BaseException | None = None

    def wait(self) -> Result:
        """Return the result, or raise the error, once it is there."""
        with self.landed:
            if self.error is not None:
                raise self.error
            return cast("Result", self.result)


class SingleFlight(Generic[Result]):
    """Merge simultaneous calls with the same key: one thread computes, the others wait for its result."""

    def __init__(self) -> None:
        self._flying: dict[str, _Flight[Result]] = {}
        self._lock = Lock()

    def do(
        self,
        key: str,
        compute: Callable[[], Result],
        waiting: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> tuple[Result, bool]:
        """Return `compute()` and False, or the result of the call with this key under way and True.

        Who waits for another does so within `waiting()`, which may refuse by raising. An exception of the
        computing thread is raised in all of them.
        """
        with self._lock:
            flight = self._flying.get(key)
            if flight is None:
                own = self._flying[key] = _Flight()
        if flight is not None:
            with waiting():
                return flight.wait(), True
        try:
            own.result = compute()
        except BaseException as error:
            own.error = error
            raise
        finally:
            with self._lock:
                del self._flying[key]
            own.landed.release()
        return own.result, False
