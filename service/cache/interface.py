"""What every cache does, and what a back end tells of itself beside."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Cache(Protocol):
    """Keep the promise of `engine.Store`, and let one process at a time claim the making of a value."""

    def get_many(self, keys: Sequence[str], *, soon_made: bool = False) -> list[bytes | None]:
        """Return the value of each key, in order; None where there is none.

        The first one is what is wanted, the others serve to make it: where it is found, they may be None.
        `soon_made`: it takes no longer to make than to ask for elsewhere, so the cache need not look far.
        """

    def put_many(self, entries: Mapping[str, bytes], *, soon_made: bool = False) -> None:
        """Keep the entries for as long as it suits the store; what is `soon_made` also not at all."""

    def claim(self, key: str, seconds: float) -> bool:
        """Tell whether the caller is to make the value of `key`; False if another process claimed it."""

    def release(self, key: str) -> None:
        """Give up a claim."""

    def settle(self, seconds: float = 1.0) -> bool:
        """Wait until what was put is where other processes find it, at most so long; tell whether it is."""


class State(NamedTuple):
    """Tell how a back end does: bytes held in this process, values that came from outside it and calls that
    failed so far, and whether calls are held back after failures."""

    size: int = 0
    fetched: int = 0
    failures: int = 0
    held_back: bool = False


class BackEnd(Cache, Protocol):
    """A place where values lie."""

    def state(self) -> State:
        """Tell how it does now."""
