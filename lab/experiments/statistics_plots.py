"""Plots of the statistics of self-play; figures 9.1 and 9.2 of [Heuri] are among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kibitz.cli.plots import figure
from lab.experiments import published_statistics as published
from lab.experiments.statistics import BIN, statistics_name

if TYPE_CHECKING:
    from pathlib import Path

MAX_HANDICAP: Final = 40  # points in the plot of handicaps


def statistics_plots(report: dict[str, Any], folder: Path) -> None:
    """Draw wins by handicap (figure 9.1), bingos in a game (figure 9.2), points, and lengths of words.

    Spanish games are shown beside the published statistics.
    """
    name = statistics_name(report["lexicon"]["id"], report["player"])
    label = f"{report['lexicon']['id']}, {report['player']}, {report['games']:,} games"
    spanish = report["tile_set"] == "spanish"
    _handicaps(report, folder, f"{name}-handicap", f"Who wins, by points given ({label})", spanish)
    _bingos(report, folder, f"{name}-bingos", f"Bingos in a game ({label})", spanish)
    _points(report, folder, f"{name}-points", f"Points in a game ({label})")
    lengths = {int(length): counts for length, counts in report["words"]["lengths"].items()}
    title = f"Main words by length ({label})"
    with figure(folder, f"{name}-lengths", title, "tiles in the main word", "% of the plays") as axes:
        parts = [(counts["played"] - counts["bingos"], counts["bingos"]) for counts in lengths.values()]
        shares = [[100 * count / report["words"]["all"]["played"] for count in part] for part in parts]
        axes.bar(list(lengths), [other for other, _ in shares], label="other plays")
        axes.bar(list(lengths), [b for _, b in shares], bottom=[other for other, _ in shares], label="bingos")
        axes.set_xticks(list(lengths))
        axes.set_ylim(0, 1.05 * max(map(sum, shares)))  # bars without bingos would end at the edge


def _handicaps(report: dict[str, Any], folder: Path, name: str, title: str, spanish: bool) -> None:
    rows = [row for row in report["handicap"]["table"] if 0 <= row["points"] <= MAX_HANDICAP]
    with figure(folder, name, title, "points given to the second player", "% of the games") as axes:
        for field, text, colour in (("wins", "the first wins", "C0"), ("losses", "the second wins", "C1")):
            shares = [100 * row[field] / report["games"] for row in rows]
            axes.plot([row["points"] for row in rows], shares, marker=".", color=colour, label=text)
        if spanish:
            for place, text, colour in ((0, "the first", "C0"), (2, "the second", "C1")):
                shares = [row[place] for row in published.HANDICAPS]
                axes.plot(range(len(shares)), shares, "--", color=colour, label=f"published: {text}")


def _bingos(report: dict[str, Any], folder: Path, name: str, title: str, spanish: bool) -> None:
    games = {int(bingos): count for bingos, count in report["distributions"]["bingos"].items()}
    with figure(folder, name, title, "bingos of both players", "% of the games") as axes:
        axes.bar(list(games), [100 * count / report["games"] for count in games.values()], label="here")
        axes.set_xticks(range(max(games) + 1))
        if spanish:
            bingos, count = published.MOST_FREQUENT_BINGOS
            axes.plot([bingos], [100 * count / published.GAMES], "D", color="C1", label="published")


def _points(report: dict[str, Any], folder: Path, name: str, title: str) -> None:
    with figure(folder, name, title, "points at the end", "% of the games") as axes:
        for seat in ("first", "second"):
            games = {int(at): count for at, count in report["distributions"][f"points_{seat}"].items()}
            middles = [at + BIN / 2 for at in range(min(games), max(games) + BIN, BIN)]
            shares = [100 * games.get(int(at - BIN / 2), 0) / report["games"] for at in middles]
            axes.plot(middles, shares, marker=".", label=f"{seat} player")
