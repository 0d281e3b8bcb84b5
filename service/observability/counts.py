"""The metrics of the service, all in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from service.observability.metrics import Counter, Histogram, Metrics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Answer

STATUSES: Final = tuple(
    map(str, (200, 202, 204, 304, 400, 401, 404, 405, 409, 410, 411, 413, 414, 415, 422, 429, 500, 503))
)
STATES_OF_JOBS: Final = ("queued", "running", "done", "failed", "cancelled")
NO_ROUTE: Final = "none"
"""The route of a request that fits none."""


class Counts:
    """Declare and keep the service's metrics; `begin` is called once the routes are known."""

    requests: Counter
    seconds: Histogram

    def __init__(self, version: str) -> None:
        metrics = self._metrics = Metrics()
        self._version = version
        self._build = metrics.gauge("kibitz_workers", "Workers that answer, by version.", version=(version,))
        self.in_flight = metrics.gauge("kibitz_requests_in_flight", "Requests being answered now.")
        self.answers = metrics.counter(
            "kibitz_answers_total",
            "Analyses answered: computed, kept, or shared with an equal request.",
            source=("computed", "kept", "shared"),
        )
        self.stages = metrics.counter(
            "kibitz_engine_seconds_total",
            "Seconds spent on answers that were computed.",
            stage=("board", "gen", "eval", "total"),
        )
        self.refused = metrics.counter(
            "kibitz_refused_total",
            "Requests refused: beyond their rate, without a good key, heavy while the server is busy, a job "
            "too many for all, or for one caller.",
            reason=("rate", "key", "busy", "queue", "jobs"),
        )
        self.heavy = metrics.gauge("kibitz_heavy_running", "Pieces of heavy work under way.")
        self.heavy_slots = metrics.gauge("kibitz_heavy_slots", "Pieces of heavy work that can run at once.")
        self.jobs = metrics.gauge(
            "kibitz_jobs",
            "Jobs that wait and run now, and that ended so far, by state.",
            state=STATES_OF_JOBS,
        )
        self.cache_values = metrics.counter(
            "kibitz_cache_values_total", "Values asked of the cache.", result=("hit", "miss")
        )
        self.cache_bytes = metrics.counter(
            "kibitz_cache_bytes_total", "Bytes read from and written to the cache.", way=("read", "written")
        )
        self.cache_fetched = metrics.counter(
            "kibitz_cache_fetched_total", "Values found that this process had not at hand: Redis gave them."
        )
        self.cache_failures = metrics.counter("kibitz_cache_failures_total", "Calls of Redis that failed.")
        self.cache_held = metrics.gauge("kibitz_cache_held_bytes", "Bytes of the in-process caches.")
        self.breaker_open = metrics.gauge(
            "kibitz_cache_breaker_open", "Workers that ask nothing of Redis for a while, since it failed."
        )

    def begin(self, routes: Iterable[str]) -> None:
        """Declare what is counted by route, and count this worker."""
        names = (*sorted(set(routes)), NO_ROUTE)
        self.requests = self._metrics.counter(
            "kibitz_requests_total", "Requests answered.", route=names, status=STATUSES
        )
        self.seconds = self._metrics.histogram(
            "kibitz_request_seconds", "Seconds from the request's head to its answer.", route=names
        )
        self._build.put(self._version, value=1.0)

    def count_answer(self, answer: Answer, *, shared: bool) -> None:
        """Count an answer and where its time went."""
        self.answers.add("shared" if shared else "kept" if answer.stored else "computed")
        if not shared and not answer.stored:
            for stage in ("board", "gen", "eval", "total"):
                self.stages.add(stage, amount=getattr(answer.timings, stage))

    def told(self, accept: str = "") -> tuple[bytes, str]:
        """Write all metrics in the format asked for by an Accept header; return its media type too."""
        return self._metrics.told(accept)
