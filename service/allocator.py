"""What the C library does with freed memory: give it back, since a small board has none to spare."""

from __future__ import annotations

import ctypes
from typing import Final

# mallopt parameters of glibc's malloc.h: their numbers are part of its interface.
_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8
_LARGE: Final = 128 << 10  # bytes; the C library's own first value, which it would let grow to 32 MiB


def return_freed_memory() -> None:
    """Keep one heap for all threads, and return large freed blocks to the system at once.

    A list of a hundred thousand plays would otherwise stay with the thread that made it.  Does nothing where
    the C library is another than glibc.  To be called before the threads are made.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        for parameter, value in ((_ARENA_MAX, 1), (_MMAP_THRESHOLD, _LARGE), (_TRIM_THRESHOLD, _LARGE)):
            mallopt(parameter, value)
