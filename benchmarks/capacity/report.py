"""The tables and plots of the capacity model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Final

from benchmarks.capacity.hit_rates import Caching, Load
from benchmarks.capacity.needs import GB, HOURS, Machines, Prices, need, processor_seconds, simulated_hosts
from kibitz.cli.plots import figure

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.capacity.check import Compared
    from benchmarks.capacity.inputs import Inputs

LIVES: Final = {"24 h": 86_400.0, "1 h": 3600.0, "1 min": 60.0}
READERS: Final = (1.0, 10.0)
SEARCHES: Final = (0.0, 0.1)
SMALL_REDIS_GB: Final = 0.256
"""The Redis of deploy/compose.yaml."""


@dataclass(frozen=True, slots=True)
class Table:
    """Hold a table: title, headings, rows of cells; the first `text` columns hold words."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    text: int = 1


@dataclass(frozen=True, slots=True)
class Scenario:
    """Hold the loads that are compared, and what they run on."""

    loads: Sequence[Load]
    caching: Caching
    machines: Machines
    prices: Prices


def needs_table(inputs: Inputs, scenario: Scenario) -> Table:
    """Return what each load needs, with the times of its answers in the simulation."""
    machines, caching = scenario.machines, scenario.caching
    columns = []
    for load in scenario.loads:
        found = need(inputs, load, caching, machines, scenario.prices)
        run = simulated_hosts(inputs, load, caching, machines, found)
        columns.append(
            {
                "answers found in a cache": f"{100 * found.hit_rate:.1f} %",
                "cores at work": _amount(found.busy_cores),
                f"hosts of {machines.cores} cores, {machines.spare} spare": _amount(found.hosts),
                "cores": _amount(found.cores),
                "memory of Redis, GB": _amount(found.redis_gb),
                "Redis commands a second": _amount(found.redis_operations),
                "nodes of Redis": f"{found.nodes:,} ({found.limit})" if found.nodes else "0",
                "sent to clients, Gbit/s": _amount(found.gbit),
                "median time in the service, ms": f"{1e3 * run.quantile(0.5):.1f}",
                "p99, ms": f"{1e3 * run.quantile(0.99):.1f}",
                "a month: cores": _amount(found.cores_cost),
                "a month: memory of Redis": _amount(found.redis_cost),
                "a month: network": _amount(found.network_cost),
                "a month: all": _amount(found.cost),
            }
        )
    headings = ("analyses a minute", *(f"{load.per_minute:,.0f}" for load in scenario.loads))
    rows = [(name, *(column[name] for column in columns)) for name in columns[0]]
    return Table("What a load needs", headings, rows)


def cachings(caching: Caching) -> dict[str, Caching]:
    """Return the ways to cache that are compared, by name."""
    tiers = {"no cache": replace(caching, tier="none"), "memory": replace(caching, tier="memory")}
    return tiers | {
        f"Redis {name}": replace(caching, tier="redis", life=life) for name, life in LIVES.items()
    }


def savings_table(inputs: Inputs, scenario: Scenario) -> Table:
    """Return cores at work and the cost of cores and Redis for each way to cache."""
    ways = cachings(scenario.caching)
    rows = []
    for load in scenario.loads:
        for readers, searches in product(READERS, SEARCHES):
            asked = replace(load, readers=readers, searches=searches)
            found = [need(inputs, asked, way, scenario.machines, scenario.prices) for way in ways.values()]
            costs = [one.cores_cost + one.redis_cost for one in found]
            rows.append(
                (
                    f"{load.per_minute:,.0f}",
                    f"{readers:g}",
                    f"{100 * searches:g} %",
                    f"{100 * found[2].hit_rate:.1f} %",
                    *(_amount(one.busy_cores) for one in found[:3]),
                    *(_amount(cost) for cost in costs),
                    list(ways)[costs.index(min(costs))],
                )
            )
    headings = (
        "analyses a minute",
        "readers",
        "searches",
        "found, 24 h",
        *(f"cores, {tier}" for tier in ("no cache", "memory", "Redis")),
        *(f"cost, {name}" for name in ways),
        "cheapest",
    )
    return Table("What the cache saves", headings, rows, text=0)


