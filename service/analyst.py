"""The service's hold on the engine: open lexicons, the cache, and no answer computed twice at a time."""

from __future__ import annotations

from contextlib import nullcontext
from time import perf_counter
from typing import TYPE_CHECKING

from engine import Answer, Timings, answer, answer_key
from service.cache import (
    ClaimedAnswer,
    Known,
    KnownRequests,
    MeteredCache,
    SingleFlight,
    open_store,
)
from service.protection.audience import Audience
from service.protection.heavy import HeavyWork
from service.schemas.answers import dump_analysis

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from engine import AnalysisRequest, Catalogue, Deadline, Lexicon
    from service.cache.interface import BackEnd
    from service.observability.counts import Counts
    from service.protection.audience import Attended
    from service.settings import Settings


class Analyst:
    """Answer analysis requests; one per process, used by all its threads."""

    def __init__(
        self, settings: Settings, catalogue: Catalogue, counts: Counts, store: BackEnd | None = None
    ) -> None:
        self.settings = settings
        self.catalogue = catalogue
        self.counts = counts
        self.store = MeteredCache(open_store(settings) if store is None else store, counts)
        self.heavy = HeavyWork(settings.heavy_slots, counts, settings.waiting_seats)
        self.audience = Audience()
        self._flight: SingleFlight[tuple[Answer, bool]] = SingleFlight()
        self.known = KnownRequests()

    def etag(self, request: AnalysisRequest, lexicon: Lexicon) -> str:
        """Return the tag of the answer, from the request and the versions; nothing is computed."""
        return answer_key(request, lexicon)

    def recall(self, known: Known) -> Answer | None:
        """Return the kept answer to a request that was answered before; None if it is kept no longer."""
        started = perf_counter()
        if self.catalogue.open(known.lexicon.id) is not known.lexicon:
            return None
        kept = self.store.get_many([known.key])[0]
        if kept is None:
            return None
        found = Answer(kept, Timings(total=perf_counter() - started), stored=True)
        self.counts.count_answer(found, shared=False)
        return found

    def answer(
        self, request: AnalysisRequest, lexicon: Lexicon, names: Iterable[bytes] | None = None
    ) -> Answer:
        """Return the finished answer, from the cache or computed; simultaneous requests for it share one,
        within this process and through Redis with others. A search takes a slot
        for heavy work, whoever waits for it a seat; one for which nobody waits any more is cut short.

        Raises a Problem (503 "busy", Retry-After) for a search without a slot or a seat.

        `names`: those of the request that this was read from (see `cache.known`), to be known by them if it
        comes again.
        """
        key = answer_key(request, lexicon)
        if names is not None:
            self.known.note(names, Known(key, lexicon))

        def fetch(deadline: Deadline | None = None) -> tuple[Answer, bool]:
            with ClaimedAnswer(self.store) as view:
                found = answer(request, lexicon, view, dump_analysis, key=key, deadline=deadline)
                return found, view.waited

        def search(work: Attended) -> tuple[Answer, bool]:
            with self._room(key):
                return fetch(work.deadline())

        if request.options.is_heavy:
            with self.audience.waiting(key) as work:
                (found, waited), joined = self._flight.do(
                    work.name, lambda: search(work), waiting=self.heavy.seat
                )
        else:
            (found, waited), joined = self._flight.do(key, fetch)
        self.counts.count_answer(found, shared=joined or (waited and found.stored))
        return found

    def _room(self, key: str) -> AbstractContextManager[None]:
        """Return a slot for heavy work that is still to be done; what is kept needs none.

        Entering it raises a Problem (503 "busy", Retry-After) if no slot is free.
        """
        return self.heavy.slot() if self.store.get_many([key])[0] is None else nullcontext()
