"""Blocks of games on several threads: the steps in which matches and trainings are played."""

from __future__ import annotations

from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from itertools import count
from threading import Event
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Worker = TypeVar("Worker")

TICK_SECONDS: Final = 0.5
"""How often `run_blocks` calls `tick`."""


def run_blocks(
    workers: Sequence[Worker],
    blocks: range,
    play: Callable[[Worker, int], object],
    *,
    tick: Callable[[], None] = lambda: None,
    interrupt: Callable[[], None] = lambda: None,
) -> None:
    """Call `play(worker, block)` for every block; each worker has its own thread and takes the next block.

    `tick` is called every TICK_SECONDS on the calling thread. An error of `play` or `tick`, or Ctrl-C, calls
    `interrupt`, which may cut the running blocks short. No further block starts then, and the error is raised
    when the running ones have ended.
    """
    stop, turns = Event(), count()

    def work(worker: Worker) -> None:
        while not stop.is_set():
            at = next(turns)  # atomic in CPython: a counter of the itertools
            if at >= len(blocks):
                return
            play(worker, blocks[at])

    with ThreadPoolExecutor(len(workers)) as pool:
        pending: set[Future[None]] = {pool.submit(work, worker) for worker in workers}
        try:
            while pending:
                done, pending = wait(pending, TICK_SECONDS, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
                if pending:
                    tick()
        except BaseException:
            stop.set()
            interrupt()
            raise
