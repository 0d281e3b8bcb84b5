"""Compare the model with measured services: one host, and two hosts with one Redis."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import count, islice, repeat
from random import Random
from typing import TYPE_CHECKING, Final, TypeVar

from benchmarks.capacity.measured_services import CHECKED_BYTES, CONNECTIONS, Shared, together
from benchmarks.capacity.model import Model, Plan, Stores
from benchmarks.capacity.needs import drawn_work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.capacity.inputs import Inputs
    from benchmarks.capacity.measured_services import Measured, Services
    from benchmarks.capacity.model import Outcome
    from benchmarks.capacity.service_times import SharedCore

BOUND: Final = 0.15
"""The largest deviation from a measured value with which the model passes."""

NEW: Final = 0.4
"""Share of new positions among the requests; the others ask again for one of the last RECENT positions."""

RECENT: Final = 300
LOAD: Final = 0.5
"""Answers a second, as a share of those of the busy service, at which times of answers are compared."""

MODEL_SECONDS: Final = 100.0

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Point:
    """A measured point: services by name, with Redis or not, busy or at a given load."""

    name: str
    services: tuple[str, ...]
    tier: str
    is_busy: bool

    def plan(self, inputs: Inputs, core: SharedCore) -> Plan:
        """Return the hosts, which share the one core of the services, and its part that they get.

        The scheduler divides a core evenly among processes that are always busy, so that two hosts get more;
        a host that sleeps now and then gets the core when it wakes, after a wait that `Inputs.outside`
        contains.
        """
        hosts = len(self.services)
        return Plan(
            hosts=hosts,
            shared_cores=True,
            available=hosts / (hosts + 1 / core.available - 1) if self.is_busy else 1.0,
            slowing=core.slowing if hosts > 1 else 1.0,
            round_trip=inputs.round_trip,
            outside=inputs.outside,
        )


POINTS: Final = tuple(
    Point(f"{name}, {'busy' if is_busy else 'half busy'}", services, tier, is_busy)
    for name, services, tier in (
        ("one host", ("alone",), "memory"),
        ("one host with Redis", ("alone with Redis",), "redis"),
        ("two hosts with Redis", ("first", "second"), "redis"),
    )
    for is_busy in (True, False)
)


@dataclass(frozen=True, slots=True)
class Compared:
    """Hold one value of a point: as measured and as the model has it, in the unit that `what` names."""

    point: str
    what: str
    measured: float
    model: float

    @property
    def deviation(self) -> float:
        """The deviation of the model, as a share of the measured value; infinite if nothing was measured."""
        return self.model / self.measured - 1 if self.measured else math.inf

    @property
    def holds(self) -> bool:
        """Whether the deviation is within BOUND."""
        return abs(self.deviation) <= BOUND


def asked_again(items: Iterator[Item], seed: int) -> Iterator[Item]:
    """Yield new items and, more often, one of the last RECENT items again."""
    random = Random(seed)  # noqa: S311 - a benchmark
    recent: list[Item] = []
    for number in count():
        if not recent or random.random() < NEW:
            item = next(items)
            if len(recent) < RECENT:
                recent.append(item)
            else:
                recent[number % RECENT] = item
        else:
            item = random.choice(recent)
        yield item


@dataclass
class MeasuredPoints:
    """Measure the POINTS in rounds; `runs`: by point, one run in each round."""

    services: Services
    fresh: Iterator[bytes]
    runs: dict[Point, list[Measured]] = field(default_factory=lambda: defaultdict(list))
    _streams: dict[tuple[str, ...], Iterator[bytes]] = field(default_factory=dict)
    _rates: dict[Point, float] = field(default_factory=dict)

    def measure_round(self, seconds: float) -> None:
        """Measure every point once; the rate of half the load follows from the busy runs before."""
        for point in POINTS:
            stream = self._stream(point)
            if point.is_busy:
                run = self.services.closed(
                    point.services, stream, CONNECTIONS // len(point.services), seconds
                )
                rate = run.count / run.seconds
            else:
                rate = self._rates.setdefault(point, LOAD * rate)
                run = self.services.open(point.services, stream, rate, seconds)
            self.runs[point].append(run)

    def fill(self, count: int) -> None:
        """Send the first `count` requests of each stream."""
        for point in POINTS:
            if point.is_busy:
                for name in point.services:
                    self.services.ask(name, islice(self._stream(point), count // len(point.services)))

    def _stream(self, point: Point) -> Iterator[bytes]:
        """Return the requests of a point, which hosts share, and the busy and the half busy."""
        if point.services not in self._streams:
            self._streams[point.services] = Shared(asked_again(self.fresh, len(self._streams)))
        return self._streams[point.services]

    def compared(self, inputs: Inputs, core: SharedCore) -> list[Compared]:
        """Return all measured values beside those of the model."""
        return [
            row
            for point, runs in self.runs.items()
            for row in self._rows(point, together(runs), inputs, core)
        ]

    def _rows(self, point: Point, run: Measured, inputs: Inputs, core: SharedCore) -> list[Compared]:
        predicted = simulated(point, inputs, core, self._rates.get(point, 0.0))
        rows = [Compared(point.name, "share found in memory", run.hits, predicted.share("memory"))]
        processor = predicted.worked / len(predicted.times)
        rows.append(Compared(point.name, "processor ms of an answer", 1e3 * run.each, 1e3 * processor))
        if point.is_busy:
            rate = run.count / run.seconds
            rows.append(Compared(point.name, "answers a second", rate, predicted.per_second))
        else:
            rows.append(Compared(point.name, "ms until the answer", 1e3 * run.mean, 1e3 * predicted.mean))
        return rows


def simulated(point: Point, inputs: Inputs, core: SharedCore, per_second: float) -> Outcome:
    """Return what the model says of a point."""
    plan = point.plan(inputs, core)
    stores = Stores(plan.hosts, CHECKED_BYTES / inputs.memory_bytes)
    model = Model(plan, stores, drawn_work(inputs, point.tier))
    keys = asked_again(count(), seed=7)
    if point.is_busy:
        return model.closed_loop(keys, CONNECTIONS, MODEL_SECONDS)
    return model.open_loop(keys, repeat(1 / per_second), MODEL_SECONDS)
