"""Choose where long work is done: in this process, in several of this machine, or on a Dask cluster."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeAlias

import click
from click.core import ParameterSource

from engine import Catalogue, EngineError, use_simd
from kibitz.archives.record_annotator import RecordPlan, RecordPlanner, annotation_lines
from kibitz.cluster import ClusterGames, open_cluster
from kibitz.cluster.interrupts import children_ignore_interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import AnnotationOptions, GameExecutor, Lexicon, Notice
    from kibitz.archives.record_annotator import FolderWork, RecordTask
    from kibitz.cluster import Cluster

Lines: TypeAlias = "list[bytes] | None"
"""The lines of an annotation, None if the stored one is up to date."""

Annotate: TypeAlias = Callable[[bytes, RecordPlan, "Lexicon"], Future[Lines]]
"""Annotate a record by its plan, with the lexicon of the plan, as soon as a worker is free."""

WAITING: Final = 4
"""How many records are read ahead for each worker."""


@contextmanager
def game_workers(threads: int, cluster: str | None, lexicon: Lexicon) -> Iterator[int | GameExecutor]:
    """Yield what `Match.run` and the trainings take: the number of threads, or the cluster of an address.

    Raises click.UsageError if --threads and --cluster were both given, and as `open_cluster`.
    """
    if cluster is None:
        yield threads
        return
    refuse_both("threads")
    with open_cluster(cluster, say) as opened:
        yield ClusterGames(opened, lexicon)


def refuse_both(name: str) -> None:
    """Raise click.UsageError if --cluster is combined with an option for the number of threads or workers."""
    if click.get_current_context().get_parameter_source(name) == ParameterSource.COMMANDLINE:
        raise click.UsageError(f"give --{name} or --cluster, not both: the cluster has its own workers")


def say(line: str) -> None:
    """Print a line about the cluster on standard error."""
    click.echo(line, err=True)


class RecordWorkers:
    """Annotate records: this process reads each one to find its lexicon, a worker does the rest."""

    def __init__(self, work: FolderWork, annotate: Annotate, ahead: Callable[[], int]) -> None:
        self._planner = RecordPlanner(work)
        self._annotate = annotate
        self._ahead = ahead

    @property
    def ahead(self) -> int:
        """How many records may wait or be annotated at once; may change, and is 0 without a worker."""
        return self._ahead()

    def submit(self, task: RecordTask) -> Future[Lines]:
        """Annotate a record as soon as a worker is free, unless it is up to date or refused."""
        plan = self._planner.plan(task)
        if task.stored == plan.first:
            return _done(None)
        if plan.lexicon is None:
            return _done([plan.first, plan.refusal])
        return self._annotate(task.data, plan, plan.lexicon)


@contextmanager
def record_workers(work: FolderWork, count: int, cluster: str | None = None) -> Iterator[RecordWorkers]:
    """Yield the workers of a batch: `count` processes, or the cluster of an address.

    Raises EngineError with the code "worker_killed" if a process was killed, and as `open_cluster`. An error
    or Ctrl-C stops the records that are being annotated.
    """
    if cluster is not None:
        with open_cluster(cluster, say) as opened:
            yield cluster_workers(opened, work)
    elif count == 1:
        yield RecordWorkers(work, _in_this_process(work.options), lambda: 1)
    else:
        with _processes(work, count) as pool:
            yield RecordWorkers(work, _in_processes(pool, work.options), lambda: WAITING * count)


def cluster_workers(cluster: Cluster, work: FolderWork) -> RecordWorkers:
    """Return workers that annotate on a cluster."""
    from kibitz.cluster.worker import LexiconReference, annotate_record

    def annotate(data: bytes, plan: RecordPlan, lexicon: Lexicon) -> Future[Lines]:
        reference = LexiconReference.of(lexicon)
        return cluster.submit(annotate_record, reference, plan.first, data, plan.warnings, work.options)

    return RecordWorkers(work, annotate, lambda: WAITING * cluster.width)


def _in_this_process(options: AnnotationOptions) -> Annotate:
    return lambda data, plan, lexicon: _done(
        annotation_lines(plan.first, data, lexicon, plan.warnings, options)
    )


def _in_processes(pool: ProcessPoolExecutor, options: AnnotationOptions) -> Annotate:
    def annotate(data: bytes, plan: RecordPlan, lexicon: Lexicon) -> Future[Lines]:
        with children_ignore_interrupts():  # the pool starts its processes as tasks come
            return pool.submit(_annotate, plan.first, data, lexicon.id, plan.warnings, options)

    return annotate


@contextmanager
def _processes(work: FolderWork, count: int) -> Iterator[ProcessPoolExecutor]:
    # Processes, because most of the work is Python code; spawned, because forking is unsafe while a thread
    # draws the progress bar.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, context, initializer=start_worker, initargs=(work,))
    try:
        yield pool
    except BrokenProcessPool:
        detail = "a worker process was killed; run the command again: it continues where it stopped"
        raise EngineError(detail, code="worker_killed") from None
    except BaseException:  # Ctrl-C: do not wait for the records that are being annotated
        for process in multiprocessing.active_children():
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_catalogue: Catalogue | None = None
"""The catalogue of a worker process."""


def start_worker(work: FolderWork) -> None:
    """Prepare a worker process: choose its vector path, and open its catalogue."""
    global _catalogue
    use_simd(work.simd)
    _catalogue = Catalogue(work.data)


def _annotate(
    first: bytes, data: bytes, lexicon_id: str, warnings: tuple[Notice, ...], options: AnnotationOptions
) -> list[bytes]:
    if _catalogue is None:
        raise RuntimeError("runs in a worker process only")
    return annotation_lines(first, data, _catalogue.ensure(lexicon_id), warnings, options)


def _done(lines: Lines) -> Future[Lines]:
    future: Future[Lines] = Future()
    future.set_result(lines)
    return future
