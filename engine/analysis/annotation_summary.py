"""Summing an annotated game up, per player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.analysis.annotation_result import MISTAKES, AnnotationSummary, MistakeCounts, PlayerSummary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis.annotation_result import AnnotationHeading, TurnNote


def summarize(
    heading: AnnotationHeading,
    turns: Sequence[TurnNote],
    scores: Sequence[int],
    *,
    over: bool,
    complete: bool,
) -> AnnotationSummary:
    """Sum up the turns of a game; `scores` are the last ones, by player."""
    players = tuple(
        [
            _player(place, player.nick, scores[place], [turn for turn in turns if turn.player == place])
            for place, player in enumerate(heading.players)
        ]
    )
    return AnnotationSummary(over, complete, len(turns), sum([player.judged for player in players]), players)


def _player(place: int, nick: str, score: int, turns: Sequence[TurnNote]) -> PlayerSummary:
    losses = [turn.equity_loss for turn in turns if turn.equity_loss is not None]
    win_losses = [turn.win_pct_loss for turn in turns if turn.win_pct_loss is not None]
    counts = {name: sum([turn.mistake == name for turn in turns]) for name in MISTAKES}
    classed = sum(counts.values())
    return PlayerSummary(
        player=place,
        nick=nick,
        score=score,
        turns=len(turns),
        judged=len(losses),
        accuracy=round(100 * counts["none"] / classed, 2) if classed else None,
        best_moves=sum([turn.rank == 1 for turn in turns]),
        mistakes=MistakeCounts(**counts),
        equity_loss=round(sum(losses), 3),
        average_equity_loss=_mean(losses),
        average_win_pct_loss=_mean(win_losses),
        bingos=sum([turn.bingo for turn in turns]),
        missed_bingos=sum([turn.missed_bingo is not None for turn in turns]),
        phonies=sum([bool(turn.phonies) for turn in turns]),
        phonies_taken_back=sum([bool(turn.phonies) and turn.challenge == "taken_back" for turn in turns]),
        exchanges=sum([turn.kind == "exchange" for turn in turns]),
        passes=sum([turn.kind == "pass" for turn in turns]),
    )


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None
