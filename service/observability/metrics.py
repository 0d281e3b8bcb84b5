"""What is counted, and its text for Prometheus (exposition format 0.0.4), added up over all workers.

Every series is known when the application is made: routes, statuses and outcomes are closed lists, so a
client cannot make the list of series grow, and all workers lay the shared page out alike.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from itertools import product
from typing import TYPE_CHECKING, Final, TypeVar

from service.observability.page import SLOT_NUMBERS, MetricsPage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
OTHER: Final = "other"
"""What a label says for a value that is not in its list."""

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of a histogram's buckets."""


class _Family:
    """Hold the series of one metric: a place on the page for each combination of its labels' values."""

    width = 1  # numbers of a series

    def __init__(self, page: MetricsPage, kind: str, name: str, text: str) -> None:
        self.page = page
        self.kind = kind
        self.name = name
        self.text = text
        self.labels: Mapping[str, Sequence[str]] = {}
        self.places: dict[tuple[str, ...], int] = {}

    def lay_out(self, labels: Mapping[str, Sequence[str]], start: int) -> int:
        """Give each series its place from `start` on; return the first free place."""
        self.labels = {
            name: (*values, OTHER) if len(values) > 1 else values for name, values in labels.items()
        }
        for values in product(*self.labels.values()):
            self.places[values] = start
            start += self.width
        return start

    def place(self, values: tuple[str, ...]) -> int:
        """Return the place of a series; values that no list has count as "other"."""
        found = self.places.get(values)
        if found is None:
            known = zip(values, self.labels.values(), strict=True)
            found = self.places[tuple(value if value in listed else OTHER for value, listed in known)]
        return found

    def lines(self) -> list[str]:
        """Write the series that have ever counted, and all of a family without labels."""
        found = ((values, self.page.total(place)) for values, place in self.places.items())
        return [
            f"{self.name}{_braces(self.labels, values)} {_number(total)}"
            for values, total in found
            if total or not self.labels
        ]


class Counter(_Family):
    """Count what only grows."""

    def add(self, *values: str, amount: float = 1.0) -> None:
        """Add to the series of these label values."""
        self.page.add(self.place(values), amount)


class Gauge(_Family):
    """Hold what rises and falls; the sum over the workers is told."""

    def add(self, *values: str, amount: float) -> None:
        """Add to the series of these label values."""
        self.page.add(self.place(values), amount)

    def put(self, *values: str, value: float) -> None:
        """Set this worker's share of the series."""
        self.page.put(self.place(values), value)


class Histogram(_Family):
    """Count observations by size, in seconds."""

    width = len(SECONDS) + 2  # the buckets, what lies beyond them, and the sum

    def observe(self, *values: str, seconds: float) -> None:
        """Count one observation."""
        place = self.place(values)
        self.page.add(place + bisect_left(SECONDS, seconds), 1.0)
        self.page.add(place + self.width - 1, seconds)

    def lines(self) -> list[str]:
        """Write the buckets (each with all smaller ones), sum and count of each series that has any."""
        lines = []
        for values, place in self.places.items():
            counts = [self.page.total(place + number) for number in range(self.width)]
            total = counts.pop()
            if not sum(counts):
                continue
            running = 0.0
            for bound, count in zip((*map(str, SECONDS), "+Inf"), counts, strict=True):
                running += count
                braces = _braces({**self.labels, "le": ()}, (*values, bound))
                lines.append(f"{self.name}_bucket{braces} {_number(running)}")
            braces = _braces(self.labels, values)
            lines += [
                f"{self.name}_sum{braces} {_number(total)}",
                f"{self.name}_count{braces} {_number(running)}",
            ]
        return lines


Kind = TypeVar("Kind", bound=_Family)


class Metrics:
    """Declare the metrics of an application, then count; all declarations come before `begin`."""

    def __init__(self, page: MetricsPage | None = None) -> None:
        self.page = page or MetricsPage()
        self._families: list[_Family] = []
        self._free = 1  # place 0 names the layout

    def counter(self, name: str, text: str, **labels: Sequence[str]) -> Counter:
        """Declare a counter with the values that each of its labels can take."""
        return self._declared(Counter(self.page, "counter", name, text), labels)

    def gauge(self, name: str, text: str, **labels: Sequence[str]) -> Gauge:
        """Declare a gauge."""
        return self._declared(Gauge(self.page, "gauge", name, text), labels)

    def histogram(self, name: str, text: str, **labels: Sequence[str]) -> Histogram:
        """Declare a histogram of seconds."""
        return self._declared(Histogram(self.page, "histogram", name, text), labels)

    def _declared(self, family: Kind, labels: Mapping[str, Sequence[str]]) -> Kind:
        self._free = family.lay_out(labels, self._free)
        if self._free > SLOT_NUMBERS:
            raise ValueError(f"{family.name}: more series than a slot of the shared page holds")
        self._families.append(family)
        return family

    def begin(self) -> None:
        """Take the page into use, once everything is declared."""
        series = [(family.name, *family.places.items()) for family in self._families]
        gauges = [
            place
            for family in self._families
            if isinstance(family, Gauge)
            for place in family.places.values()
        ]
        self.page.begin(float(zlib.crc32(repr(series).encode()) + 1), gauges)

    def text(self) -> str:
        """Write all metrics, added up over the workers."""
        lines: list[str] = []
        for family in self._families:
            lines += [f"# HELP {family.name} {family.text}", f"# TYPE {family.name} {family.kind}"]
            lines += family.lines()
        return "\n".join(lines) + "\n"


def _braces(labels: Mapping[str, Sequence[str]], values: tuple[str, ...]) -> str:
    pairs = (f'{name}="{_escaped(value)}"' for name, value in zip(labels, values, strict=True))
    return "{" + ",".join(pairs) + "}" if labels else ""


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)
