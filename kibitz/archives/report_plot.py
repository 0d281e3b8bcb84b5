"""The figures of an archive's players as one SVG: a panel for each figure, a line for each player.

Colors are those of the page that contains the picture, so that it suits light and dark.
"""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Final

from engine import Text, printable, rendered
from kibitz.archives.report_texts import report_columns
from kibitz.cli.plots import drawing_of

if TYPE_CHECKING:
    from kibitz.archives.player_reports import ArchiveReport

MAX_PLAYERS: Final = 40
"""The most players of a picture, the first ones of the report."""

MAX_NAME: Final = 24
"""The longest name in the picture, in characters."""

_PANELS: Final = 4
_INK, _LINE, _ACCENT = "#010101", "#020202", "#030303"
_COLORS: Final = {_INK: "var(--ink)", _LINE: "var(--line)", _ACCENT: "var(--accent)"}
"""The colors of the drawing, and what stands for them in the page."""


def players_svg(report: ArchiveReport, language: str) -> str:
    """Return the picture as an <svg> element that takes its colors from --ink, --line and --accent.

    It shows the first players of the report. Raises InvalidInput (code "plots_missing") without matplotlib.
    """
    players = report.players[:MAX_PLAYERS]
    columns = [column for column in report_columns(report) if column.digits][:_PANELS]
    with drawing_of("archive", 2.2 + 2.1 * len(columns), 0.75 + 0.27 * len(players)) as drawing:
        drawing.get_layout_engine().set(wspace=0.06)
        panels = drawing.subplots(1, len(columns), sharey=True, squeeze=False)[0]
        for axes, column in zip(panels, columns, strict=True):
            axes.set_title(rendered(Text(column.heading), language), fontsize=10, color=_INK)
            for at, player in enumerate(players):
                figure = column.figure(player)
                if isinstance(figure, int) or figure.value is None:
                    continue
                reach = None
                if figure.low is not None and figure.high is not None:
                    reach = [[figure.value - figure.low], [figure.high - figure.value]]
                axes.errorbar(
                    figure.value, at, xerr=reach, fmt="o", color=_ACCENT, markersize=5,
                    elinewidth=1.6, capsize=2.5,
                )  # fmt: skip
            axes.grid(axis="x", color=_LINE, linewidth=0.7)
            axes.set_axisbelow(True)
            axes.tick_params(colors=_INK, length=0)
            axes.spines[:].set_visible(False)
            axes.patch.set_visible(False)
        panels[0].set_yticks(range(len(players)), [_short(player.player) for player in players])
        panels[0].set_ylim(len(players) - 0.4, -0.6)
        for label in panels[0].get_yticklabels():
            label.set_parse_math(False)
        drawing.patch.set_visible(False)
        with io.StringIO() as file, warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the browser has other fonts
            drawing.savefig(file, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
            svg = file.getvalue()
    for color, variable in _COLORS.items():
        svg = svg.replace(color, variable)
    return svg[svg.index("<svg") :]


def _short(name: str) -> str:
    shown = printable(name)
    return shown if len(shown) <= MAX_NAME else f"{shown[: MAX_NAME - 1]}…"
