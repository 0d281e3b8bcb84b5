"""Endgames of self-play games, solved one after the other."""

from __future__ import annotations

import itertools
import resource
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from engine import EndgameSolver, InvalidInput, parse_cgp
from lab.selfplay.empty_bag import first_endgames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from engine import Budget, EndgameResult, GameSetup, Lexicon, Position

LIMITS: Final = (0.1, 1.0, 10.0)
"""Seconds within which the report counts solved endgames."""
PERCENTILES: Final = {"median": 0.5, "p90": 0.9, "most": 1.0}
MAX_SEEDS: Final = 10**9


@dataclass(frozen=True, slots=True)
class Published:
    """Hold a published endgame: its name, position, published value, and a note."""

    name: str
    position: Position
    value: int
    note: str


def full_rack_endgames(setup: GameSetup, player: str) -> Iterator[Position]:
    """Yield first positions with an empty bag and two full racks, of games of seeds 1, 2, 3, ..."""
    for position in first_endgames(setup, player, MAX_SEEDS):
        if position is not None and has_full_racks(position):
            yield position


def has_full_racks(position: Position) -> bool:
    """Return whether both sides have a full rack (seven against seven)."""
    return all(len(player.rack or ()) == position.rules.rack_size for player in position.players)


def endgames(setup: GameSetup, player: str, count: int, full: bool) -> list[Position | None]:
    """Return the first position with an empty bag of `count` games, or `count` ones with full racks."""
    if full:
        return [*itertools.islice(full_rack_endgames(setup, player), count)]
    return [*first_endgames(setup, player, count)]


def published_endgames(path: Path, lexicon: Lexicon, ending: str) -> list[Published]:
    """Read published endgames from a file with a JSON object in each line: name, cgp, value, note.

    `ending`: CGP operations added to each position, which say how its game ends. Raises InvalidInput
    for a line that is no such object, and what `parse_cgp` raises.
    """
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = orjson.loads(line)
            name, cgp, value = str(row["name"]), str(row["cgp"]), int(row["value"])
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            raise InvalidInput(
                f"{path.name}, line {number}: not a published endgame ({error})", code="bad_published"
            ) from error
        position = parse_cgp(f"{cgp} {ending}".strip(), tile_set=lexicon.tile_set, lexicon=lexicon.id)
        found.append(Published(name, position, value, str(row.get("note", ""))))
    return found


def solve_all(
    lexicon: Lexicon,
    positions: Iterable[Position | None],
    budget: Budget,
    table_mb: int,
    progress: Callable[[int], None],
) -> list[EndgameResult | None]:
    """Solve endgames with one solver; the result of None is None."""
    solver = EndgameSolver(lexicon, table_mb=table_mb)
    results: list[EndgameResult | None] = []
    for number, position in enumerate(positions, 1):
        results.append(None if position is None else solver.solve(position, budget))
        progress(number)
    return results


def summary(results: Iterable[EndgameResult | None], seconds: float) -> dict[str, Any]:
    """Return the share solved within each limit, and distributions of nodes, widths of bounds and times."""
    listed = list(results)
    found = [result for result in listed if result is not None]
    proven = [result for result in found if result.certainty == "exact"]
    limits = sorted({limit for limit in LIMITS if limit < seconds} | {seconds})
    open_ones = [result for result in found if result.certainty != "exact"]
    return {
        "endgames": len(found),
        "games_without": len(listed) - len(found),
        "proven": {
            f"{limit:g}": share(sum(result.seconds <= limit for result in proven), len(found))
            for limit in limits
        }
        | {"all": share(len(proven), len(found))},
        "bounds_width": spread([result.upper - result.lower for result in open_ones]),
        "nodes": spread([result.nodes for result in found]),
        "nodes_per_second": round(
            sum(result.nodes for result in found) / max(1e-9, sum(result.seconds for result in found))
        ),
        "seconds": spread([result.seconds for result in found]),
        "best_move_seconds": spread([result.best_seconds for result in found]),
        "best_move_seconds_where_proven": spread([result.best_seconds for result in proven]),
        "overshoot_seconds": spread([max(0.0, result.seconds - seconds) for result in found]),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "table_filled": spread([result.table_entries / result.table_capacity for result in found]),
    }


def full_racks(
    positions: Iterable[Position | None], results: Iterable[EndgameResult | None]
) -> dict[str, float]:
    """Count the endgames of full racks on both sides (seven against seven), and the share of them proven."""
    full = [
        result
        for position, result in zip(positions, results, strict=True)
        if position is not None and result is not None
        if has_full_racks(position)
    ]
    proven = sum(result.certainty == "exact" for result in full)
    return {"endgames": len(full), "proven": share(proven, len(full))}


def share(part: int, total: int) -> float:
    """Return `part` / `total` with four decimals, 0 if `total` is 0."""
    return round(part / max(1, total), 4)


def spread(values: Iterable[float]) -> dict[str, float]:
    """Return median, 90th percentile and maximum of values; nothing for no value."""
    ranked = sorted(values)
    if not ranked:
        return {}
    ranks = {name: ranked[int(share * (len(ranked) - 1))] for name, share in PERCENTILES.items()}
    ranks["median"] = statistics.median(ranked)
    return {name: round(value, 6) for name, value in ranks.items()}
