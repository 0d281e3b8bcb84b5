"""Processor times of move generation by contender: a generator, a task and a vector path."""

from __future__ import annotations

import gc
import statistics
import time
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from engine import InternalWords, InvalidInput, simd_paths
from lab.generators import generator
from lab.measurements.samples import by_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from engine import Lexicon, LoadedBoard, Plays
    from lab.measurements.samples import Sample

COUNTS: Final = ("intervals", "candidates", "plays")
TASKS: Final = ("all", "leaves", "best", "best_leaves")
"""Every play with its score; with equities too; only the best play by score; by equity."""
FLAT_MOVES: Final = range(2, 20)
"""Move numbers over which times are compared; the beginning and the end of a game are special."""


@dataclass(frozen=True)
class Contender:
    """Hold the label of what is measured, and the call that does it."""

    label: str
    run: Callable[[LoadedBoard, Sample], Plays]


def contenders(
    lexicon: Lexicon, names: Iterable[str], tasks: Iterable[str] = ("all",), paths: Iterable[str] = ()
) -> list[Contender]:
    """Return a contender for each generator, task and vector path, in that order.

    Vector paths (of `simd_paths`) and the best play alone exist for internal_words only. Raises InvalidInput
    (code "unknown_task", "unknown_path", "no_best_alone") and what `generator` raises.
    """
    found = []
    for name in dict.fromkeys(names):
        for path in tuple(dict.fromkeys(paths)) if name == InternalWords.name and tuple(paths) else (None,):
            if path is None:
                search = generator(name, lexicon)
            elif path in simd_paths():
                search = InternalWords(lexicon, simd=simd_paths()[path])
            else:
                raise InvalidInput(
                    f"this processor has no vector path {path!r}; it has {', '.join(simd_paths())}",
                    code="unknown_path",
                )
            for task in dict.fromkeys(tasks):
                label = name + (f"/{path}" if path else "") + (f":{task}" if task != "all" else "")
                found.append(Contender(label, _runner(search, task)))
    return found


def _runner(search: Any, task: str) -> Callable[[LoadedBoard, Sample], Plays]:
    if task not in TASKS:
        raise InvalidInput(f"there is no task {task!r}; known: {', '.join(TASKS)}", code="unknown_task")
    if task.startswith("best") and not isinstance(search, InternalWords):
        raise InvalidInput(f"{search.name} cannot look for the best play alone", code="no_best_alone")
    call = search.best if task.startswith("best") else search.generate
    if task.endswith("leaves"):
        return lambda board, sample: call(board, *_hand(sample), sample.leave_values)
    return lambda board, sample: call(board, *_hand(sample))


def _hand(sample: Sample) -> tuple[Any, Any]:
    return sample.position.rack, sample.position.rules


def measure(
    samples: list[Sample],
    lexicon: Lexicon,
    chosen: Sequence[Contender],
    passes: int,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Time every contender on every position; store the times and counts in the samples.

    The contenders take turns game by game, in a rotating order, so that other load on the machine disturbs
    all of them alike. `progress` is called with the games done and their total.
    """
    games = by_game(samples)
    order = list(chosen)
    clock = time.thread_time_ns  # processor time, which other programs disturb less
    for number in range(passes):
        with collector_off():
            for done, game in enumerate(games, 1):
                boards = [sample.load(lexicon) for sample in game]
                for contender in order:
                    run = contender.run
                    for sample, board in zip(game, boards, strict=True):
                        sample.leave_values  # noqa: B018 - computed before the clock starts
                        began = clock()
                        plays = run(board, sample)
                        sample.nanoseconds[contender.label].append(clock() - began)
                        if number == 0:
                            sample.counts[contender.label] = {**plays.statistics, "plays": len(plays)}
                        del plays
                order = order[1:] + order[:1]
                progress(number * len(games) + done, passes * len(games))


@contextmanager
def collector_off() -> Iterator[None]:
    """Switch the garbage collector off."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def summary(samples: list[Sample], label: str) -> dict[str, Any]:
    """Return means of one contender: over all positions, by move number and by blanks on the rack.

    `flatness`: the slowest move number of 2 to 19 as a multiple of the fastest, None without any of them.
    """
    by_move: dict[int, list[Sample]] = defaultdict(list)
    by_blanks: dict[int, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_move[sample.move].append(sample)
        by_blanks[sample.blanks].append(sample)
    per_move = [
        {"move": move, "positions": len(group), **means(group, label)}
        for move, group in sorted(by_move.items())
    ]
    flat = [row["mean_us"] for row in per_move if row["move"] in FLAT_MOVES]
    return {
        **means(samples, label),
        "flatness": round(max(flat) / min(flat), 2) if flat else None,
        "by_blanks": [
            {"blanks": blanks, "positions": len(group), **means(group, label)}
            for blanks, group in sorted(by_blanks.items())
        ],
        "per_move": per_move,
    }


def means(samples: list[Sample], label: str) -> dict[str, Any]:
    """Return the mean microseconds and the mean counts of a contender over some positions."""
    results: dict[str, Any] = {
        "mean_us": round(statistics.fmean(position_us(sample, label) for sample in samples), 3)
    }
    for count in COUNTS:
        known = [sample.counts[label][count] for sample in samples if count in sample.counts[label]]
        results[count] = round(statistics.fmean(known), 2) if known else None
    return results


def position_us(sample: Sample, label: str) -> float:
    """Return the microseconds of a contender on a position: the median of its passes."""
    return statistics.median(sample.nanoseconds[label]) / 1000


def ratios(samples: list[Sample], labels: list[str]) -> dict[str, float]:
    """Return the ratio of each contender's total time to that of the first one."""
    total = {label: sum(position_us(sample, label) for sample in samples) for label in labels}
    return {f"{label}/{labels[0]}": round(total[label] / total[labels[0]], 3) for label in labels[1:]}
