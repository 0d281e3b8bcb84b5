"""Answers to analysis requests: cached, computed once for equal requests, with a limit on searches."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from engine import answer, answer_key
from service.schemas.answers import dump_analysis
from service.single_flight import SingleFlight
from service.traces import span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine import Analysis, AnalysisRequest, Answer, Deadline, Lexicon, Progress, Store
    from service.cache import Cache
    from service.concurrency import SearchSlots
    from service.metrics import Metrics

LOCK_MARGIN_SECONDS = 2.0
"""A search holds its lock for at most its `max_ms` and this time."""


def traced_answer(
    request: AnalysisRequest,
    lexicon: Lexicon,
    store: Store,
    encode: Callable[[Analysis], bytes] = dump_analysis,
    *,
    key: str | None = None,
    deadline: Deadline | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Return `engine.answer`, in a span with the seconds of each stage."""
    with span("search" if request.options.is_search else "generate", lexicon=lexicon.id) as traced:
        found = answer(request, lexicon, store, encode, key=key, deadline=deadline, progress=progress)
        if traced is not None:
            traced.set_attribute("kibitz.cached", found.stored)
            for stage in ("board", "gen", "eval", "total"):
                traced.set_attribute(f"kibitz.seconds.{stage}", getattr(found.timings, stage))
        return found


class Analyst:
    """Answer analysis requests; the threads of a process share one Analyst."""

    def __init__(self, cache: Cache, searches: SearchSlots, metrics: Metrics) -> None:
        self._cache = cache
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
    ) -> Answer:
        """Return the answer, cached or computed; equal simultaneous requests share one computation.

        `encode`: makes the body of the analysis; `kind`: names any other encoding than the default one. A
        search needs a slot, and stops when all clients that wait for it have disconnected. Raises a Problem
        (503 "busy") if no slot is free, and the errors of `engine.answer`.
        """
        key = answer_key(request, lexicon) + kind
        needs_slot = request.options.is_search and not self._cache.holds(key)

        def compute(deadline: Deadline) -> Answer:
            with self._slot(key, request.options.max_ms) if needs_slot else nullcontext():
                return traced_answer(request, lexicon, self._cache, encode, key=key, deadline=deadline)

        with self._searches.waiting_place() if needs_slot else nullcontext():
            found, shared = self._flights.do(key, compute)
        self._metrics.count_answer(found, shared=shared)
        return found

    @contextmanager
    def _slot(self, key: str, max_ms: int | None) -> Iterator[None]:
        """Hold a slot for a search; with Redis, only one worker at a time computes the same answer.

        Raises a Problem (503 "busy") if the answer is not cached and no slot is free.
        """
        seconds = (max_ms or 0) / 1000 + LOCK_MARGIN_SECONDS
        with (
            self._cache.lock(key, seconds),
            # Another worker may have stored the answer in the meantime.
            nullcontext() if self._cache.holds(key) else self._searches.slot(),
        ):
            yield

    def is_cached(self, request: AnalysisRequest, lexicon: Lexicon) -> bool:
        """Return whether the answer is cached."""
        return self._cache.holds(answer_key(request, lexicon))
