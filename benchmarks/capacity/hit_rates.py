"""The shares of answers that are computed, found in memory, or, of searches, found in Redis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from benchmarks.capacity.inputs import Inputs


@dataclass(frozen=True, slots=True)
class Load:
    """Hold what clients ask for.

    `per_minute`: analyses a minute; `readers`: how often each position of a game is asked for on average, all
    within `revisit` seconds of the first time; `searches`: the share of requests that simulate.
    """

    per_minute: float
    readers: float = 1.0
    revisit: float = 3600.0
    searches: float = 0.0

    @property
    def per_second(self) -> float:
        """Analyses a second."""
        return self.per_minute / 60


@dataclass(frozen=True, slots=True)
class Caching:
    """Hold how answers are cached: a tier of TIERS, bytes in each process, seconds of life in Redis."""

    tier: str = "redis"
    memory: float = 4 << 20
    life: float = 86_400.0


def hit_shares(inputs: Inputs, load: Load, caching: Caching, workers: int) -> dict[str, float]:
    """Return the shares of the kinds of answers of a load on a number of workers; they add up to 1.

    A position is asked for the first time in its game, or again by another reader. The first time a plain
    answer is found if another game had the position: the memory of a process drops the least recently used
    values, so that of a position that comes a times while the memory fills, 1 - exp(-a) are found. A reader
    finds an answer if the first one asked while it stays; the memory of a process helps only the readers who
    are sent to it. Redis keeps searches for their life, and no plain answers.
    """
    again = 1 - 1 / load.readers
    plain = 1 - load.searches
    asked = load.per_second * plain
    games = asked / load.readers / inputs.repetition.turns  # a second
    stays = caching.memory / inputs.memory_bytes / max(asked / workers, 1e-9)
    first = reader = kept = 0.0
    if caching.tier != "none":
        first = (1 - again) * _found(inputs, games / workers * stays)
        reader = again * min(stays / load.revisit, 1.0) / workers
    if caching.tier == "redis":  # what is in memory is in Redis too, and not asked for there
        kept = max(again * min(caching.life / load.revisit, 1.0) - reader, 0.0)
    return {
        "memory": plain * (first + reader) + load.searches * reader,
        "redis": load.searches * kept,
        "computed": plain * (1 - first - reader),
        "search": load.searches * (1 - reader - kept),
    }


def _found(inputs: Inputs, games: float) -> float:
    """Return the share of the positions of a game that are found, where `games` came before."""
    chances = map(np.asarray, inputs.repetition.chances)
    return sum(float(-np.expm1(-games * each).mean()) for each in chances) / inputs.repetition.turns
