"""The columns of the report of an archive, with their headings; terminal and page show the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine import Text, message, number, rendered
from kibitz.archives.turn_rows import ENDGAME, MIDGAME, PREENDGAME

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kibitz.archives.player_reports import ArchiveReport, PlayerReport, Ratio

METHOD: Final = message(
    "In brackets: the interval of 95 percent, with the game as the unit; fewer than 5 games are too few. "
    "Accuracy: turns without a mistake, in percent. Equity lost and luck are in points; luck is known where "
    "racks are recorded and kibitz batch was called with --explain. Lost by words: what better moves of rare "
    "words (kibitz batch --rarity) would have gained; lost by choice: the rest. Both are known if kibitz "
    "train words counted the words of the lexicon."
)


class ReportColumn(NamedTuple):
    """A column of the table: its heading, its figure, and the number of decimals."""

    heading: str
    figure: Callable[[PlayerReport], int | Ratio]
    digits: int = 0


_SECONDS: Final = {
    MIDGAME: message("seconds, midgame"),
    PREENDGAME: message("seconds, pre-endgame"),
    ENDGAME: message("seconds, endgame"),
}

_COLUMNS: Final = (
    ReportColumn(message("games"), lambda player: player.games),
    ReportColumn(message("turns"), lambda player: player.turns),
    ReportColumn(message("accuracy"), lambda player: player.accuracy, 1),
    ReportColumn(message("Mistake Index a game"), lambda player: player.mistake_index, 2),
    ReportColumn(message("equity lost a turn"), lambda player: player.equity_lost, 2),
    ReportColumn(message("bingos found"), lambda player: player.bingos_found),
    ReportColumn(message("bingos missed"), lambda player: player.bingos_missed),
    ReportColumn(message("bingos found, %"), lambda player: player.bingos, 1),
    ReportColumn(message("luck a game"), lambda player: player.luck, 1),
    ReportColumn(message("lost by words a game"), lambda player: player.words_lost, 1),
    ReportColumn(message("lost by choice a game"), lambda player: player.choice_lost, 1),
    *[
        ReportColumn(heading, lambda player, phase=phase: player.seconds[phase], 1)  # type: ignore[misc]
        for phase, heading in _SECONDS.items()
    ],
)


def report_columns(report: ArchiveReport) -> Sequence[ReportColumn]:
    """Return the columns that have a figure for some player."""
    return [
        column
        for column in _COLUMNS
        if any(
            isinstance(figure := column.figure(player), int) or figure.value is not None
            for player in report.players
        )
    ]


def figure_text(figure: int | Ratio, digits: int, language: str) -> str:
    """Return a figure with its interval in a language, an empty text without a value."""
    if isinstance(figure, int):
        return str(figure)
    if figure.value is None:
        return ""
    value = number(figure.value, language, digits=digits)
    if figure.low is None or figure.high is None:
        return rendered(Text("{value} (too few)", value=value), language)
    low, high = (number(bound, language, digits=digits) for bound in (figure.low, figure.high))
    return f"{value} [{low}; {high}]"
