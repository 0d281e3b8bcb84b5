"""What a load needs: hosts, Redis, network and money."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from math import ceil
from random import Random
from typing import TYPE_CHECKING, Final

from benchmarks.capacity.hit_rates import Caching, Load, hit_shares
from benchmarks.capacity.model import Model, Outcome, Plan, Shares, Work, random_gaps

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.capacity.inputs import Inputs

HOURS: Final = 730.0  # in a month
GB: Final = 1e9
MODEL_ANSWERS: Final = 20_000
MOST_HOSTS: Final = 8


@dataclass(frozen=True, slots=True)
class Prices:
    """Hold prices in any currency: an hour of a core, a month of a gigabyte in Redis, a gigabyte sent out."""

    core_hour: float = 0.04
    gb_month: float = 3.0
    sent_gb: float = 0.05


@dataclass(frozen=True, slots=True)
class Machines:
    """Hold what is bought: hosts of `cores` with a worker for each core, and nodes of Redis.

    `utilization`: share of a core, or of a node of Redis, that may be busy on average; `spare`: hosts that
    may fail; `redis_gb` and `link_gbit`: memory and network of one node of Redis; `round_trip`: seconds to
    Redis and back.
    """

    cores: int = 4
    utilization: float = 0.6
    spare: int = 1
    redis_gb: float = 64.0
    link_gbit: float = 10.0
    round_trip: float = 0.0002


@dataclass(frozen=True, slots=True)
class Need:
    """Hold what a load needs.

    `shares` of the kinds of answers; `busy_cores`: cores at work on average; `hosts`, with the spare ones;
    `cores`: of all hosts; `redis_gb`; `redis_operations`: commands a second; `nodes` of Redis, and `limit`:
    which of "memory", "processor" and "network" determines their number; `gbit`: sent to clients; cost a
    month.
    """

    shares: dict[str, float]
    busy_cores: float
    hosts: int
    cores: int
    redis_gb: float
    redis_operations: float
    nodes: int
    limit: str
    gbit: float
    cores_cost: float
    redis_cost: float
    network_cost: float

    @property
    def hit_rate(self) -> float:
        """The share of answers that are found in a cache."""
        return self.shares["memory"] + self.shares["redis"]

    @property
    def cost(self) -> float:
        """The cost of a month."""
        return self.cores_cost + self.redis_cost + self.network_cost


def need(inputs: Inputs, load: Load, caching: Caching, machines: Machines, prices: Prices) -> Need:
    """Return what a load needs."""
    workers = 1
    for _ in range(3):  # with more workers, the memory of each sees less of the load
        shares = hit_shares(inputs, load, caching, workers)
        busy = load.per_second * processor_seconds(inputs, shares, caching.tier)
        wanted = ceil(busy / machines.utilization / machines.cores)
        workers = wanted * machines.cores
    has_redis = caching.tier == "redis"
    stored = shares["computed"] + shares["search"] if has_redis else 0.0
    uses = ((stored, inputs.stored), (shares["redis"], inputs.fetched))
    size = shares["computed"] * inputs.board_bytes + shares["search"] * inputs.search_bytes
    redis_gb = load.per_second * size * caching.life / GB if has_redis else 0.0
    redis_busy = load.per_second * sum(share * use.seconds for share, use in uses)
    redis_gbit = load.per_second * sum(share * max(use.sent, use.received) for share, use in uses) * 8 / GB
    wants = {
        "memory": redis_gb / machines.redis_gb,
        "processor": redis_busy / machines.utilization,
        "network": redis_gbit / machines.link_gbit / machines.utilization,
    }
    limit = max(wants, key=lambda name: wants[name])
    nodes = ceil(wants[limit])
    hosts = wanted + machines.spare
    sent_gb = load.per_second * inputs.reply_bytes * HOURS * 3600 / GB
    return Need(
        shares=shares,
        busy_cores=busy,
        hosts=hosts,
        cores=hosts * machines.cores,
        redis_gb=redis_gb,
        redis_operations=load.per_second * sum(share * use.operations for share, use in uses),
        nodes=nodes,
        limit=limit if nodes else "",
        gbit=load.per_second * inputs.reply_bytes * 8 / GB,
        cores_cost=(hosts * machines.cores + nodes) * HOURS * prices.core_hour,
        redis_cost=redis_gb * prices.gb_month,
        network_cost=sent_gb * prices.sent_gb,
    )


def processor_seconds(inputs: Inputs, shares: dict[str, float], tier: str) -> float:
    """Return the processor seconds of a service for an answer, on average over the kinds."""
    plain = sum(
        share * inputs.time(kind, tier).busy for kind, share in shares.items() if kind != "search" and share
    )
    return plain + shares.get("search", 0.0) * inputs.simulation


def drawn_work(inputs: Inputs, tier: str, seed: int = 1) -> Callable[[str], Work]:
    """Return a function that draws the cost of an answer of a kind from the measured times."""
    random = Random(seed)  # noqa: S311 - a simulation

    def work(kind: str) -> Work:
        if kind == "search":
            return Work(inputs.simulation, inputs.simulation, is_search=True)
        time = inputs.time(kind, tier)
        busy = time.busy * random.choice(time.spread)
        idle = busy + max(time.idle - time.busy, 0.0)  # on a loaded machine the difference is noise
        if kind == "memory" or tier != "redis":
            return Work(busy, idle)
        use = inputs.stored if kind == "computed" else inputs.fetched
        return Work(busy, idle, use.calls, use.seconds / use.calls)

    return work


def simulated_hosts(
    inputs: Inputs, load: Load, caching: Caching, machines: Machines, found: Need, seed: int = 1
) -> Outcome:
    """Simulate hosts and their node of Redis with their share of the load, while the spare hosts are away.

    With more hosts than nodes of Redis, the hosts that share one node are simulated, up to MOST_HOSTS.
    """
    hosts = found.hosts - machines.spare
    group = min(max(hosts // max(found.nodes, 1), 1), MOST_HOSTS)
    plan = Plan(hosts=group, workers=machines.cores, cores=machines.cores, round_trip=machines.round_trip)
    model = Model(plan, Shares(found.shares, seed), drawn_work(inputs, caching.tier, seed))
    rate = load.per_second * group / hosts
    return model.open_loop(repeat(0), random_gaps(rate, seed), MODEL_ANSWERS / rate)
