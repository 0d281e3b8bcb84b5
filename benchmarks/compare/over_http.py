"""Two services compared over HTTP: latency at one connection, answers a second at sixteen."""

from __future__ import annotations

import http.client
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import orjson

from benchmarks.compare.sides import COMMAND_LINE, LEXICON_ID
from benchmarks.compare.timing import quartiles, rounded
from benchmarks.load.client import Wire, closed_loop
from benchmarks.load.positions import Asked, as_seen, never_twice, request_for
from benchmarks.load.servers import Cores, ServerError, serving
from engine import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from benchmarks.compare.sides import Side
    from benchmarks.load.client import Reply
    from benchmarks.load.servers import Running
    from lab.measurements.samples import Sample

CONNECTIONS: Final = 16
POSITIONS: Final = 250  # of each pass at one connection
BLOCK: Final = 25  # positions that one side answers before it is the other's turn
CHECKED: Final = 100  # positions whose moves are compared
GAMES: Final = 200
"""Games played if no file of positions is given: more boards than a service caches in memory."""
RESAMPLES: Final = 1000
SETTINGS: Final = {"KIBITZ_RATE_PER_MINUTE": "1000000"}
"""Settings of both services besides host, port, data and lexicon: no rate limit in practice."""


def compare_http(
    sides: Sequence[Side],
    samples: Sequence[Sample],
    passes: int,
    seconds: float,
    core: int | None,
    settings: dict[str, str],
    progress: Callable[[int, int], None],
) -> dict[str, Any]:
    """Ask the services of two sides in turns; return the report with ratios of the second to the first.

    Each runs as `kibitz serve` with `settings`, both on one core, the client on the others. `computed`: the
    whole answer to a position that the service was never asked before, at one connection; `repeated`: the
    same request once more; `computed_cpu` and `repeated_cpu`: processor time of the service for them.
    `per_second`: answers to new positions at CONNECTIONS connections in `passes`
    rounds of that many seconds; `per_cpu_second`: the same by the processor time of the service. Raises
    InvalidInput (code "side_failed") for a service that does not start or answers anything but 200.
    """
    asked = requests_for(samples)
    new = [never_twice(asked) for _ in sides]
    blocks: tuple[list[_Block], list[_Block]] = ([], [])
    rounds: tuple[list[_Round], list[_Round]] = ([], [])
    with ExitStack() as stack:
        servers = [_served(stack, side, core, settings) for side in sides]
        turns = -(-min(POSITIONS, len(asked)) // BLOCK)
        steps = passes * (turns + 1)
        for number in range(passes):
            for turn in range(turns):
                for at in _order(number + turn):
                    requests = list(islice(new[at], min(BLOCK, len(asked))))
                    blocks[at].append(_one_by_one(servers[at], sides[at], requests))
                progress(number * (turns + 1) + turn + 1, steps)
            for at in _order(number):
                rounds[at].append(_all_at_once(servers[at], sides[at], new[at], seconds))
            progress((number + 1) * (turns + 1), steps)
        checked = asked[:: max(1, len(asked) // CHECKED)]
        moves = [_moves(server, side, checked) for server, side in zip(servers, sides, strict=True)]
    # The axes: computed or repeated; side; block; position.
    ms = np.array([[one.ms for one in of_side] for of_side in blocks]).transpose(2, 0, 1, 3)
    ms = ms.reshape(2, 2, -1)
    cpu_ms = np.array([[one.cpu_ms for one in of_side] for of_side in blocks]).transpose(2, 0, 1)
    rates = np.array([[one.per_second for one in of_side] for of_side in rounds])
    per_cpu = np.array([[one.per_cpu_second for one in of_side] for of_side in rounds])
    return {
        "task": "http",
        "passes": passes,
        "positions": ms.shape[2],
        "connections": CONNECTIONS,
        "settings": SETTINGS | settings,
        "sides": [
            {
                "name": side.name,
                "computed_ms": rounded(np.median(ms[0, at])),
                "repeated_ms": rounded(np.median(ms[1, at])),
                "computed_cpu_ms": rounded(np.median(cpu_ms[0, at])),
                "repeated_cpu_ms": rounded(np.median(cpu_ms[1, at])),
                "per_second": rounded(np.median(rates[at])),
                "per_cpu_second": rounded(np.median(per_cpu[at])),
                "p99_ms": rounded(np.percentile([ms for one in rounds[at] for ms in one.ms], 99)),
            }
            for at, side in enumerate(sides)
        ],
        "same_moves": moves[0] == moves[1],
        "ratios": {
            "computed": _ratio_of_times(ms[0]),
            "repeated": _ratio_of_times(ms[1]),
            "computed_cpu": _ratio_of_rounds(cpu_ms[0]),
            "repeated_cpu": _ratio_of_rounds(cpu_ms[1]),
            "per_second": _ratio_of_rounds(rates),
            "per_cpu_second": _ratio_of_rounds(per_cpu),
        },
    }


def requests_for(samples: Sequence[Sample]) -> list[Asked]:
    """Return requests for positions without lexicon and other racks; equal ones only once."""
    found: dict[bytes, int] = {}
    for sample in samples:
        if sample.position.rack.tiles:
            position = replace(as_seen(sample.position), lexicon_id=None)
            found.setdefault(request_for(position), sample.move)
    return [Asked(move, request) for request, move in found.items()]


def _served(stack: ExitStack, side: Side, core: int | None, settings: dict[str, str]) -> Running:
    own = {"KIBITZ_DATA": str(side.data), "KIBITZ_LEXICON": LEXICON_ID}
    command = [side.python, *COMMAND_LINE, "serve"]
    try:
        server = serving(command, Cores.split(core), SETTINGS | settings | own, side.folder)
        return stack.enter_context(server)
    except ServerError as error:
        raise InvalidInput(f"{side.name}: {error}", code="side_failed") from None


def _order(turn: int) -> tuple[int, int]:
    return (0, 1) if turn % 2 == 0 else (1, 0)


@dataclass(frozen=True)
class _Block:
    """Hold milliseconds until the client has an answer, and of processor time: computed, then repeated."""

    ms: tuple[list[float], list[float]]
    cpu_ms: tuple[float, float]


def _one_by_one(server: Running, side: Side, requests: Sequence[bytes]) -> _Block:
    """Send the requests at one connection, one after the other, and then all of them once more."""
    ms: tuple[list[float], list[float]] = ([], [])
    cpu_seconds = [server.cpu_seconds()]
    with Wire(server.port) as wire:
        for times in ms:
            replies = [wire.ask(request) for request in requests]
            _check(replies, side)
            times.extend(reply.seconds * 1000 for reply in replies)
            cpu_seconds.append(server.cpu_seconds())
    computed, repeated = (1000 * float(spent) / len(requests) for spent in np.diff(cpu_seconds))
    return _Block(ms, (computed, repeated))


@dataclass(frozen=True)
class _Round:
    """Hold the milliseconds of a round's answers, and the answers a second by clock and by processor."""

    ms: list[float]
    per_second: float
    per_cpu_second: float


def _all_at_once(server: Running, side: Side, requests: Iterator[bytes], seconds: float) -> _Round:
    before = server.cpu_seconds()
    run = closed_loop(server.port, requests, CONNECTIONS, seconds)
    worked = server.cpu_seconds() - before
    _check(run.replies, side)
    count = len(run.replies)
    ms = [reply.seconds * 1000 for reply in run.replies]
    return _Round(ms, count / run.seconds, count / worked if worked else float("nan"))


def _check(replies: Sequence[Reply], side: Side) -> None:
    wrong = next((reply.status for reply in replies if reply.status != 200), None)
    if wrong is not None:
        raise InvalidInput(f"{side.name} answers {wrong or 'nothing'}", code="side_failed")


def _moves(server: Running, side: Side, asked: Sequence[Asked]) -> list[Any]:
    """Return the moves and scores that a service finds for each request."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    found = []
    for one in asked:
        body = one.request.partition(b"\r\n\r\n")[2]
        connection.request("POST", "/analyze", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        text = response.read()
        if response.status != 200:
            raise InvalidInput(
                f"{side.name} answers {response.status}: {text[:300].decode(errors='replace')}",
                code="side_failed",
            )
        found.append([(move["move"], move["score"]) for move in orjson.loads(text)["moves"]])
    connection.close()
    return found


def _ratio_of_times(ms: NDArray[np.float64]) -> dict[str, Any]:
    """Return the ratio of medians, its 95 % interval (bootstrap), and quartiles of the positions' ratios."""
    count = ms.shape[1]
    drawn = np.random.default_rng(0).integers(0, count, (RESAMPLES, count))
    resampled = np.median(ms[:, drawn], axis=2)
    low, high = np.percentile(resampled[1] / resampled[0], [2.5, 97.5])
    return {
        "ratio": rounded(np.median(ms[1]) / np.median(ms[0])),
        "interval": [rounded(low), rounded(high)],
        "quartiles": quartiles(ms[1] / ms[0]),
    }


def _ratio_of_rounds(rates: NDArray[np.float64]) -> dict[str, Any]:
    """Return the median ratio of the rounds and its quartiles; None if processor times are missing."""
    if not (np.isfinite(rates).all() and rates.all()):
        return {"ratio": None, "quartiles": None}
    ratios = rates[1] / rates[0]
    return {"ratio": rounded(np.median(ratios)), "quartiles": quartiles(ratios)}
