"""The service's hold on the engine: open lexicons, the cache, and no answer computed twice at a time."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from engine import answer, answer_key
from service.cache import ClaimedAnswer, MeteredCache, SingleFlight, open_store
from service.protection.heavy import HeavyWork
from service.schemas.answers import dump_analysis

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from engine import AnalysisRequest, Answer, Catalogue, Lexicon
    from service.cache.interface import BackEnd
    from service.observability.counts import Counts
    from service.settings import Settings


class Analyst:
    """Answer analysis requests; one per process, used by all its threads."""

    def __init__(
        self, settings: Settings, catalogue: Catalogue, counts: Counts, store: BackEnd | None = None
    ) -> None:
        self.settings = settings
        self.catalogue = catalogue
        self.counts = counts
        self.store = MeteredCache(store or open_store(settings), counts)
        self.heavy = HeavyWork(settings.heavy_slots, counts)
        self._flight: SingleFlight[tuple[Answer, bool]] = SingleFlight()

    def etag(self, request: AnalysisRequest, lexicon: Lexicon) -> str:
        """Return the tag of the answer, from the request and the versions; nothing is computed."""
        return answer_key(request, lexicon)

    def answer(self, request: AnalysisRequest, lexicon: Lexicon) -> Answer:
        """Return the finished answer, from the cache or computed; simultaneous requests for it share one,
        within this process and, through Redis, with others."""
        key = answer_key(request, lexicon)

        def fetch() -> tuple[Answer, bool]:
            with self._room(request, key), ClaimedAnswer(self.store) as view:
                return answer(request, lexicon, view, dump_analysis, key=key), view.waited

        (found, waited), joined = self._flight.do(key, fetch)
        self.counts.count_answer(found, shared=joined or (waited and found.stored))
        return found

    def _room(self, request: AnalysisRequest, key: str) -> AbstractContextManager[None]:
        """Return a slot for heavy work that is still to be done; anything else needs none.

        Entering it raises a Problem (503 "busy", Retry-After) if no slot is free.
        """
        if not request.options.is_heavy or self.store.get_many([key])[0] is not None:
            return nullcontext()
        return self.heavy.slot()
