"""A discrete-event simulation (SimPy) of hosts that answer requests, with their caches and one Redis.

A request takes a thread of a worker, then the worker's interpreter lock and a core for its processor time,
which calls of Redis divide into equal parts; a call leaves the core to others. Redis serves one call at a
time. A simulation holds a slot and takes a core in slices without the interpreter lock.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Final, Protocol

from engine import InvalidInput
from engine.extras import install_command

if TYPE_CHECKING:
    from simpy import Environment, Resource

SLICE: Final = 0.001  # seconds: about the time of an answer, so that a search and answers share a core evenly
REFUSED: Final = "refused"


@dataclass(frozen=True, slots=True)
class Work:
    """Hold what an answer costs.

    `busy` and `idle`: processor seconds of the worker when it was busy before or idle; `calls`: calls of
    Redis, each of `redis` seconds; `is_search`: whether it needs a slot.
    """

    busy: float
    idle: float
    calls: int = 0
    redis: float = 0.0
    is_search: bool = False


class Cache(Protocol):
    """Say where an answer is found."""

    def kind(self, worker: int, key: int) -> str:
        """Return "memory", "redis" or another kind of answer; remember the key."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold the machines.

    `workers` of one host; `cores` of each host, or of all together if `shared_cores`; `available`: the share
    of its time that a core has for the hosts; `slowing`: factor of the processor time of answers, because
    hosts share a core; `round_trip`: seconds to Redis and back; `outside`: seconds of an answer in which no
    processor of the service works on it.
    """

    hosts: int = 1
    workers: int = 1
    cores: int = 1
    shared_cores: bool = False
    available: float = 1.0
    slowing: float = 1.0
    threads: int = 80
    searches: int = 2
    round_trip: float = 0.0
    outside: float = 0.0


@dataclass
class Outcome:
    """Hold what a run showed: seconds of each answer, answers by kind, processor seconds worked."""

    seconds: float
    times: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    worked: float = 0.0
    redis_worked: float = 0.0

    @property
    def per_second(self) -> float:
        """Answers a second."""
        return len(self.times) / self.seconds

    def share(self, kind: str) -> float:
        """Return the share of a kind among the answers."""
        return self.kinds[kind] / max(self.kinds.total(), 1)

    def quantile(self, share: float) -> float:
        """Return a quantile of the times of the answers."""
        times = sorted(self.times)
        return times[min(int(share * len(times)), len(times) - 1)] if times else float("nan")

    @property
    def mean(self) -> float:
        """The mean time of an answer."""
        return sum(self.times) / len(self.times) if self.times else float("nan")


def random_gaps(per_second: float, seed: int = 1) -> Iterator[float]:
    """Yield the seconds between requests that arrive independently of each other (a Poisson process)."""
    random = Random(seed)  # noqa: S311 - a simulation
    while True:
        yield random.expovariate(per_second)


class Shares:
    """A cache that finds answers at random, in given shares; the rest is computed."""

    def __init__(self, shares: dict[str, float], seed: int = 1) -> None:
        self._kinds, self._weights = list(shares), list(shares.values())
        self._random = Random(seed)  # noqa: S311 - a simulation

    def kind(self, worker: int, key: int) -> str:
        """Return a random kind."""
        return self._random.choices(self._kinds, self._weights)[0]


class LeastRecent:
    """A table of keys, at most `capacity`, that forgets the least recently used one."""

    def __init__(self, capacity: float) -> None:
        self._capacity = capacity
        self._keys: OrderedDict[int, None] = OrderedDict()

    def use(self, key: int) -> bool:
        """Return whether a key was there; afterwards it is."""
        known = key in self._keys
        self._keys[key] = None
        self._keys.move_to_end(key)
        while len(self._keys) > self._capacity:
            self._keys.popitem(last=False)
        return known


class Stores:
    """The caches of the workers; capacities in answers."""

    def __init__(self, workers: int, capacity: float) -> None:
        self._memories = [LeastRecent(capacity) for _ in range(workers)]

    def kind(self, worker: int, key: int) -> str:
        """Return where the answer is found, or "computed"."""
        return "memory" if self._memories[worker].use(key) else "computed"


Process = Generator[Any, Any, None]


class Model:
    """Hosts, Redis and clients in one simulated time."""

    def __init__(self, plan: Plan, cache: Cache, work: Callable[[str], Work]) -> None:
        """`work` draws the cost of an answer of a kind.

        Raises InvalidInput (code "simpy_missing") without SimPy.
        """
        try:
            import simpy
        except ImportError:
            raise InvalidInput(
                f"the model needs SimPy, which is not installed: {install_command('capacity')}",
                code="simpy_missing",
            ) from None
        self._plan, self._cache, self._work = plan, cache, work
        self._clock: Environment = simpy.Environment()
        self._redis = simpy.Resource(self._clock)
        cores = [
            simpy.Resource(self._clock, plan.cores) for _ in range(1 if plan.shared_cores else plan.hosts)
        ]
        self._workers = [
            _Worker(
                cores[host % len(cores)],
                simpy.Resource(self._clock),
                simpy.Resource(self._clock, plan.threads),
                simpy.Resource(self._clock, plan.searches),
            )
            for host in range(plan.hosts)
            for _ in range(plan.workers)
        ]
        self._outcome = Outcome(0.0)

    def open_loop(self, keys: Iterator[int], gaps: Iterator[float], seconds: float) -> Outcome:
        """Let a request arrive after each of the `gaps`, in seconds, at the next worker in turn."""

        def arrivals() -> Process:
            for number, gap in enumerate(gaps):
                yield self._clock.timeout(gap)
                self._clock.process(self._answer(number % len(self._workers), next(keys)))

        self._clock.process(arrivals())
        return self._run(seconds)

    def closed_loop(self, keys: Iterator[int], connections: int, seconds: float) -> Outcome:
        """Let each connection send a request to its worker as soon as the one before is answered."""

        def connection(worker: int) -> Process:
            while True:
                yield self._clock.process(self._answer(worker, next(keys)))

        for number in range(connections):
            self._clock.process(connection(number % len(self._workers)))
        return self._run(seconds)

    def _run(self, seconds: float) -> Outcome:
        warm = seconds / 10  # an empty system at first
        self._clock.run(until=warm)
        self._outcome = Outcome(seconds)
        self._clock.run(until=warm + seconds)
        return self._outcome

    def _answer(self, number: int, key: int) -> Process:
        arrived, worker = self._clock.now, self._workers[number]
        yield self._clock.timeout(self._plan.outside)
        with worker.threads.request() as thread:
            yield thread
            kind = self._cache.kind(number, key)
            cost = self._work(kind)
            if cost.is_search and worker.searches.count == worker.searches.capacity:
                self._outcome.kinds[REFUSED] += 1
                return
            if cost.is_search:
                with worker.searches.request() as slot:
                    yield slot
                    yield from self._search(worker, cost.busy)
            else:
                yield from self._work_and_call(worker, cost)
        self._outcome.kinds[kind] += 1
        self._outcome.times.append(self._clock.now - arrived)

    def _work_and_call(self, worker: _Worker, cost: Work) -> Process:
        seconds = self._plan.slowing * (cost.busy if worker.lock.count else cost.idle)
        for _ in range(cost.calls):
            yield from self._hold(worker, seconds / (cost.calls + 1))
            yield self._clock.timeout(self._plan.round_trip)
            with self._redis.request() as turn:
                yield turn
                yield self._clock.timeout(cost.redis)
                self._outcome.redis_worked += cost.redis
        yield from self._hold(worker, seconds / (cost.calls + 1))

    def _hold(self, worker: _Worker, seconds: float) -> Process:
        with worker.lock.request() as lock:
            yield lock
            with worker.cores.request() as core:
                yield core
                yield self._clock.timeout(seconds / self._plan.available)
                self._outcome.worked += seconds

    def _search(self, worker: _Worker, seconds: float) -> Process:
        while seconds > 0:
            part = min(SLICE, seconds)
            with worker.cores.request() as core:
                yield core
                yield self._clock.timeout(part / self._plan.available)
                self._outcome.worked += part
            seconds -= part


@dataclass(frozen=True, slots=True)
class _Worker:
    cores: Resource
    lock: Resource
    threads: Resource
    searches: Resource
