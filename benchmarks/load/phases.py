"""The phases of the load test; each returns its figures as plain values, in milliseconds and per second."""

from __future__ import annotations

import statistics
from collections import Counter
from itertools import cycle, repeat
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from benchmarks.load.client import Wire, closed_loop, open_loop, post
from benchmarks.load.positions import LAST_MOVE, in_other_words, simulations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.load.client import Reply, Run
    from benchmarks.load.positions import Asked
    from benchmarks.load.servers import Running

KEPT: Final = 40
"""Different positions whose kept answers are asked for."""

REFUSED: Final = (429, 503)
OVERLOAD: Final = 3
"""How many times the capacity of simulations is offered."""


def by_move(
    server: Running, asked: Sequence[Asked], progress: Callable[[int, int], None], bare: Running | None = None
) -> dict[str, Any]:
    """Ask for every position twice, one request at a time: computed first, then kept.

    `bare`: a server with the same Redis that keeps nothing at hand; it is asked thereafter, for everything
    once, so that all of it lies in Redis, and then once more (`fetched`).

    Of each move number: the medians of board + gen by Server-Timing, and of the whole answer with its 95th
    and 99th percentiles as the client saw it.
    """
    runs: list[tuple[Running, tuple[str, ...]]] = [(server, ("cold", "warm"))]
    if bare is not None:
        runs += [(bare, ("stored",)), (bare, ("fetched",))]
    ways = [way for _, asking in runs for way in asking]
    replies: dict[str, dict[int, list[Reply]]] = {way: {} for way in ways}
    done = 0
    for running, asking in runs:
        with Wire(running.port) as wire:
            for one in asked:
                for way in asking:
                    replies[way].setdefault(one.move, []).append(wire.ask(one.request))
                done += 1
                progress(done, len(runs) * len(asked))
    cold = replies["cold"]
    moves = [move for move in range(1, LAST_MOVE + 1) if move in cold]
    every = {way: [reply for move in moves for reply in replies[way][move]] for way in ways}
    return {
        "moves": [
            {
                "move": move,
                "positions": len(cold[move]),
                "engine_ms": round(statistics.median(reply.engine_ms() for reply in cold[move]), 3),
                **{way: _times(replies[way][move]) for way in ways},
            }
            for move in moves
        ],
        **{way: _times(every[way]) for way in ways},
        "kept": {way: _share_of_hits(every[way]) for way in ways},
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
    forget: Callable[[], None],
    bare: Running | None = None,
) -> dict[str, Any]:
    """Ask as fast as the servers answer, in turns: the null route, kept answers, new positions.

    The kept answers are those to KEPT different positions of `asked`, once in the bytes in which they were
    asked before (`same_bytes`), once with their racks in an order never seen (`other_words`), so that the
    position is read, checked and named anew. `requests` are those of new positions (`cold`). `bare`
    is a server with the same Redis that keeps nothing at hand: asked for the same, in other words, it has to
    fetch each answer (`fetched`).

    A round holds all kinds, in an order that rotates; `forget` empties a store that new answers would fill.
    `ratio` is the median over the rounds of answers a second over those of the null route; `cpu_ratio` the
    same of answers per second of processor time, which other programs on the machine disturb less.
    """
    kept = [one.request for one in asked[:: max(len(asked) // KEPT, 1)][:KEPT]]
    constant = post("/analyze", b"{}")
    kinds: dict[str, tuple[Running, Iterator[bytes]]] = {
        "null": (null, repeat(constant)),
        "same_bytes": (server, cycle(kept)),
        "other_words": (server, in_other_words(kept)),
        "cold": (server, requests),
    }
    if bare is not None:
        kinds["fetched"] = (bare, in_other_words(kept))
    runs: dict[str, list[Run]] = {kind: [] for kind in kinds}
    spent: dict[str, list[float]] = {kind: [] for kind in kinds}
    names, errors = list(kinds), 0
    for number in range(rounds):
        turn = number % len(names)
        for kind in names[turn:] + names[:turn]:
            running, source = kinds[kind]
            if kind == "cold":
                forget()
            elif kind != "null":
                with Wire(
                    running.port
                ) as wire:  # so that all are there, whatever the new ones have displaced
                    errors += _errors([wire.ask(request) for request in kept])
            before = running.cpu_seconds()
            runs[kind].append(closed_loop(running.port, source, connections, seconds))
            spent[kind].append(running.cpu_seconds() - before)
    figures: dict[str, Any] = {"connections": connections, "errors": errors}
    rates = {kind: [len(run.replies) / run.seconds for run in runs[kind]] for kind in kinds}
    per_cpu = {
        kind: [
            len(run.replies) / cpu if cpu else 0.0 for run, cpu in zip(runs[kind], spent[kind], strict=True)
        ]
        for kind in kinds
    }
    for kind in kinds:
        replies = [reply for run in runs[kind] for reply in run.replies]
        figures["errors"] += _errors(replies)
        figures[kind] = {
            "per_second": round(statistics.median(rates[kind]), 1),
            "per_cpu_second": round(statistics.median(per_cpu[kind]), 1),
            **_times(replies),
        }
        if kind != "null":
            figures[kind]["ratio"] = _ratio(rates[kind], rates["null"])
            figures[kind]["cpu_ratio"] = _ratio(per_cpu[kind], per_cpu["null"])
            figures[kind]["kept"] = _share_of_hits(replies)
    return figures


def overload(
    server: Running, asked: list[Asked], slots: int, iterations: int, seconds: float
) -> dict[str, Any]:
    """Offer three times the simulations that the server can do, whatever it answers.

    The capacity is what it does with `slots` requests at a time; what it refuses then must be refused with
    429 or 503, and soon, and what it accepts must not take much longer than at capacity.
    """
    requests = simulations(asked, iterations)
    alone = closed_loop(server.port, requests, slots, seconds)
    capacity = len(alone.replies) / alone.seconds
    run = open_loop(server.port, requests, OVERLOAD * capacity, seconds)
    refused = [reply for reply in run.replies if reply.status in REFUSED]
    accepted = [reply for reply in run.replies if reply.status < 300 and reply.status]
    return {
        "slots": slots,
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


def _share_of_hits(replies: Sequence[Reply]) -> float:
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
    """Return the least of the sorted times that so great a share does not exceed; None of nothing."""
    return round(times[max(ceil(share * len(times)) - 1, 0)], 3) if times else None
