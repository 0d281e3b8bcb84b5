"""The Server-Timing header: where the time of an answer went."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import Answer


def server_timing(answer: Answer) -> str:
    """Write the times of an answer in milliseconds: board, gen, eval, total, and whether the cache had it."""
    times = answer.timings
    return (
        f"board;dur={times.board * 1000:.3f}, gen;dur={times.gen * 1000:.3f}, "
        f"eval;dur={times.eval * 1000:.3f}, total;dur={times.total * 1000:.3f}, "
        f'cache;desc="{"hit" if answer.stored else "miss"}"'
    )
