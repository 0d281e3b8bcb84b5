"""The whole load test: the servers, the phases, the verdicts."""

from __future__ import annotations

import gc
import os
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import redis

from benchmarks.experiments.published import HEURI_MS, QUACKLE_MS
from benchmarks.load.phases import OVERLOAD, by_move, overload, throughput
from benchmarks.load.positions import asked_of_games, never_twice
from benchmarks.load.servers import KIBITZ, NULL, has_redis, redis_running, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from benchmarks.load.positions import Asked
    from benchmarks.load.servers import Cores, Running
    from engine import Lexicon

KEPT_SHARE: Final = 0.6
COLD_SHARE: Final = 0.4
COLD_P99_MS: Final = 60.0
MEDIAN_MS: Final = 3.0
REFUSED_MS: Final = 50.0
ACCEPTED_TIMES: Final = 2.0
JUDGED_FROM: Final = 16  # connections from which throughput is held against the null route


@dataclass(frozen=True)
class Plan:
    """Say how much to ask: games, connections at once, rounds of so many seconds, simulations."""

    games: int = 1000
    connections: tuple[int, ...] = (1, 4, 16, 64)
    rounds: int = 5
    seconds: float = 1.0
    overload_seconds: float = 15.0
    iterations: int = 1000


QUICK: Final = Plan(3, (1, 4), 1, 0.2, 0.5, 100)
"""A smoke test: everything once, in seconds; its figures mean nothing."""


def run_load(
    lexicon: Lexicon,
    data: Path,
    plan: Plan,
    cores: Cores,
    stage: Callable[[str], Callable[[int, int], None]],
) -> dict[str, Any]:
    """Run all phases; `stage` is told the name of each and returns what is told its progress.

    Raises ServerError if a server does not start.
    """
    if cores.client:
        os.sched_setaffinity(0, cores.client)
    asked = asked_of_games(lexicon, plan.games, stage("Playing greedy games"))
    settings = {"KIBITZ_DATA": str(data), "KIBITZ_LEXICON": lexicon.id, "KIBITZ_RATE_PER_MINUTE": "0"}
    report: dict[str, Any] = {
        "lexicon": lexicon.id,
        "games": plan.games,
        "positions": len(asked),
        "cores": {"server": sorted(cores.server), "client": sorted(cores.client)},
        "servers": {},
    }
    gc.collect()
    gc.freeze()
    with serving(NULL, cores, settings) as null:
        report["null_pss_bytes"] = null.pss_bytes()
        with serving(KIBITZ, cores, settings) as server:
            report["servers"]["embedded"] = _measure(
                "embedded", null, server, asked, plan, stage, forget=lambda: None
            )
            report["overload"] = _overload(server, asked, plan, cores, stage)
        if has_redis():
            with _with_redis(cores, settings) as (server, bare, forget):
                figures = _measure("with Redis", null, server, asked, plan, stage, forget, bare)
                report["servers"]["redis"] = figures
    report["errors"] = report["overload"]["errors"] + sum(
        part["errors"]
        for figures in report["servers"].values()
        for part in (figures["by_move"], *figures["throughput"])
    )
    report["verdicts"] = verdicts(report)
    return report


@contextmanager
def _with_redis(
    cores: Cores, settings: dict[str, str]
) -> Iterator[tuple[Running, Running, Callable[[], None]]]:
    """Run a server with a Redis, and one with the same that keeps nothing at hand; yields both, and what
    empties the Redis."""
    with ExitStack() as stack:
        url = stack.enter_context(redis_running(cores))
        client = stack.enter_context(redis.Redis.from_url(url))
        settings |= {"KIBITZ_REDIS_URL": url}
        server = stack.enter_context(serving(KIBITZ, cores, settings))
        bare = stack.enter_context(serving(KIBITZ, cores, settings | {"KIBITZ_CACHE_BYTES": "0"}))

        def forget() -> None:
            client.flushall()

        yield server, bare, forget


def _measure(
    name: str,
    null: Running,
    server: Running,
    asked: list[Asked],
    plan: Plan,
    stage: Callable[[str], Callable[[int, int], None]],
    forget: Callable[[], None],
    bare: Running | None = None,
) -> dict[str, Any]:
    moves = by_move(server, asked, stage(f"By move number, {name}"), bare)
    requests = never_twice(asked)
    progress = stage(f"Throughput, {name}")
    loads = []
    for number, connections in enumerate(plan.connections):
        loads.append(
            throughput(null, server, asked, requests, connections, plan.seconds, plan.rounds, forget, bare)
        )
        progress(number + 1, len(plan.connections))
    return {"by_move": moves, "throughput": loads, "pss_bytes": server.pss_bytes()}


def _overload(
    server: Running,
    asked: list[Asked],
    plan: Plan,
    cores: Cores,
    stage: Callable[[str], Callable[[int, int], None]],
) -> dict[str, Any]:
    progress = stage("Overload by simulations")
    # As the settings have it: two threads at least, one of which is kept free to say no.
    threads = max(len(cores.server or range(os.cpu_count() or 1)), 2)
    figures = overload(server, asked, max(1, min(2, threads - 1)), plan.iterations, plan.overload_seconds)
    progress(1, 1)
    return figures


def verdicts(report: dict[str, Any]) -> list[dict[str, Any]]:
    """List what was to be reached: what, the figure reached, the bound, and whether it holds."""
    found: list[dict[str, Any]] = []

    def judge(what: str, figure: float | None, bound: float, *, least: bool = False) -> None:
        held = figure is not None and (figure >= bound if least else figure <= bound)
        found.append({"what": what, "figure": figure, "bound": bound, "least": least, "held": held})

    judge("errors", report["errors"], 0)
    for name, figures in report["servers"].items():
        rows = figures["by_move"]["moves"]
        if report["lexicon"] == "twl06":  # which the published times are of
            judge(
                f"{name}: slowest move's board + gen, of Heuri's time",
                max(round(row["engine_ms"] / HEURI_MS[row["move"] - 1], 3) for row in rows),
                1.0,
            )
            judge(
                f"{name}: slowest move's whole answer, of Quackle's time",
                max(round(row["cold"]["median_ms"] / QUACKLE_MS[row["move"] - 1], 3) for row in rows),
                1.0,
            )
        judge(f"{name}: median whole answer at 1, ms", figures["by_move"]["cold"]["median_ms"], MEDIAN_MS)
        for load in figures["throughput"]:
            if load["connections"] >= JUDGED_FROM:
                for kind, told, bound in (
                    ("other_words", "kept answers, asked with the rack in another order,", KEPT_SHARE),
                    ("cold", "computed answers", COLD_SHARE),
                ):
                    what = f"{name}: {told} at {load['connections']}, of the null route's"
                    judge(what, load[kind]["ratio"], bound, least=True)
            if load["connections"] == JUDGED_FROM:
                judge(f"{name}: p99 of cold answers at 16, ms", load["cold"]["p99_ms"], COLD_P99_MS)
    busy = report["overload"]
    judge("overload: slowest refusal, ms", busy["refused"]["max_ms"], REFUSED_MS)  # nobody refused: missed
    usual, then = busy["at_capacity"]["p99_ms"], busy["accepted"]["p99_ms"]
    what = f"overload: p99 of the accepted at {OVERLOAD} times capacity, of that at capacity"
    judge(what, round(then / usual, 2) if usual and then else None, ACCEPTED_TIMES)
    return found
