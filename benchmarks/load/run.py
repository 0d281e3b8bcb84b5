"""The load test: start the servers and run the phases."""

from __future__ import annotations

import gc
import os
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import redis

from benchmarks.load.bounds import verdicts
from benchmarks.load.phases import by_move, engine_times, overload, throughput
from benchmarks.load.positions import asked_of_games, never_twice
from benchmarks.load.servers import KIBITZ, NULL, has_redis, redis_running, serving
from engine import Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from benchmarks.load.positions import Asked
    from benchmarks.load.servers import Cores, Running

    Stage = Callable[[str], Callable[[int, int], None]]

SEARCHES: Final = 1
"""Concurrent searches of the service, which has one core."""


@dataclass(frozen=True)
class Plan:
    """Hold the amount of work.

    `games`: greedy games whose positions are requested; `repeats`: answers to each of which the fastest shows
    the time of the engine; `rounds` of `seconds` for each number of `connections`; `iterations` of the
    simulations that are offered for `overload_seconds`.
    """

    games: int = 1000
    repeats: int = 3
    connections: tuple[int, ...] = (1, 4, 16, 64)
    rounds: int = 5
    seconds: float = 1.0
    overload_seconds: float = 15.0
    iterations: int = 1000


QUICK: Final = Plan(3, 10, (1, 16), 1, 0.2, 0.5, 100)
"""Run everything once, to test it; the latencies mean nothing."""


def run_load(lexicon_id: str, data: Path, plan: Plan, cores: Cores, stage: Stage) -> dict[str, Any]:
    """Run all phases; `stage` is called with the name of each and returns its progress function.

    Raises ServerError if a server does not start.
    """
    if cores.client:
        os.sched_setaffinity(0, cores.client)
    # Do not keep the lexicon open: a table that this process maps too would not count in full as PSS.
    asked = asked_of_games(Catalogue(data).open(lexicon_id), plan.games, stage("Playing greedy games"))
    settings = {
        "KIBITZ_DATA": str(data),
        "KIBITZ_LEXICON": lexicon_id,
        "KIBITZ_RATE_PER_MINUTE": "0",
        "KIBITZ_SEARCHES": str(SEARCHES),
    }
    report: dict[str, Any] = {
        "lexicon": lexicon_id,
        "games": plan.games,
        "positions": len(asked),
        "cores": {"server": sorted(cores.server), "client": sorted(cores.client)},
        "servers": {},
    }
    gc.collect()
    gc.freeze()
    with serving(KIBITZ, cores, settings | {"KIBITZ_CACHE_BYTES": "0"}) as uncached:
        report["engine"] = engine_times(uncached, asked, plan.repeats, stage("Board and generation"))
    with serving(NULL, cores, {}) as null:
        report["null_pss_bytes"] = null.pss_bytes()
        with serving(KIBITZ, cores, settings) as server:
            report["servers"]["embedded"] = _measure(
                "embedded", null, server, asked, plan, stage, empty_redis=lambda: None
            )
            progress = stage("Overload by simulations")
            report["overload"] = overload(server, asked, SEARCHES, plan.iterations, plan.overload_seconds)
            progress(1, 1)
        if has_redis():
            with _with_redis(cores, settings) as (server, empty_redis):
                measured = _measure("with Redis", null, server, asked, plan, stage, empty_redis)
                report["servers"]["redis"] = measured
    report["errors"] = sum(
        part["errors"]
        for part in (
            report["engine"],
            report["overload"],
            *(measured["by_move"] for measured in report["servers"].values()),
            *(load for measured in report["servers"].values() for load in measured["throughput"]),
        )
    )
    report["verdicts"] = verdicts(report)
    return report


@contextmanager
def _with_redis(cores: Cores, settings: dict[str, str]) -> Iterator[tuple[Running, Callable[[], None]]]:
    """Run a server with a Redis; yield it and a function that empties the Redis."""
    with ExitStack() as stack:
        url = stack.enter_context(redis_running(cores))
        client = stack.enter_context(redis.Redis.from_url(url))
        server = stack.enter_context(serving(KIBITZ, cores, settings | {"KIBITZ_REDIS_URL": url}))

        def empty_redis() -> None:
            client.flushall()

        yield server, empty_redis


def _measure(
    name: str,
    null: Running,
    server: Running,
    asked: list[Asked],
    plan: Plan,
    stage: Stage,
    empty_redis: Callable[[], None],
) -> dict[str, Any]:
    moves = by_move(server, asked, stage(f"By move number, {name}"))
    requests = never_twice(asked)
    progress = stage(f"Throughput, {name}")
    loads = []
    for done, connections in enumerate(plan.connections, 1):
        loads.append(
            throughput(null, server, asked, requests, connections, plan.seconds, plan.rounds, empty_redis)
        )
        progress(done, len(plan.connections))
    return {"by_move": moves, "throughput": loads, "pss_bytes": server.pss_bytes()}
