"""What a pre-endgame search found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.position import Pass, Play
    from engine.search.preendgame.turns import Moves

Certainty: TypeAlias = Literal["exact", "bounds", "estimate"]


@dataclass(frozen=True, slots=True)
class Draw:
    """Hold one order of the bag: its tile codes (the first is drawn first), its weight, bounds on the win.

    `lower` and `upper` are 1 for a win, 0.5 for a tie, 0 for a loss.
    """

    bag: bytes
    weight: int
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class PreendgameMove:
    """Hold what is known of a candidate; percentages are of the draws, ties half.

    `equity` is in points, `win_pct` is exact or a guess between `lower` and `upper`, `spread` the mean final
    spread, proven only if `spread_exact`; of `draws` (by weight) `draws_settled` are known to be won, tied or
    lost. `certainty`: "exact" if all are, "bounds" if not, "estimate" for a sample, with `standard_error` in
    percentage points. `stopped`: it cannot be best, or in a sample hardly so, and was not followed further.
    """

    move: Play | Pass
    score: int
    equity: float
    win_pct: float
    lower: float
    upper: float
    standard_error: float | None
    spread: float
    spread_exact: bool
    draws: int
    draws_settled: int
    certainty: Certainty
    stopped: bool
    by_draw: tuple[Draw, ...]


class LeftOut:
    """The moves that were not looked at, the best by equity first; each is made only when asked for."""

    def __init__(self, moves: Moves, numbers: list[int]) -> None:
        self._moves, self._numbers = moves, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Play | Pass]:
        return (self._moves[number].move for number in self._numbers)


@dataclass(frozen=True, slots=True)
class PreendgameResult:
    """Hold the answer to a pre-endgame.

    `moves` are the candidates, the best first; `pruned` those left out by equity, which may be better.
    `best_proven`: by the model of the other side (`opponent`; "static" in a sample) no other candidate wins
    more. `exchanges`: the rules would allow exchanges, which are not looked at. `stopped_by`: "complete",
    "budget" or "deadline".
    """

    opponent: str
    bag_count: int
    moves: tuple[PreendgameMove, ...]
    pruned: LeftOut
    best_proven: bool
    exchanges: bool
    endgames: int
    nodes: int
    seconds: float
    stopped_by: str

    @property
    def best(self) -> PreendgameMove:
        """The first of the moves."""
        return self.moves[0]
