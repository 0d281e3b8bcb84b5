"""Answers to analysis requests: cached, computed once for equal requests, with a limit on searches."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from engine import answer, answer_key
from service.schemas.answers import dump_analysis
from service.single_flight import SingleFlight

if TYPE_CHECKING:
    from engine import AnalysisRequest, Answer, Deadline, Lexicon
    from service.cache import Cache
    from service.concurrency import SearchSlots
    from service.metrics import Metrics

LOCK_MARGIN_SECONDS = 2.0
"""A search holds its lock for at most its `max_ms` and this time."""


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

    def answer(self, request: AnalysisRequest, lexicon: Lexicon) -> Answer:
        """Return the answer, cached or computed; equal simultaneous requests share one computation.

        A search needs a slot, and stops when all clients that wait for it have disconnected. Raises a Problem
        (503 "busy") if no slot is free, and the errors of `engine.answer`.
        """
        key = answer_key(request, lexicon)
        needs_slot = request.options.is_search and not self.is_cached(request, lexicon)

        def compute(deadline: Deadline) -> Answer:
            if needs_slot:
                return self.search(request, lexicon, deadline)
            return answer(request, lexicon, self._cache, dump_analysis, key=key, deadline=deadline)

        with self._searches.waiting_place() if needs_slot else nullcontext():
            found, shared = self._flights.do(key, compute)
        self._metrics.count_answer(found, shared=shared)
        return found

    def search(self, request: AnalysisRequest, lexicon: Lexicon, deadline: Deadline) -> Answer:
        """Return the answer to a request with a search; with Redis, only one worker at a time computes it.

        Raises a Problem (503 "busy") if the answer is not cached and no slot is free.
        """
        key = answer_key(request, lexicon)
        seconds = (request.options.max_ms or 0) / 1000 + LOCK_MARGIN_SECONDS
        with (
            self._cache.lock(key, seconds),
            # Another worker may have stored the answer in the meantime.
            nullcontext() if self._cache.holds(key) else self._searches.slot(),
        ):
            return answer(request, lexicon, self._cache, dump_analysis, key=key, deadline=deadline)

    def is_cached(self, request: AnalysisRequest, lexicon: Lexicon) -> bool:
        """Return whether the answer is cached."""
        return self._cache.holds(answer_key(request, lexicon))
