"""Times of answers computed, from process memory and from Redis."""

from __future__ import annotations

import gc
import statistics
import time
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from engine import (
    AnalysisOptions,
    AnalysisRequest,
    EndgamePlan,
    InvalidInput,
    Player,
    Rack,
    SimulationPlan,
    __version__,
    answer,
)
from service.analyst import cache_key
from service.cache import Cache
from service.documents import dump_analysis
from service.metrics import Metrics
from service.redis_client import RedisClient
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine import Lexicon, Position
    from lab.measurements.samples import Sample

WAYS: Final = ("cold", "local", "redis")
"""Without a cache; with the cache in process memory; with Redis behind an empty cache in memory."""

TASKS: Final = ("new_position", "other_rack", "same_request")
"""States of the cache: nothing is stored; the board is, with another rack; the answer itself is."""

SEARCHES: Final = {
    "simulation": AnalysisOptions(simulate=SimulationPlan(iterations=1000)),
    "endgame": AnalysisOptions(endgame=EndgamePlan(nodes=20_000)),
}
"""Searches to measure; they are small so that the command takes a minute."""

MEMORY_BYTES: Final = 64 << 20
REDIS_MS: Final = 1000
LOCK_SECONDS: Final = 60.0


class MeasuredCache:
    """The cache of the service with keys that belong to one pass, so that passes share nothing."""

    def __init__(self, memory_bytes: int, redis_url: str = "") -> None:
        settings = Settings(
            cache_bytes=memory_bytes, redis_url=redis_url, redis_timeout_ms=REDIS_MS, cache_seconds=60
        )
        self._metrics = Metrics(__version__)
        redis = RedisClient(settings, self._metrics) if redis_url else None
        self._cache = Cache(settings, redis, self._metrics)
        self._mark = ""

    def begin_pass(self) -> None:
        """Begin a pass in which nothing is stored yet."""
        self._mark = uuid4().hex

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key, None where there is none."""
        return self._cache.get_many([key + self._mark for key in keys])

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Store the entries."""
        self._cache.put_many({key + self._mark: value for key, value in entries.items()})

    def answer(self, request: AnalysisRequest, lexicon: Lexicon) -> tuple[int, bytes]:
        """Answer as the service does, from the request to the bytes; return nanoseconds and body."""
        fresh = replace(request)  # without the cached canonical text of the request
        started = time.perf_counter_ns()
        key = cache_key(fresh, lexicon)
        lock = self._cache.lock(key + self._mark, LOCK_SECONDS) if fresh.options.is_search else nullcontext()
        with lock:
            found = answer(fresh, lexicon, self, dump_analysis, key=key)
        return time.perf_counter_ns() - started, found.body

    def failures(self) -> int:
        """Return the number of failed operations of Redis."""
        return int(sum(sample.value for sample in next(iter(self._metrics.cache_failures.collect())).samples))


