"""The Server-Timing header: where the time of an answer went."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import Answer


def server_timing(answer: Answer) -> str:
    """Write the times of an answer in milliseconds: board, gen, eval, total, and whether the cache had it."""
    times = answer.timings
    parts = [
        f"{name};dur={seconds * 1000:.3f}"
        for name, seconds in (
            ("board", times.board),
            ("gen", times.gen),
            ("eval", times.eval),
            ("total", times.total),
        )
    ]
    return ", ".join([*parts, f'cache;desc="{"hit" if answer.stored else "miss"}"'])
