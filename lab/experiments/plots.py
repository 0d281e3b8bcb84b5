"""Plots of the experiments movegen and threshold, as SVG and PNG; they need the extra [plots]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kibitz.cli.plots import figure
from lab.experiments.published import (
    HEURI_MS,
    MAGPIE_GADDAG_US,
    MAGPIE_WMP_US,
    QUACKLE_MS,
    QUACKLE_US,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


LAST_MOVE: Final = 24  # few games are longer
NAMES: Final = {
    "internal_words": "Internal-Words",
    "anagram": "Anagram Method",
    "gordon": "Gordon (GADDAG)",
    "appel_jacobson": "Appel-Jacobson (DAWG)",
    "literal": "Internal-Words, as in the thesis",
}


def movegen_plots(report: dict[str, Any], folder: Path) -> None:
    """Draw the plots of the report of `run_movegen`.

    They correspond to figures 4.3, 5.2 and 6.1 to 6.4 of [Sanchez2025] and table 2 of [Anagram2018].
    """
    rows = [row for row in report["per_move"] if row["move"] <= LAST_MOVE]
    moves = [row["move"] for row in rows]
    labels = list(report["generators"])
    lexicon = report["lexicon"]["id"]

    def curves(axes: Any, value: Callable[[dict[str, Any]], float | None]) -> None:
        for label in labels:
            values = [value(row["generators"][label]) for row in rows]
            if None not in values:
                axes.plot(moves, values, marker=".", label=NAMES.get(label, label))
        axes.set_ylim(bottom=0)

    move = "move number"
    with figure(folder, "intervals-on-board", f"Intervals on the board ({lexicon})", move, "mean") as axes:
        axes.plot(moves, [row["board_intervals"] for row in rows], marker=".")
        axes.set_ylim(bottom=0)
    title = f"Intervals by the internal words in them ({lexicon})"
    with figure(folder, "intervals-by-words", title, move, "mean") as axes:
        for runs, name in enumerate(("none", "one", "two")):
            axes.plot(moves, [row["board_intervals_by_runs"][runs] for row in rows], marker=".", label=name)
    title = f"Intervals considered for the rack ({lexicon})"
    with figure(folder, "problems", title, move, "mean per turn") as axes:
        curves(axes, lambda means: means["intervals"])
    title = f"Candidate words for each interval ({lexicon})"
    with figure(folder, "candidates-per-problem", title, move, "mean") as axes:
        curves(axes, _candidates_per_interval)
    title = f"Candidate words considered ({lexicon})"
    with figure(folder, "candidates", title, move, "mean per turn") as axes:
        curves(axes, lambda means: means["candidates"])
    title = f"Every play with its score, one core ({lexicon})"
    with figure(folder, "times", title, move, "mean µs") as axes:
        curves(axes, lambda means: means["us"])
    title = f"The same beside published times ({lexicon}; other machines)"
    with figure(folder, "times-published", title, move, "µs", log=True) as axes:
        for label in labels:
            values = [row["generators"][label]["us"] for row in rows]
            axes.plot(moves, values, marker=".", label=NAMES.get(label, label))
        _published(axes, moves)


def _candidates_per_interval(means: dict[str, Any]) -> float | None:
    if means["candidates"] is None or not means["intervals"]:
        return None
    return float(means["candidates"] / means["intervals"])


def _published(axes: Any, moves: Sequence[int]) -> None:
    count = len(moves)
    for values, factor, name in (
        (QUACKLE_MS, 1000, "Quackle, 2018 paper"),
        (HEURI_MS, 1000, "Heuri, 2018 paper"),
        (QUACKLE_US, 1, "Quackle, Zen 4"),
        (MAGPIE_WMP_US, 1, "MAGPIE, word maps, Zen 4"),
        (MAGPIE_GADDAG_US, 1, "MAGPIE, GADDAG, Zen 4"),
    ):
        axes.plot(moves, [value * factor for value in values[:count]], "--", linewidth=1, label=name)


def threshold_plots(report: dict[str, Any], folder: Path) -> None:
    """Draw times over thresholds, a curve for each kind and stage, and the sizes of figure 5.6 of
    [Sanchez2025].
    """
    lexicon = report["lexicon"]["id"]
    stages = report["stages"]
    for blanks in ("0", "1"):
        title = f"Time over the threshold, {blanks} blanks ({lexicon})"
        axis = "threshold (the last point: never the low level)"
        with figure(folder, f"threshold-{lexicon}-{blanks}", title, axis, "mean µs") as axes:
            for kind, style in (("relative", "-"), ("fixed", "--")):
                points = [row for row in report["times"] if row["kind"] == kind]
                for number, stage in enumerate(stages):
                    values = [row["us"].get(stage, {}).get(blanks) for row in points]
                    if None not in values:
                        colour = f"C{number}"
                        names = [row["name"] for row in points]
                        axes.plot(range(len(points)), values, style, color=colour, label=f"{kind}, {stage}")
                        for place, (name, value) in enumerate(zip(names, values, strict=True)):
                            axes.annotate(name, (place, value), fontsize=6, ha="center", va="bottom")
            axes.set_xticks([])
            axes.set_ylim(bottom=0)
    _entries_plot(report, folder)


def _entries_plot(report: dict[str, Any], folder: Path) -> None:
    """Draw the sizes of the tables of both levels by threshold, figure 5.6 of [Sanchez2025]."""
    lexicon = report["lexicon"]["id"]
    title = f"Index entries by the fixed threshold ({lexicon})"
    with figure(folder, f"threshold-{lexicon}-entries", title, "threshold", "million entries") as axes:
        rows = report["entries"]
        places = [row["threshold"] for row in rows]
        axes.bar(places, [row["low"] / 1e6 for row in rows], label="low level")
        bottoms = [row["low"] / 1e6 for row in rows]
        axes.bar(places, [row["high"] / 1e6 for row in rows], bottom=bottoms, label="high level")


def literal_threshold_plot(report: dict[str, Any], folder: Path) -> None:
    """Draw words read and look-ups by the threshold of the literal method, and the sizes of figure 5.6."""
    lexicon = report["lexicon"]["id"]
    title = f"Work of the thesis's method by its threshold ({lexicon}, no blank)"
    name = f"threshold-literal-{lexicon}"
    with figure(folder, name, title, "fixed threshold", "mean per turn", log=True) as axes:
        rows = report["thresholds"]
        for measure, label in (("scanned", "words read, high level"), ("lookups", "look-ups, low level")):
            axes.plot(range(len(rows)), [row["all"][measure] for row in rows], marker=".", label=label)
        both = [row["all"]["scanned"] + row["all"]["lookups"] for row in rows]
        axes.plot(range(len(rows)), both, "--", label="both")
        axes.set_xticks(range(len(rows)), [row["name"] for row in rows])
    _entries_plot(report, folder)
