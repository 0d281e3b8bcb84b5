"""The figures of a match: the share of games won, and what each player did in a game on average."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from engine import Match, MatchScore

FIGURES: Final = ("final", "turns", "bingos", "exchanges", "passes")
"""The figures of each player, a game on average; `final` in points."""


def percent(score: MatchScore) -> str:
    """Return the share of games won, in per cent, with its interval if there were games enough for one."""
    share = score.share
    if isnan(share.low):
        return f"{100 * share.value:.2f}"
    return f"{100 * share.value:.2f} [{100 * share.low:.2f}, {100 * share.high:.2f}]"


def player_figures(match: Match) -> list[dict[str, Any]]:
    """Return the figures of both players of a match, a game on average."""
    return [
        {
            "name": name,
            **{field: round(float(match.by_player(field)[:, which].mean()), 3) for field in FIGURES},
        }
        for which, name in enumerate(match.names)
    ]
