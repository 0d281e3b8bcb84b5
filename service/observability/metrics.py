"""What is counted: prometheus-client's metrics, with the values of their labels declared beforehand.

Routes, statuses and outcomes are closed lists, so a client cannot make the list of series grow. Where the
workers of a server share a folder (see `sharing`), every worker tells the sum of all of them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import prometheus_client
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector

from service.observability.sharing import FOLDER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OTHER: Final = "other"
"""What a label says for a value that is not in its list."""

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of a histogram's buckets."""

# The time at which each series began would be a second line for every one, and nobody asks for it.
prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]

Kind = TypeVar("Kind", prometheus_client.Counter, prometheus_client.Gauge, prometheus_client.Histogram)


class _Family(Generic[Kind]):
    """Hold a metric and what is written of its series, for each combination of labels that has been met."""

    def __init__(self, metric: Kind, labels: Mapping[str, Sequence[str]]) -> None:
        self._metric: Kind = metric
        self._labels = labels
        self._series: dict[tuple[str, ...], Any] = {} if labels else {(): self._written(metric)}

    def _written(self, series: Kind) -> Any:
        """Return what is written of a series: its number, whose checks for each time are made here once."""
        return series._value  # type: ignore[attr-defined]

    def _one(self, values: tuple[str, ...]) -> Any:
        """Return what is written of a series; values that no list has count as "other"."""
        found = self._series.get(values)
        if found is None:
            known = zip(values, self._labels.values(), strict=True)
            told = tuple(value if value in listed else OTHER for value, listed in known)
            found = self._written(self._metric.labels(*told))
            if told == values:
                self._series[values] = found
        return found


class Counter(_Family[prometheus_client.Counter]):
    """Count what only grows."""

    def add(self, *values: str, amount: float = 1.0) -> None:
        """Add to the series of these label values."""
        self._one(values).inc(amount)


class Gauge(_Family[prometheus_client.Gauge]):
    """Hold what rises and falls; the sum over the living workers is told."""

    def add(self, *values: str, amount: float) -> None:
        """Add to the series of these label values."""
        self._one(values).inc(amount)

    def put(self, *values: str, value: float) -> None:
        """Set this worker's share of the series."""
        self._one(values).set(float(value))


class Histogram(_Family[prometheus_client.Histogram]):
    """Count observations by size, in seconds."""

    def _written(self, series: prometheus_client.Histogram) -> Any:
        return series

    def observe(self, *values: str, seconds: float) -> None:
        """Count one observation."""
        self._one(values).observe(seconds)


class Metrics:
    """Declare the metrics of an application, and tell them."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()

    def counter(self, name: str, text: str, **labels: Sequence[str]) -> Counter:
        """Declare a counter with the values that each of its labels can take."""
        return Counter(prometheus_client.Counter(name, text, [*labels], registry=self._registry), labels)

    def gauge(self, name: str, text: str, **labels: Sequence[str]) -> Gauge:
        """Declare a gauge."""
        options: dict[str, Any] = {"registry": self._registry, "multiprocess_mode": "livesum"}
        return Gauge(prometheus_client.Gauge(name, text, [*labels], **options), labels)

    def histogram(self, name: str, text: str, **labels: Sequence[str]) -> Histogram:
        """Declare a histogram of seconds."""
        made = prometheus_client.Histogram(name, text, [*labels], registry=self._registry, buckets=SECONDS)
        return Histogram(made, labels)

    def told(self, accept: str) -> tuple[bytes, str]:
        """Write all metrics in the format that `accept` (of the header's form) asks for; return its name too.

        For Prometheus that is OpenMetrics or, by default, its text format 0.0.4.
        """
        registry = self._registry
        if folder := os.environ.get(FOLDER):
            registry = CollectorRegistry()
            MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        encode, media_type = choose_encoder(accept)
        return encode(registry), media_type
