"""What the cache gains or loses against computing: every answer three ways, one after the other."""

from __future__ import annotations

import gc
import statistics
import time
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
    answer,
    answer_key,
)
from service.cache import ClaimedAnswer, MemoryStore
from service.schemas.answers import dump_analysis

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine import Lexicon, Position
    from service.benchmarks.samples import Sample
    from service.cache.interface import Cache
    from service.cache.redis import RedisStore

WAYS: Final = ("cold", "local", "redis")
"""Computed, without any cache; with what this process has at hand; with what lies in Redis alone."""

TASKS: Final = ("other_rack", "same_request")
"""The board is known, the rack is not; the very answer is known."""

SEARCHES: Final = {
    "simulation": AnalysisOptions(simulate=SimulationPlan(iterations=1000)),
    "endgame": AnalysisOptions(endgame=EndgamePlan(nodes=20_000)),
}
"""Searches whose results are kept like other answers: small ones, so that the command takes a minute."""

STORE_BYTES: Final = 64 << 20


@dataclass
class Case:
    """Hold a request, the nanoseconds of each task, way and pass, and, if its board is to be known before the
    request, one with another rack."""

    asked: AnalysisRequest
    before: AnalysisRequest | None = None
    nanoseconds: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def note(self, task: str, way: str, nanoseconds: int) -> None:
        """Keep the time of one pass."""
        self.nanoseconds.setdefault((task, way), []).append(nanoseconds)

    def best(self, task: str, way: str) -> float:
        """Return the shortest time of the passes, in microseconds: the one least disturbed by other work."""
        return min(self.nanoseconds[task, way]) / 1000


class _OfThisPass:
    """A cache whose keys are those of one pass, so that no pass finds what another one left."""

    def __init__(self, inner: Cache) -> None:
        self._inner = inner
        self._mark = uuid4().hex

    def get_many(self, keys: Sequence[str], *, soon_made: bool = False) -> list[bytes | None]:
        return self._inner.get_many([self._mark + key for key in keys], soon_made=soon_made)

    def put_many(self, entries: Mapping[str, bytes], *, soon_made: bool = False) -> None:
        marked = {self._mark + key: value for key, value in entries.items()}
        self._inner.put_many(marked, soon_made=soon_made)

    def claim(self, key: str, seconds: float) -> bool:
        return self._inner.claim(self._mark + key, seconds)

    def release(self, key: str) -> None:
        self._inner.release(self._mark + key)

    def settle(self, seconds: float = 1.0) -> bool:
        return self._inner.settle(seconds)


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
        # The other players' racks are forgotten, so that their tiles can be drawn too.
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
    redis: RedisStore | None,
    passes: int,
    progress: Callable[[int, int], None],
) -> None:
    """Time every case `passes` times, its ways side by side.

    Raises AssertionError if two ways give different bytes.
    """
    gc.collect()
    gc.disable()
    try:
        for turn in range(passes):
            for number, case in enumerate(cases):
                _measure_case(case, lexicon, redis)
                progress(turn * len(cases) + number + 1, passes * len(cases))
    finally:
        gc.enable()


def _measure_case(case: Case, lexicon: Lexicon, redis: RedisStore | None) -> None:
    _timed(case.asked, lexicon, MemoryStore(0))  # the other ways come after work of the same kind, too
    nanoseconds, expected = _timed(case.asked, lexicon, MemoryStore(0))
    tasks = TASKS if case.before is not None else TASKS[1:]
    for task in tasks:
        case.note(task, "cold", nanoseconds)
    for way, cache in (("local", MemoryStore(STORE_BYTES)), ("redis", redis)):
        if cache is None:
            continue
        own = _OfThisPass(cache)
        _timed(case.before or case.asked, lexicon, own)
        for task in tasks:
            if redis is not None:
                redis.settle()
            nanoseconds, body = _timed(case.asked, lexicon, own)
            case.note(task, way, nanoseconds)
            if body != expected:
                raise AssertionError(f"{way} gives other bytes than computing")


def _timed(request: AnalysisRequest, lexicon: Lexicon, cache: Cache) -> tuple[int, bytes]:
    """Answer as the service does, from the request to the bytes; return nanoseconds and body."""
    fresh = replace(request)  # its canonical text is made once for a request, so once for each answer
    started = time.perf_counter_ns()
    key = answer_key(fresh, lexicon)
    with ClaimedAnswer(cache) as view:
        found = answer(fresh, lexicon, view, dump_analysis, key=key)
    return time.perf_counter_ns() - started, found.body


def summary(cases: Sequence[Case], ways: Sequence[str]) -> dict[str, Any]:
    """Return the median and 95th percentile of each task and way, in microseconds, and the ratios to cold.

    A position counts with its best pass; a ratio is the median of the positions' ratios.
    """
    figures: dict[str, Any] = {"positions": len(cases)}
    for task in TASKS if cases[0].before is not None else TASKS[1:]:
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
