"""The metrics of the service, declared with prometheus-client.

With several workers, prometheus-client's multiprocess mode adds them up: `service.gunicorn_conf` sets
PROMETHEUS_MULTIPROC_DIR before this module is imported.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector

if TYPE_CHECKING:
    from engine import Answer

NO_ROUTE: Final = "none"
"""The label of a request whose path matches no route."""

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 15.0)

disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """The metrics of one application.

    Every label has a limited set of values (routes, statuses, reasons), so a client cannot add series.
    """

    def __init__(self, version: str) -> None:
        self._registry = CollectorRegistry()
        self.workers = self._gauge("kibitz_workers", "Running workers, by version.", ["version"])
        self._version = version
        self.requests = self._counter("kibitz_requests_total", "Requests answered.", ["route", "status"])
        self.request_seconds = Histogram(
            "kibitz_request_seconds",
            "Seconds from the request to the head of its answer; search: whether it needed one of "
            "KIBITZ_SEARCHES.",
            ["route", "search"],
            registry=self._registry,
            buckets=_SECONDS,
        )
        self.in_flight = self._gauge("kibitz_requests_in_flight", "Requests being answered.")
        answers = self._counter(
            "kibitz_answers_total", "Analyses answered: computed, cached, or shared with an equal request.",
            ["source"],
        )  # fmt: skip
        self._answers = {source: answers.labels(source) for source in ("computed", "cached", "shared")}
        seconds = self._counter(
            "kibitz_engine_seconds_total", "Seconds spent on computed answers, by stage.", ["stage"]
        )
        self._engine_seconds = {stage: seconds.labels(stage) for stage in ("board", "gen", "eval", "total")}
        self.refused = self._counter(
            "kibitz_refused_total",
            "Requests refused: over the rate limit, without a valid key, searches over KIBITZ_SEARCHES, "
            "jobs over the limit of the queue or of their caller.",
            ["reason"],
        )
        self.searches = self._gauge("kibitz_searches_running", "Searches running.")
        self.jobs = self._gauge("kibitz_jobs", "Jobs by state.", ["state"], mode="mostrecent")
        self.cache_values = self._counter(
            "kibitz_cache_values_total", "Values looked up in the cache.", ["tier", "result"]
        )
        self.cache_failures = self._counter("kibitz_cache_failures_total", "Failed operations of Redis.")
        self.cache_bytes = self._gauge("kibitz_cache_bytes", "Bytes of the in-process caches.")

    def start_worker(self) -> None:
        """Count this process as a running worker."""
        self.workers.labels(self._version).set(1)

    def count_answer(self, answer: Answer, *, shared: bool) -> None:
        """Count an answer and, if it was computed, the time of each stage."""
        self._answers["shared" if shared else "cached" if answer.stored else "computed"].inc()
        if not shared and not answer.stored:
            for stage, counter in self._engine_seconds.items():
                counter.inc(getattr(answer.timings, stage))

    def render(self, accept: str) -> tuple[bytes, str]:
        """Return all metrics in a format that the Accept header allows, and its media type."""
        registry = self._registry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        encode, media_type = choose_encoder(accept)
        return encode(registry), media_type

    def _counter(self, name: str, text: str, labels: list[str] | None = None) -> Counter:
        return Counter(name, text, labels or [], registry=self._registry)

    def _gauge(self, name: str, text: str, labels: list[str] | None = None, mode: str = "livesum") -> Gauge:
        options: dict[str, str] = {"multiprocess_mode": mode}
        return Gauge(name, text, labels or [], registry=self._registry, **options)  # type: ignore[arg-type]
