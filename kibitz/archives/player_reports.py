"""Statistics of the players of an archive: accuracy, equity lost, bingos, luck, time, with 95 % intervals.

The unit is the game: turns of one game are not independent. A figure is a ratio of two sums over the games of
a player, such as points lost to turns judged. Its standard error is that of the ratio estimator, the square
root of n / (n - 1) * sum((y - r x)^2) / sum(x)^2 over n games with the sums y and x and the ratio r. The
interval takes the quantile of Student's t with n - 1 degrees of freedom; that of a percentage is Wilson's,
for as many independent turns as have this standard error. Of fewer than FEWEST_GAMES there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from glob import escape
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine import FEWEST_GAMES, MISTAKE_POINTS, NORMAL_95, InvalidInput, Text, share_interval
from kibitz.archives.turn_rows import PHASES, TURNS_VERSION
from kibitz.archives.turns_file import TURNS_FILE, VERSION_KEY, parquet_missing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


class Ratio(NamedTuple):
    """A ratio of sums and its 95 % interval; all None without data, the interval also for too few games."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """Hold the figures of one player.

    `judged`: turns that were judged; `accuracy`: percentage of turns without a mistake, among those with a
    class of mistake; `mistake_index`: a game with such a class; `equity_lost`: points a judged turn;
    `bingos`: percentage found of those found or missed; `luck`: points a game, over the games where it is
    known; `words_lost`, `choice_lost`: points a game, over the games whose losses are split; `seconds`:
    seconds a turn, by phase.
    """

    player: str
    games: int
    turns: int
    judged: int
    accuracy: Ratio
    mistake_index: Ratio
    equity_lost: Ratio
    bingos_found: int
    bingos_missed: int
    bingos: Ratio
    luck: Ratio
    words_lost: Ratio
    choice_lost: Ratio
    seconds: Mapping[str, Ratio]


@dataclass(frozen=True, slots=True)
class ArchiveReport:
    """Hold the figures of an archive: its numbers of games and turns, its lexicons, and its players.

    `players`: those with the least equity lost a turn first.
    """

    games: int
    turns: int
    lexicons: tuple[str, ...]
    players: tuple[PlayerReport, ...]

    def of_games(self, least: int) -> ArchiveReport:
        """Return the report of the players with at least `least` games."""
        players = tuple([player for player in self.players if player.games >= least])
        return ArchiveReport(self.games, self.turns, self.lexicons, players)


_CASES: Final = " ".join([f"WHEN '{name}' THEN {points}" for name, points in MISTAKE_POINTS.items()])
_POINTS_SQL: Final = f"CASE mistake {_CASES} END"
"""The points of a turn for the Mistake Index, in SQL."""

_RATIOS: Final = {
    "accuracy": ("100 * count(*) FILTER (mistake = 'none')", "count(mistake)"),
    "mistake_index": (f"sum({_POINTS_SQL})", "CAST(count(mistake) > 0 AS INTEGER)"),
    "equity_lost": ("sum(equity_lost)", "count(equity_lost)"),
    "bingos": ("100 * count(*) FILTER (bingo)", "count(*) FILTER (bingo) + count(missed_bingo)"),
    **{
        name: (f"sum({name})", f"CAST(count({name}) > 0 AS INTEGER)")
        for name in ("luck", "words_lost", "choice_lost")
    },
} | {
    f"seconds_{phase}": (
        f"sum(seconds) FILTER (phase = '{phase}')",
        f"count(seconds) FILTER (phase = '{phase}')",
    )
    for phase in PHASES
}
"""The two sums of one game, numerator and denominator in SQL, by the name of the ratio."""

_MOMENTS: Final = ("count(*) FILTER ({x} > 0)", "sum({x})", "sum({y})", "sum({x} * {x})", "sum({x} * {y})",
                   "sum({y} * {y})")  # fmt: skip
"""The aggregates that an interval needs, from the sums x and y of each game."""

_PERCENTAGES: Final = ("accuracy", "bingos")
"""The ratios that are shares of turns."""


def archive_report(path: Path) -> ArchiveReport:
    """Return the report of a Parquet file of `kibitz batch`, or of the folder that holds it.

    Raises InvalidInput: "no_turns" if the folder has no such file, "not_turns" for another file or a damaged
    one, "other_turns_version" for one of another version of kibitz, and "parquet_missing" without DuckDB.
    """
    try:
        import duckdb
    except ImportError:
        raise parquet_missing("duckdb") from None
    file = path / TURNS_FILE if path.is_dir() else path
    if not file.is_file():
        raise InvalidInput(
            Text(
                "{folder} has no {file}: kibitz batch SOURCE --output {folder} --parquet writes it",
                folder=str(path),
                file=TURNS_FILE,
            ),
            code="no_turns",
        )
    name = escape(str(file))  # DuckDB treats a name as a glob pattern
    with duckdb.connect() as database:
        try:
            found = database.execute(
                "SELECT value::VARCHAR FROM parquet_kv_metadata(?) WHERE key = ?::BLOB", [name, VERSION_KEY]
            ).fetchone()
        except duckdb.Error:
            found = None
        _check_version(path, found[0] if found else None)
        try:
            total = database.execute(_TOTALS_SQL, [name]).fetchone() or (0, 0, [])
            rows = database.execute(_players_sql(), [name])
            names = [column[0] for column in rows.description]
            players = [_player(dict(zip(names, row, strict=True))) for row in rows.fetchall()]
        except duckdb.Error:
            raise _not_turns(path) from None
    players.sort(key=lambda one: (one.equity_lost.value is None, one.equity_lost.value or 0, one.player))
    return ArchiveReport(total[0], total[1], tuple(total[2] or ()), tuple(players))


def _not_turns(path: Path) -> InvalidInput:
    return InvalidInput(
        Text("{path} is not a Parquet file of kibitz batch", path=str(path)), code="not_turns"
    )


def _check_version(path: Path, version: str | None) -> None:
    if version is None:
        raise _not_turns(path)
    if version != str(TURNS_VERSION):
        raise InvalidInput(
            Text(
                "{path} has version {version} of the columns, and this kibitz reads version {ours}; run "
                "kibitz batch again",
                path=str(path),
                version=version,
                ours=TURNS_VERSION,
            ),
            code="other_turns_version",
        )


_TURNS: Final = """(SELECT NULL::DOUBLE AS words_lost, NULL::DOUBLE AS choice_lost WHERE false
    UNION ALL BY NAME SELECT * FROM read_parquet(?, hive_partitioning = false))"""
"""The turns, also of files without the newest columns; a folder such as "game=1" in the path must not replace
the column `game`.
"""

_TOTALS_SQL: Final = f"""SELECT count(DISTINCT game), count(*), list_sort(list(DISTINCT lexicon))
FROM {_TURNS}"""  # noqa: S608


def _players_sql() -> str:
    """Return the query for a row for each player; its games are grouped first."""
    of_games = [
        f"coalesce({sum_}, 0)::DOUBLE AS {name}_{part}"
        for name, sums in _RATIOS.items()
        for part, sum_ in zip("yx", sums, strict=True)
    ]
    of_players = [
        f"{moment.format(x=f'{name}_x', y=f'{name}_y')} AS {name}_{number}"
        for name in _RATIOS
        for number, moment in enumerate(_MOMENTS)
    ]
    # All texts of the query are constants of this module.
    return f"""WITH games AS (
    SELECT player, game, count(*) AS turns, count(equity_lost) AS judged,
        count(*) FILTER (bingo) AS bingos_found, count(missed_bingo) AS bingos_missed,
        {", ".join(of_games)}
    FROM {_TURNS} GROUP BY player, game)
