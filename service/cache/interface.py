"""What every cache does, and what a back end tells of itself beside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Cache(Protocol):
    """Keep the promise of `engine.Store`, and let one process at a time claim the making of a value."""

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key, in order; None where there is none.

        The first one is what is wanted, the others serve to make it: where it is found, they may be None.
        """

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Keep the entries for as long as it suits the store."""

    def claim(self, key: str, seconds: float) -> bool:
        """Tell whether the caller is to make the value of `key`; False if another process claimed it."""

    def release(self, key: str) -> None:
        """Give up a claim."""


class BackEnd(Cache, Protocol):
    """A place where values lie."""

    @property
    def size(self) -> int:
        """Bytes held in this process."""

    @property
    def fetched(self) -> int:
        """Values that came from outside this process so far."""

    @property
    def failures(self) -> int:
        """Calls that failed so far."""

    @property
    def held_back(self) -> bool:
        """Whether calls are being held back after failures."""
