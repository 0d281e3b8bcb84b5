"""Blocks of games on several threads, in steps after which the work can be stopped and taken up again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Event
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Worker = TypeVar("Worker")


def run_blocks(workers: Sequence[Worker], blocks: range, play: Callable[[Worker, int], object]) -> None:
    """Call `play(worker, block)` for every block, each worker on a thread of its own taking the next one.

    Returns when all are done.  An error, or Ctrl-C, lets the blocks at hand finish, starts no other, and is
    raised.
    """
    stop, turns = Event(), count()

    def work(worker: Worker) -> None:
        while not stop.is_set():
            at = next(turns)  # atomic in CPython: a counter of the itertools
            if at >= len(blocks):
                return
            try:
                play(worker, blocks[at])
            except BaseException:
                stop.set()
                raise

    with ThreadPoolExecutor(len(workers)) as pool:
        futures = [pool.submit(work, worker) for worker in workers]
        try:
            for future in futures:
                future.result()
        finally:
            stop.set()