SELECT player, count(*) AS games, sum(turns)::BIGINT AS turns, sum(judged)::BIGINT AS judged,
    sum(bingos_found)::BIGINT AS bingos_found, sum(bingos_missed)::BIGINT AS bingos_missed,
    {", ".join(of_players)}
FROM games GROUP BY player"""  # noqa: S608


def _player(row: Mapping[str, Any]) -> PlayerReport:
    def ratio(name: str) -> Ratio:
        moments = [row[f"{name}_{number}"] for number in range(len(_MOMENTS))]
        return ratio_of(moments, percentage=name in _PERCENTAGES)

    return PlayerReport(
        player=row["player"],
        games=row["games"],
        turns=row["turns"],
        judged=row["judged"],
        accuracy=ratio("accuracy"),
        mistake_index=ratio("mistake_index"),
        equity_lost=ratio("equity_lost"),
        bingos_found=row["bingos_found"],
        bingos_missed=row["bingos_missed"],
        bingos=ratio("bingos"),
        luck=ratio("luck"),
        words_lost=ratio("words_lost"),
        choice_lost=ratio("choice_lost"),
        seconds={phase: ratio(f"seconds_{phase}") for phase in PHASES},
    )


def ratio_of(moments: Sequence[float], *, percentage: bool = False) -> Ratio:
    """Return the ratio y / x of sums over games, with its interval.

    `moments`: the number of games with x > 0, and the sums of x, y, x x, x y and y y over all games.
    `percentage`: whether y is 100 for each of x turns, or 0.
    """
    games, x, y, xx, xy, yy = moments
    if not x:
        return Ratio(None, None, None)
    ratio = y / x
    if games < FEWEST_GAMES:
        return Ratio(ratio, None, None)
    squares = max(0.0, yy - 2 * ratio * xy + ratio * ratio * xx)
    half = student_95(int(games) - 1) * sqrt(games / (games - 1) * squares) / x
    if percentage:
        low, high = share_interval(ratio / 100, half / 100, x)
        return Ratio(ratio, 100 * low, 100 * high)
    return Ratio(ratio, ratio - half, ratio + half)


def student_95(freedom: int) -> float:
    """Return the 97.5th percentile of Student's t with at least 4 degrees of freedom, to 0.02.

    It is the Cornish-Fisher expansion about the normal distribution.
    """
    z = NORMAL_95
    terms: tuple[float, ...] = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum([term / float(freedom**power) for power, term in enumerate(terms, 1)])
