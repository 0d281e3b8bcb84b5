"""Published pre-endgames, and their results by the solver."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import orjson

from engine import InvalidInput, Player, PreendgameSolver, parse_cgp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from engine import Budget, Lexicon, Position, PreendgameOptions, PreendgameResult

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
    budget: Callable[[], Budget],
    options: PreendgameOptions,
    progress: Callable[[int], None],
) -> list[PreendgameResult | None]:
    """Solve pre-endgames, each with a new budget; the result is None if another word list is needed."""
    solver = PreendgameSolver(lexicon)
    results = []
    for number, row in enumerate(rows, 1):
        results.append(solver.solve(row.position, budget(), options) if row.fits(lexicon) else None)
        progress(number)
    return results


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
