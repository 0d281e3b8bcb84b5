"""Answers to analysis requests: cached, computed once for equal requests, with a limit on searches."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from engine import Answer, Timings, answer, answer_key
from service.cache import LOCAL
from service.documents import dump_analysis
from service.single_flight import SingleFlight
from service.traces import span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine import Analysis, AnalysisRequest, Deadline, Lexicon, Progress, Store
    from service.cache import Cache
    from service.concurrency import SearchSlots
    from service.metrics import Metrics

LOCK_MARGIN_SECONDS = 2.0
"""A search holds its lock for at most its `max_ms` and this time."""


def is_long(request: AnalysisRequest) -> bool:
    """Return whether an answer takes so long that its work stops when the client disconnects."""
    return request.options.is_search or request.options.explain


def cache_key(request: AnalysisRequest, lexicon: Lexicon) -> str:
    """Return the key of an answer in the cache."""
    return ("" if is_long(request) else LOCAL) + answer_key(request, lexicon)


def traced_answer(
    request: AnalysisRequest,
    lexicon: Lexicon,
    store: Store,
    encode: Callable[[Analysis], bytes] = dump_analysis,
    key: str | None = None,
    deadline: Deadline | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Return `engine.answer`, in a span with the seconds of each stage."""
    key = key or cache_key(request, lexicon)
    with span("search" if request.options.is_search else "generate", lexicon=lexicon.id) as traced:
        found = answer(request, lexicon, store, encode, key=key, deadline=deadline, progress=progress)
        if traced is not None:
            traced.set_attribute("kibitz.cached", found.stored)
            for stage in ("board", "gen", "eval", "total"):
                traced.set_attribute(f"kibitz.seconds.{stage}", getattr(found.timings, stage))
        return found


class Analyst:
    """Answer analysis requests; the threads of a process share one Analyst."""

    def __init__(self, cache: Cache, searches: SearchSlots, metrics: Metrics, sync_ms: int) -> None:
        self._cache = cache
        self._sync_ms = sync_ms
        self._searches = searches
        self._metrics = metrics
        self._flights: SingleFlight[Answer] = SingleFlight()

    def etag(self, request: AnalysisRequest, lexicon: Lexicon) -> str:
        """Return the ETag of an answer without computing the answer."""
        return answer_key(request, lexicon)

    def answer(
        self,
        request: AnalysisRequest,
        lexicon: Lexicon,
        encode: Callable[[Analysis], bytes] = dump_analysis,
        kind: str = "",
        ends: Deadline | None = None,
    ) -> Answer:
        """Return the answer, cached or computed; equal simultaneous requests share one computation.

        `encode`: makes the body of the analysis; `kind`: names any other encoding than the default one;
        `ends`: instead of the `sync_ms` from now after which a search or an explanation stops. It also stops
        when all clients that wait have disconnected. A search needs a slot. Raises a Problem (503 "busy") if
        no slot is free, and the errors of `engine.answer`.
        """
        started = perf_counter()
        key = cache_key(request, lexicon) + kind
        body, shared = self._cache.get(key), False
        if body is not None:
            found = Answer(body, Timings(total=perf_counter() - started), stored=True)
        elif is_long(request):
            found, shared = self._long_answer(request, lexicon, encode, key, ends)
        else:
            compute = partial(traced_answer, request, lexicon, self._cache, encode, key)
            found, shared = self._flights.do(key, compute, watched=False)
        self._metrics.count_answer(found, shared=shared)
        return found

    def is_cached(self, request: AnalysisRequest, lexicon: Lexicon) -> bool:
        """Return whether the answer is cached."""
        return self._cache.get(cache_key(request, lexicon)) is not None

    def _long_answer(
        self,
        request: AnalysisRequest,
        lexicon: Lexicon,
        encode: Callable[[Analysis], bytes],
        key: str,
        ends: Deadline | None,
    ) -> tuple[Answer, bool]:
        """Compute an answer that stops in time; return it, and whether another thread computed it."""
        is_search = request.options.is_search

        def compute(deadline: Deadline) -> Answer:
            with self._slot(key, request.options.max_ms) if is_search else nullcontext():
                deadline.within(self._sync_ms if ends is None else 1_000 * (ends.seconds_left or 0))
                return traced_answer(request, lexicon, self._cache, encode, key, deadline)

        with self._searches.waiting_place() if is_search else nullcontext():
            return self._flights.do(key, compute)

    @contextmanager
    def _slot(self, key: str, max_ms: int | None) -> Iterator[None]:
        """Hold a slot for a search; with Redis, only one worker at a time computes the same answer.

        Raises a Problem (503 "busy") if the answer is not cached and no slot is free.
        """
        seconds = (max_ms or 0) / 1000 + LOCK_MARGIN_SECONDS
        with (
            self._cache.lock(key, seconds),
            # Another worker may have stored the answer in the meantime.
            nullcontext() if self._cache.get(key) is not None else self._searches.slot(),
        ):
            yield