def bottleneck_table(inputs: Inputs, scenario: Scenario) -> Table:
    """Return the loads at which the parts of one host and one small Redis are full, the lowest first."""
    machines = scenario.machines
    shares = {"computed": 1.0}
    each = processor_seconds(inputs, shares, scenario.caching.tier)
    boards = SMALL_REDIS_GB * GB / inputs.board_bytes
    limits = {
        f"memory of Redis, {1000 * SMALL_REDIS_GB:.0f} MB for {scenario.caching.life / 3600:g} h": (
            60 * boards / scenario.caching.life,
            "values are dropped before the end of their life; nothing fails",
        ),
        f"{machines.cores} cores, {100 * machines.utilization:.0f} % at work": (
            60 * machines.cores * machines.utilization / each,
            "another host is needed",
        ),
        f"{machines.cores} cores, always at work": (60 * machines.cores / each, "answers wait without end"),
        "processor of Redis": (60 / inputs.stored.seconds, "all hosts wait for Redis"),
        f"network of {machines.link_gbit:g} Gbit/s to clients": (
            60 * machines.link_gbit * GB / 8 / inputs.reply_bytes,
            "answers need compression or more links",
        ),
    }
    rows = [
        (name, _amount(limit), then)
        for name, (limit, then) in sorted(limits.items(), key=lambda item: item[1][0])
    ]
    return Table(
        "Where one host and one Redis are full, if every position is new",
        ("part", "analyses a minute", "then"),
        rows,
    )


def break_even(inputs: Inputs, machines: Machines, prices: Prices) -> list[str]:
    """Return sentences: from which share of searches Redis saves time, and how long one may wait."""
    more = max(inputs.computed["redis"].busy - inputs.computed["memory"].busy, 0.0)
    saved = inputs.simulation - inputs.found["redis"].busy
    core_second = prices.core_hour / 3600 / machines.utilization
    second_kept = inputs.search_bytes / GB * prices.gb_month / (HOURS * 3600)
    hours = saved * core_second / second_kept / 3600
    return [
        f"Redis saves processor time if more than {100 * more / (more + saved):.2g} % of the requests are "
        "searches that it finds.",
        f"At these prices its memory pays for a simulation that is asked for again within {hours:,.1f} h.",
    ]


def check_table(rows: Sequence[Compared]) -> Table:
    """Return measured values beside those of the model."""
    cells = [
        (
            row.point,
            row.what,
            f"{row.measured:.3g}",
            f"{row.model:.3g}",
            f"{100 * row.deviation:+.0f} %{'' if row.holds else ' (more than 15 %)'}",
        )
        for row in rows
    ]
    return Table(
        "The model beside measured services",
        ("services", "value", "measured", "model", "deviation"),
        cells,
        text=2,
    )


def _amount(value: float) -> str:
    """Return a number with three digits at least."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def draw(inputs: Inputs, scenario: Scenario, folder: Path) -> None:
    """Write capacity-found and capacity-cost, as SVG and PNG, into `folder`.

    Raises InvalidInput (code "plots_missing") without matplotlib.
    """
    rates = [10 ** (step / 4) for step in range(8, 29)]
    life = scenario.caching.life
    games = [rate / 60 / inputs.repetition.turns * life for rate in rates]
    title = f"Positions that another game had within {life / 3600:g} h"
    with figure(folder, "capacity-found", title, "analyses a minute", "%") as axes:
        axes.set_xscale("log")
        for turn in range(1, len(inputs.repetition.chances) + 1):
            found = [100 * inputs.repetition.found(turn, each) for each in games]
            axes.plot(rates, found, label=f"turn {turn}")
        shares = [100 * inputs.repetition.share_found(each) for each in games]
        axes.plot(rates, shares, "k--", label="all turns")
    title = "Cores and Redis for a month, each position asked for twice, 10 % searches"
    with figure(folder, "capacity-cost", title, "analyses a minute", "cost", log=True) as axes:
        axes.set_xscale("log")
        loads = [Load(rate, readers=2.0, searches=SEARCHES[-1]) for rate in rates]
        for name, way in cachings(scenario.caching).items():
            found_needs = [need(inputs, load, way, scenario.machines, scenario.prices) for load in loads]
            axes.plot(rates, [one.cores_cost + one.redis_cost for one in found_needs], label=name)
