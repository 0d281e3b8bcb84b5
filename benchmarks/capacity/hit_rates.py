"""The shares of answers that are found in memory, found in Redis, or computed."""

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
    within `revisit` seconds of the first time; `searches`: the share of requests that simulate, each another
    position.
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
    """Return the shares of the kinds of answers of a load on so many workers; they add up to 1.

    A position is asked for the first time in its game, or again by another reader. The first time it is found
    if another game had it. Redis drops a value at the end of its life, whoever asks for it: of a position
    that comes a times in a life, a / (1 + a) are found. The memory of a process drops the least recently used
    values: of one that comes a times while the memory fills, 1 - exp(-a) are found. A reader finds a position
    if the first one asked within the life; the memory of a process helps only the readers who are sent to it.
    """
    again = 1 - 1 / load.readers
    plain = 1 - load.searches
    asked = load.per_second * plain
    games = asked / load.readers / inputs.repetition.turns  # a second
    stays = caching.memory / inputs.memory_bytes / max(asked / workers, 1e-9)
    memory = redis = 0.0
    if caching.tier != "none":
        memory = (1 - again) * _found(inputs, games / workers * stays, lasting=True)
        memory += again * min(stays / load.revisit, 1.0) / workers
    if caching.tier == "redis":
        redis = (1 - again) * _found(inputs, games * caching.life, lasting=False)
        redis += again * min(caching.life / load.revisit, 1.0)
        redis = max(redis - memory, 0.0)  # what is in memory is in Redis too, and not asked for there
    return {
        "memory": plain * memory,
        "redis": plain * redis,
        "computed": plain * (1 - memory - redis),
        "search": load.searches,
    }


def _found(inputs: Inputs, games: float, *, lasting: bool) -> float:
    """Return the share of the positions of a game that were found, where `games` came before.

    `lasting`: whether being found makes a value stay.
    """
    found = 0.0
    for chances in inputs.repetition.chances:
        expected = games * np.asarray(chances)
        found += float((-np.expm1(-expected) if lasting else expected / (1 + expected)).mean())
    return found / inputs.repetition.turns
