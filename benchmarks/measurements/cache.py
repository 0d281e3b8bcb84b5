"""What the cache gains or costs beside computing: each answer in three ways, one after the other."""

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
    answer_key,
)
from service.cache import Cache
from service.metrics import Metrics
from service.schemas.answers import dump_analysis
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchmarks.measurements.samples import Sample
    from engine import Lexicon, Position

WAYS: Final = ("cold", "local", "redis")
"""Computed, without any cache; with the cache of this process; with Redis behind an empty one."""

TASKS: Final = ("new_position", "other_rack", "same_request")
"""Nothing is in the cache, which costs time; the board is, with another rack; the answer itself is."""

SEARCHES: Final = {
    "simulation": AnalysisOptions(simulate=SimulationPlan(iterations=1000)),
    "endgame": AnalysisOptions(endgame=EndgamePlan(nodes=20_000)),
}
"""Searches whose results are cached like other answers: small ones, so that the command takes a minute."""

MEMORY_BYTES: Final = 64 << 20
REDIS_MS: Final = 1000
LOCK_SECONDS: Final = 60.0


class MeasuredCache:
    """The service's cache; keys belong to one pass, so that no pass finds what another one stored."""

    def __init__(self, memory_bytes: int, redis_url: str = "") -> None:
        settings = Settings(
            cache_bytes=memory_bytes, redis_url=redis_url, redis_timeout_ms=REDIS_MS, cache_seconds=60
        )
        self._metrics = Metrics(__version__)
        self._cache = Cache(settings, self._metrics)
        self._mark = ""

    def begin_pass(self) -> None:
        """Forget, for this pass, everything stored so far."""
        self._mark = uuid4().hex

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key, None where there is none."""
        return self._cache.get_many([self._mark + key for key in keys])

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Store the entries."""
        self._cache.put_many({self._mark + key: value for key, value in entries.items()})

    def answer(self, request: AnalysisRequest, lexicon: Lexicon) -> tuple[int, bytes]:
        """Answer as the service does, from the request to the bytes; return nanoseconds and body."""
        fresh = replace(request)  # a request computes its canonical text once
        started = time.perf_counter_ns()
        key = answer_key(fresh, lexicon)
        lock = self._cache.lock(self._mark + key, LOCK_SECONDS) if fresh.options.is_search else nullcontext()
        with lock:
            found = answer(fresh, lexicon, self, dump_analysis, key=key)
        return time.perf_counter_ns() - started, found.body

    def failures(self) -> int:
        """Return how many operations of Redis have failed."""
        return int(sum(sample.value for sample in next(iter(self._metrics.cache_failures.collect())).samples))


@dataclass
class Case:
    """Hold a request, one with another rack on its board, and the nanoseconds of each task, way and pass."""

    asked: AnalysisRequest
    before: AnalysisRequest | None = None
    nanoseconds: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks of this case, in order; `other_rack` needs a request before it."""
        return TASKS if self.before is not None else (TASKS[0], TASKS[2])

    def note(self, task: str, way: str, nanoseconds: int) -> None:
        """Add the time of one pass."""
        self.nanoseconds.setdefault((task, way), []).append(nanoseconds)

    def best(self, task: str, way: str) -> float:
        """Return the shortest time of the passes, in microseconds: the one least disturbed by other work."""
        return min(self.nanoseconds[task, way]) / 1000


def search_cases(samples: Sequence[Sample], search: str, most: int) -> list[Case]:
    """Return up to `most` positions for a search of SEARCHES, evenly out of those that it is for.

    Endgames are positions with an empty bag, simulations those with a full rack and tiles in the bag.
    """
    fit = [
        sample.position
        for sample in samples
        if len(sample.position.players) == 2
        and sample.position.rack.tiles
        and (sample.position.bag_count() == 0) == (search == "endgame")
    ]
    chosen = fit[:: max(1, -(-len(fit) // most))]
    return [Case(AnalysisRequest(position, SEARCHES[search])) for position in chosen]


def make_cases(samples: Sequence[Sample], evaluator: str, seed: int = 0) -> list[Case]:
    """Pair every position with the same board under another rack, drawn from the tiles it leaves unseen.

    Raises InvalidInput (code "bad_positions") if no position has another rack.
    """
    random = Random(seed)  # noqa: S311 - a benchmark
    options = AnalysisOptions(evaluator=evaluator)
    cases = []
    for sample in samples:
        # Without the other players' racks, so that their tiles can be drawn too.
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
    me = replace(position.players[0], rack=rack, known_tiles=None, tile_count=None)
    return replace(position, players=(me, *position.players[1:]))


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
    none.answer(case.asked, lexicon)  # the other ways come after work of the same kind, too
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
                raise AssertionError(f"{way} gives other bytes than computing")


def summary(cases: Sequence[Case], ways: Sequence[str]) -> dict[str, Any]:
    """Return the median and 95th percentile of each task and way, in microseconds, and the ratios to cold.

    A position counts with its best pass; a ratio is the median of the positions' ratios.
    """
    figures: dict[str, Any] = {"positions": len(cases)}
    for task in cases[0].tasks:
        cold = [case.best(task, "cold") for case in cases]
        by_way = figures[task] = {}
        for way in ways:
            times = [case.best(task, way) for case in cases]
            by_way[way] = {
                "median_us": round(statistics.median(times), 1),
                "p95_us": round(sorted(times)[int(0.95 * (len(times) - 1))], 1),
                "ratio_to_cold": round(
                    statistics.median(mine / alone for mine, alone in zip(times, cold, strict=True)), 3
                ),
            }
    return figures
