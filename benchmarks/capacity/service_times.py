"""Measure what answers cost: processor time by kind, calls and bytes of Redis, sizes."""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchmarks.capacity.inputs import TIERS, AnswerTime, Inputs, RedisUse
from benchmarks.capacity.measured_services import CONNECTIONS, together
from benchmarks.load.positions import simulations
from engine import SimulationPlan
from service.cache import ENTRY_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import redis

    from benchmarks.capacity.measured_services import Measured, Services
    from benchmarks.capacity.repetition import Repetition
    from benchmarks.load.positions import Asked

SELDOM: Final = 0.2
"""Share of its time that a service works which counts as idle: between answers its threads sleep."""

KINDS: Final = {
    "none": "none",
    "memory": "memory",
    "redis": "redis",
    "found in memory": "memory",
    "found in redis": "fetching",
}
"""Kinds of answers, computed or found, by the service that gives them."""

COMPUTING: Final = ("none", "memory")
"""The two services that are measured together; both compute new positions then."""
SHARING: Final = "sharing"

IN_MEMORY: Final = 30
IN_REDIS: Final = 30
"""Number of plain answers, and of searches, that are found again; the former fit in memory."""

NEW: Final = 300
"""Number of new positions whose sizes are measured."""

QUANTILES: Final = 50
SEAL_BYTES: Final = 36
"""Format and HMAC before a value in Redis."""


@dataclass(frozen=True, slots=True)
class SharedCore:
    """Hold how the core that the services share serves those that are never idle.

    `available`: the share of its time that one service gets; `slowing`: the processor time of an answer when
    two services share the core, over that of one alone, because each empties the caches of the other.
    """

    available: float
    slowing: float


