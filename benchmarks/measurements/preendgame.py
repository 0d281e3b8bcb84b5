"""Published pre-endgames and those of self-play games, and their results by the solver."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import orjson

from benchmarks.measurements.endgame import share, spread
from benchmarks.measurements.processor_time import processor_deadline
from engine import (
    Budget,
    InvalidInput,
    Player,
    PreendgameSolver,
    format_cgp,
    format_move,
    parse_cgp,
)
from lab.selfplay.empty_bag import game_positions, played_games

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from engine import GameSetup, Lexicon, Position, PreendgameOptions, PreendgameResult

MAX_SEEDS: Final = 10**9
_WINS: Final = re.compile(r"(\d+(?:\.\d+)?)/(\d+)")


@dataclass(frozen=True, slots=True)
class Published:
    """Hold a published pre-endgame: its name, word list, position, best move and win%."""

    name: str
    lexicon: str
    position: Position
    best: str
    win_pct: float

    def fits(self, lexicon: Lexicon) -> bool:
        """Return whether a lexicon is an edition of the word list, as nwl23 is of NWL20 but not of CSW21."""
        return _family(lexicon.id) in {_family(name) for name in self.lexicon.split("/")}


def published_preendgames(path: Path, lexicon: Lexicon) -> list[Published]:
    """Read published pre-endgames from a file with a JSON object in each line.

    Fields: id, name, cgp, lexicon, best, win (such as "7.5/8"). The other rack is dropped: it would reveal
    the bag. Raises InvalidInput (code "bad_published") for a line that is no such object, and what
    `parse_cgp` raises.
    """
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = orjson.loads(line)
            name, needed, cgp, best = f"{row['id']} {row['name']}", row["lexicon"], row["cgp"], row["best"]
            wins = _WINS.match(row["win"])
            if wins is None:
                raise ValueError(f"win is {row['win']!r}")
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            raise InvalidInput(
                f"{path.name}, line {number}: not a published pre-endgame ({error})", code="bad_published"
            ) from error
        position = parse_cgp(cgp, tile_set=lexicon.tile_set, lexicon=lexicon.id)
        own, other = position.players
        position = replace(position, players=(own, Player(other.score)))
        found.append(Published(name, needed, position, best, 100 * float(wins[1]) / float(wins[2])))
    return found


def solve_published(
    rows: Iterable[Published],
    lexicon: Lexicon,
    budget: Budget,
    options: PreendgameOptions,
    progress: Callable[[int], None],
) -> list[PreendgameResult | None]:
    """Solve pre-endgames; the result is None if another word list is needed."""
    solver = PreendgameSolver(lexicon)
    results = []
    for number, row in enumerate(rows, 1):
        results.append(solver.solve(row.position, budget, options) if row.fits(lexicon) else None)
        progress(number)
    return results


@dataclass(frozen=True, slots=True)
class Solved:
    """Hold a pre-endgame, its result, and the processor time of the search in seconds."""

    position: Position
    result: PreendgameResult
    seconds: float


def preendgames(setup: GameSetup, bag: int, count: int) -> list[Position]:
    """Return the first position with `bag` tiles in the bag of each static game of seeds 1, 2, 3, ..., games
    without one skipped.
    """

    def found() -> Iterator[Position]:
        for game in played_games(setup, "static", MAX_SEEDS):
            yield from islice((one for left, one in game_positions(setup, game) if left == bag), 1)

    return [*islice(found(), count)]


def solve_in_processor_time(
    positions: Iterable[Position],
    lexicon: Lexicon,
    seconds: float,
    nodes: int | None,
    options: PreendgameOptions,
    progress: Callable[[int], None],
) -> list[Solved]:
    """Solve pre-endgames with one solver, each within a number of seconds of processor time."""
    solver = PreendgameSolver(lexicon)
    solved = []
    for number, position in enumerate(positions, 1):
        began = time.process_time()
        with processor_deadline(seconds) as deadline:
            result = solver.solve(position, Budget(nodes=nodes), options, deadline=deadline)
        solved.append(Solved(position, result, time.process_time() - began))
        progress(number)
    return solved


def summary(solved: list[Solved]) -> dict[str, Any]:
    """Return the share whose best move is proven, and the distributions of times, nodes and bounds."""
    proven = [one for one in solved if one.result.best_proven]
    others = [one.result.best for one in solved if not one.result.best_proven]
    return {
        "preendgames": len(solved),
        "proven": share(len(proven), len(solved)),
        "always_wins": share(sum(one.result.best.lower == 100 for one in proven), len(solved)),
        "always_loses": share(sum(one.result.best.upper == 0 for one in proven), len(solved)),
        "seconds": spread([one.seconds for one in solved]),
        "nodes": spread([one.result.nodes for one in solved]),
        "bounds_width_unless_proven": spread([best.upper - best.lower for best in others]),
    }


def rows_of(solved: list[Solved]) -> list[dict[str, Any]]:
    """Return what was found of each pre-endgame."""
    return [
        {
            "cgp": format_cgp(one.position),
            "best": format_move(one.result.best.move, one.position.tile_set),
            "best_proven": one.result.best_proven,
            "lower": one.result.best.lower,
            "upper": one.result.best.upper,
            "nodes": one.result.nodes,
            "endgames": one.result.endgames,
            "seconds": round(one.seconds, 3),
        }
        for one in solved
    ]


def verdict(row: Published, result: PreendgameResult | None) -> str:
    """Return whether a published win% is "confirmed", "refuted", "open", or why it was not solved."""
    if result is None:
        return f"not solved: it needs {row.lexicon}"
    best = result.best
    if not best.lower - 0.01 <= row.win_pct <= best.upper + 0.01:
        return "refuted"
    return "confirmed" if result.best_proven and best.certainty == "exact" else "open"


def _family(name: str) -> str:
    return name.rstrip("0123456789").casefold()
