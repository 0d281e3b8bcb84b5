"""The result of a pre-endgame search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from engine.search.phase import PREENDGAME
from engine.search.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.position import Pass, Play
    from engine.search.preendgame.turns import Moves
    from engine.search.preendgame.worlds import World

CERTAIN: Final = 100.0
"""The win% of a move that always wins."""

STATIC_PLAY: Final = "static"
"""The model of the opponent in a sample, who plays by static equity until the bag is empty."""

Certainty: TypeAlias = Literal["exact", "bounds", "estimate"]


def win(spread: int) -> float:
    """Return the value of a final spread: 1 for a win, 0.5 for a tie, 0 for a loss."""
    return 1.0 if spread > 0 else 0.5 if spread == 0 else 0.0


@dataclass(frozen=True, slots=True)
class Draw:
    """Hold one order of the bag, as tile codes, the first is drawn first, and how the game ends with it."""

    bag: bytes
    weight: Annotated[int, "number of ways to draw it"]
    lower: Annotated[float, "1 a proven win, 0.5 at least a tie, 0 nothing is proven"]
    upper: Annotated[float, "0 a proven loss, 0.5 at most a tie, 1 nothing is proven"]


@dataclass(frozen=True, slots=True)
class PreendgameMove:
    """Hold what is known of a candidate; percentages are of the draws, a tie counts half.

    `equity`: in points. `lower`, `upper`: proven bounds on the win%. `win_pct`: exact if they are equal, else
    an estimate within them. `spread`: mean final spread, proven only if `spread_exact`. `draws`,
    `draws_settled`: weight of all draws, and of those whose outcome is known. `certainty`: "exact" if all are
    known, "bounds" if not, "estimate" for a sample, with `standard_error` in percentage points. `stopped`: it
    cannot be best (in a sample: hardly), and was not examined further. `bounds`: on the final spread in each
    of `worlds`; both are empty for a bag of more than two tiles.
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
    worlds: Sequence[World]
    bounds: tuple[tuple[int, int], ...]

    @property
    def verdict(self) -> Verdict:
        """What is known of the win%."""
        if self.draws and self.standard_error is not None:
            return Verdict.sampled(round(self.win_pct, 3), round(self.standard_error, 3), PREENDGAME)
        return Verdict.proven(round(self.lower, 3), round(self.upper, 3), PREENDGAME)

    @property
    def by_draw(self) -> tuple[Draw, ...]:
        """What is known of each draw; empty for a sample."""
        return tuple(
            [
                Draw(world.bag, world.weight, win(low), win(high))
                for world, (low, high) in zip(self.worlds, self.bounds, strict=True)
            ]
        )


class LeftOut:
    """The moves that were not examined, the best by equity first; each is created when it is accessed."""

    def __init__(self, moves: Moves, numbers: list[int]) -> None:
        self._moves, self._numbers = moves, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Play | Pass]:
        return (self._moves[number].move for number in self._numbers)


@dataclass(frozen=True, slots=True)
class PreendgameResult:
    """Hold the result of a pre-endgame search.

    `moves`: the candidates, the best first, those that were not examined last; `pruned`: moves with less
    equity that were not examined. `best_proven`: no other candidate wins more often against the model of the
    opponent (`opponent`; STATIC_PLAY for a sample). `exchanges`: the rules allow exchanges, which are not
    examined. `stopped_by`: "complete", "budget" or "deadline".
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
    def is_sample(self) -> bool:
        """Whether the draws are a sample: random ones, or every bag in a random order."""
        return self.opponent == STATIC_PLAY

    @property
    def best(self) -> PreendgameMove:
        """The first of the moves."""
        return self.moves[0]