@dataclass
class Case:
    """Hold a request, another one with the same board, and nanoseconds by task and way, one for each pass."""

    asked: AnalysisRequest
    before: AnalysisRequest | None = None
    nanoseconds: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks of this case in order; `other_rack` needs a request before."""
        return TASKS if self.before is not None else (TASKS[0], TASKS[2])

    def note(self, task: str, way: str, nanoseconds: int) -> None:
        """Add the time of one pass."""
        self.nanoseconds.setdefault((task, way), []).append(nanoseconds)

    def best(self, task: str, way: str) -> float:
        """Return the shortest time of the passes in microseconds, which other programs disturbed least."""
        return min(self.nanoseconds[task, way]) / 1000


def search_cases(samples: Sequence[Sample], search: str, limit: int) -> list[Case]:
    """Return up to `limit` cases of a search of SEARCHES, evenly spread over the suitable positions.

    Endgames are positions with an empty bag, simulations those with a full rack and tiles in the bag.
    """
    fit = [
        sample.position
        for sample in samples
        if len(sample.position.players) == 2
        and sample.position.rack.tiles
        and (sample.position.bag_count() == 0) == (search == "endgame")
    ]
    chosen = fit[:: max(1, -(-len(fit) // limit))]
    return [Case(AnalysisRequest(position, SEARCHES[search])) for position in chosen]


def make_cases(samples: Sequence[Sample], evaluator: str, seed: int = 0) -> list[Case]:
    """Return cases of every position and of its board with another rack, drawn from the unseen tiles.

    Raises InvalidInput (code "bad_positions") if no position has another rack.
    """
    random = Random(seed)  # noqa: S311 - a benchmark
    options = AnalysisOptions(evaluator=evaluator)
    cases = []
    for sample in samples:
        # Without the other racks, so that their tiles can be drawn too.
        position = replace(
            sample.position,
            players=(
                sample.position.players[0],
                *(Player(score=player.score) for player in sample.position.players[1:]),
            ),
        )
        other = _with_another_rack(position, random)
        if other is not None:
            cases.append(Case(AnalysisRequest(other, options), AnalysisRequest(position, options)))
    if not cases:
        raise InvalidInput("no position has tiles left for another rack", code="bad_positions")
    return cases


def _with_another_rack(position: Position, random: Random) -> Position | None:
    pool = [code for code, count in enumerate(position.unseen()) for _ in range(count)]
    size = len(position.rack.tiles)
    if size == 0 or len(pool) < size:
        return None
    rack = Rack(bytes(random.sample(pool, size)))
    if rack == position.rack:
        return None
    return position.with_rack(rack)


def measure(
    cases: Sequence[Case],
    lexicon: Lexicon,
    redis: MeasuredCache | None,
    passes: int,
    progress: Callable[[int, int], None],
) -> None:
    """Time every case `passes` times, its ways side by side.

    Raises AssertionError if two ways give different bytes.
    """
    none = MeasuredCache(0)
    caches = {"local": MeasuredCache(MEMORY_BYTES)} | ({} if redis is None else {"redis": redis})
    gc.collect()
    gc.disable()
    try:
        for turn in range(passes):
            for number, case in enumerate(cases):
                _measure_case(case, lexicon, none, caches)
                progress(turn * len(cases) + number + 1, passes * len(cases))
    finally:
        gc.enable()


def _measure_case(
    case: Case, lexicon: Lexicon, none: MeasuredCache, caches: Mapping[str, MeasuredCache]
) -> None:
    none.answer(case.asked, lexicon)  # a warm-up: the other ways come after work of the same kind too
    nanoseconds, expected = none.answer(case.asked, lexicon)
    for task in case.tasks:
        case.note(task, "cold", nanoseconds)
    for way, cache in caches.items():
        for task in case.tasks:
            if task != TASKS[2]:
                cache.begin_pass()
            if task == TASKS[1] and case.before is not None:
                cache.answer(case.before, lexicon)
            nanoseconds, body = cache.answer(case.asked, lexicon)
            case.note(task, way, nanoseconds)
            if body != expected:
                raise AssertionError(f"the bytes of {way} differ from those computed without a cache")


def summary(cases: Sequence[Case], ways: Sequence[str]) -> dict[str, Any]:
    """Return the median and 95th percentile of each task and way, in microseconds, and the ratios to cold.

    A position counts with its best pass; a ratio is the median of the positions' ratios.
    """
    results: dict[str, Any] = {"positions": len(cases)}
    for task in cases[0].tasks:
        cold = [case.best(task, "cold") for case in cases]
        by_way = results[task] = {}
        for way in ways:
            times = [case.best(task, way) for case in cases]
            by_way[way] = {
                "median_us": round(statistics.median(times), 1),
                "p95_us": round(sorted(times)[int(0.95 * (len(times) - 1))], 1),
                "ratio_to_cold": round(
                    statistics.median(mine / alone for mine, alone in zip(times, cold, strict=True)), 3
                ),
            }
    return results
