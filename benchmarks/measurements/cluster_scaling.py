"""Measure one match in a thread and on local clusters of several sizes."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from engine import Match
from kibitz.cluster import ClusterGames, open_cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine import GameExecutor, GameSetup

WARM_GAMES = 8
"""Games for each worker before the clock starts, so that all have opened the lexicon."""


@dataclass(frozen=True, slots=True)
class ScalingRow:
    """Hold one run: `workers` is 0 for a thread of this process.

    `seconds` passed on the clock; processor seconds of all workers together, of the busiest of them, and of
    the command with its scheduler; the SHA-256 of the results.
    """

    workers: int
    games: int
    seconds: float
    workers_seconds: float
    busiest_seconds: float
    command_seconds: float
    sha256: str


def cluster_rows(
    setup: GameSetup,
    names: tuple[str, str],
    games: int,
    seed: int,
    counts: Sequence[int],
    progress: Callable[[float, int], None] = lambda done, total: None,
    say: Callable[[str], None] = lambda line: None,
) -> Iterator[ScalingRow]:
    """Play the same match in a thread and on clusters of `counts` worker processes; yield a row for each."""

    total = games * (1 + len(counts))

    def play(workers: int | GameExecutor, runs_before: int) -> tuple[float, float, str]:
        match = Match(setup, names, games, seed=seed)
        begin = games * runs_before
        began, before = perf_counter(), process_time()
        match.run(workers, lambda played: progress(begin + played.games, total))
        times = perf_counter() - began, process_time() - before
        return *times, sha256(match.results.tobytes()).hexdigest()

    Match(setup, names, WARM_GAMES, seed=seed + 1).run(1)
    seconds, processor, digest = play(1, 0)
    yield ScalingRow(0, games, seconds, processor, processor, 0.0, digest)
    for number, count in enumerate(counts, start=1):
        with open_cluster(f"local:{count}", say) as cluster:
            executor = ClusterGames(cluster, setup.lexicon)
            Match(setup, names, WARM_GAMES * count, seed=seed + 1).run(executor)
            before = cluster.run_everywhere(process_time)
            seconds, processor, digest = play(executor, number)
            after = cluster.run_everywhere(process_time)
        spent = [late - early for early, late in zip(before, after, strict=True)]
        yield ScalingRow(count, games, seconds, sum(spent), max(spent), processor, digest)
