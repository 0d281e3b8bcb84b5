"""Annotate the records of a batch in this process, in other processes of this machine, or on a cluster."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from engine import EngineError, use_simd
from service.archives.record_annotator import RecordAnnotator
from service.cli.game_workers import say
from service.cluster import open_cluster
from service.interrupts import children_ignore_interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.archives.record_annotator import FolderWork, RecordTask
    from service.cluster import Cluster

Lines: TypeAlias = "list[bytes] | None"
"""The lines of an annotation, None if the stored one is up to date."""

WAITING: Final = 4
"""How many records are read ahead for each worker."""


class RecordWorkers(Protocol):
    """Annotate records."""

    @property
    def ahead(self) -> int:
        """How many records may wait or be annotated at once; may change."""

    def submit(self, task: RecordTask) -> Future[Lines]:
        """Annotate a record as soon as a worker is free."""


@contextmanager
def record_workers(work: FolderWork, count: int, cluster: str | None = None) -> Iterator[RecordWorkers]:
    """Yield the workers of a batch: `count` processes, or the cluster of an address.

    Raises EngineError with the code "worker_killed" if a process was killed, and as `open_cluster`. An error
    or Ctrl-C stops the records that are being annotated.
    """
    if cluster is not None:
        with open_cluster(cluster, say) as opened:
            yield ClusterWorkers(opened, work)
    elif count == 1:
        yield _ThisProcess(work)
    else:
        with _processes(work, count) as processes:
            yield processes


class _ThisProcess:
    """Annotate each record at once."""

    ahead = 1

    def __init__(self, work: FolderWork) -> None:
        self._annotator = RecordAnnotator(work)

    def submit(self, task: RecordTask) -> Future[Lines]:
        return _done(self._annotator.annotate(task))


class _Processes:
    """Annotate in a pool of processes."""

    def __init__(self, pool: ProcessPoolExecutor, count: int) -> None:
        self.ahead = WAITING * count
        self._pool = pool

    def submit(self, task: RecordTask) -> Future[Lines]:
        with children_ignore_interrupts():  # the pool starts its processes as tasks come
            return self._pool.submit(_annotate, task)


@contextmanager
def _processes(work: FolderWork, count: int) -> Iterator[_Processes]:
    # Processes, because most of the work is Python code; spawned, because forking is unsafe while a thread
    # draws the progress bar.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, context, initializer=start_worker, initargs=(work,))
    try:
        yield _Processes(pool, count)
    except BrokenProcessPool:
        detail = "a worker process was killed; run the command again: it continues where it stopped"
        raise EngineError(detail, code="worker_killed") from None
    except BaseException:  # Ctrl-C: do not wait for the records that are being annotated
        for process in multiprocessing.active_children():
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_worker: RecordAnnotator | None = None
"""The annotator of a worker process."""


def start_worker(work: FolderWork) -> None:
    """Prepare a worker process: choose its vector path, and open its catalogue."""
    global _worker
    use_simd(work.simd)
    _worker = RecordAnnotator(work)


def _annotate(task: RecordTask) -> Lines:
    if _worker is None:
        raise RuntimeError("runs in a worker process only")
    return _worker.annotate(task)


class ClusterWorkers:
    """Annotate on a cluster; this process reads each record first, to find its lexicon."""

    def __init__(self, cluster: Cluster, work: FolderWork) -> None:
        self._cluster = cluster
        self._work = work
        self._annotator = RecordAnnotator(work)

    @property
    def ahead(self) -> int:
        """How many records may wait or be annotated at once; 0 while there is no worker."""
        return WAITING * self._cluster.width

    def submit(self, task: RecordTask) -> Future[Lines]:
        """Annotate a record on the next free worker, unless it is up to date or refused."""
        from service.cluster_worker import LexiconReference, annotate_record

        plan = self._annotator.plan(task)
        if task.stored == plan.first:
            return _done(None)
        if plan.lexicon is None:
            return _done([plan.first, plan.refusal])
        reference = LexiconReference.of(plan.lexicon)
        options = self._work.options
        return self._cluster.submit(annotate_record, reference, plan.first, task.data, plan.warnings, options)


def _done(lines: Lines) -> Future[Lines]:
    future: Future[Lines] = Future()
    future.set_result(lines)
    return future