@dataclass
class ServiceTimes:
    """Measure the services in rounds, so that other load on the machine disturbs all kinds alike.

    `asked`: positions that are asked for again and that searches start from; `runs`: by kind, busy and idle,
    one run in each round; of two services that share the core only busy.
    """

    services: Services
    asked: Sequence[Asked]
    fresh: Iterator[bytes]
    runs: dict[tuple[str, str], list[Measured]] = field(default_factory=lambda: defaultdict(list))

    def warm_up(self) -> None:
        """Use every service once, and have the searches stored in Redis that are found there later."""
        for service in KINDS.values():
            self.services.ask(service, [one.request for one in self.asked])
        self.services.ask(KINDS["found in redis"], self._searches())

    def _searches(self) -> list[bytes]:
        """Return requests for searches of one iteration, whose answers are as long as those of any search."""
        return list(islice(simulations(list(self.asked), 1), IN_REDIS))

    def measure_round(self, seconds: float) -> None:
        """Measure every kind once, busy and idle, and a few simulations."""
        known = [one.request for one in self.asked]
        for name, service in KINDS.items():
            source = self.fresh
            if name == "found in memory":
                self.services.ask(service, known[:IN_MEMORY])  # new positions have replaced these
                source = cycle(known[:IN_MEMORY])
            elif name == "found in redis":
                source = cycle(self._searches())
            busy = self.services.closed([service], source, CONNECTIONS, seconds)
            idle = self.services.open([service], source, SELDOM * busy.count / busy.seconds, seconds)
            self.runs[name, "busy"].append(busy)
            self.runs[name, "idle"].append(idle)
        both = self.services.closed(COMPUTING, self.fresh, CONNECTIONS // len(COMPUTING), seconds)
        self.runs[SHARING, "busy"].append(both)
        searches = simulations(list(self.asked), SimulationPlan().iterations)
        self.runs["simulation", "busy"].append(self.services.closed(["memory"], searches, 1, seconds))

    def _run(self, name: str, when: str) -> Measured:
        return together(self.runs[name, when])

    def _answer_times(self, names: Sequence[str]) -> list[AnswerTime]:
        """Return the times of kinds that take as much longer when idle, which all of them together show."""
        busy = [self._run(name, "busy") for name in names]
        idle = [self._run(name, "idle") for name in names]
        waking = sum(run.each for run in idle) / sum(run.each for run in busy)
        return [
            AnswerTime(one.each, one.each * waking, _spread([reply.seconds for reply in other.replies]))
            for one, other in zip(busy, idle, strict=True)
        ]

    def core(self) -> SharedCore:
        """Return how the one core served services that were never idle."""
        busy = [self._run(tier, "busy") for tier in TIERS]
        alone = [self._run(name, "busy").each for name in COMPUTING]
        return SharedCore(
            available=sum(run.processor for run in busy) / sum(run.seconds for run in busy),
            slowing=self._run(SHARING, "busy").each / statistics.mean(alone),
        )

    def inputs(self, repetition: Repetition, **names: str) -> Inputs:
        """Return all that was measured; `names`: machine, command and lexicon.

        A plain answer asks Redis for its board before it is computed, and stores it after it was sent: a
        client waits for one of the two calls.
        """
        others = statistics.mean(self._run(*kind).others for kind in self.runs)
        outside = statistics.mean(
            self._run(name, "idle").outside for name in ("none", "memory", "found in memory")
        )
        sizes = self._sizes()
        stored = self._redis_use("redis", sizes["stored_sent"], sizes["stored_received"], 1, 2)
        fetched = self._redis_use("found in redis", sizes["fetched_sent"], sizes["fetched_received"], 1, 1)
        return Inputs(
            **names,
            others=others,
            computed=dict(zip(TIERS, self._answer_times(TIERS), strict=True)),
            found=dict(zip(TIERS[1:], self._answer_times(list(KINDS)[len(TIERS) :]), strict=True)),
            simulation=self._run("simulation", "busy").each,
            stored=stored,
            fetched=fetched,
            outside=outside,
            round_trip=max(self._run("found in redis", "idle").outside - outside - fetched.seconds, 0.0),
            reply_bytes=sizes["reply"],
            memory_bytes=sizes["memory"],
            board_bytes=sizes["board"],
            search_bytes=sizes["search"],
            repetition=repetition,
        )

    def _redis_use(self, name: str, sent: float, received: float, calls: int, operations: int) -> RedisUse:
        run = self._run(name, "busy")
        return RedisUse(calls, operations, run.redis / run.count, sent, received)

    def _sizes(self) -> dict[str, float]:
        """Return bytes of new answers in the caches, on the wire, and between service and Redis."""
        client, service = self.services.client, KINDS["found in redis"]
        client.flushall()
        before = _statistics(client)
        replies = self.services.ask(service, islice(self.fresh, NEW))
        stored = _statistics(client)
        values = [client.strlen(key) for key in client.scan_iter(count=1000)]
        board = _memory(client)
        client.flushall()
        self.services.ask(service, self._searches())
        search = _memory(client)
        computed = _statistics(client)
        self.services.ask(service, self._searches())
        fetched = _statistics(client)
        reply = sum(reply.size for reply in replies)
        return {
            "reply": reply / NEW,
            "memory": (reply + sum(values) + (2 * ENTRY_BYTES - SEAL_BYTES) * NEW) / NEW,
            "board": board / NEW,
            "search": search / IN_REDIS,
            "stored_sent": (stored["sent"] - before["sent"]) / NEW,
            "stored_received": (stored["received"] - before["received"]) / NEW,
            "fetched_sent": (fetched["sent"] - computed["sent"]) / IN_REDIS,
            "fetched_received": (fetched["received"] - computed["received"]) / IN_REDIS,
        }


def _memory(client: redis.Redis) -> int:
    """Return the bytes that all values take in Redis."""
    return sum(client.memory_usage(key) or 0 for key in client.scan_iter(count=1000))


def _statistics(client: redis.Redis) -> dict[str, int]:
    counted: dict[str, Any] = client.info("stats")
    return {
        "sent": counted["total_net_output_bytes"],
        "received": counted["total_net_input_bytes"],
    }


def _spread(times: Sequence[float]) -> list[float]:
    quantiles = np.quantile(times, (np.arange(QUANTILES) + 0.5) / QUANTILES)
    return [round(float(value), 4) for value in quantiles / quantiles.mean()]
