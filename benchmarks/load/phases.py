"""The phases of the load test; each returns its measurements, in milliseconds and per second."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from itertools import cycle, repeat
from typing import TYPE_CHECKING, Any, Final

from benchmarks.load.client import Wire, closed_loop, open_loop, post
from benchmarks.load.positions import LAST_MOVE, simulations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.load.client import Reply, Run
    from benchmarks.load.positions import Asked
    from benchmarks.load.servers import Running

REPEATED: Final = 40
"""Number of positions whose answers are repeated in a measurement of throughput."""

REFUSED: Final = (429, 503)
OVERLOAD: Final = 3
"""Ratio of the offered rate of simulations to the capacity."""


def engine_times(
    server: Running, asked: Sequence[Asked], repeats: int, progress: Callable[[int, int], None]
) -> dict[str, Any]:
    """Request every position `repeats` times of a server without caches, one request at a time.

    Returns by move number the median over its positions of board + gen by Server-Timing, of the fastest
    answer to each: other programs interrupt some answers, but hardly all to one position.
    """
    fastest: dict[int, dict[bytes, float]] = {}
    errors = 0
    with Wire(server.port) as wire:
        for done in range(repeats):  # in rounds, so that a busy second delays one answer to each position
            for one in asked:
                reply = wire.ask(one.request)
                errors += _errors([reply])
                times = fastest.setdefault(one.move, {})
                times[one.request] = min(times.get(one.request, math.inf), reply.engine_ms())
            progress(done + 1, repeats)
    return {
        "moves": [
            {"move": move, "engine_ms": round(statistics.median(fastest[move].values()), 3)}
            for move in sorted(fastest)
        ],
        "errors": errors,
    }


def by_move(server: Running, asked: Sequence[Asked], progress: Callable[[int, int], None]) -> dict[str, Any]:
    """Request every position twice, one request at a time: the answer is computed, then repeated.

    Returns by move number median, 95th and 99th percentile of the time until the client has the answer.
    """
    ways = ("computed", "repeated")
    replies: dict[str, dict[int, list[Reply]]] = {way: {} for way in ways}
    with Wire(server.port) as wire:
        for done, one in enumerate(asked, 1):
            for way in ways:
                replies[way].setdefault(one.move, []).append(wire.ask(one.request))
            progress(done, len(asked))
    computed = replies["computed"]
    moves = [move for move in range(1, LAST_MOVE + 1) if move in computed]
    every = {way: [reply for move in moves for reply in replies[way][move]] for way in ways}
    return {
        "moves": [
            {
                "move": move,
                "positions": len(computed[move]),
                **{way: _times(replies[way][move]) for way in ways},
            }
            for move in moves
        ],
        **{way: _times(every[way]) for way in ways},
        "hit_rate": {way: _hit_rate(every[way]) for way in ways},
        "errors": sum(map(_errors, every.values())),
    }


def throughput(
    null: Running,
    server: Running,
    asked: Sequence[Asked],
    requests: Iterator[bytes],
    connections: int,
    seconds: float,
    rounds: int,
    empty_redis: Callable[[], None],
) -> dict[str, Any]:
    """Request as fast as the servers answer, in turns: the constant route, new positions, repeated ones.

    `requests`: requests for new positions (`computed`); `repeated` are requests for REPEATED positions of
    `asked`, which the server has answered before.

    A round has all kinds in a rotating order. `empty_redis` is called before new positions, which would fill
    it. `ratio`: median over the rounds of the answers a second divided by those of the constant route;
    `cpu_ratio`: the same for answers per second of processor time, which other programs disturb less.
    """
    known = [one.request for one in asked[:: max(len(asked) // REPEATED, 1)][:REPEATED]]
    kinds: dict[str, tuple[Running, Iterator[bytes]]] = {
        "null": (null, repeat(post("/analyze", b"{}"))),
        "computed": (server, requests),
        "repeated": (server, cycle(known)),
    }
    runs: dict[str, list[Run]] = {kind: [] for kind in kinds}
    spent: dict[str, list[float]] = {kind: [] for kind in kinds}
    names, errors = list(kinds), 0
    for number in range(rounds):
        turn = number % len(names)
        for kind in names[turn:] + names[:turn]:
            running, source = kinds[kind]
            if kind == "computed":
                empty_redis()
            elif kind != "null":
                with Wire(running.port) as wire:  # new positions may have evicted these
                    errors += _errors([wire.ask(request) for request in known])
            before = running.cpu_seconds()
            runs[kind].append(closed_loop(running.port, source, connections, seconds))
            spent[kind].append(running.cpu_seconds() - before)
    measured: dict[str, Any] = {"connections": connections, "errors": errors}
    rates = {kind: [len(run.replies) / run.seconds for run in runs[kind]] for kind in kinds}
    per_cpu = {
        kind: [
            len(run.replies) / cpu if cpu else 0.0 for run, cpu in zip(runs[kind], spent[kind], strict=True)
        ]
        for kind in kinds
    }
    for kind in kinds:
        replies = [reply for run in runs[kind] for reply in run.replies]
        measured["errors"] += _errors(replies)
        measured[kind] = {
            "per_second": round(statistics.median(rates[kind]), 1),
            "per_cpu_second": round(statistics.median(per_cpu[kind]), 1),
            **_times(replies),
        }
        if kind != "null":
            measured[kind]["ratio"] = _ratio(rates[kind], rates["null"])
            measured[kind]["cpu_ratio"] = _ratio(per_cpu[kind], per_cpu["null"])
            measured[kind]["hit_rate"] = _hit_rate(replies)
    return measured


def overload(
    server: Running, asked: list[Asked], at_once: int, iterations: int, seconds: float
) -> dict[str, Any]:
    """Offer simulations at a fixed rate of OVERLOAD times the capacity of the server.

    The capacity is measured with `at_once` requests in flight. Excess requests are refused with 429 or 503.
    """
    requests = simulations(asked, iterations)
    alone = closed_loop(server.port, requests, at_once, seconds)
    capacity = len(alone.replies) / alone.seconds
    run = open_loop(server.port, requests, OVERLOAD * capacity, seconds)
    refused = [reply for reply in run.replies if reply.status in REFUSED]
    accepted = [reply for reply in run.replies if reply.status < 300 and reply.status]
    return {
        "at_once": at_once,
        "iterations": iterations,
        "capacity_per_second": round(capacity, 2),
        "offered_per_second": round(OVERLOAD * capacity, 2),
        "statuses": {str(status): count for status, count in sorted(Counter(_statuses(run)).items())},
        "at_capacity": _times(alone.replies),
        "accepted": _times(accepted),
        "refused": _times(refused),
        "errors": _errors(alone.replies) + len(run.replies) - len(refused) - len(accepted),
    }


def _statuses(run: Run) -> list[int]:
    return [reply.status for reply in run.replies]


def _errors(replies: Sequence[Reply]) -> int:
    return sum(reply.status != 200 for reply in replies)


def _hit_rate(replies: Sequence[Reply]) -> float:
    return round(sum(reply.is_hit for reply in replies) / max(len(replies), 1), 4)


def _ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    pairs = [mine / null for mine, null in zip(ours, theirs, strict=True) if null]
    return round(statistics.median(pairs), 3) if pairs else 0.0


def _times(replies: Sequence[Reply]) -> dict[str, Any]:
    times = sorted(reply.seconds * 1000 for reply in replies)
    return {
        "answers": len(times),
        "median_ms": _percentile(times, 0.5),
        "p95_ms": _percentile(times, 0.95),
        "p99_ms": _percentile(times, 0.99),
        "max_ms": _percentile(times, 1.0),
    }


def _percentile(times: Sequence[float], share: float) -> float | None:
    """Return the percentile of sorted times by nearest rank; None for no times."""
    return round(times[max(math.ceil(share * len(times)) - 1, 0)], 3) if times else None
