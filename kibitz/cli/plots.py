"""Draw plots as SVG and PNG with matplotlib, which the extra [plots] installs."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine import InvalidInput
from engine.extras import install_command

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from engine import CalibrationBin


@contextmanager
def figure(folder: Path, name: str, title: str, x: str, y: str, *, log: bool = False) -> Iterator[Any]:
    """Yield axes to draw on, and write them as `name`.svg and `name`.png; raises as `drawing_of`."""
    with drawing_of(name, 7, 4.6) as drawing:
        axes = drawing.add_subplot()
        axes.set(title=title, xlabel=x, ylabel=y)
        if log:
            axes.set_yscale("log")
        axes.grid(alpha=0.3)
        yield axes
        if axes.get_legend_handles_labels()[0]:
            drawing.legend(loc="outside lower center", ncols=3, fontsize=8)
        folder.mkdir(parents=True, exist_ok=True)
        drawing.savefig(folder / f"{name}.svg", metadata={"Date": None})
        drawing.savefig(folder / f"{name}.png", dpi=120)


@contextmanager
def drawing_of(name: str, width: float, height: float) -> Iterator[Any]:
    """Yield a matplotlib Figure of this size in inches, in the style of all plots, whose SVG is repeatable.

    Raises InvalidInput (code "plots_missing") without matplotlib.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise InvalidInput(
            f"plots need matplotlib, which is not installed: {install_command('plots')}", code="plots_missing"
        ) from None
    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "font.size": 9}):
        yield Figure(figsize=(width, height), layout="constrained")


def calibration_plot(bins: Sequence[CalibrationBin], folder: Path, name: str) -> None:
    """Draw the predicted win% against the share of games won, with a color for each stage and error bars."""
    title = "win% of held-out positions; bars: three standard errors"
    with figure(folder, name, title, "predicted", "observed") as axes:
        axes.plot([0, 100], [0, 100], color="grey", linewidth=0.8)
        for stage in dict.fromkeys(each.stage for each in bins):
            rows = [each for each in bins if each.stage == stage]
            axes.errorbar(
                [100 * each.predicted for each in rows],
                [100 * each.observed for each in rows],
                yerr=[300 * each.error for each in rows],
                fmt="o",
                markersize=3,
                linewidth=0.8,
                label=stage,
            )
        axes.legend(frameon=False)
