"""Statistics of a match: the share of games won, and what each player did in a game on average."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from engine import Match, MatchProgress, MatchScore

FIELDS: Final = ("final", "turns", "bingos", "exchanges", "passes")
"""The statistics of each player, a game on average; `final` is the final score."""


def percent(score: MatchScore) -> str:
    """Return the share of games won in per cent, with its interval if there are enough games for one."""
    share = score.share
    if isnan(share.low):
        return f"{100 * share.value:.2f}"
    return f"{100 * share.value:.2f} [{100 * share.low:.2f}, {100 * share.high:.2f}]"


def progress_note(progress: MatchProgress) -> str:
    """Return what a progress bar says beside the games: the score, and the moves of the games not yet
    counted.
    """
    parts = [f"{percent(progress.score)} %"] if progress.score.games else []
    if progress.moves:
        parts.append(f"{progress.moves} moves in the games being played")
    return ", ".join(parts)


def player_statistics(match: Match) -> list[dict[str, Any]]:
    """Return the statistics of both players of a match."""
    return [
        {
            "name": name,
            **{field: round(float(match.by_player(field)[:, which].mean()), 3) for field in FIELDS},
        }
        for which, name in enumerate(match.names)
    ]
