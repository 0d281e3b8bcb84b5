"""Times of two commits or builds of kibitz, measured in turns on the same work."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchmarks.compare.sides import LEXICON_ID, Worker
from engine import InvalidInput
from lab.measurements.samples import by_game

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from benchmarks.compare.sides import Side
    from lab.measurements.samples import Sample

BLOCKS: Final = {
    "all": 100,
    "leaves": 100,
    "best": 100,
    "best_leaves": 100,
    "best_equity": 100,
    "rollouts": 2,
    "endgame": 2,
    "selfplay": 5,
}
"""The tasks, with the number of items that one side does before the other side's turn."""
TAKEN: Final = {"rollouts": 40, "endgame": 40, "selfplay": 100}
"""The default number of items of the slow tasks."""
MIDDLE_GAME_BAG: Final = 8  # tiles in the bag, at least, of a position that is simulated
RESAMPLES: Final = 1000


def chosen(samples: Sequence[Sample], task: str, count: int | None) -> list[Sample]:
    """Return positions for a task, evenly spread over the suitable ones.

    Raises InvalidInput (code "bad_positions") if there is none.
    """
    fit = [sample for sample in samples if _fits(sample, task)]
    if not fit:
        raise InvalidInput(f"no position is suitable for the task {task}", code="bad_positions")
    count = count or TAKEN.get(task) or len(fit)
    return fit[:: max(1, -(-len(fit) // count))]


def _fits(sample: Sample, task: str) -> bool:
    position = sample.position
    if task == "rollouts":
        return len(position.rack.tiles) > 0 and position.bag_count() >= MIDDLE_GAME_BAG
    if task == "endgame":
        racks = [player.rack for player in position.players]
        return (
            len(racks) == 2
            and all(rack is not None and rack.tiles for rack in racks)
            and (position.bag_count() == 0)
        )
    return True


def compare(
    sides: Sequence[Side],
    samples: Sequence[Sample],
    task: str,
    items: int,
    passes: int,
    core: int | None,
    progress: Callable[[int, int], None],
) -> dict[str, Any]:
    """Time two sides in turns on the same items and return the report.

    An item is a position, or a match for `selfplay`; its least time of all passes counts: processor time if
    both sides report it, else wall time. `block`: items after which the sides switch. `ratio` is the second
    side's mean over the first's; `ratio_interval` holds 95 % of its values over games drawn anew (bootstrap),
    `ratio_quartiles` half of the items' ratios.
    """
    block = BLOCKS[task]
    blocks = [(first, min(first + block, items)) for first in range(0, items, block)]
    least = {clock: np.full((2, items), np.inf) for clock in ("ns", "cpu_ns")}
    with ExitStack() as stack:
        workers = []
        for side in sides:
            workers.append(Worker.start(side, task))
            stack.callback(workers[-1].close)
        cgps = [sample.cgp for sample in samples]
        loaded = [
            worker.ask({"load": cgps, "lexicon": LEXICON_ID, "data": str(worker.side.data), "core": core})
            for worker in workers
        ]
        sums = [worker.ask({"sum": task, "items": items}) for worker in workers]
        turn = 0
        for number in range(passes):
            for done, (first, last) in enumerate(blocks, 1):
                for index in (0, 1) if turn % 2 == 0 else (1, 0):
                    answer = workers[index].ask({"run": [first, last], "task": task})
                    for clock, times in least.items():
                        spent = answer.get(clock, np.inf)
                        times[index, first:last] = np.minimum(times[index, first:last], spent)
                turn += 1
                progress(number * len(blocks) + done, passes * len(blocks))
    clock = "processor" if np.isfinite(least["cpu_ns"]).all() else "wall"
    us = least["cpu_ns" if clock == "processor" else "ns"] / 1000
    games = {sample.number: game for game, group in enumerate(by_game(list(samples))) for sample in group}
    of_games = [games[sample.number] for sample in samples] if samples else range(items)
    return {
        "task": task,
        "passes": passes,
        "positions": items,
        "clock": clock,
        "block": block,
        "sides": [
            {
                "name": worker.side.name,
                "own_worker": worker.is_own,
                "mean_us": rounded(us[i].mean()),
                "median_us": rounded(np.median(us[i])),
                "vector_path": loaded[i]["simd"],
                "plays": sums[i]["plays"],
                "sha256": sums[i]["sum"],
            }
            for i, worker in enumerate(workers)
        ],
        "same_plays": sums[0] == sums[1],
        "ratio": rounded(us[1].mean() / us[0].mean()),
        "ratio_interval": interval(us, np.array(of_games)),
        "ratio_quartiles": quartiles(us[1] / us[0]),
        "by_blanks": _groups(us, np.array([sample.blanks for sample in samples]), "blanks"),
        "per_move": _groups(us, np.array([sample.move for sample in samples]), "move"),
    }


def rounded(value: float | np.floating[Any]) -> float:
    """Return a number with three decimals."""
    return round(float(value), 3)


def _groups(us: NDArray[np.float64], keys: NDArray[Any], name: str) -> list[dict[str, Any]]:
    rows = []
    for key in np.unique(keys):
        a, b = (us[i][keys == key].mean() for i in (0, 1))
        row = {name: int(key), "positions": int((keys == key).sum())}
        rows.append({**row, "us": [rounded(a), rounded(b)], "ratio": rounded(b / a)})
    return rows


def interval(
    times: NDArray[np.float64],
    games: NDArray[Any],
) -> list[float]:
    """Return the 2.5th and 97.5th percentile of the ratio of means over games drawn with replacement."""
    count = int(games.max()) + 1
    sums = np.stack([np.bincount(games, times[i], count) for i in (0, 1)])
    drawn = np.random.default_rng(0).integers(0, count, (RESAMPLES, count))
    resampled = sums[:, drawn].sum(axis=2)
    return [rounded(value) for value in np.percentile(resampled[1] / resampled[0], [2.5, 97.5])]


def quartiles(ratios: NDArray[np.float64]) -> list[float]:
    """Return the lower and the upper quartile of ratios."""
    return [rounded(value) for value in np.percentile(ratios, [25, 75])]
