"""The services whose times are measured: one for each way to cache, on one core, with one Redis."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import redis

from benchmarks.load.client import Wire, closed_loop, open_loop
from benchmarks.load.servers import KIBITZ, Cores, ServerError, has_redis, redis_running, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from benchmarks.load.client import Reply, Run
    from benchmarks.load.servers import Running

CHECKED_BYTES: Final = 1 << 20
"""The memory cache of the services: so small that it forgets."""

CONNECTIONS: Final = 16
"""Connections of a busy service."""

SERVICES: Final = {
    "none": (0, False),
    "memory": (CHECKED_BYTES, False),
    "redis": (CHECKED_BYTES, True),
    "fetching": (0, True),
    "alone": (CHECKED_BYTES, False),
    "alone with Redis": (CHECKED_BYTES, True),
    "first": (CHECKED_BYTES, True),
    "second": (CHECKED_BYTES, True),
}
"""Bytes of the memory cache, and whether Redis is behind it. `fetching` finds searches in Redis only; the
last four are those of the check, so that nothing else fills their caches."""

Item = TypeVar("Item")


class Shared(Generic[Item]):
    """An iterator that several threads may use."""

    def __init__(self, items: Iterator[Item]) -> None:
        self._items = items
        self._lock = Lock()

    def __iter__(self) -> Shared[Item]:
        return self

    def __next__(self) -> Item:
        with self._lock:
            return next(self._items)


@dataclass(frozen=True, slots=True)
class Measured:
    """Hold one run: its answers, seconds by the clock, processor seconds of the services and of Redis.

    `others`: processor seconds of other programs meanwhile, for each second.
    """

    replies: list[Reply]
    seconds: float
    processor: float
    redis: float
    others: float

    @property
    def count(self) -> int:
        """The number of answers."""
        return len(self.replies)

    @property
    def each(self) -> float:
        """Processor seconds of an answer."""
        return self.processor / self.count

    @property
    def mean(self) -> float:
        """The mean time of an answer for the client."""
        return sum(reply.seconds for reply in self.replies) / self.count

    @property
    def outside(self) -> float:
        """Seconds of an answer in which no processor of the service works on it."""
        return max(self.mean - self.each, 0.0)  # on a loaded machine the difference is noise

    @property
    def hits(self) -> float:
        """The share of the answers that came from a cache."""
        return sum(reply.is_hit for reply in self.replies) / self.count


class Services:
    """Services that run, by the names of SERVICES, and a client of their Redis."""

    def __init__(self, running: dict[str, Running], client: redis.Redis, cores: Cores) -> None:
        self._running = running
        self._cores = cores.server | cores.client
        self.client = client

    def closed(
        self, names: Sequence[str], requests: Iterator[bytes], connections: int, seconds: float
    ) -> Measured:
        """Keep `connections` requests in flight at each of the services."""
        return self._measure(names, lambda port: closed_loop(port, requests, connections, seconds))

    def open(
        self, names: Sequence[str], requests: Iterator[bytes], per_second: float, seconds: float
    ) -> Measured:
        """Send `per_second` requests to all services together, at equal intervals."""
        rate = per_second / len(names)
        return self._measure(names, lambda port: open_loop(port, requests, rate, seconds))

    def ask(self, name: str, requests: Iterable[bytes]) -> list[Reply]:
        """Send requests to a service, one at a time."""
        with Wire(self._running[name].port) as wire:
            return [wire.ask(request) for request in requests]

    def _measure(self, names: Sequence[str], run: Callable[[int], Run]) -> Measured:
        services = [self._running[name] for name in names]
        before, redis_before = self._spent(services), self._redis()
        all_before, own_before, started = busy_seconds(self._cores), time.process_time(), time.perf_counter()
        with ThreadPoolExecutor(len(services)) as pool:
            runs = list(pool.map(run, (service.port for service in services)))
        passed = time.perf_counter() - started
        own = time.process_time() - own_before
        everything = busy_seconds(self._cores) - all_before
        replies = [reply for each in runs for reply in each.replies]
        if failed := [reply.status for reply in replies if reply.status != 200]:
            raise ServerError(f"{len(failed)} requests failed, the first with status {failed[0]}")
        spent, by_redis = self._spent(services) - before, self._redis() - redis_before
        return Measured(
            replies,
            max(each.seconds for each in runs),
            spent,
            by_redis,
            (everything - spent - by_redis - own) / passed,
        )

    def _spent(self, services: Sequence[Running]) -> float:
        return sum(service.cpu_seconds() for service in services)

    def _redis(self) -> float:
        spent: dict[str, Any] = self.client.info("cpu")
        return float(spent["used_cpu_user"] + spent["used_cpu_sys"])


def together(runs: Sequence[Measured]) -> Measured:
    """Return several runs as one run."""
    return Measured(
        [reply for run in runs for reply in run.replies],
        sum(run.seconds for run in runs),
        sum(run.processor for run in runs),
        sum(run.redis for run in runs),
        sum(run.others for run in runs) / len(runs),
    )


def busy_seconds(cores: Collection[int]) -> float:
    """Return the seconds that these cores have worked since the machine started; 0 without /proc/stat."""
    ticks = 0
    with suppress(OSError):
        for line in Path("/proc/stat").read_text().splitlines():
            name, *times = line.split()
            if name.removeprefix("cpu") in map(str, cores):
                user, nice, system, _idle, _waiting, *rest = map(int, times)
                ticks += user + nice + system + sum(rest[:3])  # interrupts, and what the hypervisor took
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def services_running(lexicon_id: str, data: Path, cores: Cores) -> Iterator[Services]:
    """Run the services on the server's core, Redis on those of the client, where this process moves too.

    Raises ServerError without redis-server, or if a service does not start.
    """
    if not has_redis():
        raise ServerError("there is no redis-server on the path")
    base = {
        "KIBITZ_DATA": str(data),
        "KIBITZ_LEXICON": lexicon_id,
        "KIBITZ_RATE_PER_MINUTE": "0",
        # On a busy machine a slow Redis would make each connection compute a search that is stored there.
        "KIBITZ_REDIS_TIMEOUT_MS": "1000",
        "KIBITZ_SEARCHES": str(CONNECTIONS),
    }
    allowed = os.sched_getaffinity(0)
    if cores.client:
        os.sched_setaffinity(0, cores.client)
    try:
        with ExitStack() as stack:
            url = stack.enter_context(redis_running(cores))
            running = {}
            for name, (cache_bytes, with_redis) in SERVICES.items():
                settings = base | {"KIBITZ_CACHE_BYTES": str(cache_bytes)}
                settings |= {"KIBITZ_REDIS_URL": url} if with_redis else {}
                running[name] = stack.enter_context(serving(KIBITZ, cores, settings))
            yield Services(running, stack.enter_context(redis.Redis.from_url(url)), cores)
    finally:
        os.sched_setaffinity(0, allowed)
