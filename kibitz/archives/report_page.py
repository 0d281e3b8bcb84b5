"""The report of an archive as one self-contained page of HTML, with a picture and a table.

The page fetches nothing and runs no script. The template escapes every name, control characters included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from engine import DEFAULT_LANGUAGE, __version__
from kibitz.archives.report_plot import MAX_PLAYERS, players_svg
from kibitz.archives.report_texts import METHOD, figure_text, report_columns
from service.annotation_report import STATIC, STYLE, page_environment

if TYPE_CHECKING:
    from kibitz.archives.player_reports import ArchiveReport


def archive_page(report: ArchiveReport, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the page of a report in a language; the same report gives the same text.

    Raises InvalidInput (code "plots_missing") without matplotlib.
    """
    columns = report_columns(report)
    picture = players_svg(report, language) if any(column.digits for column in columns) else ""
    return (
        page_environment(language)
        .get_template("report/archive.html")
        .render(
            report=report,
            columns=columns,
            figure=lambda figure, digits: figure_text(figure, digits, language),
            picture=Markup(picture),  # noqa: S704 - drawn by matplotlib, which escapes texts
            pictured=min(len(report.players), MAX_PLAYERS),
            method=METHOD,
            version=__version__,
            language=language,
            style=Markup((STATIC / STYLE).read_text("utf-8")),  # noqa: S704 - a file of the service
        )
    )
