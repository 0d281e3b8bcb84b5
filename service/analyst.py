"""Answers of the engine for requests: cached, computed once for equal requests, searches within bounds."""

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
"""How much longer than its `max_ms` a search holds its lock at most."""


class Analyst:
    """Answer analysis requests; one for each process, shared by its threads."""

    def __init__(self, cache: Cache, searches: SearchSlots, metrics: Metrics) -> None:
        self._cache = cache
        self._searches = searches
        self._metrics = metrics
        self._flights: SingleFlight[Answer] = SingleFlight()

    def etag(self, request: AnalysisRequest, lexicon: Lexicon) -> str:
        """Return the ETag of an answer, from the request and the versions; nothing is computed."""
        return answer_key(request, lexicon)

    def answer(self, request: AnalysisRequest, lexicon: Lexicon) -> Answer:
        """Return the finished answer, from the cache or computed; equal simultaneous requests share it.

        A search needs a slot, and stops when all clients that wait for it have disconnected. Raises a Problem
        (503 "busy", Retry-After) for a search without a slot, and what `engine.answer` raises.
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
        """Return the answer to a request with a search; with Redis, one worker at a time computes equal ones.

        Raises a Problem (503 "busy") if the answer is not in the cache and no slot is free.
        """
        key = answer_key(request, lexicon)
        seconds = (request.options.max_ms or 0) / 1000 + LOCK_MARGIN_SECONDS
        with (
            self._cache.lock(key, seconds),
            # Another worker may have stored the answer meanwhile.
            nullcontext() if self._cache.holds(key) else self._searches.slot(),
        ):
            return answer(request, lexicon, self._cache, dump_analysis, key=key, deadline=deadline)

    def is_cached(self, request: AnalysisRequest, lexicon: Lexicon) -> bool:
        """Return whether the answer lies in the cache, so that it costs no search."""
        return self._cache.holds(answer_key(request, lexicon))
